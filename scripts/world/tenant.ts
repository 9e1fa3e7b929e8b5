/** A small tenant, written directly into a store; a test adds the rows that it is about. */
import { randomUUID } from 'node:crypto';
import { scopes } from '../../generated/contract.ts';
import { hashKey, newKey, shownPrefix } from '../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../handlers/data/collections/api_keys.ts';
import type { DocumentTypeRow } from '../../handlers/data/collections/document_types.ts';
import { type EmployeeRow, visibleTo } from '../../handlers/data/collections/employees.ts';
import type { PermissionProfile, UserRow } from '../../handlers/data/collections/users.ts';
import type { WebhookEndpointRow } from '../../handlers/data/collections/webhook_endpoints.ts';
import type { Store } from '../../handlers/data/store.ts';
import { newPerson } from '../../handlers/employees/write/person-rows.ts';
import { now } from '../../handlers/runtime/clock.ts';

export const SEES_ALL: PermissionProfile = {
  employees: { all: true, departments: [], reports: false, self: true },
  hidden_fields: [],
  documents: 'all',
  document_types: 'all',
};

/** A tenant of a test or a check: made here, or one that exists already. */
export class TestTenant {
  readonly store: Store;
  readonly id: string;
  readonly ownerId: string;

  /** @param ownerId the user whose keys {@link key} makes */
  constructor(store: Store, id: string, ownerId: string) {
    this.store = store;
    this.id = id;
    this.ownerId = ownerId;
  }

  /** Makes the tenant with one owner, who sees all and is a super-administrator. */
  static async create<Made extends TestTenant>(
    this: new (
      ...place: ConstructorParameters<typeof TestTenant>
    ) => Made,
    store: Store,
  ): Promise<Made> {
    const tenant = new this(store, randomUUID(), randomUUID());
    await tenant.user({ _id: tenant.ownerId, label: 'owner', super_admin: true });
    await store.tenants.insertOne({
      ...madeNow(tenant.id),
      name: 'test',
      developer_api_enabled: true,
      time_zone: 'Asia/Almaty',
    });
    return tenant;
  }

  /** A user, by default one who sees all, has no employee and is no super-administrator. @returns the id */
  async user(changes: Partial<UserRow> = {}): Promise<string> {
    const row = userRow({ tenant_id: this.id, ...changes });
    await this.store.users.insertOne(row);
    return row._id;
  }

  async key(changes: Partial<ApiKeyRow> = {}): Promise<string> {
    const [secret = ''] = await this.keys(1, changes);
    return secret;
  }

  /** New keys of the owner. @returns the secrets */
  async keys(count: number, changes: Partial<ApiKeyRow> = {}): Promise<string[]> {
    const secrets = Array.from({ length: count }, () => newKey('test'));
    const own = { tenant_id: this.id, owner_id: this.ownerId, ...changes };
    await this.store.api_keys.insertMany(secrets.map((secret) => keyRow(secret, own)));
    return secrets;
  }

  /** An employee with a person, made `ageMs` ago. @returns the employee's id */
  async employee(ageMs = 0): Promise<string> {
    const [_id, person_id] = [randomUUID(), randomUUID()];
    const time = new Date(now().getTime() - ageMs);
    const tenant = { tenant_id: this.id, create_time: time, update_time: time };
    const person = {
      first_name: 'Айгүл',
      last_name: 'Сейітова',
      birth_date: '1990-01-31',
      iin: '900131000001',
      personal_email: 'a@example.com',
      phone: '+77000000001',
    };
    await this.store.persons.insertOne(newPerson(this.id, person, time, { id: person_id }));
    await this.store.employees.insertOne(employeeRow({ _id, person_id, ...tenant }));
    return _id;
  }

  /** A document type without restrictions. @returns its id */
  async type(changes: Partial<DocumentTypeRow> = {}): Promise<string> {
    const row = typeRow({ tenant_id: this.id, ...changes });
    await this.store.document_types.insertOne(row);
    return row._id;
  }

  /** A template of the type with a version for each list of variables, which are strings. @returns its id */
  async template(type_id: string, ...versions: readonly (readonly string[])[]): Promise<string> {
    const text = (title: string) => ({ type: 'string', title, maxLength: 100 });
    const variables = versions.map((names) => Object.fromEntries(names.map((name) => [name, text(name)])));
    return this.templateOf(type_id, ...variables.map((each) => ({ variables: each, content: [] })));
  }

  /** A template of the type with these versions. @returns its id */
  async templateOf(
    type_id: string,
    ...versions: readonly { readonly variables: object; readonly content: unknown }[]
  ): Promise<string> {
    const template_id = randomUUID();
    const common = { tenant_id: this.id, create_time: now() };
    let variable_schema = '';
    for (const [i, { variables: properties, content }] of versions.entries()) {
      variable_schema = JSON.stringify({ type: 'object', properties, required: [], additionalProperties: false });
      await this.store.document_template_versions.insertOne({
        _id: `${template_id}:${i + 1}`,
        template_id,
        version: i + 1,
        variable_schema,
        content: JSON.stringify(content),
        ...common,
      });
    }
    await this.store.document_templates.insertOne({
      _id: template_id,
      title: 'Приказ',
      version: versions.length,
      type_id,
      category_id: '',
      status: 'ACTIVE',
      variable_schema,
      update_time: common.create_time,
      ...common,
    });
    return template_id;
  }
}

/** What a new row begins with. */
function madeNow(_id: string = randomUUID()) {
  const time = now();
  return { _id, create_time: time, update_time: time };
}

/** An active employee without department and manager. */
export function employeeRow(changes: Partial<EmployeeRow> & Pick<EmployeeRow, 'tenant_id'>): EmployeeRow {
  const row: EmployeeRow = {
    ...madeNow(),
    status: 'EMPLOYEE_STATUS_ACTIVE',
    listed: true,
    visible_to: [],
    person_id: randomUUID(),
    department_id: '',
    manager_id: '',
    organization_id: '',
    job_title_id: '',
    location_id: '',
    employee_number: '1',
    start_date: '2024-01-01',
    end_date: '',
    work_email: 'w@example.com',
    deleted_at: null,
    rev: 1,
    person_rev: 1,
    pending_events: [],
    outbox_at: null,
    details: '',
    status_due_on: '',
    ...changes,
  };
  return { ...row, visible_to: visibleTo(row) };
}

/** A document type without restrictions. */
export function typeRow(changes: Partial<DocumentTypeRow> & Pick<DocumentTypeRow, 'tenant_id'>): DocumentTypeRow {
  return {
    ...madeNow(),
    title: 'Приказ',
    category_id: '',
    template_id: '',
    status: 'ACTIVE',
    subject_type: 'EMPLOYEE',
    allow_api: true,
    allow_upload: true,
    confidential: false,
    ...changes,
  };
}

/** A user who sees all. */
export function userRow(changes: Partial<UserRow> & Pick<UserRow, 'tenant_id'>): UserRow {
  return {
    ...madeNow(),
    label: 'test',
    employee_id: '',
    super_admin: false,
    profile: SEES_ALL,
    removed_at: null,
    ...changes,
  };
}

/** An active key with all scopes. */
export function keyRow(
  secret: string,
  changes: Partial<ApiKeyRow> & Pick<ApiKeyRow, 'tenant_id' | 'owner_id'>,
): ApiKeyRow {
  return {
    _id: randomUUID(),
    name: 'test',
    prefix: shownPrefix(secret),
    key_hash: hashKey(secret),
    scopes: [...scopes],
    created_by_super_admin: true,
    active: true,
    revoked_at: null,
    expires_at: null,
    last_used_at: null,
    create_time: now(),
    ...changes,
  };
}

/** An active endpoint; without a `sealed_secret` its deliveries are kept, but none can be sent. */
export function endpointRow(
  changes: Partial<WebhookEndpointRow> & Pick<WebhookEndpointRow, 'tenant_id'>,
): WebhookEndpointRow {
  return {
    ...madeNow(),
    url: 'https://receiver.example/',
    status: 'ACTIVE',
    event_types: ['document.sent', 'document.completed', 'employee.changed'],
    disabled_reason: '',
    disabled_at: null,
    sealed_secret: '',
    slot: 0,
    failed_delivery_ids: [],
    ...changes,
  };
}
