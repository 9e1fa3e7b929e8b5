import type { Handler } from '../http/handler.ts';
import { instantMs } from '../http/instant.ts';
import { expansionsOf } from './expansions.ts';
import { employeeFilter } from './filter.ts';
import { planPage } from './index-choice.ts';
import { totalCount } from './total.ts';
import { employeeViews } from './view.ts';

/** Employees that the owner sees, newest first, with the requested expansions (D-9 to D-14, D-31). */
export const listEmployees: Handler<'listEmployees'> = async ({ caller, query }) => {
  const since = query.updated_since;
  const asked = { ...query, updated_since: since === undefined ? since : instantMs('updated_since', since, 'up') };
  const filter = employeeFilter(asked);
  const page = await caller.employees.page('listEmployees', asked, filter, planPage);
  const [employees, total] = await Promise.all([
    expansionsOf(caller, page.rows, query.expand).then((related) => employeeViews(caller, page.rows, related)),
    query.include_total ? totalCount(caller, filter) : undefined,
  ]);
  const answer = { employees, next_page_token: page.nextPageToken };
  return total === undefined ? answer : { ...answer, total_count: String(total) };
};
