/** Reading a list in slices, or by another way, gives the same rows in the same order, also for equal instants. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { draftRow } from '../../scripts/world/document-row.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { type DocumentRow, documentKeys } from './collections/documents.ts';
import { employeeKeys } from './collections/employees.ts';
import type { ReadPlan } from './list.ts';
import type { ListRead } from './list-read.ts';
import { pageTokens, readPage } from './page.ts';

import { READ_TIME_MS } from './reads.ts';

const { store } = await testDeployment();
const tokens = pageTokens([new Uint8Array(32).fill(7)]);
const tenant_id = randomUUID();
const counted = { listed: true, search_keys: 'abc' };
let rows: DocumentRow[];

beforeAll(async () => {
  // Instants that several rows share, one of them shared by more rows than a slice has.
  const seconds = [0, 1, 1, 1, 2, ...Array.from({ length: 25 }, () => 3), 4, 5, 5, 6, 7, 8, 9];
  rows = seconds.map((second, i) => ({
    ...draftRow({ initiator_employee_id: '', tenant_id, search_keys: ['abc'], search_text: i % 3 ? 'abcd' : 'abc' }),
    create_time: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  }));
  await store.documents.insertMany(rows);
});

const expected = () =>
  rows
    .filter(({ search_text }) => search_text === 'abcd')
    .sort((a, b) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1))
    .map(({ _id }) => _id);

const within = (collection: object, plan: ReadPlan, condition: object = { tenant_id }): ListRead => ({
  store,
  collection: collection as ListRead['collection'],
  binding: { list: 'test', tenantId: tenant_id, filters: {} },
  parts: [{ condition, plan }],
  moving: [],
});

/** All pages of a plan. */
async function walked(plan: ReadPlan, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page_token = ''; ; ) {
    const list = within(store.documents, plan, { tenant_id, listed: true });
    const page = await readPage(list, tokens, { limit, page_token });
    ids.push(...page.rows.map(({ _id }) => _id));
    page_token = page.nextPageToken;
    if (page_token === '') return ids;
  }
}

describe('a query in slices', () => {
  const condition = { search_keys: 'abc', search_text: { $regex: 'abcd' } };
  const slices = (rows: number) => ({ condition: counted, hint: documentKeys.searched, rows });

  test.each([1, 2, 5, 7, 100])(
    'gives every page as a query without slices does, with slices of %i rows',
    async (count) => {
      for (const limit of [1, 4, 24, 50]) {
        expect(await walked({ condition, slices: slices(count) }, limit)).toEqual(expected());
      }
    },
  );

  test('continues with the next query, and asks for it only when a page is not full', async () => {
    let asked = 0;
    const next = async (): Promise<ReadPlan> => {
      asked++;
      return { condition, slices: slices(3) };
    };
    expect(await walked({ condition, slices: { ...slices(5), next } }, 50)).toEqual(expected());
    expect(asked).toBe(1);
    const whole = { condition: { search_keys: 'abc' }, slices: { ...slices(5), next } };
    await readPage(within(store.documents, whole), tokens, { limit: 3 });
    expect(asked).toBe(1);
  });
});

describe('a query that has another one for few rows', () => {
  /** A collection with so many rows by count, whose first find fails with the code. It notes each command. */
  const failing = (matching: number, code = 0) => {
    const tried: unknown[] = [];
    const count = async (_: object, { hint, limit }: { hint: unknown; limit: number }) => {
      tried.push([hint, limit]);
      return Math.min(matching, limit);
    };
    const find = (filter: object, options: { hint?: unknown; maxTimeMS: number }) => {
      tried.push([options.hint, options.maxTimeMS]);
      if (tried.length === 2 && code > 0) throw new MongoServerError({ code, message: 'refused' });
      return store.employees.find(filter as never, options as never);
    };
    return { tried, collection: { count, find } };
  };
  const plan: ReadPlan = { hint: employeeKeys.newest, ifFew: { upTo: 7, plan: { hint: employeeKeys.ofStatus } } };
  const page = (collection: object) => readPage(within(collection, plan), tokens, { limit: 5 });
  const counting = [employeeKeys.ofStatus, 8];

  test('is not tried where few rows match', async () => {
    const { tried, collection } = failing(7);
    expect((await page(collection)).rows).toEqual([]);
    expect(tried).toEqual([counting, [employeeKeys.ofStatus, READ_TIME_MS]]);
  });

  test('is given up for the other one after a moment, and that one gets the whole time of a read', async () => {
    const { tried, collection } = failing(8, 50);
    expect((await page(collection)).rows).toEqual([]);
    expect(tried).toEqual([counting, [employeeKeys.newest, 1_000], [employeeKeys.ofStatus, READ_TIME_MS]]);
  });

  test('is not given up when it fails for another reason', async () => {
    await expect(page(failing(8, 13).collection)).rejects.toThrow('refused');
  });
});
