/** Writes an invented tenant into a store, a few batches at a time, and removes a tenant. */
import type { Collection } from 'mongodb';
import { type CollectionName, collectionNames, type Store } from '../../../handlers/data/store.ts';
import { onlyThere } from '../../../handlers/data/writes.ts';
import { JOBS_COLLECTION } from '../../../handlers/process/scheduler.ts';
import { isOutage } from '../settings/connect.ts';
import type { InventedTenant } from './tenant.ts';

const IN_FLIGHT = 3;
const ATTEMPTS = 5;
const SLICE = 2_000;

const TENANTLESS: readonly CollectionName[] = ['tenants', 'deployment_secrets', 'rate_limits'];

/** The collections that hold rows of tenants, but for those of the tenants themselves. */
export const TENANT_COLLECTIONS = collectionNames.filter((name) => !TENANTLESS.includes(name));

/** Inserts rows that have ids. After a lost connection it retries: the first attempt may have arrived. */
async function insert(store: Store, name: CollectionName, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const collection: Collection = store.db.collection(name);
  for (let attempt = 1; ; attempt++) {
    try {
      await collection.insertMany([...rows], { ordered: false });
      return;
    } catch (error) {
      if (attempt > 1 && onlyThere(error)) return;
      if (attempt === ATTEMPTS || !isOutage(error)) throw error;
    }
  }
}

/** Inserts all rows, the tenant's own last: a tenant that exists is complete. @param progress of the employees */
export async function writeTenant(
  store: Store,
  invented: InventedTenant,
  progress: (employees: number) => void = () => {},
): Promise<void> {
  const { company, access } = invented;
  const small: readonly (readonly [CollectionName, readonly object[]])[] = [
    ['organizations', company.organizations],
    ['job_titles', company.job_titles],
    ['locations', company.locations],
    ['departments', company.units.map(({ row }) => row)],
    ['login_methods', invented.login_methods],
    ['document_categories', invented.document_categories],
    ['document_templates', invented.document_templates],
    ['document_template_versions', invented.document_template_versions],
    ['document_types', invented.document_types],
    ['users', access.users],
    ['api_keys', access.api_keys],
  ];
  for (const [name, rows] of small) await insert(store, name, rows);
  let written = 0;
  const running = new Set<Promise<void>>();
  for (const { employees, persons } of invented.batches()) {
    const batch = Promise.all([insert(store, 'employees', employees), insert(store, 'persons', persons)]).then(() => {
      written += employees.length;
      progress(written);
    });
    const tracked: Promise<void> = batch.finally(() => running.delete(tracked));
    running.add(tracked);
    // Its failure is reported where it is awaited.
    tracked.catch(() => {});
    if (running.size >= IN_FLIGHT) await Promise.race(running);
  }
  await Promise.all(running);
  await store.tenants.insertOne(invented.tenant);
}

/** How often everything is looked through: a process that is still at work may write rows meanwhile. */
const PASSES = 5;

/**
 * Removes the tenant and all its rows, also its jobs and the rate limits of its keys. The tenant's own row goes first, so
 * that none of its keys works meanwhile.
 * @returns how many rows of each collection were removed
 */
export async function removeTenant(store: Store, tenantId: string): Promise<Partial<Record<CollectionName, number>>> {
  await store.tenants.deleteOne({ _id: tenantId });
  const ofTenant = { tenant_id: tenantId };
  await store.rate_limits.deleteMany({ _id: { $in: await store.api_keys.distinct('_id', ofTenant) } });
  // An endpoint that was deleted may have left a job, too.
  const endpoints = await store.deliveries.distinct('endpoint_id', ofTenant);
  const jobs = { 'data.id': { $in: [tenantId, ...endpoints] } };
  const removed: Partial<Record<CollectionName, number>> = {};
  for (let pass = 1; pass <= PASSES; pass++) {
    let found = 0;
    for (const name of TENANT_COLLECTIONS) {
      const count = await removeRows(store, name, tenantId);
      if (count > 0) removed[name] = (removed[name] ?? 0) + count;
      found += count;
    }
    if (found === 0) break;
  }
  await store.db.collection(JOBS_COLLECTION).deleteMany(jobs);
  return removed;
}

/** Removes the tenant's rows of a collection in slices, so that other work gets its turn between them. */
async function removeRows(store: Store, name: CollectionName, tenantId: string): Promise<number> {
  const rows = store.db.collection<{ _id: string; tenant_id: string }>(name);
  for (let removed = 0; ; ) {
    const slice = await rows
      .find({ tenant_id: tenantId }, { projection: { _id: 1 } })
      .limit(SLICE)
      .toArray();
    if (slice.length === 0) return removed;
    removed += (await rows.deleteMany({ _id: { $in: slice.map(({ _id }) => _id) }, tenant_id: tenantId })).deletedCount;
  }
}
