/** An invented tenant with people who act by keys. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';
import { inTurn } from '../../world/ask.ts';
import { TestTenant } from '../../world/tenant.ts';

/** A key has a limit; requests are spread over the keys. */
const KEYS_EACH = 12;
/** Fewer might lack three people who work. */
const LEAST_EMPLOYEES = 40;

/** A user with an employee, who sees everything and may do everything, with any of several keys. */
export interface Owner {
  readonly userId: string;
  readonly employeeId: string;
  readonly keys: readonly string[];
}

/** Plain data, so that it can be handed to another process. */
export interface Company {
  readonly id: string;
  readonly initiator: Owner;
  readonly approver: Owner;
  readonly signer: Owner;
  /** The order of leave, and its template. */
  readonly typeId: string;
  readonly templateId: string;
}

/** Writes the tenant, with its people and catalogues. */
export async function inventCompany(store: Store, employees = LEAST_EMPLOYEES): Promise<Company> {
  const size = Math.max(employees, LEAST_EMPLOYEES);
  const plan = { name: 'lab', seed: randomUUID(), employees: size, keys: false };
  const { tenant_id } = await seedTenant(store, plan);
  const tenant = new TestTenant(store, tenant_id, '');
  // Nobody whose status a later day changes: who leaves can act no longer.
  const people = await store.employees
    .find({ tenant_id, listed: true, status: 'EMPLOYEE_STATUS_ACTIVE', status_due_on: '' })
    .sort({ _id: 1 })
    .limit(3)
    .toArray();
  const [initiator, approver, signer] = await Promise.all(people.map(({ _id }) => ownerOf(tenant, _id)));
  const type = await store.document_types.findOne({ tenant_id, title: 'Приказ об отпуске' });
  if (initiator === undefined || approver === undefined || signer === undefined || type === null) {
    throw new Error('The invented tenant lacks three active employees or the order of leave.');
  }
  const [typeId, templateId] = [type._id, type.template_id];
  return { id: tenant_id, initiator, approver, signer, typeId, templateId };
}

async function ownerOf(tenant: TestTenant, employeeId: string): Promise<Owner> {
  const userId = await tenant.user({ employee_id: employeeId, super_admin: true });
  return { userId, employeeId, keys: await tenant.keys(KEYS_EACH, { owner_id: userId }) };
}

/** The nth key of an owner, in turn. */
export const keyOf = ({ keys }: Owner, nth: number): string => inTurn(keys, nth);
