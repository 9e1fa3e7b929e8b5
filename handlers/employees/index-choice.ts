/**
 * Chooses the index by which lists of employees are read and counted (D-11, D-13, D-31).
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
import type { Planner } from '../access/visible-rows.ts';
import { type EmployeeRow, employeeKeys, LISTED_STATUSES } from '../data/collections/employees.ts';
import { anyOf } from '../data/page.ts';
import type { Filter } from '../data/store.ts';

/** Up to this number, keys are always read and sorted for a page. */
const FEW = 10_000;
/**
 * MongoDB merges up to this many ranges of an index in order (`internalQueryMaxScansToExplode`); beyond, it sorts all
 * rows.
 */
const MERGED_RANGES = 200;

type Narrowed = Filter<EmployeeRow>;

/** The smallest number of departments in one of the conditions; undefined if none of them names departments. */
function departmentsIn(...conditions: readonly Narrowed[]): number | undefined {
  const sizes = conditions.flatMap(({ department_id: condition }) => {
    if (condition === undefined) return [];
    return typeof condition === 'string' ? 1 : ((condition as { $in: string[] }).$in.length as number);
  });
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** The index begins with the status: naming every status lets its later fields find the few matching rows. */
const ofEveryStatus = (asked: Narrowed): Narrowed => ({
  status: anyOf(LISTED_STATUSES) as NonNullable<Narrowed['status']>,
  ...asked,
});

/** The way to a page. */
export const planPage: Planner<EmployeeRow> = async (seen, asked, count) => {
  if (seen.visible_to !== undefined) return { filter: asked, hint: employeeKeys.ofViewer };
  const departments = departmentsIn(seen, asked);
  const isByStatus = asked.status !== undefined;
  const isSimple = asked.update_time === undefined && !(isByStatus && departments !== undefined);
  if (isSimple && departments === undefined) {
    return { filter: asked, hint: isByStatus ? employeeKeys.ofStatus : employeeKeys.newest };
  }
  const byDepartment = { filter: asked, hint: employeeKeys.ofDepartment };
  if (isSimple && (departments ?? 0) <= MERGED_RANGES) return byDepartment;
  const hint = departments === undefined ? employeeKeys.changed : employeeKeys.changedInDepartment;
  const few = isSimple ? byDepartment : { filter: ofEveryStatus(asked), hint };
  return (await count(few, FEW + 1)) <= FEW ? few : { filter: asked, hint: employeeKeys.newest, otherwise: few };
};

/** The way to a count, and to the id at a rank: keys alone are enough. */
export const planCount: Planner<EmployeeRow> = (seen, asked) => {
  if (seen.visible_to !== undefined) return { filter: asked, hint: employeeKeys.ofViewer };
  const isByDepartment = departmentsIn(seen, asked) !== undefined;
  if (isByDepartment && asked.update_time === undefined && asked.status === undefined) {
    return { filter: asked, hint: employeeKeys.idsOfDepartment };
  }
  const filter = ofEveryStatus(asked);
  if (isByDepartment) return { filter, hint: employeeKeys.changedInDepartment };
  return { filter, hint: asked.update_time === undefined ? employeeKeys.idsOfStatus : employeeKeys.changed };
};
