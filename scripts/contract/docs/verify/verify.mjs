import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(secret, header, rawBody) {
  const [, t, v1] = /^t=(\d{10,}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (t === undefined || Math.floor(Date.now() / 1000) - Number(t) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'));
}
