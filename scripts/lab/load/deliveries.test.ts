import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../conformance/callbacks/delivery.ts';
import { signatureOf } from '../../../conformance/callbacks/signature.ts';
import { deliveryChecker } from './deliveries.ts';

const SECRET = 'whsec_test';
const AT_MS = 1_700_000_000_000;
const envelope = (more: object = {}) =>
  JSON.stringify({
    id: 'e1',
    type: 'document.completed',
    occurred_at: '2026-01-02T03:04:05Z',
    data: { document_id: 'd1' },
    ...more,
  });
const signed = (raw: string, secret = SECRET, t = AT_MS / 1000) =>
  `t=${t},v1=${signatureOf(secret, t, Buffer.from(raw))}`;

/** What a checker says of deliveries with these signatures and bodies. */
async function checked(...given: readonly (readonly [signature: string | undefined, raw: string])[]) {
  const arrived = given.map(([signature, raw]) => {
    const headers = signature === undefined ? [] : [['Service-Signature', signature]];
    return { at_ms: AT_MS, headers, body: Buffer.from(raw).toString('base64') } as unknown as Delivery;
  });
  return deliveryChecker(arrived, SECRET).waitForCompleted(2, 1);
}

describe('a delivery', () => {
  test('is counted if it is correct, and a document with two events counts once', async () => {
    const one = [signed(envelope()), envelope()] as const;
    expect(await checked(one, one)).toEqual({ received: 2, completed: 1, problems: [] });
  });

  test.each([
    ['signed with another secret', signed(envelope(), 'whsec_other'), envelope(), /not over these bytes/],
    ['signed over other bytes', signed(envelope()), `${envelope()} `, /not over these bytes/],
    ['signed long ago', signed(envelope(), SECRET, AT_MS / 1000 - 301), envelope(), /older than five minutes/],
    ['not signed', undefined, envelope(), /absent/],
    ['without an id', signed(envelope({ id: undefined })), envelope({ id: undefined }), /lacks id/],
    ['without its document', signed(envelope({ data: {} })), envelope({ data: {} }), /names no document/],
    ['no JSON', signed('hello'), 'hello', /lacks id/],
  ])('%s is a problem, and completes nothing', async (_what, signature, raw, problem) => {
    expect(await checked([signature, raw])).toEqual({
      received: 1,
      completed: 0,
      problems: [expect.stringMatching(problem)],
    });
  });
});
