import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endReason, firstLine, startChild } from './child.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'child-'));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

async function program(name: string, text: string): Promise<URL> {
  const file = path.join(dir, `${name}.mjs`);
  await writeFile(file, text);
  return pathToFileURL(file);
}

const word = (line: string) => /^ready (\w+)/.exec(line)?.[1];
const FOR_EVER = 'setInterval(() => {}, 1000);';

describe('startChild', () => {
  test('waits for the line that is waited for, and stops with SIGTERM', async () => {
    const child = startChild({
      name: 'It',
      program: await program('good', `console.log('before'); console.log('ready steady'); ${FOR_EVER}`),
    });
    expect(await firstLine(child, 'It', word, 60_000)).toBe('steady');
    await child.stop();
    expect(await child.ended).toBe('It was ended by SIGTERM.');
    await child.stop();
  });

  test('a program that ends first fails with what it said', async () => {
    const child = startChild({
      name: 'It',
      program: await program('bad', `console.error('no luck'); process.exit(7);`),
    });
    await expect(firstLine(child, 'It', word, 60_000)).rejects.toThrow(/exit code 7[\s\S]*no luck/);
  });

  test('a program that says nothing is stopped', async () => {
    const child = startChild({ name: 'It', program: await program('mute', FOR_EVER) });
    await expect(firstLine(child, 'It', word, 300)).rejects.toThrow('not ready');
    expect(await child.ended).toContain('SIGTERM');
  });

  test('a program that starts a thread lives on', async () => {
    // The standard input of a thread ends at once. When the message arrives, other listeners of that end have already
    // run.
    const ended = "process.stdin.once('end', () => setImmediate(() => parentPort.postMessage('ended'))).resume();";
    const thread = await program('thread', `import { parentPort } from 'node:worker_threads'; ${ended} ${FOR_EVER}`);
    const text = `
      import { Worker } from 'node:worker_threads';
      new Worker(new URL('${thread.href}')).once('message', () => setTimeout(() => console.log('ready alive'), 200));
      ${FOR_EVER}`;
    const child = startChild({ name: 'It', program: await program('threaded', text) });
    expect(await firstLine(child, 'It', word, 60_000)).toBe('alive');
    await child.stop();
  });

  test('a program that ignores SIGTERM is killed', async () => {
    const text = `process.on('SIGTERM', () => {}); console.log('ready now'); ${FOR_EVER}`;
    const child = startChild({ name: 'It', program: await program('deaf', text) });
    await firstLine(child, 'It', word, 60_000);
    await child.stop(100);
    expect(await child.ended).toContain('SIGKILL');
  });
});

describe('when the parent is killed', () => {
  test.each([
    ['a child ends', ''],
    [
      'even one that blocks while it ends',
      "process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));",
    ],
  ])('%s', async (_, text) => {
    const server: Server = createServer();
    const socket = new Promise<Socket>((resolve) => server.once('connection', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const leave = "process.on('SIGTERM', () => process.exit(0));";
    const link = `import { connect } from 'node:net'; connect(${port}, '127.0.0.1').on('error', () => {});`;
    const child = await program('linked', `${link} ${leave} ${text}`);
    const module = new URL('./child.ts', import.meta.url).href;
    const start = `import { startChild } from '${module}'; startChild({ name: 'It', program: new URL('${child.href}') });`;
    const parent = spawn(process.execPath, [fileURLToPath(await program('parent', start))], { stdio: 'ignore' });
    const linked = await socket;
    const closed = new Promise((resolve) => linked.once('close', resolve));
    linked.resume();
    parent.kill('SIGKILL');
    await closed;
    server.close();
  });
});

test('endReason says how and what was said', () => {
  expect(endReason('The server', 1, null, ' oh \n')).toBe('The server ended with exit code 1. It said:\noh');
  expect(endReason('The server', null, 'SIGKILL', '')).toBe('The server was ended by SIGKILL.');
});
