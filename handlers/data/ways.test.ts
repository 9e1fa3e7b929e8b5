/** Reading a list in slices, or by another way, gives the same rows in the same order, also for equal instants. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { Database } from '../../scripts/testbed/database.ts';
import { draftRow } from '../../scripts/testbed/document-row.ts';
import { type DocumentRow, searchedKeys } from './collections/documents.ts';
import { employeeKeys } from './collections/employees.ts';
import { pageTokens, readPage } from './page.ts';
import { createIndexes, READ_TIME_MS, type Store } from './store.ts';
import type { Way } from './ways.ts';

const database = new Database();
const tokens = pageTokens([new Uint8Array(32).fill(7)]);
const tenant_id = randomUUID();
const counted = { tenant_id, listed: true, search_keys: 'abc' };
let store: Store;
let rows: DocumentRow[];

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  // Instants that several rows share, one of them shared by more rows than a slice has.
  const seconds = [0, 1, 1, 1, 2, ...Array.from({ length: 25 }, () => 3), 4, 5, 5, 6, 7, 8, 9];
  rows = seconds.map((second, i) => ({
    ...draftRow({ initiator_employee_id: '', tenant_id, search_keys: ['abc'], search_text: i % 3 ? 'abcd' : 'abc' }),
    create_time: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  }));
  await store.documents.insertMany(rows);
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

const expected = () =>
  rows
    .filter(({ search_text }) => search_text === 'abcd')
    .sort((a, b) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1))
    .map(({ _id }) => _id);

/** All pages of a way. */
async function walked(way: Way, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page_token = ''; ; ) {
    const binding = { list: 'listDocuments', tenantId: tenant_id, filters: {} };
    const page = await readPage({ store, collection: store.documents }, tokens, [way], { limit, page_token }, binding);
    ids.push(...page.rows.map(({ _id }) => _id));
    page_token = page.nextPageToken;
    if (page_token === '') return ids;
  }
}

describe('a query in slices', () => {
  const filter = { ...counted, search_text: { $regex: 'abcd' } };
  const slice = (count: number) => ({ filter: counted, hint: searchedKeys, rows: count });

  test.each([1, 2, 5, 7, 100])(
    'gives every page as a query without slices does, with slices of %i rows',
    async (count) => {
      for (const limit of [1, 4, 24, 50]) {
        expect(await walked({ filter, slice: slice(count) }, limit)).toEqual(expected());
      }
    },
  );

  test('continues with the next query, and asks for it only when a page is not full', async () => {
    let asked = 0;
    const next = async (): Promise<Way> => {
      asked++;
      return { filter, slice: slice(3) };
    };
    expect(await walked({ filter, slice: { ...slice(5), next } }, 50)).toEqual(expected());
    expect(asked).toBe(1);
    const whole = { filter: counted, slice: { ...slice(5), next } };
    const binding = { list: 'listDocuments', tenantId: tenant_id, filters: {} };
    await readPage({ store, collection: store.documents }, tokens, [whole], { limit: 3 }, binding);
    expect(asked).toBe(1);
  });
});

describe('a query that has another one to fall back to', () => {
  /** A collection whose first find fails with the code. It notes the hint and time limit of each find. */
  const failing = (code: number) => {
    const tried: unknown[] = [];
    const find = (filter: object, options: { hint?: unknown; maxTimeMS: number }) => {
      tried.push([options.hint, options.maxTimeMS]);
      if (tried.length === 1) throw new MongoServerError({ code, message: 'refused' });
      return store.employees.find(filter as never, options as never);
    };
    return { tried, collection: { find } as unknown as Store['employees'] };
  };
  const way: Way = {
    filter: { tenant_id },
    hint: employeeKeys.newest,
    otherwise: { filter: { tenant_id }, hint: employeeKeys.ofStatus },
  };
  const binding = { list: 'listEmployees', tenantId: tenant_id, filters: {} };

  test('is given up for the other one after a moment, and that one gets the whole time of a read', async () => {
    const { tried, collection } = failing(50);
    expect((await readPage({ store, collection }, tokens, [way], { limit: 5 }, binding)).rows).toEqual([]);
    expect(tried).toEqual([
      [employeeKeys.newest, 1_000],
      [employeeKeys.ofStatus, READ_TIME_MS],
    ]);
  });

  test('is not given up when it fails for another reason', async () => {
    const { collection } = failing(13);
    await expect(readPage({ store, collection }, tokens, [way], { limit: 5 }, binding)).rejects.toThrow('refused');
  });
});
