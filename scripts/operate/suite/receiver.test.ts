import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../testbed/test-surroundings.ts';
import { ensureReceiver, type WebhookReceiver } from './receiver.ts';

const dir = testFolder();
const now = new Date();
const ensure = (at = now, taken = [0]) => ensureReceiver(dir, {}, taken, at) as Promise<WebhookReceiver>;
const filesOf = ({ certificate, key, ca }: WebhookReceiver) =>
  Promise.all([certificate, key, ca].map((file) => readFile(file, 'utf8')));

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

test('the port is the usual one, unless it is in use or a free one is requested', async () => {
  const listening = createServer();
  await new Promise<void>((resolve) => {
    // If another program already listens there, the port is taken as well, which is all that the test needs.
    listening.once('error', () => resolve()).listen(8_443, '127.0.0.1', () => resolve());
  });
  const ports = [await ensure(now, [8_080, 8_081]), await ensure(now, [0]), await ensure(now, [8_442, 8_443])];
  await new Promise((resolve) => listening.close(resolve));
  for (const { port } of ports) {
    expect(port).not.toBe(8_443);
    expect(port).toBeGreaterThanOrEqual(1_024);
  }
});

test('no other process chooses the port, although nothing listens there yet', async () => {
  const { port } = await ensure();
  const other = createSocket('udp4');
  const claimed = once(other, 'listening');
  other.bind({ port, address: '127.0.0.1', exclusive: true });
  await expect(claimed).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
  const first = await ensure(now, [8_080]);
  const second = await ensure(now, [8_081]);
  expect(second.port).not.toBe(first.port);
});

test.each([
  { WEBHOOK_ALLOW_NETWORKS: '10.0.0.1:8443' },
  { WEBHOOK_CA_FILE: '/etc/ca.pem' },
  { NODE_ENV: 'production' },
])('no further address is allowed with %j', async (env) => {
  expect(await ensureReceiver(dir, env, [0], now)).toBeUndefined();
});
