/** Runs programs of tools, each to its end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '../../kit/program.ts';
import { keptTool, onPath } from '../../kit/tools.ts';

/** A tool is not available, and why. This says nothing about the contract. */
export class ToolMissing extends Error {}

/** The folder and environment in which a program runs. */
export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const LONGEST_MS = 15 * 60_000;
/** How many characters of a failure are shown: the beginning names the file, the end gives the reason. */
const SHOWN = 1_500;

/** Runs a program. @returns what it printed @throws Error with its output, if it fails */
export async function run(command: string, args: readonly string[], { env, ...place }: Place = {}): Promise<string> {
  const options = { leadsGroup: true, env: { ...process.env, ...env } };
  const program = new RunningProgram([command, ...args], { ...place, ...options });
  const timer = setTimeout(() => void program.stop(), LONGEST_MS);
  const ending = await program.ended;
  clearTimeout(timer);
  if (ending === 0) return program.stdout;
  const output = `${program.stderr.trim()}\n${program.stdout.trim()}`.trim();
  throw new Error(shortened(output || program.endReason));
}

function shortened(text: string): string {
  return text.length <= 2 * SHOWN ? text : `${text.slice(0, SHOWN)}\n…\n${text.slice(-SHOWN)}`;
}

/** @throws ToolMissing if one of the programs is not on the PATH */
export function demand(...programs: readonly string[]): void {
  const missing = programs.find((program) => onPath(program, process.env) === undefined);
  if (missing !== undefined) throw new ToolMissing(`${missing} is not on the PATH`);
}

/** A folder outside the repository with something installed, once. @param fill installs it into the folder */
export const kept = (name: string, pins: readonly string[], fill: (folder: string) => Promise<unknown>) =>
  keptTool(name, pins, async (folder) => {
    await fill(folder);
    return folder;
  });

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
