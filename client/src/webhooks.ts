import { joined } from './body.ts';
import type { WebhookEvent } from './types.ts';

/** A delivery that was signed longer ago may be a recorded one that somebody sends again. */
const TOLERANCE_MS = 5 * 60_000;
const encoder = new TextEncoder();

/** Why a delivery is not to be trusted. */
export type WebhookFault =
  | 'no signature'
  | 'malformed signature'
  | 'wrong signature'
  | 'too old'
  | 'too far ahead'
  | 'no event';

/** A delivery that is not to be trusted, or is no event. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(`The delivery is refused: ${fault}.`);
    this.fault = fault;
  }
}

export interface VerifyOptions {
  /** The present time in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
  /** How far the time of the signature may lie behind or ahead; five minutes unless stated. */
  readonly toleranceMs?: number | undefined;
}

/**
 * Verifies a delivery and reads its event. The comparison takes the same time whatever is wrong, and each secret is tried.
 * @param body as it arrived, before any JSON parser has touched it
 * @param header `Service-Signature`
 * @param secrets of the endpoint, whole, with `whsec_`; two while an endpoint is being replaced
 * @throws WebhookError
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  header: string | null | undefined,
  secrets: string | readonly string[],
  { nowMs = Date.now(), toleranceMs = TOLERANCE_MS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const known = knownSecrets(secrets);
  if (!header) throw new WebhookError('no signature');
  const { t, signatures } = parsedSignature(header);
  const bytes = bytesOf(body);
  const signed = joined([encoder.encode(`${t}.`), bytes]);
  const tried = known.flatMap((secret) => signatures.map((signature) => matches(secret, signature, signed)));
  if (!(await Promise.all(tried)).includes(true)) throw new WebhookError('wrong signature');
  const ageMs = nowMs - Number(t) * 1000;
  if (ageMs > toleranceMs) throw new WebhookError('too old');
  if (ageMs < -toleranceMs) throw new WebhookError('too far ahead');
  return parsedEvent(bytes);
}

/** @throws TypeError if one is missing, as where a variable is not set */
export function knownSecrets(secrets: string | readonly string[]): readonly string[] {
  // A file that holds a secret often ends with a line feed.
  const all = [secrets].flat().map((secret) => (typeof secret === 'string' ? secret.trim() : ''));
  if (all.length > 0 && all.every((secret) => secret !== '')) return all;
  throw new TypeError('a secret of the endpoint is missing or empty');
}

/** `Service-Signature` as the service makes it, for tests of your receiver. */
export async function signWebhook(
  body: string | ArrayBuffer | Uint8Array,
  secret: string,
  { nowMs = Date.now() }: VerifyOptions = {},
): Promise<string> {
  const t = Math.floor(nowMs / 1000);
  const signed = joined([encoder.encode(`${t}.`), bytesOf(body)]);
  const [known = ''] = knownSecrets(secret);
  const v1 = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(known, 'sign'), signed));
  return `t=${t},v1=${hexOf(v1)}`;
}

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** `t=<unix seconds>,v1=<hex>`; further parts of later releases are ignored. */
function parsedSignature(header: string): { t: string; signatures: Uint8Array<ArrayBuffer>[] } {
  const parts = header.split(',').map((part) => part.trim());
  const t = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
  const hexes = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3));
  if (t === undefined || hexes.length === 0) throw new WebhookError('malformed signature');
  const byte = (hex: string, at: number) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return { t, signatures: hexes.map((hex) => Uint8Array.from({ length: 32 }, (_, at) => byte(hex, at))) };
}

/** WebCrypto compares in constant time. */
async function matches(secret: string, signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), signature, signed);
}

function keyOf(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function bytesOf(body: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('the body must be raw, as text or bytes: a JSON parser has read it already');
}

function parsedEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // It is no JSON.
  }
  throw new WebhookError('no event');
}
