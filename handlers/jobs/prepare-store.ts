/**
 * What rows of employees lack that an earlier version wrote and that no later change of them would bring: the day on
 * which their dates change their status. Everything else is taken as it is; see `EmployeeRow`.
 */
import type { Filter } from 'mongodb';
import { statusDueOn } from '../employees/status-by-dates.ts';
import { createIndexes, type EmployeeRow, indexes, type Store } from '../runtime/store.ts';

/** How many rows are read and written at a time. */
const BATCH = 500;

/** Rows without the day, whose dates may have something to say. */
const WITHOUT_DAY: Filter<EmployeeRow> = {
  status_due_on: { $exists: false },
  deleted_at: null,
  status: { $nin: ['CREATED', 'EMPLOYEE_STATUS_TERMINATED'] },
  $or: [{ end_date: { $gt: '' } }, { status: 'EMPLOYEE_STATUS_ACCEPTED', start_date: { $gt: '' } }],
};

/**
 * Makes the store one that this version works on: rows first, then indexes. Where the index of the days is there, the
 * rows have been seen to, so that a start does not look at every employee; a crash in between is made up for by the
 * next start, and any number of processes may do it at once.
 */
export async function prepareStore(store: Store): Promise<void> {
  if (!(await hasDayIndex(store))) await noteStatusDays(store);
  await createIndexes(store);
}

async function hasDayIndex(store: Store): Promise<boolean> {
  const declared = indexes.employees.find(({ key }) => 'status_due_on' in (key as object));
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
      // Whoever changes a row meanwhile writes the day along with it.
      const filter = { _id, tenant_id, status, start_date, end_date, deleted_at, status_due_on: { $exists: false } };
      return { updateOne: { filter, update: { $set: { status_due_on: statusDueOn(row) } } } };
    });
    await store.employees.bulkWrite(operations, { ordered: false });
    after = rows.at(-1)?._id ?? '';
  }
}
