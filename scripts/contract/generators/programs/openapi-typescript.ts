/**
 * Uses the types that openapi-typescript makes. This file is only type-checked: what it states about a type must hold.
 */
import type { components, operations, paths } from './client.ts';

type Employee = components['schemas']['Employee'];
type Listed = operations['listEmployees']['responses'][200]['content']['application/json'];
type Refusal = paths['/developer/v1/employees/{employee_id}']['get']['responses'][404]['content']['application/json'];
type Batch = operations['ingestRecords']['requestBody']['content']['application/json'];

export const query: operations['listEmployees']['parameters']['query'] = { limit: 1000, expand: ['person', 'manager'] };
export const batch: Batch = { payload_type: 'PERSONS', create_missing: false, records: [{ external_id: 'G-1' }] };

export function namesOf(page: Listed): string[] {
  return page.employees.map((employee: Employee) => employee.person?.full_name ?? employee.id);
}

export function emailOf({ work_email, end_date }: Employee): [string, string] {
  return [work_email ?? 'hidden', end_date];
}

export function reasonOf({ details }: Refusal): string {
  const [first] = details;
  return first !== undefined && 'reason' in first ? String(first.reason) : '';
}

// @ts-expect-error A batch has records.
export const wrong: Batch = { payload_type: 'PERSONS' };
