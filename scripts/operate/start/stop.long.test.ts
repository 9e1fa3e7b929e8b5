/** `npm start` is stopped by a signal to all its processes, as service managers send it. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventually } from '../../kit/eventually.ts';
import { RunningProgram } from '../../kit/program.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';

const folder = testFolder();

/** Starts it as the leader of a process group. Two starts use one folder, so the second finds its data. */
function start(): RunningProgram {
  const argv = ['npm', 'start', '--silent', '--', '--port', '0', '--processes', '1', '--employees', '20', '--json'];
  argv.push('--receiver-port', '20126');
  const env = { ...process.env, NODE_OPTIONS: '', MONGODB_URI: '', WEBHOOK_ALLOW_NETWORKS: '127.0.0.1:1' };
  return new RunningProgram([...argv, '--data', folder], { env, leadsGroup: true });
}

/** What tells others that a service runs on the folder. */
const notes = () => readdirSync(folder).filter((name) => /^(database|instance)\.json$/.test(name));

test('while it starts, and when it runs: with exit code 0, and nothing says that it runs', async () => {
  const early = start();
  await eventually('its database', () => notes().length > 0 || early.hasEnded);
  expect([await early.stop(), notes()]).toEqual([0, []]);
  const running = start();
  const line = await running.line((text) => (text.startsWith('{"event":"ready"') ? text : undefined));
  expect(JSON.parse(line).webhooks.WEBHOOK_ALLOW_NETWORKS).toBe('127.0.0.1:20126,127.0.0.1:1');
  expect(notes()).toHaveLength(2);
  expect([await running.stop(), running.stderr, notes()]).toEqual([0, '', []]);
});
