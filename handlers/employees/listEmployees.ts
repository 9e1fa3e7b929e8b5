import type { ListEmployeesResponse } from '../../generated/client/types.gen.ts';
import { absent, constant, jsonText, listOf } from '../answers/json-bytes.ts';
import type { Handler } from '../http/handler.ts';
import { employeeList, totalCount } from './list.ts';
import { employeeWriter, expansionsOf } from './view.ts';

/** Employees that the owner sees, newest first, with the requested expansions (D-9 to D-14, D-31). */
export const listEmployees: Handler<'listEmployees'> = async ({ caller, query }) => {
  const page = await caller.employees.page(employeeList, query);
  const [related, total] = await Promise.all([
    expansionsOf(caller, page.rows, query.expand),
    query.include_total ? totalCount(caller, query) : undefined,
  ]);
  return jsonText<ListEmployeesResponse>({
    employees: listOf(page.rows, employeeWriter(caller, related)),
    next_page_token: constant(page.nextPageToken),
    total_count: total === undefined ? absent : constant(String(total)),
  });
};
