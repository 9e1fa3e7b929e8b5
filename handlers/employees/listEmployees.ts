import type { Inputs } from '../../generated/handlers.ts';
import type { Handler } from '../runtime/handler.ts';
import { instantMs } from '../runtime/instant.ts';
import { anyOf } from '../runtime/page.ts';
import type { EmployeeRow, Filter } from '../runtime/store.ts';
import { expansionsOf } from './expansions.ts';
import { totalCount } from './total.ts';
import { employeeViews } from './view.ts';

type Query = Inputs['listEmployees']['query'];

/** Employees that the owner sees, newest first, with the expansions asked for (D-9 to D-14, D-31). */
export const listEmployees: Handler<'listEmployees'> = async ({ caller, query }) => {
  const { status, updated_since } = query;
  const department_id = query.department_id?.map((id) => id.toLowerCase());
  const since = updated_since === undefined ? undefined : instantMs('updated_since', updated_since, 'up');
  const filter = filterOf(status, department_id, since);
  const page = await caller.employees.page(filter, query, {
    list: 'listEmployees',
    filters: { status, department_id, updated_since: since },
  });
  const [employees, total] = await Promise.all([
    expansionsOf(caller, page.rows, query.expand).then((related) => employeeViews(caller, page.rows, related)),
    query.include_total ? totalCount(caller, filter) : undefined,
  ]);
  const answer = { employees, next_page_token: page.nextPageToken };
  return total === undefined ? answer : { ...answer, total_count: String(total) };
};

function filterOf(
  status: Query['status'],
  department_id: Query['department_id'],
  since: number | undefined,
): Filter<EmployeeRow> {
  const filter: Filter<EmployeeRow> = {};
  // A status that no row holds (the placeholder) matches nothing, like an unknown department.
  if (status !== undefined) filter.status = anyOf(status) as NonNullable<Filter<EmployeeRow>['status']>;
  if (department_id !== undefined) filter.department_id = anyOf(department_id);
  if (since !== undefined) filter.update_time = { $gte: new Date(since) };
  return filter;
}
