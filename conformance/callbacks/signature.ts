/** The receiver's side of `Service-Signature`, written from the contract alone. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Signature {
  /** Seconds since 1970. */
  t: number;
  v1: string;
}

/** @returns undefined if the header does not have the form of the contract */
export function parseSignature(header: string | undefined): Signature | undefined {
  const [, t, v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  return t === undefined || v1 === undefined ? undefined : { t: Number(t), v1 };
}

/** The HMAC-SHA256 of `{t}.{raw body}` in lower-case hexadecimal, keyed with the text of the whole secret. */
export function signatureOf(secret: string, t: number | string, raw: Buffer): string {
  return createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex');
}

/** Whether the signature fits exactly these bytes and this secret; says nothing about its age. */
export function verifies(secret: string, { t, v1 }: Signature, raw: Buffer): boolean {
  return timingSafeEqual(Buffer.from(v1), Buffer.from(signatureOf(secret, t, raw)));
}
