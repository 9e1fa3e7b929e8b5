/** Compares the contract with the last release: the promise to clients of a release, so it must run before a release. */
import { join, relative, resolve } from 'node:path';
import { commandLine, exitingWith, runProgram } from '../kit/command-line.ts';
import { changesBetween } from './changes.ts';
import { EVERYWHERE } from './kept-changes.ts';
import { comparingCode, oasdiffProgram } from './oasdiff.ts';
import { ContractError, readContract } from './read.ts';
import { ROOT } from './redocly.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';

/** The file of the last release. @throws ContractError if no release is kept. */
export function lastRelease(folder = RELEASES_PATH): string {
  const version = keptReleases(folder).at(-1);
  if (version === undefined)
    throw new ContractError(`There is no release in ${folder}. Make one: npm run contract:release -- 1.6.0`);
  return join(folder, `${version}.yaml`);
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about =
    'Compares the contract with the last release and fails on everything that would break a client of it (D-32). Uses oasdiff, or Go to build it.';
  const program = commandLine('npm run contract:breaking --', about)
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--base <file>', 'the contract to compare with, instead of the last release')
    .addHelpText('after', '\nExit codes: 0 no break, 1 breaks, 2 a contract cannot be used, or oasdiff is missing.')
    .action(
      exitingWith(async (file: string, options: { base?: string }) => {
        const base = options.base === undefined ? lastRelease() : resolve(options.base);
        const contracts = [await readContract(base), await readContract(resolve(file))] as const;
        const changes = await changesBetween(await oasdiffProgram(), ...contracts);
        const breaks = changes.filter(({ kind }) => kind === 'breaks');
        for (const { of, text } of breaks)
          console.log(`${of.join(', ').replace(EVERYWHERE, 'every operation')}: ${text}`);
        const what = breaks.length === 0 ? 'breaks no client' : 'breaks clients';
        console.log(`${relative(ROOT, resolve(file))} ${what} of ${relative(ROOT, base)}.`);
        return breaks.length === 0 ? 0 : 1;
      }),
    );
  return runProgram(program, argv, comparingCode);
}
