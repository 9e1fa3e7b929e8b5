/**
 * `total_count` (D-13): exact up to 10,000; above that an estimate whose cost does not grow with the tenant.
 *
 * Ids are random, so they are evenly distributed. The position of the id with rank 2,500 in the id space therefore gives
 * the share of matching rows up to it: if that id is at one tenth of the id space, there are about 25,000 rows. The
 * relative error of this estimate is 1/√2,500 = 2 % (one standard deviation).
 */
import type { Caller } from '../access/caller.ts';
import { type FilterQuery, givenFilters } from '../data/list.ts';
import { countList, idAtRank } from '../data/list-read.ts';
import { employeeFilters } from './filters.ts';
import { countPlan, employeeList } from './index-choice.ts';

const EXACT_UP_TO = 10_000;
const SAMPLE = 2_500;
/** An estimate above this is 25 standard deviations above {@link EXACT_UP_TO}: nothing need be counted. */
const SURELY_MORE = 2 * EXACT_UP_TO;

/** How many employees match the filters and are visible to the owner. */
export async function totalCount(caller: Caller, query: FilterQuery<'listEmployees'>): Promise<number> {
  const list = await caller.employees.list(employeeList, query, countPlan);
  const countTo = (most: number) => countList(list, most);
  const given = givenFilters(employeeFilters, query);
  const isEstimable = caller.profile.employees.all && given.length <= 1 && given.every(([, { ids }]) => ids !== null);
  if (!isEstimable) return countTo(EXACT_UP_TO + 1);
  const few = await countTo(SAMPLE);
  if (few < SAMPLE) return few;
  const id = await idAtRank(list, SAMPLE);
  const estimate = id === undefined ? 0 : Math.round(SAMPLE / shareBelow(id));
  if (estimate > SURELY_MORE) return estimate;
  const exact = await countTo(EXACT_UP_TO + 1);
  return exact <= EXACT_UP_TO ? exact : Math.max(EXACT_UP_TO, estimate);
}

const RANDOM_BITS = 48;

/** The share of the id space up to and including an id, by the first 48 bits of a UUID, all of them random. */
export function shareBelow(id: string): number {
  const leading = Number.parseInt(id.replaceAll('-', '').slice(0, RANDOM_BITS / 4), 16);
  return (leading + 1) / 2 ** RANDOM_BITS;
}
