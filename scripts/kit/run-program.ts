/** Runs the project's programs to their end, or in the background until they are stopped. */
import { join, resolve } from 'node:path';
import { nodeScript, type ProgramOptions, RunningProgram } from './program.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Node's compile cache. Tests start many processes, and half of a start is compiling. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');

/** How many of the last characters of a program's output are kept. */
export const LAST_WORDS = 3000;

export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly hear?: (text: string) => void;
  /** How much the program, and all that it starts, leaves to others: 0 to 19, as of `nice`. */
  readonly niceness?: number;
  /** It is ended if it takes longer to end, or in the background to be ready: `LONGEST_MS`, `START_MS` by default. */
  readonly withinMs?: number;
  /** Ends it; only of a program that runs to its end. */
  readonly stop?: AbortSignal;
}

/** The caller's environment without its proxy and database, which are meant for other hosts. */
function environment(more: Place['env']): NodeJS.ProcessEnv {
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, 'localhost', '127.0.0.1'].filter(Boolean).join();
  const elsewhere = { NO_PROXY: direct, no_proxy: direct, MONGODB_URI: '', MONGODB_URI_FILE: '', MONGODB_DATABASE: '' };
  return { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...elsewhere, ...more };
}

/** The variable that has programs, and those that they start, load a module before their own code. */
export function preloading(module: URL): Record<string, string> {
  const options = [process.env.NODE_OPTIONS, '--disable-warning=ExperimentalWarning', `--import ${module}`];
  return { NODE_OPTIONS: options.filter(Boolean).join(' ') };
}

/** How long a program, with all that it started, may take to end, in milliseconds. */
const END_MS = 60_000;
/** How long a program may take to end, also on a slow machine. Only one that hangs takes so long. */
const LONGEST_MS = 30 * 60_000;
/** How long a service may take to start on a busy machine. */
const START_MS = 600_000;

/** Starts a program as the leader of a process group, so that everything it starts can be ended with it. */
function start(argv: readonly string[], { cwd, env, niceness = 0 }: Place, onOutput: OnOutput): RunningProgram {
  const limits = { keptOutput: LAST_WORDS, endMs: END_MS, leadsGroup: true, niceness };
  return new RunningProgram(argv, { cwd, env: environment(env), ...limits, onOutput });
}

type OnOutput = NonNullable<ProgramOptions['onOutput']>;

/** Runs a program to its end. @returns its exit code, the signal that ended it, or that it had no more time */
export async function run(argv: readonly string[], place: Place): Promise<number | string> {
  const { withinMs = LONGEST_MS } = place;
  const program = start(argv, place, (text) => place.hear?.(text));
  place.stop?.addEventListener('abort', () => void program.stop(), { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void program.stop();
  }, withinMs);
  const code = await program.ended.finally(() => clearTimeout(timer));
  return isLate ? `a time-out after ${withinMs / 1000} s` : code;
}

interface Ending {
  /** As of {@link run}. */
  readonly code: number | string;
  /** What it wrote to its outputs. */
  readonly said: string;
}

/** Runs a program to its end, and keeps what it says. */
export async function endingOf(argv: readonly string[], place: Place): Promise<Ending> {
  let said = '';
  const hear = (text: string) => {
    place.hear?.(text);
    said += text;
  };
  return { code: await run(argv, { ...place, hear }), said };
}

/** Runs a program to its end. @param what names it @returns what it wrote to its outputs @throws Error with the end of that, if it fails */
export async function saidBy(what: string, argv: readonly string[], place: Place): Promise<string> {
  const { code, said } = await endingOf(argv, place);
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${said.slice(-LAST_WORDS).trim()}`);
  return said;
}

/** A program that runs in the background, with the line of JSON that it printed when it was ready. */
export type Background = RunningProgram & { readonly ready: Record<string, unknown> };

/** Starts a program and waits for the line of JSON that says it is ready. @throws Error when it ends before that */
export async function background(argv: readonly string[], place: Place): Promise<Background> {
  const program = start(argv, place, (text, from) => from === 'stderr' && place.hear?.(text));
  // Log lines may come before it.
  const ready = await program.line(
    (line) => (line.startsWith('{"event":"ready"') ? JSON.parse(line) : undefined),
    place.withinMs ?? START_MS,
  );
  return Object.assign(program, { ready });
}

/** Starts a script or a binary in a test. @param env all its variables: others cannot change the result */
export function startAlone(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningProgram {
  const argv = program.endsWith('.ts') ? nodeScript(resolve(ROOT, program), ...args) : [program, ...args];
  return new RunningProgram(argv, { name: program, cwd: ROOT, env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env } });
}

/** The command line of a script that ends when this process is gone, however it ended; it is started with `holdsInput`. */
export const endingWithParent = (script: string, ...rest: string[]): string[] =>
  nodeScript('--import', join(import.meta.dirname, 'end-with-parent.ts'), script, ...rest);

/** Longer than a server takes to finish what is under way. */
const PART_END_MS = 15_000;
const PART_OUTPUT = 4_000;

export interface PartOptions extends Pick<ProgramOptions, 'env' | 'onOutput'> {
  readonly args?: readonly string[];
}

/** Starts a TypeScript program that ends when this process is gone. */
export function startPart(name: string, script: string, { args = [], ...options }: PartOptions = {}): RunningProgram {
  const place = { name, leadsGroup: true, holdsInput: true, keptOutput: PART_OUTPUT, endMs: PART_END_MS };
  return new RunningProgram(endingWithParent(script, ...args), { ...place, ...options });
}
