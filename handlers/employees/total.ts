/**
 * `total_count` (D-13): exact up to 10,000; above that an estimate whose cost does not grow with the tenant.
 *
 * Ids are random, hence evenly spread. The id that stands at rank 10,000 in the order of ids therefore tells which
 * share of all matching rows lies below it: a rank of 10,000 at one tenth of the id space means 100,000 rows. The
 * relative error of this estimate is 1/√10,000 = 1 % (one standard deviation).
 */
import type { Collection, Filter } from 'mongodb';
import type { Caller } from '../runtime/caller.ts';
import { type EmployeeRow, READ_TIME_MS } from '../runtime/store.ts';

const EXACT_UP_TO = 10_000;

const listedStatuses: readonly EmployeeRow['status'][] = [
  'EMPLOYEE_STATUS_HIRED',
  'EMPLOYEE_STATUS_ACCEPTED',
  'EMPLOYEE_STATUS_ONBOARDING',
  'EMPLOYEE_STATUS_ACTIVE',
  'EMPLOYEE_STATUS_TERMINATED',
  'EMPLOYEE_STATUS_LEAVE',
  'EMPLOYEE_STATUS_ON_HOLD',
];

/** How many employees match the filter and are visible to the owner. */
export async function totalCount(caller: Caller, filter: Filter<EmployeeRow>): Promise<number> {
  // Naming every status lets one index, which begins with it, count any of the filters.
  const byStatus =
    'department_id' in filter && Object.keys(filter).length === 1 ? {} : { status: { $in: listedStatuses } };
  const where = (await caller.employees.where({ ...byStatus, ...filter } as Filter<EmployeeRow>)) as
    | Filter<EmployeeRow>
    | undefined;
  if (where === undefined) return 0;
  const { employees } = caller.store;
  const exact = await employees.countDocuments(where, { limit: EXACT_UP_TO + 1, maxTimeMS: READ_TIME_MS });
  if (exact <= EXACT_UP_TO) return exact;
  const isEstimable = caller.seesAllEmployees && !('update_time' in filter) && Object.keys(filter).length <= 1;
  return isEstimable ? estimate(employees, where) : EXACT_UP_TO + 1;
}

async function estimate(employees: Collection<EmployeeRow>, where: Filter<EmployeeRow>): Promise<number> {
  const [row] = await employees
    .find(where, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .sort({ _id: 1 })
    .skip(EXACT_UP_TO - 1)
    .limit(1)
    .toArray();
  return row === undefined ? EXACT_UP_TO : Math.max(EXACT_UP_TO, Math.round(EXACT_UP_TO / shareBelow(row._id)));
}

const RANDOM_BITS = 48;

/** The share of the id space up to and including an id, by the first 48 bits of a UUID, all of them random. */
export function shareBelow(id: string): number {
  const leading = Number.parseInt(id.replaceAll('-', '').slice(0, RANDOM_BITS / 4), 16);
  return (leading + 1) / 2 ** RANDOM_BITS;
}
