/**
 * The list of employees: its filters, the index by which it is read and counted, and its total (D-11, D-13, D-31).
 *
 * A list is newest first. For no filter, for statuses, and for some departments there is an index in this order. For
 * more than one of these, or for `updated_since`, no index has both the filter and the order. Then it depends on how
 * many rows match, which is counted by keys, up to {@link FEW}.
 *
 * - Few: their keys are read by the filter and sorted, and only a page of documents is read.
 * - Many: keys are read newest first until a page of them matches. The keys contain every field of the filters, so a
 *   row that does not match costs a key but no document; since many match, the first page is soon found.
 * - Many, but all at the far end of the list: reading newest first is given up after a moment, and they are read like
 *   few. This costs one key for each match, and is the only case whose cost grows with the tenant.
 */
import type { Caller } from '../access/caller.ts';
import type { IndexKeys } from '../data/collection.ts';
import { type EmployeeRow, employeeKeys, LISTED_STATUSES } from '../data/collections/employees.ts';
import { type FilterQuery, givenFilters, type List, type ListFilters, type ReadPlan } from '../data/list.ts';
import { countList, idAtRank } from '../data/list-read.ts';
import type { LayoutField } from '../data/raw-row.ts';
import { anyOf } from '../data/reads.ts';
import { employeeLayout } from './view.ts';

const { ofStatus, ofDepartment, changed, idsOfStatus, idsOfDepartment } = employeeKeys;

/** The filters of employees. A status that no row holds (the placeholder) matches nothing, like an unknown department. */
export const employeeFilters = {
  status: { field: 'status', matches: 'any', index: ofStatus, ids: idsOfStatus, moves: true },
  department_id: { field: 'department_id', matches: 'any', index: ofDepartment, ids: idsOfDepartment, moves: true },
  updated_since: { field: 'update_time', matches: 'from', index: changed, ids: null, moves: true },
} as const satisfies ListFilters<'listEmployees', EmployeeRow>;

/** Up to this number, keys are always read and sorted for a page. */
const FEW = 10_000;
/** MongoDB merges so many ranges of an index in order (`internalQueryMaxScansToExplode`); beyond, it sorts all rows. */
const MERGED_RANGES = 200;

type EmployeeFilter = (typeof employeeFilters)[keyof typeof employeeFilters];
/** An index whose keys are enough to compare all filters, without a document. */
type CoveringKeys = IndexKeys & Readonly<Record<EmployeeFilter['field'], 1>>;

const newest: CoveringKeys = employeeKeys.newest;
const changedInDepartment: CoveringKeys = employeeKeys.changedInDepartment;

/** The filters that the conditions name. */
const namedIn = (seen: object, asked: object): EmployeeFilter[] =>
  Object.values(employeeFilters).filter(({ field }) => field in seen || field in asked);

/** An index that has all of some filters. */
const indexOf = (named: readonly EmployeeFilter[]): IndexKeys =>
  named.map(({ index }) => index).find((index) => named.every(({ field }) => field in index)) ?? changedInDepartment;

/** How many values of a field the conditions allow. */
function valuesOf(field: string, ...conditions: readonly object[]): number {
  const given = conditions.flatMap((condition) => (condition as Readonly<Record<string, unknown>>)[field] ?? []);
  return Math.min(...given.map((condition) => (condition as { $in?: readonly string[] }).$in?.length ?? 1));
}

/** If the index begins with the status, naming every status lets its later fields find the few matching rows. */
function planBy(hint: IndexKeys, named: readonly EmployeeFilter[]): ReadPlan {
  const lacksStatus = Object.keys(hint)[2] === 'status' && !named.some(({ field }) => field === 'status');
  return lacksStatus ? { hint, condition: { status: anyOf(LISTED_STATUSES) } } : { hint };
}

/** How a page is read. */
export function pagePlan(seen: object, asked: object): ReadPlan {
  if ('visible_to' in seen) return { hint: employeeKeys.ofViewer };
  const named = namedIn(seen, asked);
  const [only, another] = named;
  if (only === undefined) return { hint: newest };
  const isMerged = another === undefined && only.matches === 'any';
  if (isMerged && valuesOf(only.field, seen, asked) <= MERGED_RANGES) return { hint: only.index };
  return { hint: newest, ifFew: { upTo: FEW, plan: planBy(indexOf(named), named) } };
}

/** How rows are counted, and how the id at a rank is found: keys alone are enough. */
export function countPlan(seen: object, asked: object): ReadPlan {
  if ('visible_to' in seen) return { hint: employeeKeys.ofViewer };
  const named = namedIn(seen, asked);
  const [only = { ids: employeeKeys.idsOfStatus }, another] = named;
  return planBy((another === undefined && only.ids) || indexOf(named), named);
}

export const employeeList: List<'listEmployees', EmployeeRow, LayoutField<typeof employeeLayout>> = {
  operationId: 'listEmployees',
  filters: employeeFilters,
  layout: employeeLayout,
  plan: pagePlan,
  changedPlan: planBy(employeeKeys.changed, []),
};

/**
 * `total_count` (D-13): exact up to 10,000; above that an estimate whose cost does not grow with the tenant. Ids are
 * random, so the id with rank 2,500 gives the share of matching rows up to it: at one tenth of the id space, there are
 * about 25,000 rows. The relative error is 1/√2,500 = 2 % (one standard deviation).
 */
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
function shareBelow(id: string): number {
  const leading = Number.parseInt(id.replaceAll('-', '').slice(0, RANDOM_BITS / 4), 16);
  return (leading + 1) / 2 ** RANDOM_BITS;
}
