/** The references of an employee: rows of the tenant that must exist. */
import type { Violation } from '../../answers/errors.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { type OwnedRow, ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import type { EmployeeFields } from './fields.ts';

const LONGEST_CHAIN = 1_000;

const REFERENCES = [
  ['organization_id', 'organizations'],
  ['department_id', 'departments'],
  ['job_title_id', 'job_titles'],
  ['location_id', 'locations'],
] as const;

/** Violations for given references to rows that the tenant does not have. @param id the employee's own id */
export async function unknownReferences(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<EmployeeFields>,
): Promise<Violation[]> {
  const found = await Promise.all([
    ...REFERENCES.map(async ([field, collection]) => {
      const reference = fields[field];
      if (!reference) return null;
      const exists = await ofTenant(store.db.collection<OwnedRow>(collection), tenantId).findOne({ _id: reference });
      return exists ? null : { field, description: 'is not known in this tenant' };
    }),
    fields.manager_id ? managerViolation(store, tenantId, id, fields.manager_id) : null,
  ]);
  return found.filter((violation) => violation !== null);
}

async function managerViolation(
  store: Store,
  tenantId: string,
  id: string,
  managerId: string,
): Promise<Violation | null> {
  const field = 'manager_id';
  const projection = { manager_id: 1, listed: 1 } as const;
  const employees = ofTenant(store.employees, tenantId);
  let next = managerId;
  for (let i = 0; next !== '' && i < LONGEST_CHAIN; i++) {
    if (next === id) return { field, description: 'must not be the employee or somebody who reports to the employee' };
    const manager: Pick<EmployeeRow, 'manager_id' | 'listed'> | null = await employees.findOne(
      { _id: next },
      { projection },
    );
    if (i === 0 && !manager?.listed)
      return { field, description: 'is no employee of this tenant (drafts and deleted ones do not count)' };
    next = manager?.manager_id ?? '';
  }
  return null;
}
