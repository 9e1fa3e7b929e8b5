/** A run that is stopped leaves no process and no verdict behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ruleOfHead } from '../http/exchange.ts';

/** Rules of two files that run in parallel. */
const [FIRST, SECOND] = ['AUTH-1', 'VER-1'];
/**
 * Rules that come later: one in the file of the first, and one in the phase of those that need the target for
 * themselves.
 */
const LATER = ['AUTH-2', 'PAGE-19'];

const directory = mkdtempSync(join(tmpdir(), 'stop-'));
const asked: string[] = [];
const held = new Set<Socket>();

/** Leaves every request of a rule unanswered. */
const target = createServer((request, response) => {
  const rule = ruleOfHead(`User-Agent: ${request.headers['user-agent']}\r\n`);
  if (rule === undefined) return void response.end('{}');
  asked.push(rule);
  held.add(request.socket);
  request.socket.once('close', () => held.delete(request.socket));
  target.emit('asked');
});

beforeAll(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
});
afterAll(() => {
  target.closeAllConnections();
  target.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s to the suite alone ends all of it', async (signal) => {
  const profile = join(directory, 'profile.yaml');
  const example = readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8');
  writeFileSync(
    profile,
    example.replace(/^env_file:.*\n/m, '').replace(/^keys:\n(?: .*\n)+/m, 'keys:\n  full: [CONF_KEY_FULL_1]\n'),
  );
  asked.length = 0;
  const out = join(directory, signal);
  const words = ['--profile', profile, '--only', [FIRST, SECOND, ...LATER].join(), '--out', out];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...words], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      CONF_KEY_FULL_1: 'ak_test_0',
      CONF_BASE_URL: `http://127.0.0.1:${(target.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  while (!(asked.includes(FIRST) && asked.includes(SECOND))) await once(target, 'asked');
  child.kill(signal);
  expect(await ended).toEqual([4, null]);
  expect(said).toContain('there is no verdict');
  // Every requester has closed its connection, though it had no answer.
  while (held.size > 0) await once([...held][0] as Socket, 'close');
  expect(asked.filter((rule) => LATER.includes(rule))).toEqual([]);
  expect(existsSync(out)).toBe(false);
});
