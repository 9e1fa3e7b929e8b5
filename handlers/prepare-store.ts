/**
 * Adds what a store of an earlier version lacks. Rows get one field, `status_due_on`, because no later change would add
 * it: the day on which the dates of an employee change the status. Everything else stays as it is; see `EmployeeRow`.
 */
import type { Filter } from 'mongodb';
import type { EmployeeRow } from './data/collections/employees.ts';
import { collectionNames, createIndexes, declarationOf, type Store } from './data/store.ts';
import { statusDueOn } from './employees/write/status-by-dates.ts';

/** MongoDB's code for a missing index. */
const INDEX_NOT_FOUND = 27;

/** How many rows are read and written at a time. */
const BATCH = 500;

/** Rows that lack `status_due_on` and whose dates may still change the status. */
const WITHOUT_DAY: Filter<EmployeeRow> = {
  status_due_on: { $exists: false },
  deleted_at: null,
  status: { $nin: ['CREATED', 'EMPLOYEE_STATUS_TERMINATED'] },
  $or: [{ end_date: { $gt: '' } }, { status: 'EMPLOYEE_STATUS_ACCEPTED', start_date: { $gt: '' } }],
};

/**
 * Prepares the store for this version: rows first, then indexes. If the index of the days exists, the rows are
 * complete, so a start need not read every employee. After a crash in between, the next start does the rest, and any
 * number of processes may do it at once.
 */
export async function prepareStore(store: Store): Promise<void> {
  if (!(await hasDayIndex(store))) await noteStatusDays(store);
  await createIndexes(store);
  await dropRetiredIndexes(store);
}

/** Runs after the replacing indexes exist, so each query always has its index. Indexes of others are not touched. */
async function dropRetiredIndexes(store: Store): Promise<void> {
  for (const name of collectionNames) {
    const { retiredIndexes: retired } = declarationOf(name);
    if (retired === undefined) continue;
    const collection = store.db.collection(name);
    const unused = new Set(retired.map((keys) => JSON.stringify(keys)));
    for (const index of await collection.listIndexes().toArray()) {
      if (unused.has(JSON.stringify(index.key))) await collection.dropIndex(index.name).catch(ifGone);
    }
  }
}

/** Another process may have dropped it. */
function ifGone(error: { code?: unknown }): void {
  if (error.code !== INDEX_NOT_FOUND) throw error;
}

async function hasDayIndex(store: Store): Promise<boolean> {
  const declared = declarationOf('employees').indexes.find(({ key }) => 'status_due_on' in key);
  const there = await store.db
    .listCollections({ name: 'employees' }, { nameOnly: true })
    .toArray()
    .then((found) => (found.length === 0 ? [] : store.employees.listIndexes().toArray()));
  return there.some(({ key }) => JSON.stringify(key) === JSON.stringify(declared?.key));
}

async function noteStatusDays(store: Store): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await store.employees
      .find({ ...WITHOUT_DAY, _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 })
      .toArray();
    if (rows.length === 0) return;
    const operations = rows.map((row) => {
      const { _id, tenant_id, status, start_date, end_date, deleted_at } = row;
      // A concurrent change of a row also writes the day.
      const filter = { _id, tenant_id, status, start_date, end_date, deleted_at, status_due_on: { $exists: false } };
      return { updateOne: { filter, update: { $set: { status_due_on: statusDueOn(row) } } } };
    });
    await store.employees.bulkWrite(operations, { ordered: false });
    after = rows.at(-1)?._id ?? '';
  }
}
