/** The users of an invented tenant, each with a different permission profile and a key. */
import { type Scope, scopes } from '../../../generated/contract.ts';
import { newKey } from '../../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../../handlers/data/collections/api_keys.ts';
import type { UserRow } from '../../../handlers/data/collections/users.ts';
import type { Random } from '../../kit/random.ts';
import { keyRow, SEES_ALL, userRow } from '../../world/tenant.ts';
import { KEY_PREFIX } from '../settings/key-prefix.ts';
import { BASE_TIME, type Company, DAY_MS } from './company.ts';

export type Access = ReturnType<typeof inventAccess>;

interface UserPlan extends Pick<UserRow, 'label' | 'profile'>, Partial<Pick<UserRow, 'employee_id' | 'super_admin'>> {
  readonly removed?: boolean;
  readonly scopes: readonly Scope[];
}

function usersOf(company: Company): readonly UserPlan[] {
  const department = company.units.find(({ level }) => level === 1) ?? company.units[0];
  const chief = company.units[0];
  const none = { all: false, departments: [], reports: false, self: false };
  return [
    { label: 'Administrator', super_admin: true, profile: SEES_ALL, scopes },
    {
      label: 'HR manager',
      profile: { ...SEES_ALL, documents: 'all_but_confidential' },
      scopes: ['employees:read', 'documents:read', 'documents:write'],
    },
    {
      label: 'Head of department',
      employee_id: department?.head_id ?? '',
      profile: {
        employees: { ...none, departments: department ? [department.row._id] : [], reports: true, self: true },
        hidden_fields: ['employees.work_email', 'persons.iin', 'persons.phone'],
        documents: 'own',
        document_types: 'all',
      },
      scopes: ['employees:read', 'documents:read', 'documents:write'],
    },
    {
      label: 'Chief executive',
      employee_id: chief?.head_id ?? '',
      profile: {
        employees: { ...none, reports: true, self: true },
        hidden_fields: ['persons.birth_date'],
        documents: 'own',
        document_types: 'all',
      },
      scopes: ['employees:read', 'documents:read'],
    },
    {
      label: 'Telephone directory',
      profile: {
        ...SEES_ALL,
        hidden_fields: ['persons.birth_date', 'persons.iin', 'persons.personal_email', 'persons.phone'],
        documents: 'own',
        document_types: [],
      },
      scopes: ['employees:read'],
    },
    { label: 'Former administrator', removed: true, profile: SEES_ALL, scopes: ['employees:read'] },
  ];
}

/** The same seed makes the same users and the same rows of keys, but never the same keys: nobody can compute them. */
export function inventAccess(tenantId: string, company: Company, random: Random) {
  const time = new Date(BASE_TIME.getTime() - 300 * DAY_MS);
  const users: UserRow[] = [];
  const api_keys: ApiKeyRow[] = [];
  /** The secret keys, next to their rows. They are stored nowhere. */
  const secrets: { name: string; owner: string; key: string }[] = [];
  for (const { removed, scopes, ...plan } of usersOf(company)) {
    const user = userRow({
      _id: random.uuid(),
      tenant_id: tenantId,
      ...plan,
      removed_at: removed ? new Date(BASE_TIME.getTime() - 30 * DAY_MS) : null,
      create_time: time,
      update_time: time,
    });
    users.push(user);
    const key = newKey(KEY_PREFIX);
    const name = `${plan.label}: sample`;
    const own = { _id: random.uuid(), tenant_id: tenantId, owner_id: user._id, create_time: time };
    api_keys.push(keyRow(key, { ...own, name, scopes: [...scopes] }));
    if (!removed) secrets.push({ name, owner: plan.label, key });
  }
  return { users, api_keys, secrets };
}
