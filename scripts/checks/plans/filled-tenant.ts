/** A tenant with enough rows of each kind that a query without its index can be distinguished from one with it. */
import { randomUUID } from 'node:crypto';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { randomOf } from '../../operate/seed/random.ts';
import type { TenantFixture } from '../../testbed/documents.ts';
import { employeeRow } from '../../testbed/tenant.ts';
import { inventDocuments } from './invented-documents.ts';

/** How many rows of each kind exist. */
export const FILLED = {
  employees: 1_500,
  departments: 30,
  documents: 1_200,
  deliveries: 300,
  /** How many documents one person takes part in, at most. */
  own: 120,
  /** How many rows a short list has, at most. */
  listed: 300,
} as const;

const STATUSES = ['EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE', 'CREATED'] as const;
const START_MS = Date.parse('2025-01-01T00:00:00Z');
const MINUTE_MS = 60_000;

/** Fills the tenant. @returns the values that queries ask for */
export async function fill(fixture: TenantFixture) {
  const { store } = fixture;
  const departments = Array.from({ length: FILLED.departments }, () => randomUUID());
  const own = { tenant_id: fixture.id, create_time: new Date(START_MS), update_time: new Date(START_MS) };
  await store.departments.insertMany(
    departments.map((_id) => ({
      ...own,
      _id,
      organization_id: '',
      parent_id: '',
      ancestor_ids: [_id],
      title: 'Отдел',
    })),
  );
  const manager = await fixture.employee();
  const rows = Array.from({ length: FILLED.employees }, (_, i): EmployeeRow => {
    const status = STATUSES[i % STATUSES.length] as EmployeeRow['status'];
    const create_time = new Date(START_MS + i * MINUTE_MS);
    // Every third row was changed later, and a few of the oldest last of all.
    const changedMs = i < 25 ? 90_000 : i % 3 === 0 ? 10_000 : 0;
    return employeeRow({
      tenant_id: fixture.id,
      department_id: departments[(i * 7) % departments.length] ?? '',
      manager_id: i % 60 === 0 ? manager : '',
      status,
      listed: status !== 'CREATED',
      create_time,
      update_time: new Date(create_time.getTime() + changedMs * MINUTE_MS),
    });
  });
  await store.employees.insertMany(rows);
  const types = await Promise.all(Array.from({ length: 6 }, (_, i) => fixture.type({ confidential: i === 5 })));
  const rare = await fixture.type();
  for (let i = 0; i < 8; i++) await fixture.template(types[i % 3] ?? '', ['name']);
  const employees = rows.slice(0, 40).map(({ _id }) => _id);
  const random = randomOf(fixture.id);
  const setting = { tenantId: fixture.id, count: FILLED.documents, types, rare, employees, random };
  await store.documents.insertMany([...inventDocuments(setting)]);
  const since = (minutes: number) => new Date(START_MS + minutes * MINUTE_MS).toISOString();
  return { departments, manager, types, rare, employees, since: { few: since(90_000), many: since(9_000) } };
}
