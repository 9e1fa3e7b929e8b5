/**
 * The daily pass: sets the status that an employee's dates imply, on the tenant's day (D-29). It may run at any time
 * and in several processes: a status is changed by one write, with its event, over the revision that was read. Each row
 * stores the day on which it is due, so no progress has to be kept.
 */
import { setImmediate } from 'node:timers/promises';
import { writeRows } from '../../data/bulk.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { READ_TIME_MS } from '../../data/reads.ts';
import type { Store } from '../../data/store.ts';
import { now } from '../../runtime/clock.ts';
import { dayIn } from '../../runtime/day.ts';
import { advancedEmployee } from './employee-rows.ts';

const BATCH = 500;

type PassPosition = Pick<EmployeeRow, 'status_due_on' | '_id'>;

const START: PassPosition = { status_due_on: '', _id: '' };

/**
 * The daily pass over all tenants, always from the first row to the end: it also reads rows whose day has not begun
 * yet.
 * @returns always false: there is no more to do, or the process is stopping
 */
export async function advanceStatuses(store: Store, stopping: AbortSignal, batch = BATCH): Promise<boolean> {
  const at = now();
  const latest = latestDay(await store.tenants.distinct('time_zone'), at);
  let position: PassPosition = START;
  while (!stopping.aborted) {
    const rows = await dueRows(store, position, latest).limit(batch).toArray();
    await advance(store, rows, at);
    if (rows.length < batch) break;
    position = rows.at(-1) ?? START;
    // Lets API requests get their turn.
    await setImmediate();
  }
  return false;
}

/** The latest "today" among the time zones in use. */
function latestDay(zones: readonly string[], at: Date): string {
  const days = zones.map((zone) => dayIn(zone, at)).sort();
  return days.at(-1) ?? '';
}

/** The rows after the position that are due on or before a day, in order. */
function dueRows(store: Store, { status_due_on, _id }: PassPosition, latest: string) {
  const after = status_due_on === '' ? {} : { $or: [{ status_due_on: { $gt: status_due_on } }, { _id: { $gt: _id } }] };
  return store.employees
    .find({ status_due_on: { $gt: '', $gte: status_due_on, $lte: latest }, ...after }, { maxTimeMS: READ_TIME_MS })
    .sort({ status_due_on: 1, _id: 1 });
}

/**
 * Advances the rows whose tenant's day has come. Rows that somebody else changes meanwhile are found by the next pass.
 */
async function advance(store: Store, rows: readonly EmployeeRow[], at: Date): Promise<void> {
  const tenants = await store.tenants
    .find({ _id: { $in: [...new Set(rows.map(({ tenant_id }) => tenant_id))] } }, { projection: { time_zone: 1 } })
    .toArray();
  const todays = new Map(tenants.map(({ _id, time_zone }) => [_id, dayIn(time_zone, at)]));
  const changes = rows.flatMap((before) => {
    const today = todays.get(before.tenant_id);
    const after = today === undefined ? null : advancedEmployee(before, { now: at, today });
    return after === null ? [] : [{ before, after }];
  });
  await writeRows(store.employees, changes);
}
