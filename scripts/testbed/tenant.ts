/** A small tenant, written directly into a store; a test adds the rows that it is about. */
import { randomUUID } from 'node:crypto';
import { scopes } from '../../generated/operations.ts';
import { hashKey, newKey, shownPrefix } from '../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../handlers/data/collections/api_keys.ts';
import { type EmployeeRow, visibleTo } from '../../handlers/data/collections/employees.ts';
import type { PermissionProfile } from '../../handlers/data/collections/users.ts';
import type { Store } from '../../handlers/data/store.ts';
import { now } from '../../handlers/process/clock.ts';

export const SEES_ALL: PermissionProfile = {
  employees: { all: true, departments: [], reports: false, self: true },
  hidden_fields: [],
  documents: 'all',
  document_types: 'all',
};

/** A tenant of a test. */
export class TestTenant {
  readonly id = randomUUID();
  readonly ownerId = randomUUID();
  readonly store: Store;

  private constructor(store: Store) {
    this.store = store;
  }

  /** Makes the tenant with one owner, who sees all and is a super-administrator. */
  static async create(store: Store): Promise<TestTenant> {
    const tenant = new TestTenant(store);
    const times = { create_time: now(), update_time: now() };
    const { id, ownerId } = tenant;
    await store.users.insertOne({
      ...{ _id: ownerId, tenant_id: id, label: 'owner', employee_id: '', super_admin: true },
      ...{ profile: SEES_ALL, removed_at: null, ...times },
    });
    await store.tenants.insertOne({
      ...{ _id: id, name: 'test', developer_api_enabled: true, time_zone: 'Asia/Almaty', ...times },
    });
    return tenant;
  }

  /** A new key of the owner. @returns the secret */
  async key(changes: Partial<ApiKeyRow> = {}): Promise<string> {
    const secret = newKey('test');
    await this.store.api_keys.insertOne({
      ...{ _id: randomUUID(), tenant_id: this.id, owner_id: this.ownerId, name: 'test', prefix: shownPrefix(secret) },
      ...{ key_hash: hashKey(secret), scopes: [...scopes], created_by_super_admin: true, active: true },
      ...{ revoked_at: null, expires_at: null, last_used_at: null, create_time: now() },
      ...changes,
    });
    return secret;
  }

  /** An employee with a person, made `ageMs` ago. @returns the employee's id */
  async employee(ageMs = 0): Promise<string> {
    const [_id, person_id] = [randomUUID(), randomUUID()];
    const time = new Date(now().getTime() - ageMs);
    const tenant = { tenant_id: this.id, create_time: time, update_time: time };
    await this.store.persons.insertOne({
      ...{ _id: person_id, first_name: 'Айгүл', last_name: 'Сейітова', middle_name: '', birth_date: '1990-01-31' },
      ...{ iin: '900131000001', personal_email: 'a@example.com', phone: '+77000000001', ...tenant },
      ...{ rev: 1, identity_rev: 1, outbox_at: null, details: '' },
    });
    await this.store.employees.insertOne(employeeRow({ _id, person_id, ...tenant }));
    return _id;
  }
}

/** An active employee without department and manager. */
export function employeeRow(changes: Partial<EmployeeRow> & Pick<EmployeeRow, 'tenant_id'>): EmployeeRow {
  const row: EmployeeRow = {
    ...{ _id: randomUUID(), status: 'EMPLOYEE_STATUS_ACTIVE', listed: true, visible_to: [], person_id: randomUUID() },
    ...{ department_id: '', manager_id: '', organization_id: '', job_title_id: '', location_id: '' },
    ...{ employee_number: '1', start_date: '2024-01-01', end_date: '', work_email: 'w@example.com', deleted_at: null },
    ...{ create_time: now(), update_time: now(), rev: 1, person_rev: 1, pending_events: [], outbox_at: null },
    ...{ details: '', status_due_on: '' },
    ...changes,
  };
  return { ...row, visible_to: visibleTo(row) };
}
