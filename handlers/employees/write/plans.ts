/**
 * By which index lists of employees are read and counted (D-11, D-13, D-31).
 *
 * A list is newest first. Nothing asked, statuses, or some departments: an index for each of these is in this order.
 * More than one of these, or `updated_since`: no index has both, so it depends on how many match, which is counted by
 * keys, never further than {@link FEW}.
 *
 * - Few: their keys are read by what is asked, sorted, and only a page of documents is read.
 * - Many: keys are read newest first until a page of them matches. The keys hold all that can be asked for, so what does
 *   not match costs a key and no document; of many that match, the first page of them is soon found.
 * - Unless all of these many stand at the far end of the list: then reading newest first is given up after a moment, and
 *   they are read like a few. It costs a key for each that matches: the one case that grows with the tenant.
 */
import type { Planner } from '../../access/visible-rows.ts';
import { anyOf } from '../../data/page.ts';
import { type EmployeeRow, employeeKeys, type Filter, LISTED_STATUSES } from '../../data/store.ts';

/** How many keys are read and sorted for a page without a second thought. */
const FEW = 10_000;
/** A MongoDB merges so many ranges of an index in order (`internalQueryMaxScansToExplode`); of more it sorts all rows. */
const MERGED_RANGES = 200;

type Narrowed = Filter<EmployeeRow>;

/** How many departments one of the conditions leaves; undefined where none of them is about departments. */
function departmentsIn(...conditions: readonly Narrowed[]): number | undefined {
  const sizes = conditions.flatMap(({ department_id: condition }) => {
    if (condition === undefined) return [];
    return typeof condition === 'string' ? 1 : ((condition as { $in: string[] }).$in.length as number);
  });
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** An index begins with the status: naming all of them finds the few that are asked for by what follows it. */
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

/** The way to a number, and to the rank of an id: keys alone tell it. */
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
