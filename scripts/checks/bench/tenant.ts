/** The tenant that is measured. */
import { randomUUID } from 'node:crypto';
import { hashKey } from '../../../handlers/access/keys.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';
import { TestTenant } from '../../testbed/tenant.ts';

const KEYS = 2_000;

/** The tenant that is measured. */
export interface Tenant {
  readonly id: string;
  readonly keys: readonly string[];
  readonly employeeIds: readonly string[];
}

/** A tenant with people, and with enough keys of its administrator that the rate limit is never reached. */
export async function prepare(store: Store, employees: number): Promise<Tenant> {
  await createIndexes(store);
  const { tenant_id, keys } = await seedTenant(store, { name: 'bench', seed: randomUUID(), employees });
  const sample = await store.api_keys.findOne({ key_hash: hashKey(keys[0]?.key ?? '') });
  if (sample === null) throw new Error('the invented tenant has no key');
  const { owner_id, scopes } = sample;
  const rows = await store.employees
    .find({ tenant_id, listed: true }, { projection: { _id: 1 } })
    .limit(500)
    .toArray();
  return {
    id: tenant_id,
    keys: await new TestTenant(store, tenant_id, owner_id).keys(KEYS, { scopes }),
    employeeIds: rows.map(({ _id }) => _id),
  };
}
