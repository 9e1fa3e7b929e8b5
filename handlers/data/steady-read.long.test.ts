/**
 * The race between reading a page and a row that moves within the filter: the row moves between two batches of a find.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { employeeRow } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { type IndexKeys, listed, newestFirst } from './collection.ts';
import { type EmployeeRow, employeeKeys, LISTED_STATUSES, visibleTo } from './collections/employees.ts';
import { type ListRead, readSteadily } from './list-read.ts';
import { pageTokens, readPage } from './page.ts';

const { store } = await testDeployment();
let tenant_id: string;

const [ACTIVE, LEAVE] = ['EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE'] as const;
const LONG_AGO = Date.parse('2026-01-01T00:00:00.000Z');
const MOVING = ['status', 'department_id', 'visible_to', 'update_time'];
const CHANGED = { condition: { status: { $in: [...LISTED_STATUSES] } }, hint: employeeKeys.changed };

/** Many rows of one kind, and a few of another kind that are older than all of them. */
const MANY = 400;
const FEW = 3;

interface Kind {
  readonly status?: EmployeeRow['status'];
  readonly department_id?: string;
}

function rowsOf(kind: Kind, count: number, newestMs: number): EmployeeRow[] {
  return Array.from({ length: count }, (_, n) => {
    const at = new Date(newestMs - n * 1_000);
    return employeeRow({ tenant_id, ...kind, create_time: at, update_time: at });
  });
}

beforeEach(() => {
  tenant_id = randomUUID();
});

async function fill(many: Kind, few: Kind): Promise<EmployeeRow[]> {
  const rows = [...rowsOf(many, MANY, LONG_AGO), ...rowsOf(few, FEW, LONG_AGO - 10 * MANY * 1_000)];
  await store.employees.insertMany(rows);
  return rows;
}

/** Writes what a change of an employee writes. */
async function move(row: EmployeeRow, kind: Kind): Promise<void> {
  const after = { ...row, ...kind };
  const set = { ...kind, visible_to: visibleTo(after), update_time: new Date() };
  const { matchedCount } = await store.employees.updateOne({ _id: row._id, tenant_id }, { $set: set });
  expect(matchedCount).toBe(1);
}

/** Employees whose first find pauses after its first rows until the deed is done. */
function paused(deed: () => Promise<void>): ListRead['collection'] {
  let isDone = false;
  const collection = new Proxy(store.employees, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'find') return typeof value === 'function' ? value.bind(target) : value;
      return (filter: object, options: object) => {
        const cursor = target.find(filter, { ...options, batchSize: 2 });
        const rest = cursor.toArray.bind(cursor);
        cursor.toArray = async () => {
          const first = await cursor.next();
          if (!isDone) await deed();
          isDone = true;
          return first === null ? [] : [first, ...(await rest())];
        };
        return cursor;
      };
    },
  });
  return collection as never;
}

/** The list of the employees that match any of the filters. */
const list = (collection: object, filters: readonly object[], moving = MOVING, hint?: IndexKeys): ListRead => ({
  store,
  collection: collection as ListRead['collection'],
  binding: { list: 'test', tenantId: tenant_id, filters: {} },
  parts: filters.map((filter) => ({
    condition: { tenant_id, listed: true, ...filter },
    plan: hint === undefined ? {} : { hint },
  })),
  moving,
  changedPlan: CHANGED,
});
const ids = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id);

const departments = [randomUUID(), randomUUID()] as const;
const seen = (...marks: string[]) => ({ visible_to: { $in: marks } });

/** Moves from the many to the few: the read of the few has passed the row's new place before the row arrives there. */
const moves: readonly (readonly [string, Kind, Kind, object])[] = [
  ['two statuses', { status: ACTIVE }, { status: LEAVE }, { status: { $in: [ACTIVE, LEAVE] } }],
  [
    'two departments',
    { department_id: departments[0] },
    { department_id: departments[1] },
    { department_id: { $in: [...departments] } },
  ],
  [
    'two departments that a restricted owner sees',
    { department_id: departments[0] },
    { department_id: departments[1] },
    seen(...departments),
  ],
  [
    'two statuses among what changed lately',
    { status: ACTIVE },
    { status: LEAVE },
    { status: { $in: [ACTIVE, LEAVE] }, update_time: { $gte: new Date(0) } },
  ],
];

describe.each(moves)('%s', (_what, many, few, filter) => {
  test('a plain read misses a row that moves meanwhile', async () => {
    const rows = await fill(many, few);
    const mover = rows[MANY - 50] as EmployeeRow;
    const collection = paused(() => move(mover, few));
    // The index that begins with the filter's field and is then in the order of the list.
    const hint = { ...listed, [Object.keys(filter)[0] ?? '']: 1, ...newestFirst } as const;
    const read = await readSteadily(list(collection, [filter], [], hint), undefined, 1_000);
    expect(ids(read.rows)).not.toContain(mover._id);
    expect(read.rows).toHaveLength(MANY + FEW - 1);
  });

  test('a steady read has that row, once and in its place', async () => {
    const rows = await fill(many, few);
    const collection = paused(() => move(rows[MANY - 50] as EmployeeRow, few));
    const read = await readSteadily(list(collection, [filter]), undefined, 1_000);
    expect(ids(read.rows)).toEqual(ids(rows));
    expect(read.isCut).toBe(false);
  });

  test('a walk over pages has each row once while a row moves during each page', async () => {
    const rows = await fill(many, few);
    const tokens = pageTokens([new Uint8Array(32)]);
    const walked: string[] = [];
    let page_token = '';
    let pages = 0;
    do {
      // A row in this page, the last of this page, and the first of the next one.
      const movers = [pages * 50 + 20, pages * 50 + 49, pages * 50 + 50].map((n) => rows[n]);
      const deed = async () => {
        for (const mover of movers) if (mover) await move(mover, few);
      };
      const page = await readPage(list(paused(deed), [filter]), tokens, { limit: 50, page_token });
      expect(page.rows.length <= 50).toBe(true);
      walked.push(...ids(page.rows));
      page_token = page.nextPageToken;
      pages++;
    } while (page_token !== '');
    expect(walked).toEqual(ids(rows));
    expect(pages).toBe(Math.ceil((MANY + FEW) / 50));
  });
});

test('a read over several conditions with one value each shows all rows at one moment too', async () => {
  const [one, other] = departments;
  const rows = await fill({ department_id: one }, { department_id: other });
  const mover = rows[MANY - 50] as EmployeeRow;
  const filters = [{ department_id: other }, { department_id: one }];
  const collection = paused(() => move(mover, { department_id: other }));
  const read = await readSteadily(list(collection, filters), undefined, 1_000);
  expect(ids(read.rows)).toEqual(ids(rows));
});

test('the second look finds a moved row where the database has no snapshots', async () => {
  const rows = await fill({ status: ACTIVE }, { status: LEAVE });
  const watched = paused(() => move(rows[MANY - 50] as EmployeeRow, { status: LEAVE }));
  const collection = new Proxy(watched, {
    get(target, property) {
      if (property !== 'find') return Reflect.get(target, property, target);
      return (filter: object, options: { session?: unknown }) => {
        if (options.session === undefined) return target.find(filter, options as object);
        throw new MongoServerError({ code: 246, message: 'Unable to read from a snapshot' });
      };
    },
  });
  const filter = { status: { $in: [ACTIVE, LEAVE] } };
  expect(ids((await readSteadily(list(collection, [filter]), undefined, 1_000)).rows)).toEqual(ids(rows));
});

test('a condition with one value for each filter needs no second look', async () => {
  await fill({ status: ACTIVE }, { status: LEAVE });
  let finds = 0;
  const collection = new Proxy(store.employees, {
    get(target, property) {
      if (property === 'find') finds++;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await readSteadily(list(collection, [{ status: ACTIVE }]), undefined, 10);
  await readSteadily(list(collection, [{ status: { $in: [ACTIVE] } }]), undefined, 10);
  expect(finds).toBe(2);
});
