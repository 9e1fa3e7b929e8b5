import type { EmployeeRow } from '../data/collections/employees.ts';
import { anyOf } from '../data/page.ts';
import type { Filter } from '../data/store.ts';

/** The filters of a list. */
export interface EmployeeQuery {
  readonly status?: readonly string[] | undefined;
  /** Lower-case ids. */
  readonly department_id?: readonly string[] | undefined;
  /** Milliseconds since the epoch; employees changed at or after it match. */
  readonly updated_since?: number | undefined;
}

/** The condition on rows. A status that no row holds (the placeholder) matches nothing, like an unknown department. */
export function employeeFilter({ status, department_id, updated_since }: EmployeeQuery): Filter<EmployeeRow> {
  const filter: Filter<EmployeeRow> = {};
  if (status !== undefined) filter.status = anyOf(status) as NonNullable<Filter<EmployeeRow>['status']>;
  if (department_id !== undefined) filter.department_id = anyOf(department_id);
  if (updated_since !== undefined) filter.update_time = { $gte: new Date(updated_since) };
  return filter;
}
