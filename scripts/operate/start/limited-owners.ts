/** Owners for the conformance suite of whom each may not see one thing only. */
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import { SEES_ALL } from '../../testbed/tenant.ts';

export type LimitedOwner =
  | 'hides_first_name'
  | 'hides_last_name'
  | 'hides_middle_name'
  | 'hides_full_name'
  | 'department'
  | 'department_and_self'
  | 'reports'
  | 'not_confidential'
  | 'listed_types';

/** Sees no employee. */
export const NOBODY = { all: false, departments: [], reports: false, self: false };

interface SeenRows {
  /** The employees of owners, by the name of the owner. */
  readonly employees: Readonly<Record<'department_and_self' | 'reports' | 'not_confidential', string>>;
  /** The department that the owners `department` and `department_and_self` are limited to. */
  readonly top: string;
  /** All document types of the tenant: the list of the owner `listed_types`. */
  readonly typeIds: readonly string[];
}

/** Makes or repairs these owners. @returns their ids */
export async function ensureLimitedOwners(
  owner: (label: string, plan: { employee_id?: string; profile: PermissionProfile }) => Promise<string>,
  { employees, top, typeIds }: SeenRows,
): Promise<Record<LimitedOwner, string>> {
  const hiding = (field: string) =>
    owner(`Conformance: hides ${field}`, { profile: { ...SEES_ALL, hidden_fields: [`persons.${field}`] } });
  const seeing = (seen: Partial<PermissionProfile['employees']>): PermissionProfile => ({
    ...SEES_ALL,
    employees: { ...NOBODY, ...seen },
    documents: 'own',
  });
  const reports = { employee_id: employees.reports, profile: seeing({ reports: true, self: true }) };
  const profile: PermissionProfile = { ...SEES_ALL, documents: 'all_but_confidential' };
  return {
    hides_first_name: await hiding('first_name'),
    hides_last_name: await hiding('last_name'),
    hides_middle_name: await hiding('middle_name'),
    hides_full_name: await hiding('full_name'),
    department: await owner('Conformance: departments below one', { profile: seeing({ departments: [top] }) }),
    department_and_self: await owner('Conformance: departments below one, and himself', {
      employee_id: employees.department_and_self,
      profile: seeing({ departments: [top], self: true }),
    }),
    reports: await owner('Conformance: reports', reports),
    not_confidential: await owner('Conformance: nothing confidential', {
      employee_id: employees.not_confidential,
      profile,
    }),
    listed_types: await owner('Conformance: nothing confidential, of listed types', {
      profile: { ...profile, document_types: [...typeIds] },
    }),
  };
}
