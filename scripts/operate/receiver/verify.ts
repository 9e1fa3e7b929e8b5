/** The check that every receiver of events needs. Copy it: it imports only Node's own cryptography. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery that was signed longer ago may be a recorded one that somebody sends again. */
const MAX_AGE_S = 5 * 60;

/**
 * Whether a delivery comes from the service: `Service-Signature: t=<unix seconds>,v1=<hex>`, where `v1` is the
 * HMAC-SHA256 of `{t}.{raw body}` with the whole secret of the endpoint, including `whsec_`.
 * @param header the value of `Service-Signature`
 * @param rawBody the bytes as they arrived, before any JSON parser has touched them
 * @param nowMs the present time, in milliseconds since the epoch
 */
export function verify(
  secret: string,
  header: string | undefined,
  rawBody: Uint8Array,
  nowMs: number = Date.now(),
): 'genuine' | 'wrong signature' | 'too old' {
  const [, t = '', v1 = ''] = /^t=(\d{10,}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  const given = Buffer.from(v1, 'hex');
  // In constant time, so that the duration of the comparison does not show how much of a guess was right.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong signature';
  return nowMs / 1000 - Number(t) > MAX_AGE_S ? 'too old' : 'genuine';
}
