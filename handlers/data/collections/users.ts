import { type CollectionDeclaration, query } from '../collection.ts';
import { ERASED, type RowLife } from '../field-life.ts';

/** What the owner of a key may see (D-31). Read on every request, never cached. */
export interface PermissionProfile {
  /** A union; owners always see themselves. `departments` includes their sub-departments. */
  employees: { all: boolean; departments: string[]; reports: boolean; self: boolean };
  /** Redaction keys such as `persons.iin`. */
  hidden_fields: string[];
  documents: 'all' | 'all_but_confidential' | 'own';
  document_types: 'all' | string[];
}

/**
 * A person who signs in to the application. A key acts as a user. `employee_id` is `''` for a user who is no employee.
 */
export interface UserRow {
  _id: string;
  tenant_id: string;
  label: string;
  employee_id: string;
  super_admin: boolean;
  profile: PermissionProfile;
  removed_at: Date | null;
  create_time: Date;
  update_time: Date;
}

export const userLife = {
  label: ['copied', ERASED],
  employee_id: 'copied, kept',
  super_admin: 'copied, kept',
  profile: 'copied, kept',
  removed_at: 'copied, kept',
  create_time: 'copied, kept',
  update_time: 'copied, kept',
} satisfies RowLife<UserRow>;

export const users: CollectionDeclaration<UserRow> = {
  keeps: {
    holds: 'owners of keys with their permissions, also removed ones',
    until: 'the tenant is deleted; the label until its person is erased',
    because: 'keys and the audit log name the id',
  },
  life: userLife,
  indexes: [{ key: { tenant_id: 1, _id: 1 }, serves: [query.find('settings: users')] }],
};
