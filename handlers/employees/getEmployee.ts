import type { GetEmployeeResponse } from '../../generated/client/types.gen.ts';
import { jsonText, objectFrom } from '../answers/json-bytes.ts';
import type { Handler } from '../http/handler.ts';
import { employeeLayout, employeeWriter, expansionsOf } from './view.ts';

/** One employee as the list shows it; unknown, deleted, draft and invisible employees all give the same 404 (D-14). */
export const getEmployee: Handler<'getEmployee'> = async ({ caller, path, query }) => {
  const row = await caller.employees.get(path.employee_id, employeeLayout);
  const related = await expansionsOf(caller, [row], query.expand);
  return jsonText<GetEmployeeResponse>({ employee: objectFrom(row, employeeWriter(caller, related)) });
};
