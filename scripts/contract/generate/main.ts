import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, exitingWith, runProgram } from '../../../conformance/command-line.ts';
import { runMain } from '../../../conformance/processes/ending.ts';
import { type Contract, readContract } from '../read.ts';
import { decisionsModule, errorsModule, patternWordsModule, rateLimitModule } from './catalogues.ts';
import { clientFiles } from './client.ts';
import { collectionJson } from './collection.ts';
import { enumerationsModule } from './enumerations.ts';
import { handlersModule } from './handlers.ts';
import { openapiJson } from './openapi-json.ts';
import { operationsModule } from './operations.ts';
import { personalDataModule } from './personal-data.ts';
import { profileModule } from './profile.ts';
import { schemasJson } from './schemas.ts';
import { validatorsModule, validatorsTypes } from './validators.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Everything that is made from the contract, and the type of the suite's profile, by its path below generated/, in alphabetical order. The same contract
 * gives the same text.
 */
export async function generate(contract: Contract): Promise<Map<string, string>> {
  const files = new Map<string, string>([
    ['operations.ts', operationsModule(contract)],
    ['errors.ts', errorsModule(contract)],
    ['handlers.ts', handlersModule(contract)],
    ['personal-data.ts', personalDataModule(contract)],
    ['rate-limit.ts', rateLimitModule(contract)],
    ['pattern-words.ts', patternWordsModule(contract)],
    ['decisions.ts', decisionsModule(contract)],
    ['profile.ts', profileModule()],
    ['openapi.json', openapiJson(contract)],
    ['collection.json', collectionJson(contract)],
    ['schemas.json', schemasJson(contract)],
    ['enumerations.ts', enumerationsModule(contract)],
    ['validators.js', await validatorsModule(contract)],
    ['validators.d.ts', validatorsTypes(contract)],
  ]);
  for (const [name, text] of await clientFiles(contract)) files.set(`client/${name}`, text);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One difference between the files that exist and the files that should. */
export interface Stale {
  path: string;
  why: 'missing' | 'outdated' | 'left over';
}

/** Compares a folder with the files that should be in it. */
export async function staleFiles(folder: string, files: ReadonlyMap<string, string>): Promise<Stale[]> {
  const present = await filesIn(folder);
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

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface Options {
  contract: string;
  out: string;
  check?: boolean;
}

async function run(options: Options): Promise<number> {
  const files = await generate(await readContract(options.contract));
  const folder = relative(process.cwd(), options.out) || options.out;
  if (options.check === true) {
    const stale = await staleFiles(options.out, files);
    for (const { path, why } of stale) console.error(`${folder}/${path}: ${why}`);
    if (stale.length > 0) {
      console.error(
        `${folder} does not match the contract (${stale.length} files). Run \`npm run generate\` and commit the result.`,
      );
      return 1;
    }
    console.log(`${folder} matches the contract (${files.size} files).`);
    return 0;
  }
  const changed = await writeFiles(options.out, files);
  for (const { path, why } of changed) console.log(`${folder}/${path}: ${why === 'left over' ? 'removed' : 'written'}`);
  console.log(`${folder}: ${files.size} files, ${changed.length} changed.`);
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

if (import.meta.main) await runMain(main);
