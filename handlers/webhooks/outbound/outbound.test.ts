import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loggedLines } from '../../../scripts/world/logged-lines.ts';
import { RECEIVER, receiver, TestAuthority, type TestReceiver } from '../../../scripts/world/receiver.ts';
import { type Config, readConfig } from '../../runtime/config.ts';
import { configuredOutbound } from './outbound.ts';

const authority = new TestAuthority();
let there: TestReceiver;
let dir: string;

beforeAll(async () => {
  there = await receiver(authority.server(['127.0.0.1', RECEIVER]));
  dir = await mkdtemp(join(tmpdir(), 'outbound-'));
  writeFileSync(join(dir, 'ca.pem'), authority.pem);
});

afterAll(async () => {
  await there.stop();
  await rm(dir, { recursive: true });
});

function opened(env: Record<string, string>, ownPorts: readonly number[] = []) {
  const read = readConfig({ MONGODB_URI: 'mongodb://127.0.0.1:1/', STORAGE_DIR: dir, ...env });
  if ('problems' in read) throw new Error(read.problems.join());
  const config: Config = read.config;
  const { log, lines: logged } = loggedLines();
  return { outbound: configuredOutbound(config, () => ownPorts, log), logged };
}

const allowing = () => ({
  WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${there.port}`,
  WEBHOOK_CA_FILE: join(dir, 'ca.pem'),
});
const send = async ({ outbound }: ReturnType<typeof opened>) => {
  const url = `https://127.0.0.1:${there.port}/`;
  const accepted = (await outbound.problemOf(url)) === undefined;
  const { status_code, error } = await outbound.post({ url, body: '{}', headers: {} });
  outbound.stop();
  return [accepted, status_code, error];
};

test('configured networks and authorities are allowed, with a warning in the log', async () => {
  const open = opened(allowing());
  expect(await send(open)).toEqual([true, 204, '']);
  expect(open.logged).toEqual([
    expect.objectContaining({ level: 'warn', networks: [`127.0.0.1:${there.port}`] }),
    expect.objectContaining({ level: 'warn', file: join(dir, 'ca.pem') }),
  ]);
  for (const { message } of open.logged) expect(message).toMatch(/^webhooks /);
});

test('without configuration nothing is allowed, and nothing is logged', async () => {
  const open = opened({});
  expect(await send(open)).toEqual([false, 0, 'address_denied']);
  expect(open.logged).toEqual([]);
});

test('a port of this service is never reached, even if its network is allowed', async () => {
  expect(await send(opened(allowing(), [there.port]))).toEqual([false, 0, 'address_denied']);
});
