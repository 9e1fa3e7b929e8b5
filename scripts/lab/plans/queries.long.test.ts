/**
 * Every query stands at the index that serves it, in `handlers/data/collections/`, and the database itself reports that
 * it uses that index and examines no more than it may. Commands on collections that may be sharded are judged as those
 * of a conformance run are, which does not reach all jobs.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IndexKeys, ServedQuery } from '../../../handlers/data/collection.ts';
import { type CollectionName, collectionNames, declarationOf, SHARDABLE } from '../../../handlers/data/store.ts';
import { JOBS_COLLECTION } from '../../../handlers/jobs/scheduler.ts';
import { type ExaminedCommand, examinedBy, onCommands, type SentCommand, watchCommands } from '../../world/examined.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { judge, type Verdict } from '../run/commands/judge.ts';
import { LEAVING, usesOf } from './store-uses.ts';
import { FILLED } from './tenants.ts';

/** A query at its index, or at none. */
interface PlacedQuery extends ServedQuery {
  readonly collection: CollectionName;
  readonly index: IndexKeys;
}

const queries = collectionNames.flatMap((collection): PlacedQuery[] => {
  const { indexes, scans = [] } = declarationOf(collection);
  const served = indexes.flatMap(({ key, serves }) =>
    typeof serves === 'string' ? [] : serves.map((query) => ({ ...query, collection, index: key })),
  );
  return [...served, ...scans.map((query) => ({ ...query, collection, index: {} }))];
});

/** The queries that this test never runs, by their purpose: why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'whether few are in very many departments': 'the tenant of the test has fewer',
  'the estimate of total_count, in all or by status': 'the tenant of the test has fewer than the sample',
  'the estimate of total_count by department': 'the tenant of the test has fewer than the sample',
  'the daily pass: the time zones in use': 'the embedded database looks through all tenants',
  'documents of an actor': 'the embedded database takes the index of a person for it',
  'where a slice of a search ends': 'the tenant of the test has fewer documents than a slice',
  'settings: departments': 'the index of subtrees begins with the tenant too',
  'seed: all template versions of a tenant': 'a new tenant has none to remove',
  'metrics: how many are not applied yet': 'fewer batches wait than one read finds',
  'seed: all bindings of a tenant': 'a new tenant has none to remove',
};

const sent = watchCommands();
/** The judgements of the commands since the last use of the store began. */
let judged: Verdict[] = [];
onCommands(({ command }) => judged.push(...[judge(command)].filter((verdict) => verdict !== undefined)));
const { database, store } = await testDeployment();
/** The problems that were found, and the queries that occurred. */
const wrong = new Set<string>();
const met = new Set<PlacedQuery>();
/** What all uses of the store sent to collections that may be sharded. */
const verdicts: Verdict[] = [];

/** How many rows a query may examine beyond 1.1 times what it finds, besides the end of each of its ranges. */
const SLACK = 10;

beforeAll(async () => {
  const deeds = await usesOf(store, database.env);
  for (const [name, run] of deeds) {
    sent();
    judged = [];
    await run();
    verdicts.push(...judged);
    // Jobs are Agenda's, with indexes of its own.
    for (const command of sent().filter(({ collection }) => collection !== JOBS_COLLECTION)) {
      const examined = await examinedBy(store.client, command);
      const problem = problemOf(command, examined, await rowsLeaving(command, name));
      if (problem !== '') wrong.add(`${command.name} ${command.collection}: ${problem} (${name.slice(0, 60)})`);
    }
  }
});

const nameOf = (keys: IndexKeys) => Object.entries(keys).flat().join('_');

/** The filter of a command. */
function filterOf({ body }: SentCommand): Record<string, unknown> {
  const [change] = body.updates ?? body.deletes ?? [];
  return body.filter ?? body.query ?? change?.q ?? {};
}

/** How many rows a command may look through that is about all of a tenant or a person: those of the tenant. */
async function rowsLeaving(command: SentCommand, use: string): Promise<number> {
  const { tenant_id = '' } = filterOf(command);
  return use.startsWith(LEAVING) ? store.db.collection(command.collection).countDocuments({ tenant_id }) : Number.NaN;
}

function problemOf(command: SentCommand, examined: ExaminedCommand, leaving: number): string {
  const { found, keys, documents, stages, indexes: read } = examined;
  const measured = `${documents} documents and ${keys} keys examined, ${found} found, by ${read.join(' and ') || 'no index'}`;
  const condition = filterOf(command)._id as { $in?: readonly string[]; $nin?: unknown } | string | undefined;
  const isByOthers = typeof condition === 'object' && condition.$nin !== undefined;
  if (condition !== undefined && !isByOthers) {
    const ids = typeof condition === 'object' ? (condition.$in?.length ?? Number.POSITIVE_INFINITY) : 1;
    return documents > ids * 1.1 || keys > ids * 2.2 + 2 ? measured : '';
  }
  // A lookup in another collection, as admission makes one, uses the `_id` there.
  const byFields = read.filter((index) => index !== '_id_');
  const entries = (byFields.length === 0 ? [''] : byFields).map((index) => entryOf(command, index));
  const isSmall = documents <= SLACK && byFields.length === 0 && command.name === 'distinct';
  if (isSmall) return '';
  const known = entries.filter((entry) => entry !== undefined);
  for (const entry of known) met.add(entry);
  // What is sorted may count twice.
  if (documents <= 2.2 * leaving + SLACK) return '';
  if (entries.includes(undefined)) return `stands at no index of its collection: ${measured}`;
  if (stages.includes('SORT') && documents > SLACK && !known.some(({ excess }) => excess?.sorts)) {
    return `sorts in memory: ${measured}`;
  }
  const most = Math.max(...known.map((entry) => allowed(entry, found)));
  return documents > most || keys > most + rangesOf(command) ? measured : '';
}

/** The query that a command is. One that names its index in a hint is a query of its own. */
function entryOf({ name, collection, body }: SentCommand, index: string): PlacedQuery | undefined {
  return queries.find(
    (query) =>
      query.collection === collection &&
      query.verb === name &&
      nameOf(query.index) === index &&
      (query.isHinted ?? false) === (body.hint !== undefined),
  );
}

/** How many ranges of an index a command may read. The end of each range is one more key. */
function rangesOf(command: SentCommand): number {
  const conditions = filterOf(command);
  const parts = [conditions, ...((conditions.$and as Record<string, unknown>[] | undefined) ?? [])];
  const sizes = parts.flatMap((part) =>
    Object.values(part).map((condition) => (condition as { $in?: unknown[] } | null)?.$in?.length ?? 1),
  );
  return sizes.reduce((product, size) => product * size, 1);
}

/** How many keys, and how many documents, a query may examine. */
function allowed({ collection, excess }: PlacedQuery, found: number): number {
  const least = found * 1.1 + SLACK;
  if (excess === undefined) return least;
  const { [excess.upTo]: bound } = {
    few: FILLED.employees,
    own: FILLED.own,
    tenant: collection === 'documents' ? FILLED.documents : FILLED.employees,
    listed: FILLED.listed,
  };
  return Math.max(least, bound * 1.1 + SLACK);
}

describe('every query', () => {
  test('uses its index, and examines only what it finds or at most its bound', () => {
    expect([...wrong]).toEqual([]);
  });

  test('that an index is declared for is sent, or has a reason', () => {
    const missing = queries.filter((query) => !met.has(query)).map(({ purpose }) => purpose);
    expect(missing.filter((purpose) => NOT_RUN[purpose] === undefined)).toEqual([]);
    const purposes = queries.map(({ purpose }) => purpose);
    expect(Object.keys(NOT_RUN).filter((purpose) => !purposes.includes(purpose))).toEqual([]);
  });
});

describe('every command on a collection that may be sharded', () => {
  test('names its tenant, or is a listed poll', () => {
    expect(verdicts.filter(({ problem }) => problem !== undefined)).toEqual([]);
    const kinds = new Set(verdicts.map(({ collection, command }) => `${collection}.${command}`));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'deliveries.delete',
        'deliveries.insert',
        'deliveries.update',
        'documents.update',
        'employees.update',
        'files.delete',
        'files.update',
        'persons.update',
      ]),
    );
  });

  test('that is a listed poll is made by some job', () => {
    const polls = new Set(verdicts.flatMap(({ poll }) => poll ?? []));
    const listed = SHARDABLE.flatMap((name) => (declarationOf(name).polls ?? []).map((poll) => poll.name));
    expect([...polls].toSorted()).toEqual(listed.toSorted());
  });
});
