/**
 * `total_count` (D-13): exact up to 10,000; above that an estimate whose cost does not grow with the tenant.
 *
 * Ids are random, so they are evenly distributed. The position of the id with rank 10,000 in the id space therefore
 * gives the share of matching rows up to it: if that id is at one tenth of the id space, there are about 100,000 rows.
 * The relative error of this estimate is 1/√10,000 = 1 % (one standard deviation).
 */
import type { Caller } from '../access/caller.ts';
import type { EmployeeRow, Filter } from '../data/store.ts';
import { planCount } from './index-choice.ts';

const EXACT_UP_TO = 10_000;

/** How many employees match the filter and are visible to the owner. */
export async function totalCount(caller: Caller, filter: Filter<EmployeeRow>): Promise<number> {
  const exact = await caller.employees.count(filter, EXACT_UP_TO + 1, planCount);
  if (exact <= EXACT_UP_TO) return exact;
  const isEstimable =
    caller.profile.employees.all && Object.keys(filter).length <= 1 && filter.update_time === undefined;
  const id = isEstimable ? await caller.employees.idAtRank(filter, EXACT_UP_TO, planCount) : undefined;
  return id === undefined ? EXACT_UP_TO + 1 : Math.max(EXACT_UP_TO, Math.round(EXACT_UP_TO / shareBelow(id)));
}

const RANDOM_BITS = 48;

/** The share of the id space up to and including an id, by the first 48 bits of a UUID, all of them random. */
export function shareBelow(id: string): number {
  const leading = Number.parseInt(id.replaceAll('-', '').slice(0, RANDOM_BITS / 4), 16);
  return (leading + 1) / 2 ** RANDOM_BITS;
}
