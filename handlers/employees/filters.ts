import { type EmployeeRow, employeeKeys } from '../data/collections/employees.ts';
import type { ListFilters } from '../data/list.ts';

const { ofStatus, ofDepartment, changed, idsOfStatus, idsOfDepartment } = employeeKeys;

/** The filters of employees. A status that no row holds (the placeholder) matches nothing, like an unknown department. */
export const employeeFilters = {
  status: { field: 'status', matches: 'any', index: ofStatus, ids: idsOfStatus, moves: true },
  department_id: { field: 'department_id', matches: 'any', index: ofDepartment, ids: idsOfDepartment, moves: true },
  updated_since: { field: 'update_time', matches: 'from', index: changed, ids: null, moves: true },
} as const satisfies ListFilters<'listEmployees', EmployeeRow>;
