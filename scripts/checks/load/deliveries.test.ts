import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { DeliveryChecker, listen } from './deliveries.ts';

const SECRET = 'whsec_test';
const AT_MS = 1_700_000_000_000;
const envelope = (more: object = {}) => ({
  id: 'e1',
  type: 'document.completed',
  occurred_at: '2026-01-02T03:04:05Z',
  data: { document_id: 'd1' },
  ...more,
});
const signed = (raw: string, secret = SECRET, t = AT_MS / 1000) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')}`;

function checker(): DeliveryChecker {
  const made = new DeliveryChecker();
  made.secret = SECRET;
  return made;
}

describe('a delivery', () => {
  test('is counted if it is correct, and a document with two events counts once', () => {
    const checking = checker();
    const raw = JSON.stringify(envelope());
    const answers = [1, 2].map(() => checking.take(signed(raw), Buffer.from(raw), AT_MS));
    expect(answers).toEqual([204, 204]);
    expect(checking.sofar).toEqual({ received: 2, completed: 1, problems: [] });
  });

  test.each([
    ['signed with another secret', JSON.stringify(envelope()), 'whsec_other', /not over these bytes/],
    ['without an id', JSON.stringify(envelope({ id: undefined })), SECRET, /lacks id/],
    ['without its document', JSON.stringify(envelope({ data: {} })), SECRET, /names no document/],
    ['no JSON', 'hello', SECRET, /lacks id/],
  ])('%s is a problem, and completes nothing', (_what, raw, secret, problem) => {
    const checking = checker();
    expect(checking.take(signed(raw, secret), Buffer.from(raw), AT_MS)).toBe(400);
    expect(checking.sofar).toEqual({ received: 1, completed: 0, problems: [expect.stringMatching(problem)] });
  });

  test('is a problem if it is signed over other bytes, or long ago', () => {
    const checking = checker();
    const raw = JSON.stringify(envelope());
    expect(checking.take(signed(raw), Buffer.from(`${raw} `), AT_MS)).toBe(400);
    expect(checking.take(signed(raw), Buffer.from(raw), AT_MS + 301_000)).toBe(400);
    expect(checking.take(undefined, Buffer.from(raw), AT_MS)).toBe(400);
    expect(checking.sofar.problems).toHaveLength(3);
  });
});

test('deliveries come to the address of the profile, and the run waits for them for a limited time', async () => {
  const listener = await listen({ mode: 'public', listen: '127.0.0.1:0', url: 'https://hooks.example/x/' });
  if ('missing' in listener) throw new Error(listener.missing);
  expect(listener.url).toBe('https://hooks.example/x/load');
  await listener.close();
  const short = await listen({ mode: 'public', listen: '127.0.0.1:0' });
  if ('missing' in short) throw new Error(short.missing);
  short.checker.secret = SECRET;
  const raw = JSON.stringify(envelope());
  const url = short.url.replace('https:', 'http:');
  const headers = { 'Service-Signature': signed(raw, SECRET, Math.floor(Date.now() / 1000)) };
  expect((await fetch(url, { method: 'POST', body: raw, headers })).status).toBe(204);
  expect((await short.waitForCompleted(2, 1)).completed).toBe(1);
  expect((await short.waitForCompleted(1, 60_000)).completed).toBe(1);
  await short.close();
});

test('a profile without callbacks says why nothing is received', async () => {
  expect(await listen({ mode: 'none' })).toEqual({ missing: expect.stringContaining('none') });
  expect(await listen({ mode: 'command', command: ['tunnel'] })).toEqual({
    missing: expect.stringContaining('command'),
  });
});
