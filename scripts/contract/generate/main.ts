import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { commandLine, exitingWith, runProgram } from '../../kit/command-line.ts';
import { type Contract, readContract } from '../read.ts';
import { ROOT } from '../redocly.ts';
import { callsModule, clientTypes, profileTypes } from './client.ts';
import { collectionJson } from './collection.ts';
import { openapiJson } from './openapi-json.ts';
import { schemasJson } from './schemas.ts';
import { contractModule } from './table.ts';
import { validatorsModule, validatorsTypes } from './validators.ts';

/**
 * Everything that is made from the contract, and the types of the suite's profile, by its path below generated/, in
 * alphabetical order. The same contract gives the same text.
 */
export async function generate(contract: Contract): Promise<Map<string, string>> {
  return new Map([
    ['client/calls.ts', callsModule(contract)],
    ['client/types.gen.ts', await clientTypes(contract)],
    ['collection.json', collectionJson(contract)],
    ['contract.ts', contractModule(contract)],
    ['openapi.json', openapiJson(contract)],
    ['profile.ts', await profileTypes()],
    ['schemas.json', schemasJson(contract)],
    ['validators.d.ts', validatorsTypes()],
    ['validators.js', await validatorsModule(contract)],
  ]);
}

/** One difference between the files that exist and the files that should. */
interface Stale {
  path: string;
  why: 'missing' | 'outdated' | 'left over';
}

/** Compares a folder with the files that should be in it. */
export async function staleFiles(folder: string, files: ReadonlyMap<string, string>): Promise<Stale[]> {
  const present = globSync('**/*.*', { cwd: folder });
  const stale: Stale[] = [];
  for (const [path, text] of files) {
    if (!present.includes(path)) stale.push({ path, why: 'missing' });
    else if ((await readFile(join(folder, path), 'utf8')) !== text) stale.push({ path, why: 'outdated' });
  }
  for (const path of present) if (!files.has(path)) stale.push({ path, why: 'left over' });
  return stale.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Makes a folder hold exactly these files and does not touch those that are already right. Returns what was changed.
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<Stale[]> {
  const stale = await staleFiles(folder, files);
  for (const { path, why } of stale) {
    const target = join(folder, path);
    if (why === 'left over') await rm(target);
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, files.get(path) ?? '');
    }
  }
  return stale;
}

interface Options {
  contract: string;
  out: string;
  check?: boolean;
}

async function run({ contract, out, check = false }: Options): Promise<number> {
  const files = await generate(await readContract(contract));
  const folder = relative(process.cwd(), out) || out;
  const stale = await (check ? staleFiles : writeFiles)(out, files);
  for (const { path, why } of stale) console.log(`${folder}/${path}: ${why}`);
  if (check && stale.length > 0) {
    console.error(`${folder} does not match the contract. Run \`npm run generate\` and commit the result.`);
    return 1;
  }
  console.log(`${folder}: ${files.size} files, ${stale.length} changed.`);
  return 0;
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Makes types, client, validators, the table of operations and the catalogues from the contract.';
  const program = commandLine('npm run generate --', about)
    .option('--check', 'change nothing; exit with 1 and list the files that are out of date')
    .option('--contract <file>', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--out <folder>', 'where the files are written', join(ROOT, 'generated'))
    .addHelpText(
      'after',
      '\nExit codes: 0 done or up to date, 1 out of date (--check) or the contract cannot be used, 2 wrong usage.',
    )
    .action(exitingWith(run));
  return runProgram(program, argv);
}
