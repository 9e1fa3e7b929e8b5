/**
 * The daily pass: employees whose dates change their status get it on the day of their tenant (D-29). It may be done at
 * any time and by several processes at once: a status is moved by a write over the revision that was looked at, with its
 * event in it, and the day on which a row is due stands in the row, so there is nothing to remember and nothing to miss.
 */
import { setImmediate } from 'node:timers/promises';
import { writeRows } from '../../data/bulk.ts';
import { type EmployeeRow, READ_TIME_MS, type Store } from '../../data/store.ts';
import { now } from '../../process/clock.ts';
import { dayIn } from '../../process/day.ts';
import { advancedEmployee } from './employee-rows.ts';

/** Rows read and written at a time. */
const BATCH = 500;

/** Where a walk over the due rows has got to. */
type Position = Pick<EmployeeRow, 'status_due_on' | '_id'>;

const START: Position = { status_due_on: '', _id: '' };

/**
 * The daily pass over all tenants. It goes to the end: rows of tenants whose day has not begun stay in its way, and the
 * next one begins at the first again.
 * @param batch rows read and written at a time
 * @returns false: there is no more to do, or it is to stop
 */
export async function advanceStatuses(store: Store, stopping: AbortSignal, batch = BATCH): Promise<boolean> {
  const at = now();
  const latest = latestDay(await store.tenants.distinct('time_zone'), at);
  let position: Position = START;
  while (!stopping.aborted) {
    const rows = await dueRows(store, position, latest).limit(batch).toArray();
    await advance(store, rows, at);
    if (rows.length < batch) break;
    position = rows.at(-1) ?? START;
    // Requests of the interface get their turn.
    await setImmediate();
  }
  return false;
}

/** Today where the day is furthest on, of the zones in use. */
function latestDay(zones: readonly string[], at: Date): string {
  const days = zones.map((zone) => dayIn(zone, at)).sort();
  return days.at(-1) ?? '';
}

/** The rows after the position that are due by a day, in order. */
function dueRows(store: Store, { status_due_on, _id }: Position, latest: string) {
  const after = status_due_on === '' ? {} : { $or: [{ status_due_on: { $gt: status_due_on } }, { _id: { $gt: _id } }] };
  return store.employees
    .find({ status_due_on: { $gt: '', $gte: status_due_on, $lte: latest }, ...after }, { maxTimeMS: READ_TIME_MS })
    .sort({ status_due_on: 1, _id: 1 });
}

/** Advances those rows whose tenant's day has come; what somebody else changes meanwhile is found again. */
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
