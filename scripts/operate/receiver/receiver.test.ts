/** Tests the sample receiver: its check by the contract's test vector, the whole by deliveries of the service. */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { serviceSignature } from '../../../handlers/webhooks/delivery-signature.ts';
import { eventually } from '../../testbed/eventually.ts';
import { loopbackOutbound, RECEIVER, TestAuthority } from '../../testbed/receiver.ts';
import { keptOutput, testFolder } from '../../testbed/test-surroundings.ts';
import { receiverMain } from './main.ts';
import { verify } from './verify.ts';

const contract = readFileSync(path.resolve(import.meta.dirname, '../../../openapi.yaml'), 'utf8');
const given = (name: string) => new RegExp(`\\| ${name} \\| \`(.*)\` \\|`).exec(contract)?.[1] ?? '';
const vector = { secret: given('secret'), t: Number(given('t')), body: given('raw body'), header: given('header') };
const body = Buffer.from(vector.body);
const { secret, header, t } = vector;

describe('the check of a signature', () => {
  test('accepts the test vector of the contract for five minutes', () => {
    expect(verify(secret, header, body, t * 1000)).toBe('genuine');
    expect(verify(secret, header, body, (t + 300) * 1000)).toBe('genuine');
    expect(verify(secret, header, body, (t + 300) * 1000 + 1)).toBe('too old');
  });

  const hex = header.split('v1=')[1] ?? '';
  test.each([
    ['another body', secret, header, Buffer.from(`${vector.body} `)],
    ['another secret', `${secret}A`, header, body],
    ['the secret without its prefix', secret.replace('whsec_', ''), header, body],
    ['another time', secret, `t=${t + 1},v1=${hex}`, body],
    ['another signature', secret, `t=${t},v1=${'0'.repeat(64)}`, body],
    ['a shorter signature', secret, `t=${t},v1=${hex.slice(0, 62)}`, body],
    ['a longer signature', secret, `t=${t},v1=${hex}00`, body],
    ['no signature', secret, `t=${t}`, body],
    ['no time', secret, `t=,v1=${createHmac('sha256', secret).update('.').update(body).digest('hex')}`, body],
    ['an empty header', secret, '', body],
    ['no header', secret, undefined, body],
  ])('refuses %s', (_, key, value, bytes) => {
    expect(verify(key, value, bytes, t * 1000)).toBe('wrong signature');
  });
});

const folder = testFolder();
const authority = new TestAuthority();
const identity = authority.server([RECEIVER]);
const files = { cert: path.join(folder, 'receiver.pem'), key: path.join(folder, 'key.pem') };
writeFileSync(files.cert, identity.cert);
writeFileSync(files.key, identity.key);

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const receiver of running.splice(0)) await receiver.stop();
});

async function started(...flags: string[]) {
  const stopping = new AbortController();
  const { written, ...output } = keptOutput();
  const ended = receiverMain(['--port', '0', '--certificate', files.cert, '--key', files.key, ...flags], {
    ...output,
    untilStopped: () => stopping.signal,
  });
  const port = Number(await eventually('a port', () => /127\.0\.0\.1:(\d+)/.exec(written.err)?.[1]));
  const outbound = loopbackOutbound(port, authority, { deadlineMs: 60_000 });
  running.push({
    async stop() {
      outbound.stop();
      stopping.abort();
      expect(await ended).toBe(0);
    },
  });
  return {
    send: (headers: Record<string, string>, body = vector.body) =>
      outbound.post({ url: `https://${RECEIVER}:${port}/hook`, body, headers }),
    lines: () => written.out.split('\n').slice(0, -1),
  };
}

const signed = (ageMs = 0, bytes = vector.body) => ({
  'service-signature': serviceSignature(secret, bytes, Date.now() - ageMs),
});

test('prints what the service has signed, marks a repetition, and says why it refuses the rest', async () => {
  const receiver = await started('--secret', secret);
  expect(await receiver.send(signed())).toMatchObject({ status_code: 204, error: '' });
  expect((await receiver.send(signed())).status_code).toBe(204);
  expect((await receiver.send(signed(301_000))).status_code).toBe(401);
  expect((await receiver.send(signed(0, '{}'))).status_code).toBe(401);
  expect((await receiver.send(signed(0, 'x'.repeat(70_000)), 'x'.repeat(70_000))).status_code).not.toBe(204);
  const { id, type, data } = JSON.parse(vector.body);
  const line = `${id}  ${type}  ${JSON.stringify(data)}`;
  const [first, second, old, wrong] = receiver.lines();
  expect([first, second]).toEqual([line, `${line}  (came before)`]);
  expect(old).toContain('more than five minutes ago');
  expect(wrong).toContain('wrong signature');
  expect(receiver.lines().join()).not.toContain(secret);
});

test('answers with a given error status, and then does not remember the event', async () => {
  const secretFile = path.join(folder, 'secret');
  writeFileSync(secretFile, `${secret}\n`);
  const receiver = await started('--secret-file', secretFile, '--status', '500', '--json');
  const event = JSON.parse(vector.body);
  for (let attempt = 0; attempt < 2; attempt++) expect((await receiver.send(signed())).status_code).toBe(500);
  const printed = { verdict: 'genuine', status: 500, event, again: false };
  expect(receiver.lines().map((line) => JSON.parse(line))).toEqual([printed, printed]);
});

test.each([
  ['no secret', [], 2, '--secret'],
  ['two secrets', ['--secret', secret, '--secret-file', files.key], 2, '--secret'],
  ['what is no secret', ['--secret', 'dapi_1'], 2, 'whsec_'],
  ['no file of the secret', ['--secret-file', path.join(folder, 'none')], 1, 'none'],
  ['no certificate', ['--secret', secret, '--data', folder], 1, 'npm start makes it'],
  ['no such port', ['--secret', secret, '--port', '70000'], 2, '65535'],
  ['no such status', ['--secret', secret, '--status', '99'], 2, '599'],
])('does not start with %s', async (_, argv, code, words) => {
  const { written, ...output } = keptOutput();
  const surroundings = { ...output, untilStopped: () => AbortSignal.abort() };
  expect(await receiverMain(argv, surroundings)).toBe(code);
  expect(written.err).toContain(words);
});
