/** Child processes of the test run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePatient, signalGroup } from '../patient.ts';
import type { Demand } from './schedule.ts';

/** What a step came to. */
export interface Outcome {
  readonly passed: number;
  /** What did not: each names itself in its first line and gives its reason below. */
  readonly failures: readonly string[];
  /** Why nothing was checked, where a tool that nobody needs to have is missing. */
  readonly notRun?: string;
}

/** One check. @param failure what to say of it where it is not right */
export function judged(isRight: boolean, failure: string): Outcome {
  return isRight ? { passed: 1, failures: [] } : { passed: 0, failures: [failure] };
}

/** Several outcomes as one. */
export function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Takes what is to be shown, a piece at a time. */
export type Say = (text: string) => void;

/** Where a step shows what it does. */
export interface Stage {
  readonly say: Say;
  /** Whether somebody reads it as it comes; else it is shown when the step has ended. */
  readonly isLive: boolean;
}

/** One check of `npm test`. */
export interface Step extends Demand {
  readonly about: string;
  /** Begins in the background what the step needs, before the first step runs. */
  prepare?(): void;
  run(stage: Stage): Promise<Outcome>;
}

/** The argument list that runs a script with the Node that runs this one. */
export function nodeScript(script: string, ...rest: string[]): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, ...rest];
}

/** Where Node keeps what it has compiled: the steps start many processes, and half of a start is compiling. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled');

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Gets what it prints. */
  readonly hear?: Say;
  /** Whether it gets what others leave of the processors, with all that it starts. */
  readonly isPatient?: boolean;
}

/**
 * The caller's environment, whose proxy and database are for elsewhere: a step talks to this machine, and to the database
 * that it names.
 */
function environment(more: Place['env']): NodeJS.ProcessEnv {
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, 'localhost', '127.0.0.1'].filter(Boolean).join();
  const elsewhere = { NO_PROXY: direct, no_proxy: direct, MONGODB_URI: '', MONGODB_DATABASE: '' };
  return { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...elsewhere, ...more };
}

/** How long a program may take to end, with all that it started, in milliseconds. */
const END_MS = 10_000;

const programs = new Set<ChildProcess>();
let areEnded = false;

/** Has every program end that was started here, and whatever is still started, with all that these have started. */
export function endPrograms(): void {
  areEnded = true;
  for (const child of programs) end(child);
}

function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), END_MS).unref();
}

/** Starts a program, which leads a group, so that what it starts can be ended with it. */
function start(command: string, args: readonly string[], place: Place, output: 'pipe' | 'ignore'): ChildProcess {
  const options = { detached: true, cwd: place.cwd, env: environment(place.env) };
  const child = spawn(command, args, { ...options, stdio: ['ignore', output, output] });
  programs.add(child);
  child.once('close', () => programs.delete(child));
  if (areEnded) end(child);
  return child;
}

/** Runs a program to its end. @returns its exit code; 1 when it could not be run */
export async function run([command = '', ...rest]: readonly string[], place: Place): Promise<number> {
  const { hear, isPatient } = place;
  const child = start(command, rest, place, hear ? 'pipe' : 'ignore');
  if (isPatient) makePatient(child);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear ?? (() => {}));
  child.once('error', (error) => hear?.(`${command} could not be run: ${error.message}\n`));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/** Characters of what a program printed that are repeated where it failed. */
const LAST_WORDS = 3000;

/** Runs a program that is one check, right when it ends with the code that is due. @param what names it in a failure */
export async function runCheck(what: string, argv: readonly string[], place: Place, due = 0): Promise<Outcome> {
  let said = '';
  const hear = (text: string) => {
    place.hear?.(text);
    said = (said + text).slice(-LAST_WORDS);
  };
  const code = await run(argv, { ...place, hear });
  return judged(code === due, `${what} ended with ${code}, not ${due}\n${said.trimEnd()}`);
}

/** A program in the background that printed a line of JSON, with the event `ready`, when it was ready. */
export interface Background {
  readonly ready: Record<string, unknown>;
  /** Asks it to end and waits until it did. @returns its exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts a program and waits for the line of JSON on its standard output that says it is ready.
 * @throws Error when it ends before
 */
export async function background([command = '', ...rest]: readonly string[], place: Place): Promise<Background> {
  const { hear = () => {} } = place;
  const child = start(command, rest, place, 'pipe');
  child.stderr?.setEncoding('utf8').on('data', hear);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const ready = await Promise.race([
    readyLine(child),
    ended.then(([code]) => {
      throw new Error(`${rest.join(' ')} ended with code ${code} before it was ready`);
    }),
  ]);
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
      // Its log may come before.
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line));
    });
  });
}
