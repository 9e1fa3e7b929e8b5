/** Starts and ends the child processes of the test run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePatient, signalGroup } from '../patient.ts';
import type { Demand } from './schedule.ts';

/** The result of a step. */
export interface Outcome {
  readonly passed: number;
  /** The checks that failed. Each names the check in its first line and gives the reason below. */
  readonly failures: readonly string[];
  /** Why nothing was checked, if an optional tool is missing. */
  readonly notRun?: string;
}

/** The outcome of one check. @param failure the message if it failed */
export function judged(isRight: boolean, failure: string): Outcome {
  return isRight ? { passed: 1, failures: [] } : { passed: 0, failures: [failure] };
}

/** Joins several outcomes into one. */
export function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Gets the text to show, piece by piece. */
export type Say = (text: string) => void;

/** Where a step shows what it does. */
export interface Stage {
  readonly say: Say;
  /** Whether a person reads the output as it arrives; otherwise it is shown when the step has ended. */
  readonly isLive: boolean;
}

/** One check of `npm test`. */
export interface Step extends Demand {
  readonly about: string;
  /** Starts preparing in the background what the step needs, before the first step runs. */
  prepare?(): void;
  run(stage: Stage): Promise<Outcome>;
}

/** What a step that only reads files needs: five of them can run at a time on two cores. */
export const READER_CORES = 0.4;

/** The argument list that runs a script with the same Node that runs this one. */
export function nodeScript(script: string, ...rest: string[]): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, ...rest];
}

/** Node's compile cache. The steps start many processes, and half of a start is compiling. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled');

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the output of the program. */
  readonly hear?: Say;
  /** Whether the program, and all that it starts, runs only on processors that others leave free. */
  readonly isPatient?: boolean;
  /** The program is ended if it takes longer than this to end, or in the background to be ready; in milliseconds. */
  readonly withinMs?: number;
}

/**
 * The caller's environment without its proxy and database, which are meant for other hosts: a step talks to this
 * machine, and to the database that it names.
 */
function environment(more: Place['env']): NodeJS.ProcessEnv {
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, 'localhost', '127.0.0.1'].filter(Boolean).join();
  const elsewhere = { NO_PROXY: direct, no_proxy: direct, MONGODB_URI: '', MONGODB_DATABASE: '' };
  return { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...elsewhere, ...more };
}

/** How long a program, with all that it started, may take to end, in milliseconds. */
const END_MS = 10_000;

const programs = new Set<ChildProcess>();
let areEnded = false;

/**
 * Ends every program that was started here, each with all that it started. Programs that start later are ended, too.
 */
export function endPrograms(): void {
  areEnded = true;
  for (const child of programs) end(child);
}

function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), END_MS).unref();
}

/** Starts a program as the leader of a process group, so that everything it starts can be ended with it. */
function start(command: string, args: readonly string[], place: Place, output: 'pipe' | 'ignore'): ChildProcess {
  const options = { detached: true, cwd: place.cwd, env: environment(place.env) };
  const child = spawn(command, args, { ...options, stdio: ['ignore', output, output] });
  programs.add(child);
  child.once('close', () => programs.delete(child));
  if (areEnded) end(child);
  return child;
}

/** Runs a program to its end. @returns its exit code; 1 if it could not be run */
export async function run([command = '', ...rest]: readonly string[], place: Place): Promise<number> {
  const { hear, isPatient } = place;
  const child = start(command, rest, place, hear ? 'pipe' : 'ignore');
  const timer = place.withinMs && setTimeout(() => end(child), place.withinMs);
  if (isPatient) makePatient(child);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear ?? (() => {}));
  child.once('error', (error) => hear?.(`${command} could not be run: ${error.message}\n`));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return code ?? 1;
}

/** How many of the last characters of a failed program's output are repeated. */
const LAST_WORDS = 3000;

/** Runs a program as one check, which passes if the exit code is `due`. @param what names it in a failure */
export async function runCheck(what: string, argv: readonly string[], place: Place, due = 0): Promise<Outcome> {
  let said = '';
  const hear = (text: string) => {
    place.hear?.(text);
    said = (said + text).slice(-LAST_WORDS);
  };
  const code = await run(argv, { ...place, hear });
  return judged(code === due, `${what} ended with ${code}, not ${due}\n${said.trimEnd()}`);
}

/** A program that runs in the background. When it was ready, it printed a line of JSON with the event `ready`. */
export interface Background {
  readonly ready: Record<string, unknown>;
  /** Asks it to end and waits until it has ended. @returns its exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts a program and waits until it prints the line of JSON that says it is ready.
 * @throws Error when the program ends before that
 */
export async function background([command = '', ...rest]: readonly string[], place: Place): Promise<Background> {
  const { hear = () => {} } = place;
  const child = start(command, rest, place, 'pipe');
  const timer = place.withinMs && setTimeout(() => end(child), place.withinMs);
  child.stderr?.setEncoding('utf8').on('data', hear);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const ready = await Promise.race([
    readyLine(child),
    ended.then(([code]) => {
      throw new Error(`${rest.join(' ')} ended with code ${code} before it was ready`);
    }),
  ]).finally(() => clearTimeout(timer));
  return {
    ready,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (child.stdout === null) throw new Error('the output of the program is not piped');
  const reader = createInterface({ input: child.stdout });
  return new Promise((resolve) => {
    reader.on('line', (line) => {
      // Log lines may come before it.
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line));
    });
  });
}
