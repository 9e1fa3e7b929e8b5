/** Optional tools: found on the PATH, or else made once and kept outside the repository; those in Go are built. */
import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { RunningProgram } from './program.ts';

/** Where Go's installer puts Go; this folder is not always on the PATH. */
const USUAL_GO = '/usr/local/go/bin/go';
const KEPT_OUTPUT = 2_000;
/** How much building leaves to others. With the most, 19, a busy machine lets the connections of downloads time out. */
const BUILDING = 10;

export type FoundTool = { readonly path: string } | { readonly missing: string };

/** The path of a tool. @throws Error with why it is missing */
export function needed(found: FoundTool): string {
  if ('missing' in found) throw new Error(found.missing);
  return found.path;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first program of that name on the PATH. */
export function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** The folder outside the repository where fetched and built tools are kept. */
const toolCache = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'developer-api');

/**
 * The path of a file or folder outside the repository that is made once for each set of pinned versions.
 * @param pins what pins its contents
 * @param make makes it in a folder that is removed afterwards, or makes of it that folder @returns its path there
 */
export async function keptTool(
  name: string,
  pins: readonly string[],
  make: (folder: string) => Promise<string>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const version = createHash('sha256').update(pins.join('\0')).digest('hex').slice(0, 12);
  const path = join(toolCache(env), `${name}-${version}`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.${randomUUID()}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    renameSync(await make(unfinished), path);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

/** What was found, or why it could not be made. */
export const foundBy = (making: Promise<string>): Promise<FoundTool> =>
  making.then(
    (path) => ({ path }),
    ({ message }: Error) => ({ missing: message }),
  );

export interface GoOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly usualGo?: string;
  /** Whether to build without optimisations, in two thirds of the time. */
  readonly isPlain?: boolean;
}

/** Finds the tool of a go.mod with one `tool` line, or builds it. @param say called before something slow */
export async function goTool(
  folder: string,
  say: (text: string) => void,
  { env = process.env, usualGo = USUAL_GO, isPlain = false }: GoOptions = {},
): Promise<FoundTool> {
  const pinned = ['go.mod', 'go.sum'].map((file) => readFileSync(join(folder, file), 'utf8'));
  const [, program = ''] = /^tool (\S+)$/m.exec(pinned[0] ?? '') ?? [];
  // k6 is go.k6.io/k6/v2: a major version is not the name.
  const name = basename(program.replace(/\/v\d+$/, ''));
  if (name === '') throw new Error(`${folder}/go.mod names no tool`);
  const ready = onPath(name, env);
  if (ready !== undefined) return { path: ready };
  const build = async (into: string) => {
    const go = onPath('go', env) ?? (isProgram(usualGo) ? usualGo : undefined);
    if (go === undefined) throw new Error(`${name} is not on the PATH, and there is no Go to build it with`);
    say(`Building ${name}, once; this takes a minute or two …`);
    const path = join(into, name);
    const flags = ['-trimpath', '-ldflags=-s -w', ...(isPlain ? ['-gcflags=all=-N -l'] : [])];
    const argv = ['build', ...flags, '-o', path, program];
    // The compiler's garbage collector costs more time than the saved memory is worth.
    const failure = await runTool(go, argv, { env: { GOGC: '400', ...env, CGO_ENABLED: '0' }, cwd: folder });
    if (failure !== undefined) throw new Error(`${name} could not be built: ${failure}`);
    return path;
  };
  return foundBy(keptTool(name, pinned, build, env));
}

/** Runs a program to its end, on processor time that others leave. @returns its output if it failed */
export async function runTool(
  command: string,
  args: readonly string[],
  place: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): Promise<string | undefined> {
  const program = new RunningProgram([command, ...args], { ...place, keptOutput: KEPT_OUTPUT, niceness: BUILDING });
  const ending = await program.ended;
  return ending === 0 ? undefined : program.stderr.trim() || `it ended with ${ending}`;
}
