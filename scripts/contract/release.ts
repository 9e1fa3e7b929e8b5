import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { commandLine, runProgram } from '../../conformance/command-line.ts';
import { runMain } from '../../conformance/processes/ending.ts';
import { examples } from './examples.ts';
import { placesOfDecisions } from './places.ts';
import {
  type Contract,
  ContractError,
  entriesOf,
  eventsOf,
  isObject,
  type Json,
  operationsOf,
  readContract,
  referencesIn,
  resolve,
  revised,
  type Schema,
  valuesOf,
} from './read.ts';
import { ROOT } from './redocly.ts';

/** The folder of the released contracts, one file per release. */
export const RELEASES_PATH = join(ROOT, 'scripts/contract/releases');
const VERSION = /^\d+\.\d+\.\d+$/;

/** Negative if release `a` came before `b`, positive if after, 0 if they are the same. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * The contract as of a release: without everything that was added later (`x-since`), wherever the mark stands, and
 * without the components, tags, decisions and examples that are then no longer used. The same contract and version give
 * the same result.
 */
export function releaseOf(contract: Contract, version: string): Contract {
  const isLater = (since: Json | undefined): boolean =>
    VERSION.test(String(since)) && compareVersions(String(since), version) > 0;
  const gone = new Set<Json>(
    entriesOf(contract.webhooks)
      .filter(([, item]) => valuesOf(item).every((source) => isLater(source['x-since'])))
      .map(([name]) => name),
  );
  const release = revised(contract, (_key, value) => {
    // Elements that were removed are holes, which a filter leaves out.
    if (Array.isArray(value)) return value.filter((part) => !gone.has(part));
    if (!isObject(value)) return value;
    const { 'x-since': since, $ref } = value;
    const target = typeof $ref === 'string' ? resolve<Schema>(contract, { $ref }) : value;
    if (isLater(target['x-since'] ?? since)) return undefined;
    const { properties, required } = value;
    if (!isObject(properties) || !Array.isArray(required)) return value;
    return { ...value, required: required.filter((name) => Object.hasOwn(properties, String(name))) };
  });
  for (const section of ['paths', 'webhooks'] as const) {
    const items = entriesOf(release[section]).filter(([, item]) => Object.keys(item).length > 0);
    release[section] = Object.fromEntries(items);
  }
  dropInvalidExamples(release);
  const introduction = introduced(release, version);
  dropUnused(introduction);
  return withUsedDecisions(introduction);
}

/** Examples that use later additions are not valid for the release. */
function dropInvalidExamples(release: Contract): void {
  for (const { place } of examples(release)) {
    const key = place.at(-1);
    const [list, holder] = [
      place.at(-2),
      place.slice(0, -1).reduce<Json | undefined>((node, part) => Object(node)[part], release),
    ];
    if (isObject(holder) && key !== undefined && list === 'examples') delete holder[key];
  }
}

/**
 * The introduction describes the interface as a whole. A release gets a description of itself instead, and only the
 * tags that it uses.
 */
function introduced(release: Contract, version: string): Contract {
  const operations = operationsOf(release);
  const events = eventsOf(release);
  const used = new Set([...operations, ...events].flatMap(({ source }) => source.tags));
  const groups = (release['x-tagGroups'] ?? [])
    .map((group) => ({ ...group, tags: group.tags.filter((tag) => used.has(tag)) }))
    .filter(({ tags }) => tags.length > 0);
  return {
    ...release,
    info: {
      ...release.info,
      description: `The interface as released in ${version}: ${operations.length} operations and ${events.length} events.`,
      'x-release': version,
    },
    tags: (release.tags ?? []).filter(({ name }) => used.has(name)),
    ...(groups.length === 0 ? {} : { 'x-tagGroups': groups }),
  };
}

/** Removes the components that cannot be reached any more. Security schemes are used by name, not by reference. */
function dropUnused(release: Contract): void {
  const { components, ...rest } = release;
  const refs = referencesIn(release, rest);
  const { securitySchemes, ...sections } = components;
  for (const [section, all] of entriesOf<Json>(sections)) {
    const names = Object.keys(Object(all));
    const unused = names.filter((name) => !refs.has(`#/components/${section}/${name}`));
    for (const name of unused) delete Object(all)[name];
    if (unused.length === names.length) delete components[section];
  }
}

function withUsedDecisions(release: Contract): Contract {
  const used = placesOfDecisions(release);
  const decisions = entriesOf(release['x-decisions']).filter(([id]) => used.has(id));
  return { ...release, 'x-decisions': Object.fromEntries(decisions) };
}

/** The text of a release's file. */
export function releaseText(contract: Contract, version: string): string {
  const heading = `# Release ${version}, made from openapi.yaml by \`npm run contract:release -- ${version}\`. A release is never changed.\n`;
  // No folding of long lines: the formatter folds them differently, and the text of a release must never change.
  return heading + stringify(releaseOf(contract, version), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The releases that are kept, oldest first. */
export async function keptReleases(folder = RELEASES_PATH): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.yaml') && VERSION.test(name.slice(0, -'.yaml'.length)))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort(compareVersions);
}

interface Options {
  force?: boolean;
  contract: string;
  out: string;
}

/** Writes the file of a release. @throws ContractError if the file exists and would change, unless `force` is set. */
export async function writeRelease(version: string, { force, contract: path, out }: Options): Promise<string> {
  if (!VERSION.test(version))
    throw new ContractError(`"${version}" is not a release. Give three numbers, such as 1.7.0.`);
  const text = releaseText(await readContract(path), version);
  const file = join(out, `${version}.yaml`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept === text) return `${relative(ROOT, file)}: unchanged`;
  if (kept !== undefined && force !== true) {
    throw new ContractError(
      `${relative(ROOT, file)} exists already, and openapi.yaml now gives a different text for it. A release never changes: give a new version, or --force if it was not published yet.`,
    );
  }
  await mkdir(out, { recursive: true });
  await writeFile(file, text);
  return `${relative(ROOT, file)}: written`;
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Saves the contract as of a release: everything whose x-since is not later.';
  const program = commandLine('npm run contract:release --', about)
    .argument('<version...>', 'one or more releases, as 1.6.0')
    .option('--force', 'replace a saved release that differs')
    .option('--contract <file>', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--out <folder>', 'where the releases are kept', RELEASES_PATH)
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or the contract cannot be used, 2 wrong usage.')
    .action(async (versions: string[], options: Options) => {
      for (const version of versions) console.log(await writeRelease(version, options));
    });
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
