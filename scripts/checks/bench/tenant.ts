/** The tenant that is measured. */
import { randomUUID } from 'node:crypto';
import { hashKey, newKey, shownPrefix } from '../../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../../handlers/data/collections/api_keys.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';

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
  const secrets = await keysLike(store, sample, KEYS);
  const rows = await store.employees
    .find({ tenant_id, listed: true }, { projection: { _id: 1 } })
    .limit(500)
    .toArray();
  return { id: tenant_id, keys: secrets, employeeIds: rows.map(({ _id }) => _id) };
}

/** Writes more keys with the owner and the scopes of one. @returns their secrets */
export async function keysLike(store: Store, sample: ApiKeyRow, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => newKey('bench'));
  await store.api_keys.insertMany(
    secrets.map((key) => ({ ...sample, _id: randomUUID(), key_hash: hashKey(key), prefix: shownPrefix(key) })),
  );
  return secrets;
}
