import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { commandLine, runProgram } from '../kit/command-line.ts';
import { type Contract, ContractError, nodesIn, parseContract } from './read.ts';
import { ROOT } from './redocly.ts';

/** The folder of the released contracts, one file per release. */
export const RELEASES_PATH = join(ROOT, 'scripts/contract/releases');
const VERSION = /^\d+\.\d+\.\d+$/;

/** Negative if release `a` came before `b`, positive if after, 0 if they are the same. */
const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The releases after `version` that the contract has something of (`x-since`). */
function laterReleases(contract: Contract, version: string): string[] {
  const since = [...nodesIn(contract)].map(([node]) => String(node['x-since']));
  const later = since.filter((each) => VERSION.test(each) && compareVersions(each, version) > 0);
  return [...new Set(later)].sort(compareVersions);
}

/** The releases that are kept, oldest first. */
export const keptReleases = (folder = RELEASES_PATH): string[] =>
  globSync('*.yaml', { cwd: folder })
    .map((name) => name.replace('.yaml', ''))
    .filter((version) => VERSION.test(version))
    .sort(compareVersions);

/**
 * Writes the file of a release.
 * @param path the contract @param out the folder of the releases
 * @throws ContractError if the file exists and would change
 */
export async function writeRelease(
  version: string,
  path = join(ROOT, 'openapi.yaml'),
  out = RELEASES_PATH,
): Promise<string> {
  if (!VERSION.test(version))
    throw new ContractError(`"${version}" is not a release. Give three numbers, such as 1.7.0.`);
  const source = await readFile(path, 'utf8').catch(() => '');
  const later = laterReleases(parseContract(source, path), version);
  if (later.length > 0) {
    throw new ContractError(
      `${path} has parts of ${later.join(', ')} (x-since). Keep ${version} from a commit that has none of them.`,
    );
  }
  const text = `# Release ${version}: openapi.yaml as it was, kept by \`npm run contract:release\`. A release is never changed.\n${source}`;
  const file = join(out, `${version}.yaml`);
  const shown = relative(ROOT, file);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept !== text) {
    throw new ContractError(
      `${shown} exists already, and openapi.yaml is different now. A release never changes: give a new version, or remove the file if it was not published yet.`,
    );
  }
  await writeFile(file, text);
  return `${shown}: kept`;
}

/** Tags the commit that is checked out. @throws ContractError if files differ from it, or the tag exists */
export function tagRelease(version: string, cwd = ROOT): void {
  const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' });
  const tag = `v${version}`;
  const wrong = git('status', '--porcelain') || git('tag', '--list', tag);
  if (wrong !== '') throw new ContractError(`Files are not committed, or the tag exists already:\n${wrong}`);
  git('tag', tag);
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Keeps the contract as a release. Nothing in it may have a later x-since.';
  const program = commandLine('npm run contract:release --', about)
    .argument('<version>', 'the release, as 1.6.0')
    .option('--tag', 'tag the commit that has it, which is checked out, as v1.6.0')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or the contract cannot be used, 2 wrong usage.')
    .action(async (version: string, { tag }: { tag?: boolean }) => {
      console.log(await writeRelease(version));
      if (tag) tagRelease(version);
    });
  return runProgram(program, argv);
}
