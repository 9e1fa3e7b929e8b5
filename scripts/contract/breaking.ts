/**
 * Compares the contract with the last release, by oasdiff. It is written in Go: where neither it nor Go is installed, this
 * check does not run. What it judges is the promise to clients of a release, so it must run before a release; a second
 * checker in TypeScript, for machines without Go, would be a thousand lines that find less.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { commandLine, EXIT, exitingWith, runProgram } from '../../conformance/command-line.ts';
import { runMain } from '../../conformance/processes/ending.ts';
import { goTool } from '../testbed/go-tool.ts';
import { type Contract, ContractError, readContract } from './read.ts';
import { ROOT } from './redocly.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';
import { spelledOut } from './spelled-out.ts';

/** A difference that clients can notice, in the words of oasdiff. */
export interface Finding {
  /** The name of the check. */
  readonly id: string;
  /** 1 for what no client minds, more for what may break one. */
  readonly level: 1 | 2 | 3;
  /** What changed. */
  readonly text: string;
  /** Why that breaks a client, if oasdiff says it. */
  readonly comment?: string;
  readonly operation: string;
  readonly path: string;
}

/** The folder that names the version of oasdiff. */
export const OASDIFF = join(import.meta.dirname, 'oasdiff');

/**
 * Where D-32 promises more than oasdiff does by itself: whatever clients know stays. It promises less in one place: values
 * may be added to a list that is answered.
 */
const LEVELS: Readonly<Record<string, 'err' | 'info'>> = {
  'api-operation-id-removed': 'err',
  'request-body-default-value-changed': 'err',
  'request-body-default-value-removed': 'err',
  'request-property-default-value-changed': 'err',
  'request-property-default-value-removed': 'err',
  'response-body-any-of-removed': 'err',
  'response-body-one-of-removed': 'err',
  'response-mediatype-enum-value-removed': 'err',
  'response-non-success-status-removed': 'err',
  'response-optional-property-removed': 'err',
  'response-property-any-of-removed': 'err',
  'response-property-enum-value-added': 'info',
  'response-property-enum-value-removed': 'err',
  'response-property-one-of-removed': 'err',
  'response-success-status-added': 'err',
};

/** Whether a difference breaks a client of the old contract (D-32). A text without an encoding takes the encoded one, too. */
export const isBreak = ({ id, level, text }: Finding): boolean =>
  level > 1 && !(id === 'request-property-content-encoding-changed' && text.endsWith('to ``'));

/** Every difference between two contracts that a client can notice. @param oasdiff the program */
export async function findingsBetween(
  oasdiff: string,
  oldContract: Contract,
  newContract: Contract,
): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contracts-'));
  const written = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const before = await written('before.json', JSON.stringify(spelledOut(oldContract)));
    const after = await written('after.json', JSON.stringify(spelledOut(newContract)));
    const lines = Object.entries(LEVELS).map((level) => level.join(' '));
    const levels = await written('levels', `${lines.join('\n')}\n`);
    const argv = ['changelog', before, after, '--severity-levels', levels, '--format', 'json'];
    const { stdout } = await promisify(execFile)(oasdiff, argv, { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout || '[]') as Finding[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The file of the last release. @throws ContractError if no release is kept. */
export async function lastRelease(folder = RELEASES_PATH): Promise<string> {
  const version = (await keptReleases(folder)).at(-1);
  if (version === undefined)
    throw new ContractError(`There is no release in ${folder}. Make one: npm run contract:release -- 1.6.0`);
  return join(folder, `${version}.yaml`);
}

/** The breaks as a text for people: each with its place, what changed, and why that breaks a client. */
export function report(breaks: readonly Finding[], name: string, base: string): string {
  if (breaks.length === 0) return `${name} breaks no client of ${base}.`;
  const entries = breaks.map(({ id, text, comment, operation, path }, index) =>
    [`${index + 1}. ${operation} ${path}`, text, comment, id].filter(Boolean).join('\n   '),
  );
  const places = breaks.length === 1 ? 'one place' : `${breaks.length} places`;
  return `${name} breaks clients of ${base} in ${places}:\n\n${entries.join('\n\n')}\n`;
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about =
    'Compares the contract with the last release and fails on everything that would break a client of it (D-32). Uses oasdiff, or Go to build it.';
  const program = commandLine('npm run contract:breaking --', about)
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--base <file>', 'the contract to compare with, instead of the last release')
    .option('--json', 'the breaks as oasdiff gives them')
    .addHelpText('after', '\nExit codes: 0 no break, 1 breaks, 2 a contract cannot be used, or oasdiff is missing.')
    .action(
      exitingWith(async (file: string, options: { base?: string; json?: boolean }) => {
        const base = options.base === undefined ? await lastRelease() : resolve(options.base);
        const contracts = [await readContract(base), await readContract(resolve(file))] as const;
        const oasdiff = await goTool(OASDIFF, console.error, { isPlain: true });
        if ('missing' in oasdiff) throw new ContractError(`Nothing was compared: ${oasdiff.missing}.`);
        const breaks = (await findingsBetween(oasdiff.path, ...contracts)).filter(isBreak);
        if (options.json === true) console.log(JSON.stringify(breaks, null, 2));
        else console.log(report(breaks, relative(ROOT, resolve(file)), relative(ROOT, base)));
        return breaks.length === 0 ? 0 : 1;
      }),
    );
  const codeOf = (error: unknown) => (error instanceof ContractError ? EXIT.usage : undefined);
  return runProgram(program, argv, codeOf);
}

if (import.meta.main) await runMain(main);
