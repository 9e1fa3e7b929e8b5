import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { claimPort, freePort, isFree, listenOnLoopback } from './ports.ts';
import { nodeScript, type ProgramOptions, RunningProgram } from './program.ts';
import { endingWithParent } from './run-program.ts';
import { testFolder } from './testing/test-folder.ts';

const dir = testFolder();

async function script(name: string, text: string): Promise<string> {
  const file = path.join(dir, `${name}.mjs`);
  await writeFile(file, text);
  return file;
}

async function start(name: string, text: string, options: ProgramOptions = {}): Promise<RunningProgram> {
  return new RunningProgram(nodeScript(await script(name, text)), { name: 'It', ...options });
}

const word = (line: string) => /^ready (\w+)/.exec(line)?.[1];
const FOR_EVER = 'setInterval(() => {}, 1000);';

test('the expected line is found, also later, and SIGTERM ends the program', async () => {
  const program = await start('good', `console.log('before'); console.log('ready steady'); ${FOR_EVER}`);
  expect(await program.line(word)).toBe('steady');
  expect(await program.line(word)).toBe('steady');
  expect(program.hasEnded).toBe(false);
  expect(await program.stop()).toBe('SIGTERM');
  expect(program.endReason).toBe('It was ended by SIGTERM.');
  expect(await program.stop()).toBe('SIGTERM');
});

test('a program that ends before the line is reported with its output', async () => {
  const program = await start('bad', `console.error('no luck'); process.exit(7);`);
  await expect(program.line(word)).rejects.toThrow('It ended with exit code 7. It said:\nno luck');
  expect(await program.ended).toBe(7);
});

test('a program that cannot be run is reported', async () => {
  const heard: string[] = [];
  const program = new RunningProgram(['/nowhere/it'], { onOutput: (text) => heard.push(text) });
  await expect(program.line(word)).rejects.toThrow('/nowhere/it could not be run');
  expect(heard).toEqual([expect.stringContaining('could not be run')]);
});

test('a program that prints nothing is stopped', async () => {
  const program = await start('mute', FOR_EVER);
  await expect(program.line(word, 300)).rejects.toThrow('It is not ready after 0.3 seconds.');
  expect(await program.ended).toBe('SIGTERM');
});

test('a line that cannot be read ends the wait', async () => {
  const program = await start('odd', `console.log('{'); ${FOR_EVER}`);
  await expect(program.line((line) => JSON.parse(line))).rejects.toThrow(SyntaxError);
});

test('a program that ignores SIGTERM is killed', async () => {
  const text = `process.on('SIGTERM', () => {}); console.log('ready now'); ${FOR_EVER}`;
  const program = await start('deaf', text, { endMs: 100 });
  await program.line(word);
  expect(await program.stop()).toBe('SIGKILL');
});

test('the end of the output is kept, and each piece is passed on', async () => {
  const heard: string[] = [];
  const text = "console.log('a'.repeat(100) + 'b'); console.error('c');";
  const onOutput = (said: string, from: string) => heard.push(`${from} ${said.trim().length}`);
  const program = await start('long', text, { keptOutput: 3, onOutput });
  expect(await program.ended).toBe(0);
  expect([program.stdout, program.stderr]).toEqual(['ab\n', 'c\n']);
  expect(heard.toSorted()).toEqual(['stderr 1', 'stdout 101']);
});

test('a program that exchanges messages receives them', async () => {
  const program = await start('messages', "process.once('message', (text) => console.log('ready ' + text));", {
    hasMessages: true,
  });
  program.child.send('steady');
  expect(await program.line(word)).toBe('steady');
  await program.stop();
});

test('what the leader of a process group has started ends with it', async () => {
  const inner = await script('inner', `console.log('ready inner'); ${FOR_EVER}`);
  const text = `import { spawn } from 'node:child_process';
    const { stdout, pid } = spawn(process.execPath, [${JSON.stringify(inner)}]);
    stdout.once('data', () => console.log('ready p' + pid)); ${FOR_EVER}`;
  const program = await start('outer', text, { leadsGroup: true });
  const pid = Number((await program.line(word)).slice(1));
  expect(await program.stop()).toBe('SIGTERM');
  const status = `/proc/${pid}/status`;
  const lives = () => existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
  while (lives()) await new Promise((next) => setTimeout(next, 20));
});

test('a program that leaves room has a lower priority', async () => {
  const program = await start('patient', FOR_EVER, { niceness: 19 });
  expect(getPriority(program.pid)).toBe(19);
  await program.stop('SIGKILL');
});

test('all programs can be ended together, and one that starts later is ended too', async () => {
  const program = JSON.stringify(new URL('./program.ts', import.meta.url).href);
  const forEver = JSON.stringify(nodeScript(await script('for-ever', FOR_EVER)));
  const text = `import { endPrograms, RunningProgram, runningPrograms } from ${program};
    const first = new RunningProgram(${forEver});
    endPrograms();
    const second = new RunningProgram(${forEver});
    console.log('ready', await first.ended, await second.ended, runningPrograms().length);`;
  const parent = await start('ending', text);
  expect(await parent.line((line) => line)).toBe('ready SIGTERM SIGTERM 0');
  await parent.ended;
});

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
    const module = new URL('./program.ts', import.meta.url).href;
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

test('nobody else gets a port that was chosen, although nothing listens there', async () => {
  const port = await freePort();
  expect(await isFree('127.0.0.1', port)).toBe(true);
  const elsewhere = await script(
    'claims',
    [
      `import { claimPort } from '${new URL('./ports.ts', import.meta.url).href}';`,
      `process.exitCode = (await claimPort(${port})) ? 1 : 0;`,
    ].join('\n'),
  );
  expect(await new RunningProgram(nodeScript(elsewhere)).ended).toBe(0);
  expect(await claimPort(port)).toBe(false);
});

test('a port in use is not free, port 0 always is', async () => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isFree('127.0.0.1', port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isFree('127.0.0.1', port)).toBe(true);
  expect(await isFree('127.0.0.1', 0)).toBe(true);
});
