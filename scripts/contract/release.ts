import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { commandLine, runProgram } from '../../conformance/command-line.ts';
import { runMain } from '../../conformance/processes/ending.ts';
import { examples } from './examples.ts';
import { decisionIds, placesOfDecisions } from './places.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  ContractError,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
  readContract,
  resolve,
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
  const later = (node: Json): boolean => {
    const target = isObject(node) && typeof node.$ref === 'string' ? resolve(contract, node) : asObject(node);
    const since = asString(target['x-since']) || asString(asObject(node)['x-since']);
    return VERSION.test(since) && compareVersions(since, version) > 0;
  };
  const paths = entriesOf(contract.webhooks).filter(([, item]) => entriesOf(item).every(([, part]) => later(part)));
  const goneEvents = new Set(paths.map(([name]) => name));
  let release = asObject(withoutLater(contract, later, goneEvents));
  for (const section of ['paths', 'webhooks']) {
    release[section] = Object.fromEntries(entriesOf(release[section]).filter(([, item]) => entriesOf(item).length > 0));
  }
  dropInvalidExamples(release);
  release = introduced(release, version);
  release.components = usedComponents(release);
  return withUsedDecisions(release);
}

function withoutLater(node: Json, later: (node: Json) => boolean, goneEvents: ReadonlySet<string>): Json {
  if (Array.isArray(node)) {
    return node
      .filter((part) => !later(part) && !(typeof part === 'string' && goneEvents.has(part)))
      .map((part) => withoutLater(part, later, goneEvents));
  }
  if (!isObject(node)) return node;
  const copy = Object.fromEntries(
    entriesOf(node)
      .filter(([, value]) => !later(value))
      .map(([key, value]) => [key, withoutLater(value, later, goneEvents)]),
  );
  const gone = Object.keys(asObject(node.properties)).filter((name) => !Object.hasOwn(asObject(copy.properties), name));
  if (gone.length > 0 && Array.isArray(copy.required)) {
    copy.required = copy.required.filter((name) => !gone.includes(asString(name)));
  }
  return copy;
}

/** Examples that use later additions are not valid for the release. */
function dropInvalidExamples(release: Contract): void {
  for (const { place } of examples(release)) {
    const key = place.at(-1);
    const holder = place
      .slice(0, -1)
      .reduce<Json>(
        (node, part) => asObject(node)[part] ?? (Array.isArray(node) ? node[Number(part)] : null) ?? null,
        release,
      );
    if (isObject(holder) && key !== undefined && place.at(-2) === 'examples') delete holder[String(key)];
  }
}

/**
 * The introduction describes the interface as a whole. A release gets a description of itself instead, and only the
 * tags that it uses.
 */
function introduced(release: Contract, version: string): Contract {
  const operations = operationsOf(release);
  const events = Object.keys(asObject(release.webhooks)).length;
  const holders = [
    ...operations.map(({ source }) => source),
    ...entriesOf(release.webhooks).flatMap(([, item]) => entriesOf(item).map(([, part]) => asObject(part))),
  ];
  const used = new Set(holders.flatMap((source) => asArray(source.tags).map(asString)));
  const groups = asArray(release['x-tagGroups'])
    .map(
      (group): JsonObject => ({
        ...asObject(group),
        tags: asArray(asObject(group).tags).filter((tag) => used.has(asString(tag))),
      }),
    )
    .filter((group) => asArray(group.tags).length > 0);
  return {
    ...release,
    info: {
      ...asObject(release.info),
      description: `The interface as released in ${version}: ${operations.length} operations and ${events} events.`,
      'x-release': version,
    },
    tags: asArray(release.tags).filter((tag) => used.has(asString(asObject(tag).name))),
    ...(groups.length === 0 ? {} : { 'x-tagGroups': groups }),
  };
}

/** The components that can still be reached. Security schemes are used by name, not by reference. */
function usedComponents(release: Contract): JsonObject {
  const refs = new Set<string>();
  const walk = (node: Json): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (!isObject(node)) return;
    if (typeof node.$ref === 'string' && !refs.has(node.$ref)) {
      refs.add(node.$ref);
      walk(resolve(release, node));
    }
    for (const [, value] of entriesOf(node)) walk(value);
  };
  for (const [key, value] of entriesOf(release)) if (key !== 'components') walk(value);
  const kept = entriesOf(release.components).map(([section, components]): [string, JsonObject] => [
    section,
    Object.fromEntries(
      entriesOf(components).filter(
        ([name]) => section === 'securitySchemes' || refs.has(`#/components/${section}/${name}`),
      ),
    ),
  ]);
  return Object.fromEntries(kept.filter(([, components]) => Object.keys(components).length > 0));
}

function withUsedDecisions(release: Contract): Contract {
  const used = placesOfDecisions(release);
  const marked = new Set([...used.keys(), ...decisionIds(asObject(release.info)['x-decision'])]);
  const decisions = entriesOf(release['x-decisions']).filter(([id]) => marked.has(id));
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
