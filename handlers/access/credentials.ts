/** Finds the key of a request with its owner and its tenant. They are read on every request and never kept (D-31). */
import type { ApiKeyRow } from '../data/collections/api_keys.ts';
import type { TenantRow } from '../data/collections/tenants.ts';
import type { UserRow } from '../data/collections/users.ts';
import { anyOf } from '../data/conditions.ts';
import type { Store } from '../data/store.ts';
import { onceForEach, readTogether } from '../data/together.ts';
import { nowMs } from '../process/clock.ts';
import { hashKey, isWellFormedKey } from './keys.ts';

/** A key with its owner and its tenant, as they are now in the store. */
export interface Credentials {
  readonly key: ApiKeyRow;
  readonly owner: UserRow;
  readonly tenant: TenantRow;
}

/** Finds credentials by the hash of the key. */
const finderOf = onceForEach((store: Store) => readTogether((hashes) => readCredentials(store, hashes)));

/**
 * Looks up a key with its owner and tenant in one round trip, which requests of the same moment share.
 * @returns undefined if the key is unknown, inactive, revoked or expired, or its owner was removed from the tenant
 */
export async function findCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  if (!isWellFormedKey(secret)) return undefined;
  const found = await finderOf(store)(hashKey(secret));
  return found !== undefined && isUsable(found) ? found : undefined;
}

/** @returns the credentials by the hash of the key */
async function readCredentials(store: Store, hashes: readonly string[]): Promise<Map<string, Credentials>> {
  const rows = await store.api_keys
    .aggregate<ApiKeyRow & { owner: UserRow[]; tenant: TenantRow[] }>([
      { $match: { key_hash: anyOf(hashes) } },
      { $lookup: { from: 'users', localField: 'owner_id', foreignField: '_id', as: 'owner' } },
      { $lookup: { from: 'tenants', localField: 'tenant_id', foreignField: '_id', as: 'tenant' } },
    ])
    .toArray();
  const found = new Map<string, Credentials>();
  for (const { owner: owners, tenant: tenants, ...key } of rows) {
    const [owner] = owners;
    const [tenant] = tenants;
    if (owner !== undefined && tenant !== undefined) found.set(key.key_hash, { key, owner, tenant });
  }
  return found;
}

function isUsable({ key, owner }: Credentials): boolean {
  return (
    key.active &&
    key.revoked_at === null &&
    (key.expires_at === null || key.expires_at.getTime() > nowMs()) &&
    owner.removed_at === null &&
    owner.tenant_id === key.tenant_id
  );
}
