import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../conformance/processes/ports.ts';
import { nodeScript, RunningProgram } from '../../conformance/processes/program.ts';
import { endingWithParent } from './run-program.ts';
import { testFolder } from './test-surroundings.ts';

const dir = testFolder();

async function script(name: string, text: string): Promise<string> {
  const file = path.join(dir, `${name}.mjs`);
  await writeFile(file, text);
  return file;
}

const word = (line: string) => /^ready (\w+)/.exec(line)?.[1];
const FOR_EVER = 'setInterval(() => {}, 1000);';

describe('a program that ends with its parent', () => {
  test('continues when it starts a thread', async () => {
    // The standard input of a thread ends at once. When the message arrives, other listeners of that end have already
    // run.
    const ended = "process.stdin.once('end', () => setImmediate(() => parentPort.postMessage('ended'))).resume();";
    const thread = await script('thread', `import { parentPort } from 'node:worker_threads'; ${ended} ${FOR_EVER}`);
    const text = `
      import { Worker } from 'node:worker_threads';
      new Worker('${thread}').once('message', () => setTimeout(() => console.log('ready alive'), 200));
      ${FOR_EVER}`;
    const program = new RunningProgram(endingWithParent(await script('threaded', text)), { holdsInput: true });
    expect(await program.line(word)).toBe('alive');
    await program.stop();
  });

  test.each([
    ['when the parent is killed', ''],
    [
      'then, even if it blocks while it ends',
      "process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));",
    ],
  ])('ends %s', async (_, text) => {
    const server = createServer();
    const socket = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const port = await listenOnLoopback(server);
    const leave = "process.on('SIGTERM', () => process.exit(0));";
    const link = `import { connect } from 'node:net'; connect(${port}, '127.0.0.1').on('error', () => {});`;
    const argv = endingWithParent(await script('linked', `${link} ${leave} ${text}`));
    const module = new URL('../../conformance/processes/program.ts', import.meta.url).href;
    const options = '{ holdsInput: true, leadsGroup: true }';
    const starting = `import { RunningProgram } from '${module}'; new RunningProgram(${JSON.stringify(argv)}, ${options});`;
    const parent = new RunningProgram(nodeScript(await script('parent', starting)));
    const linked = await socket;
    const closed = new Promise((resolve) => linked.once('close', resolve));
    linked.resume();
    await parent.stop('SIGKILL');
    await closed;
    server.close();
  });
});
