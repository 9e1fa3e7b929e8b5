/** Runs programs of tools, each to its end. */
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '../../../conformance/processes/program.ts';
import { onPath, toolCache } from '../../testbed/go-tool.ts';
import { type Place, StageFailed, ToolMissing } from './generator.ts';

const LONGEST_MS = 15 * 60_000;
/** How many characters of a failure are shown: the beginning names the file, the end gives the reason. */
const SHOWN = 1_500;

/** Runs a program. @returns what it printed @throws StageFailed with its output, if it fails */
export async function run(command: string, args: readonly string[], { env, ...place }: Place = {}): Promise<string> {
  const options = { leadsGroup: true, env: { ...process.env, ...env } };
  const program = new RunningProgram([command, ...args], { ...place, ...options });
  const timer = setTimeout(() => void program.stop(), LONGEST_MS);
  const ending = await program.ended;
  clearTimeout(timer);
  if (ending === 0) return program.stdout;
  const output = `${program.stderr.trim()}\n${program.stdout.trim()}`.trim();
  throw new StageFailed(shortened(output || program.endReason));
}

function shortened(text: string): string {
  return text.length <= 2 * SHOWN ? text : `${text.slice(0, SHOWN)}\n…\n${text.slice(-SHOWN)}`;
}

/** The first of the programs that is not on the PATH, as a reason not to run; undefined if all are there. */
export function lackOf(...programs: readonly string[]): string | undefined {
  const missing = programs.find((program) => onPath(program, process.env) === undefined);
  return missing === undefined ? undefined : `${missing} is not on the PATH`;
}

/** @throws ToolMissing if one of the programs is not on the PATH */
export function demand(...programs: readonly string[]): void {
  const lack = lackOf(...programs);
  if (lack !== undefined) throw new ToolMissing(lack);
}

/**
 * A folder outside the repository with something installed. It is made once for each set of pinned versions.
 * @param pins names its contents, with versions
 * @param fill installs the contents into the folder
 */
export async function kept(
  name: string,
  pins: readonly string[],
  fill: (folder: string) => Promise<unknown>,
): Promise<string> {
  const pinned = createHash('sha256').update(pins.join('\0')).digest('hex').slice(0, 12);
  const folder = join(toolCache(process.env), `${name}-${pinned}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${randomUUID()}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await fill(unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Packages of npm that only one command needs. @returns the `node_modules` with them, fetched once */
export async function fetchedPackages(
  name: string,
  packages: readonly string[],
  say: (text: string) => void,
): Promise<string> {
  const folder = await kept(name, packages, async (into) => {
    demand('npm');
    say(`Fetching ${packages.join(', ')} with npm, once …`);
    writeFileSync(join(into, 'package.json'), '{"private": true}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...flags, ...packages], { cwd: into });
  });
  return join(folder, 'node_modules');
}

/** Copies a program of `programs/` to the folder of its client. */
export function copyProgram(name: string, to: string): void {
  cpSync(join(import.meta.dirname, 'programs', name), to);
}
