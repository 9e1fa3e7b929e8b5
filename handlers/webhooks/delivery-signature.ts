/** The signature of deliveries: `Service-Signature: t=<unix seconds>,v1=<hex>`. */
import { createHmac } from 'node:crypto';

/**
 * The header's value for one attempt: HMAC-SHA256 (RFC 2104) over `{t}.{raw body}`, keyed by the UTF-8 text of the
 * whole secret (D-24).
 * @param body exactly as it is sent
 * @param atMs when the attempt is made, in milliseconds since the epoch
 */
export function serviceSignature(secret: string, body: string, atMs: number): string {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
