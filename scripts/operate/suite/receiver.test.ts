import { statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { newAuthority, pemOf } from '../../world/eds/folder.ts';
import { ensureReceiver, receiverEnv, type WebhookReceiver } from './receiver.ts';

const dir = testFolder();
const now = new Date();
const ensure = (at = now, taken = [0], asked?: number, env = {}) =>
  ensureReceiver(dir, env, { asked, taken }, at) as Promise<WebhookReceiver>;
const filesOf = ({ certificate, key, ca }: WebhookReceiver) =>
  Promise.all([certificate, key, ca].map((file) => readFile(file, 'utf8')));

const blocksOf = (text: string) => text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

test('the files are kept until they are damaged or about to expire', async () => {
  const made = await ensure();
  expect(statSync(made.key).mode & 0o777).toBe(0o600);
  const first = await filesOf(made);
  expect(await filesOf(await ensure())).toEqual(first);
  const later = new Date(now.getTime() + 340 * 86_400_000);
  const second = await filesOf(await ensure(later));
  expect(second).not.toEqual(first);
  const facts = await ensure(later);
  writeFileSync(facts.ca, first[2] as string);
  expect(await filesOf(await ensure(later))).not.toEqual(second);
});

test('the port is the one that is asked for; else the usual one, unless it is in use or a free one is requested', async () => {
  expect(await ensure(now, [8_080], 20_123)).toMatchObject({ host: '127.0.0.1', port: 20_123 });
  const listening = createServer();
  await new Promise<void>((resolve) => {
    // If another program already listens there, the port is taken as well, which is all that the test needs.
    listening.once('error', () => resolve()).listen(8_443, '127.0.0.1', () => resolve());
  });
  const ports = [await ensure(now, [8_080, 8_081]), await ensure(now, [0]), await ensure(now, [8_442, 8_443])];
  await new Promise((resolve) => listening.close(resolve));
  ports.push(await ensure(now, [8_080], 0));
  for (const { port } of ports) {
    expect(port).not.toBe(8_443);
    expect(port).toBeGreaterThanOrEqual(1_024);
  }
});

test('a port that was chosen is not chosen again, although nothing listens there yet', async () => {
  const first = await ensure(now, [8_080]);
  const second = await ensure(now, [8_081]);
  expect(second.port).not.toBe(first.port);
});

test('addresses and an authority of the environment are allowed beside it, but none in production', async () => {
  const other = path.join(dir, 'other.pem');
  writeFileSync(other, pemOf(newAuthority('ec', now).certificate));
  const env = { WEBHOOK_ALLOW_NETWORKS: '10.0.0.1:8443,[fd00::1]:443', WEBHOOK_CA_FILE: other };
  const allowedWith = async (given: NodeJS.ProcessEnv) => receiverEnv(await ensure(now, [0], 20_124, given));
  const allowed = await allowedWith(env);
  expect(allowed.WEBHOOK_ALLOW_NETWORKS).toBe(`127.0.0.1:20124,${env.WEBHOOK_ALLOW_NETWORKS}`);
  const own = await readFile((await allowedWith({})).WEBHOOK_CA_FILE ?? '', 'utf8');
  const trusted = await readFile(allowed.WEBHOOK_CA_FILE ?? '', 'utf8');
  expect(blocksOf(trusted)).toEqual([own, await readFile(other, 'utf8')].flatMap(blocksOf));
  // The server refuses it by name, as it would without a receiver.
  const wrong = path.join(dir, 'absent.pem');
  expect((await allowedWith({ WEBHOOK_CA_FILE: wrong })).WEBHOOK_CA_FILE).toBe(wrong);
  expect(await ensure(now, [0], 20_124, { ...env, NODE_ENV: 'production' })).toBeUndefined();
});
