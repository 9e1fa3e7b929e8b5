/** Child processes of `npm start`: TypeScript programs that end when it ends. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const KEPT_OUTPUT = 4_000;
const PRELOAD = fileURLToPath(new URL('./end-with-parent.ts', import.meta.url));

/** A running program. */
export interface Child {
  readonly pid: number;
  /** The lines of its standard output. */
  readonly lines: Interface;
  /** Settles when the process ends, with the reason as text. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it with SIGTERM, and after `timeoutMs` with SIGKILL. A second call waits for the same end. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface ChildOptions {
  /** The name in messages: "The server". */
  readonly name: string;
  readonly program: URL;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Called with each piece of standard error. */
  readonly onError?: (text: string) => void;
}

/** The reason why a process ended, as text. @param output the last lines that it printed */
export function endReason(name: string, code: number | null, signal: NodeJS.Signals | null, output: string): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  const said = output.trim();
  return said ? `${name} ${how}. It said:\n${said}` : `${name} ${how}.`;
}

/** Starts a program with the same Node that runs this one. */
export function startChild({ name, program, args = [], env = process.env, onError }: ChildOptions): Child {
  const argv = ['--disable-warning=ExperimentalWarning', '--import', PRELOAD, fileURLToPath(program), ...args];
  // In its own process group, so that Ctrl-C in a terminal reaches only the parent, which ends its children in the
  // right order.
  const options = { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'] };
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(process.execPath, argv, options);
  child.stdin.on('error', () => {});
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT);
    onError?.(text);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once('close', (code, signal) => resolve(endReason(name, code, signal, output)));
  });
  async function stop(timeoutMs = 15_000): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    await ended;
    clearTimeout(timer);
  }
  return { pid: child.pid ?? 0, lines: createInterface({ input: child.stdout }), ended, stop };
}

/**
 * Waits for one particular line of a child.
 * @param find the information in the line, or undefined if it is a different line
 * @throws Error with the reason, when the child ends first or `timeoutMs` pass; the child is then stopped
 */
export async function firstLine<T>(
  child: Child,
  name: string,
  find: (line: string) => T | undefined,
  timeoutMs: number,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} is not ready after ${timeoutMs / 1000} seconds.`)), timeoutMs);
      child.lines.on('line', (line) => {
        const found = find(line);
        if (found !== undefined) resolve(found);
      });
      child.ended.then((reason) => reject(new Error(reason)));
    });
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
