/**
 * Every query is in the table `handlers/data/queries.ts`, and the database itself reports that it uses the index named
 * there and examines no more than it may. Runs on the database of MONGODB_URI, or on an embedded one.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Query, queries } from '../../../handlers/data/queries.ts';
import { type IndexKeys, indexes } from '../../../handlers/data/store.ts';
import { startTestDatabase, type TestDatabase } from '../../operate/settings/test-database.ts';
import { type Examined, examinedBy, type Sent, watchCommands } from '../../testbed/examined.ts';
import { FILLED } from './filled-tenant.ts';
import { usesOf } from './store-uses.ts';

const sent = watchCommands();
let database: TestDatabase;
/** The problems that were found, and the queries that occurred. */
const wrong = new Set<string>();
const met = new Set<Query>();

/** How many rows a query may examine beyond 1.1 times what it finds, besides the end of each of its ranges. */
const SLACK = 10;

beforeAll(async () => {
  database = await startTestDatabase();
  const deeds = await usesOf(database.store, database.env);
  for (const [name, run] of deeds) {
    sent();
    await run();
    for (const command of sent()) {
      const examined = await examinedBy(database.store.client, command);
      const problem = problemOf(command, examined);
      if (problem !== '') wrong.add(`${command.name} ${command.collection}: ${problem} (${name.slice(0, 60)})`);
    }
  }
});

afterAll(() => database.stop());

const nameOf = (keys: IndexKeys) => Object.entries(keys).flat().join('_');

/** The filter of a command. */
function filterOf({ body }: Sent): Record<string, unknown> {
  const [change] = body.updates ?? body.deletes ?? [];
  return body.filter ?? body.query ?? change?.q ?? {};
}

function problemOf(command: Sent, examined: Examined): string {
  const { found, keys, documents, stages, indexes: read } = examined;
  const measured = `${documents} documents and ${keys} keys examined, ${found} found, by ${read.join(' and ') || 'no index'}`;
  const condition = filterOf(command)._id as string | { $in?: readonly string[] } | undefined;
  if (condition !== undefined) {
    const ids = typeof condition === 'object' ? (condition.$in?.length ?? Number.POSITIVE_INFINITY) : 1;
    return documents > ids * 1.1 || keys > ids * 2.2 + 2 ? measured : '';
  }
  // A lookup in another collection, as admission makes one, uses the `_id` there.
  const byFields = read.filter((index) => index !== '_id_');
  const entries = (byFields.length === 0 ? [''] : byFields).map((index) => entryOf(command, index));
  const isSmall = documents <= SLACK && byFields.length === 0 && command.name === 'distinct';
  if (isSmall) return '';
  if (entries.includes(undefined)) return `has no entry in handlers/data/queries.ts: ${measured}`;
  const known = entries.filter((entry) => entry !== undefined);
  for (const entry of known) met.add(entry);
  if (stages.includes('SORT') && documents > SLACK && !known.some(({ exception }) => exception?.sorts)) {
    return `sorts in memory: ${measured}`;
  }
  const most = Math.max(...known.map((entry) => allowed(entry, found)));
  return documents > most || keys > most + rangesOf(command) ? measured : '';
}

/**
 * The table's entry for a command that uses an index. A command that names its index in a hint has an entry of its own.
 */
function entryOf({ name, collection, body }: Sent, index: string): Query | undefined {
  return queries.find(
    (query) =>
      query.collection === collection &&
      query.verb === name &&
      nameOf(query.index) === index &&
      query.isHinted === (body.hint !== undefined),
  );
}

/** How many ranges of an index a command may read. The end of each range is one more key. */
function rangesOf(command: Sent): number {
  const conditions = filterOf(command);
  const parts = [conditions, ...((conditions.$and as Record<string, unknown>[] | undefined) ?? [])];
  const sizes = parts.flatMap((part) =>
    Object.values(part).map((condition) => (condition as { $in?: unknown[] } | null)?.$in?.length ?? 1),
  );
  return sizes.reduce((product, size) => product * size, 1);
}

/** How many keys, and how many documents, a query may examine. */
function allowed({ collection, exception }: Query, found: number): number {
  const least = found * 1.1 + SLACK;
  if (exception === undefined) return least;
  const { [exception.upTo]: bound } = {
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

  test('of the table is sent', () => {
    const missing = queries.filter((query) => !met.has(query) && query.notRunBecause === undefined);
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('uses an index that is declared', () => {
    const undeclared = queries
      .filter(({ index }) => Object.keys(index).length > 0)
      .filter(({ collection, index }) =>
        indexes[collection].every(({ key }) => nameOf(key as IndexKeys) !== nameOf(index)),
      )
      .map(({ name }) => name);
    expect(undeclared).toEqual([]);
  });
});
