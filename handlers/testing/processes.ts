/** Real processes for tests, on loopback ports that are free. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { note, temporaryFolder } from './leftovers.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** After this long, in milliseconds, a test reports a hang. Even a slow machine needs less. */
export const PATIENCE_MS = 120_000;
const POLL_MS = 20;
/** Where Node keeps what it has compiled: tests start many processes, and half of a start is compiling. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');

/** Waits until the check returns a value, and fails with its last error after the deadline. */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | Promise<T | undefined>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const endAt = performance.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (performance.now() > endAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}

/** A free port, below those that systems assign by themselves, so no other process gets it by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** A running process, with its output so far. */
export class Running {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  #isClosed = false;

  /** @param program a script of the project, or the path of a binary */
  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const script = ['--disable-warning=ExperimentalWarning', join(ROOT, program)];
    const [command, argv] = program.endsWith('.ts') ? [process.execPath, [...script, ...args]] : [program, args];
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    this.child = spawn(command, argv, { cwd: ROOT, env: { NODE_COMPILE_CACHE: COMPILED, ...env }, stdio });
    note(this.child);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.once('error', ({ message }) => {
      this.stderr += message;
    });
    this.child.once('close', () => {
      this.#isClosed = true;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The first result that is not undefined of the function over the lines of standard output. */
  line<T>(what: string, find: (line: string) => T | undefined): Promise<T> {
    return eventually(what, () => {
      for (const line of this.stdout.split('\n').slice(0, -1)) {
        const found = find(line);
        if (found !== undefined) return found;
      }
      if (this.#isClosed) throw new Error(`${what}: the process ended. It said: ${this.stderr.slice(-2_000)}`);
      return undefined;
    });
  }

  /** Waits until it has ended and its output is complete. @returns the exit code, or the signal that ended it */
  async end(deadlineMs = PATIENCE_MS): Promise<number | string> {
    await eventually('the end of a process', () => this.#isClosed || undefined, deadlineMs);
    return this.child.exitCode ?? String(this.child.signalCode);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    if (!this.hasEnded) this.child.kill(signal);
    return this.end();
  }
}

/** A server, with the addresses that it logged. */
export interface RunningServer {
  readonly process: Running;
  readonly url: string;
  readonly port: number;
  readonly storageUrl: string;
  readonly controlUrl: string;
  /** The lines of its log, each parsed. */
  log(): Record<string, unknown>[];
}

/**
 * Starts a server; it listens when this returns, whether or not the database answers. Without a STORAGE_DIR it gets a
 * folder that is removed with it; servers that share files must be given one.
 */
export async function startServer(env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const files = temporaryFolder('handlers-files-');
  const running = new Running('handlers/main.ts', [], { PORT: '0', STORAGE_DIR: files, ...env });
  running.child.once('exit', () => rmSync(files, { recursive: true, force: true }));
  const { url, storage_url, control_url } = await running.line('the server', (line) => {
    const entry = JSON.parse(line);
    return entry.event === 'listening' ? entry : undefined;
  });
  return {
    process: running,
    url,
    port: Number(new URL(url).port),
    storageUrl: storage_url ?? '',
    controlUrl: control_url ?? '',
    log: () =>
      running.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

/** Waits until the server says that it can serve. */
export function ready(server: RunningServer, deadlineMs = PATIENCE_MS): Promise<true> {
  return eventually(
    '/readyz',
    async () => ((await fetch(`${server.url}/readyz`)).status === 200 ? true : undefined),
    deadlineMs,
  );
}
