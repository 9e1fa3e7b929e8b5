/**
 * What each release changed for its clients, in words, from the findings of oasdiff. The result is kept, because the docs
 * show it where neither oasdiff nor Go is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { commandLine, exitingWith, runProgram } from '../kit/command-line.ts';
import {
  CHANGES_PATH,
  type ChangeKind,
  EVERYWHERE,
  IS_NEW,
  type KeptChanges,
  NEXT,
  type ReleaseChange,
} from './kept-changes.ts';
import { comparingCode, type Finding, findingsBetween, isBreak, oasdiffProgram } from './oasdiff.ts';
import { type Contract, operationsOf, readContract } from './read.ts';
import { ROOT } from './redocly.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';

/** How a check is told; `{0}` is the first value that its text names. Other checks are told in the words of oasdiff. */
const WORDS: Readonly<Record<string, string>> = {
  'endpoint-added': IS_NEW,
  'new-optional-request-property': 'takes {0}, optional and new',
  'new-required-request-property': 'requires {0}, which is new',
  'request-property-removed': 'takes {0} no more',
  'request-property-any-of-added': '{1}: more forms than before',
  'request-property-became-nullable': '{0}: may be {1}',
  'request-property-became-optional': '{0}: optional now',
  'request-property-became-required': '{0}: required now',
  'request-property-content-encoding-changed': '{0}: need not be {1} any more',
  'request-property-enum-value-added': '{1}: takes {0}, too',
  'request-property-list-of-types-widened': '{0}: may be {1}',
  'request-property-max-length-increased': '{0}: at most {2} characters, before {1}',
  'request-property-max-length-decreased': '{0}: at most {1} characters',
  'request-property-min-length-unset': '{0}: no least length any more',
  'request-property-pattern-removed': '{1}: need not match the pattern {0} any more',
  'response-non-success-status-added': 'may answer with the status {0}',
  'response-optional-property-added': 'has {0}, which is new',
  'response-required-property-added': 'has {0}, which is new',
  'response-optional-property-removed': 'answers without {0}',
  'response-required-property-removed': 'answers without {0}',
  'response-property-enum-value-added': '{1}: may be {0}, too',
  'response-property-max-items-set': '{0}: at most {1} items',
  'response-property-pattern-added': '{0}: matches the pattern {1}',
};
/** Which value of a check is listed where findings differ in it only; usually the first one. */
const LISTED: Readonly<Record<string, number>> = { 'request-property-any-of-added': 1 };
const EXPECTED = ['response-property-enum-value-added', 'response-non-success-status-added'];

/** What clients of the old contract must or may know of the new one, in its order. @param oasdiff the program */
export async function changesBetween(oasdiff: string, before: Contract, after: Contract): Promise<ReleaseChange[]> {
  const findings = await findingsBetween(oasdiff, before, after);
  const told = [...inWords(findings, after, before), ...newErrors(before, after)];
  const kept = operationsOf(before).map(({ operationId }) => operationId);
  const shared = operationsOf(after).filter(({ operationId }) => kept.includes(operationId));
  return [...Map.groupBy(told, ({ kind, text }) => `${kind} ${text}`).values()].map((same) => {
    const of = [...new Set(same.map(({ subject }) => subject))];
    const isEverywhere = of.length === shared.length && of.every((name) => kept.includes(name));
    return { kind: same[0]?.kind ?? 'offers', of: isEverywhere ? [EVERYWHERE] : of, text: same[0]?.text ?? '' };
  });
}

interface ToldChange {
  readonly kind: ChangeKind;
  readonly subject: string;
  readonly text: string;
}

function inWords(findings: readonly Finding[], ...contracts: readonly Contract[]): ToldChange[] {
  const told = findings.flatMap((finding) => {
    const [, path = '', side = ''] = /^(.*?)(\/parameters|\/headers)?$/.exec(finding.path) ?? [];
    // A new operation is told without its parts; `undefined` is how oasdiff calls null, of which another finding tells.
    if ((finding.id.startsWith('endpoint-') && side !== '') || finding.text.includes('`undefined`')) return [];
    const kind: ChangeKind = isBreak(finding) ? 'breaks' : EXPECTED.includes(finding.id) ? 'expect' : 'offers';
    const { values, words } = partsOf(finding);
    const at = LISTED[finding.id] ?? 0;
    return [{ kind, subject: subjectOf(path, finding.operation, contracts), words, values, at }];
  });
  const same = Map.groupBy(told, ({ kind, subject, words, values, at }) =>
    [kind, subject, words, ...values.filter((_, index) => index !== at)].join('\n'),
  );
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const listed = [...new Set(group.map(({ values, at }) => values[at]))].join(', ');
    const text = first.words.replaceAll(/\{(\d)\}/g, (_, index) =>
      Number(index) === first.at ? listed : String(first.values[Number(index)]),
    );
    return [{ kind: first.kind, subject: first.subject, text }];
  });
}

/** The values that a finding names, and its words with their places. */
function partsOf({ id, text }: Finding): { values: string[]; words: string } {
  const values: string[] = [];
  const plain = text.replaceAll(/ (?:for the (?:response )?status|to media type) `[^`]*`/g, '');
  const words = plain.replaceAll(/`([^`]*)`/g, (_, value) => `{${values.push(named(value)) - 1}}`);
  // The same is found as a type that was added to a list of types.
  if (id.endsWith('-became-nullable')) values.push('`null`');
  return { values, words: WORDS[id] ?? words };
}

const FIELD = /^(?:path|query|header) |^[\w*\u0400-\u04ff]+(?:\/|$)/;

/** A field as people write it, with the schema that it stands in if there are several; any other value as it is. */
function named(value: string): string {
  if (/^\d+$/.test(value)) return value;
  if (!FIELD.test(value)) return `\`${value}\``;
  const schemas = [...value.matchAll(/(?:any|one|all)Of\[[^\]]*?(\w+)\]/g)].map(([, schema]) => schema);
  const path = value
    .replaceAll(/\/(?:any|one|all)Of\[[^\]]*\]/g, '')
    .replaceAll('/items', '[]')
    .replaceAll('/', '.');
  return `\`${path.replace(/^(?:path|query|header) /, '')}\`${schemas.map((schema) => ` of ${schema}`).join('')}`;
}

/** The operationId, or the name of an event or error. */
function subjectOf(path: string, method: string, contracts: readonly Contract[]): string {
  const [, name] = /^\/(?:events|errors)\/(.*)$/.exec(path) ?? [];
  const operation = contracts
    .flatMap(operationsOf)
    .find((each) => each.path === path && each.method === method.toLowerCase());
  return name ?? operation?.operationId ?? `${method} ${path}`;
}

/** The errors that an operation of both contracts may answer only now. oasdiff does not know the catalogue. */
function newErrors(before: Contract, after: Contract): ToldChange[] {
  const known = new Map(operationsOf(before).map(({ operationId, errors }) => [operationId, errors]));
  return operationsOf(after).flatMap(({ operationId, errors }) => {
    const names = known.get(operationId);
    const added = errors.filter((name) => names?.includes(name) === false);
    const text = `may answer ${added.map((name) => `\`${name}\``).join(', ')}, too`;
    return added.length === 0 ? [] : [{ kind: 'expect' as const, subject: operationId, text }];
  });
}

/** The changes of every kept release, and of the contract. @param oasdiff the program */
export async function allChanges(oasdiff: string): Promise<KeptChanges> {
  const versions = keptReleases();
  const files = [...versions.map((version) => join(RELEASES_PATH, `${version}.yaml`)), join(ROOT, 'openapi.yaml')];
  const contracts = await Promise.all(files.map(readContract));
  const changes: Record<string, ReleaseChange[]> = {};
  for (const [index, before] of contracts.entries()) {
    const after = contracts[index + 1];
    if (after) changes[versions[index + 1] ?? NEXT] = await changesBetween(oasdiff, before, after);
  }
  return changes;
}

/** The text of the file of all changes. */
export function changesText(changes: KeptChanges): string {
  const heading = '# What each release changed for clients, made from the releases by `npm run contract:changes`.\n';
  return heading + stringify(changes, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about =
    'Writes what each release, and the contract since the last one, changed for clients. The docs show it. Uses oasdiff, or Go to build it.';
  const program = commandLine('npm run contract:changes --', about)
    .option('--check', 'change nothing; exit with 1 if the file is out of date')
    .addHelpText('after', '\nExit codes: 0 done, 1 out of date, 2 a contract cannot be used, or oasdiff is missing.')
    .action(
      exitingWith(async ({ check = false }: { check?: boolean }) => {
        const text = changesText(await allChanges(await oasdiffProgram()));
        const isRight = text === (await readFile(CHANGES_PATH, 'utf8').catch(() => ''));
        const name = relative(ROOT, CHANGES_PATH);
        if (!isRight && !check) await writeFile(CHANGES_PATH, text);
        console.log(`${name}: ${isRight ? 'up to date' : check ? 'out of date; npm run contract:changes' : 'written'}`);
        return isRight || !check ? 0 : 1;
      }),
    );
  return runProgram(program, argv, comparingCode);
}
