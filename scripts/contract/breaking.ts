import { join, relative, resolve } from 'node:path';
import { runMain } from '../../conformance/processes/ending.ts';
import { commandLine, EXIT, exitingWith, runProgram } from '../command-line.ts';
import { type Break, compareContracts } from './compare.ts';
import { ContractError, readContract } from './read.ts';
import { ROOT } from './redocly.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';

/** The file of the last release. @throws ContractError if no release is kept. */
export async function lastRelease(folder = RELEASES_PATH): Promise<string> {
  const version = (await keptReleases(folder)).at(-1);
  if (version === undefined)
    throw new ContractError(`There is no release in ${folder}. Make one: npm run contract:release -- 1.6.0`);
  return join(folder, `${version}.yaml`);
}

/** The breaks as a text for people: each with its place, what changed, why that breaks a client, and what to do. */
export function report(breaks: readonly Break[], name: string, base: string): string {
  if (breaks.length === 0) return `${name} breaks no client of ${base}.`;
  const entries = breaks.map(
    ({ place, what, why, remedy }, index) =>
      `${index + 1}. ${place}\n   ${what}\n   Why it breaks: ${why}\n   What to do: ${remedy}`,
  );
  const places = breaks.length === 1 ? 'one place' : `${breaks.length} places`;
  return `${name} breaks clients of ${base} in ${places}:\n\n${entries.join('\n\n')}\n`;
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about =
    'Compares the contract with the last release and fails on everything that would break a client of it (D-32).';
  const program = commandLine('npm run contract:breaking --', about)
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--base <file>', 'the contract to compare with, instead of the last release')
    .option('--json', 'the breaks as JSON: [{place, what, why, remedy}]')
    .addHelpText('after', '\nExit codes: 0 no break, 1 breaks, 2 a contract cannot be used.')
    .action(
      exitingWith(async (file: string, options: { base?: string; json?: boolean }) => {
        const base = options.base === undefined ? await lastRelease() : resolve(options.base);
        const breaks = compareContracts(await readContract(base), await readContract(resolve(file)));
        if (options.json === true) console.log(JSON.stringify(breaks, null, 2));
        else console.log(report(breaks, relative(ROOT, resolve(file)), relative(ROOT, base)));
        return breaks.length === 0 ? 0 : 1;
      }),
    );
  const codeOf = (error: unknown) => (error instanceof ContractError ? EXIT.usage : undefined);
  return runProgram(program, argv, codeOf);
}

if (import.meta.main) await runMain(main);
