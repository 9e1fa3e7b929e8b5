import { expect, test } from '@jest/globals';
import { parseSignature, signatureOf, verifies } from './signature.ts';

/** The test vector of the contract. */
const secret = 'whsec_CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYY';
const header = 't=1772424901,v1=bca1e7f99860d41d65a2c8c7475d1047506006ff559b736650b56c7e2fabdce9';
const body = Buffer.from(
  '{"id":"6f1d2c3b-4a59-4e68-8d77-9c8b7a6f5e11","type":"employee.changed","occurred_at":"2026-03-02T04:15:00.000Z","data":{"employee_id":"8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04"}}',
);

test('the test vector of the contract verifies, and fails with any one part changed', () => {
  const signature = parseSignature(header);
  if (signature === undefined) throw new Error('the header was not read');
  expect(signatureOf(secret, signature.t, body)).toBe(signature.v1);
  expect(verifies(secret, signature, body)).toBe(true);
  expect(verifies(secret.slice(6), signature, body)).toBe(false);
  expect(verifies(secret, { ...signature, t: signature.t + 1 }, body)).toBe(false);
  expect(verifies(secret, signature, Buffer.concat([body, Buffer.from('\n')]))).toBe(false);
});

test('a header of another form is not accepted', () => {
  const v1 = 'a'.repeat(64);
  for (const wrong of [undefined, '', `t=1,v1=${v1}`, `v1=${v1},t=1772424901`, `t=1772424901, v1=${v1}`]) {
    expect(parseSignature(wrong)).toBeUndefined();
  }
  expect(parseSignature(`t=1772424901,v1=${v1.toUpperCase()}`)).toBeUndefined();
});
