import type { Handler } from '../http/handler.ts';
import { expansionsOf } from './expansions.ts';
import { employeeViews } from './view.ts';

/** One employee as the list shows it; unknown, deleted, draft and invisible employees all give the same 404 (D-14). */
export const getEmployee: Handler<'getEmployee'> = async ({ caller, path, query }) => {
  const row = await caller.employees.get(path.employee_id);
  const [employee] = employeeViews(caller, [row], await expansionsOf(caller, [row], query.expand));
  return { employee: employee as NonNullable<typeof employee> };
};
