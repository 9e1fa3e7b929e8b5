import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { serviceSignature } from './delivery-signature.ts';

/**
 * Made with another program, for comparison:
 * `printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac "$secret"`
 */
const vectors = [
  {
    secret: 'whsec_CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYY',
    t: 1_772_424_901,
    body: '{"id":"6f1d2c3b-4a59-4e68-8d77-9c8b7a6f5e11","type":"employee.changed","occurred_at":"2026-03-02T04:15:00.000Z","data":{"employee_id":"8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04"}}',
    v1: 'bca1e7f99860d41d65a2c8c7475d1047506006ff559b736650b56c7e2fabdce9',
  },
  {
    secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    t: 0,
    body: '',
    v1: 'dc383435bd2b5ad6169f5e1faa7d8db5f9b04e794d83f49100264fb1102e44b3',
  },
  {
    secret: 'whsec_________________________________________0',
    t: 4_102_444_800,
    body: '{"ә":"ү","n":"\\n"}',
    v1: '1c5f8354a4a79e15e6ec368b364c0b645e0b13a1d64e2914cd27f5a65ae44a6d',
  },
] as const;

test.each(vectors)('equals the signature of other programs: t=$t', ({ secret, t, body, v1 }) => {
  for (const ms of [0, 1, 999]) expect(serviceSignature(secret, body, t * 1_000 + ms)).toBe(`t=${t},v1=${v1}`);
});

const contract = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8');
const description: string = parse(contract).components.parameters.ServiceSignature.description;

test('the contract shows the first example', () => {
  const [{ secret, t, body, v1 }] = vectors;
  for (const part of [secret, body, `t=${t},v1=${v1}`]) expect(description).toContain(`\`${part}\``);
});

test('the receiver in the contract accepts our signatures, and no others', async () => {
  const program = /```js\n([\s\S]+?)```/.exec(description)?.[1] ?? '';
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
  const [{ secret, t, body }] = vectors;
  const header = serviceSignature(secret, body, t * 1_000);
  const bytes = Buffer.from(body);
  expect(isGenuine(secret, header, bytes, t)).toBe(true);
  expect(isGenuine(secret, header, bytes, t + 300)).toBe(true);
  expect(isGenuine(secret, header, bytes, t + 301)).toBe(false);
  expect(isGenuine(secret, header, Buffer.from(`${body} `), t)).toBe(false);
  expect(isGenuine(`${secret}x`, header, bytes, t)).toBe(false);
  expect(isGenuine(secret, header.replace(`t=${t}`, `t=${t + 1}`), bytes, t)).toBe(false);
  expect(isGenuine(secret, header.slice(0, -1), bytes, t)).toBe(false);
  expect(isGenuine(secret, '', bytes, t)).toBe(false);
});
