/**
 * Removes a tenant with everything that it has. Its own row goes first: from then on its keys are unknown, its due
 * attempts are cancelled, and no settings command finds it. The requests of its batches go next, so that whoever applies
 * one loses its lease at the next portion. What requests and workers that had begun still write is found by the next
 * pass. Killed at any point, a repetition removes the rest: rows say where bytes are, so bytes go before rows.
 *
 * The entries of the audit log stay, with the tenant's id: they are the operator's, and hold ids and names of fields.
 */
import type { FileRow } from '../data/collections/files.ts';
import { forgetDeleted } from '../data/engine.ts';
import { type OwnedRow, ofTenant } from '../data/of-tenant.ts';
import { type CollectionName, collectionNames, type Store } from '../data/store.ts';
import { JOBS_COLLECTION } from '../jobs/scheduler.ts';
import { emptiedUpload, type ObjectStorage, removeObjects, uploadableOf } from './objects.ts';

/** How many rows are removed at a time, so that requests of others wait for a fraction of a second, on any engine. */
const SLICE = 250;
/** How often everything is looked through at most; what is still being written then never ends. */
const PASSES = 20;

/** Collections whose rows are of the deployment, are removed by another key, or stay. */
const NO_TENANTS: readonly CollectionName[] = [
  'tenants',
  'deployment_secrets',
  'processes',
  'store_versions',
  'rate_limits',
  'audit_entries',
];

/** The collections whose rows leave with their tenant, in the order in which they go. */
export const TENANT_COLLECTIONS: readonly CollectionName[] = [
  ...new Set<CollectionName>(['ingest_requests', 'webhook_endpoints', ...collectionNames]),
].filter((name) => !NO_TENANTS.includes(name));

/** How many rows of each collection left, and how many objects of the storage. */
type RemovedCounts = Readonly<Partial<Record<CollectionName | 'objects', number>>>;

/** What may accompany a removal. */
interface TenantRemoval {
  /** Absent: the tenant has no files, or they stay. */
  readonly storage?: ObjectStorage;
  /** Called after each portion. @param what a collection, or `objects` */
  readonly progress?: ((what: CollectionName | 'objects', removed: number) => void) | undefined;
}

/**
 * Removes a tenant. It may be repeated after an interruption; of a tenant that is gone it removes what is left.
 * @throws ApiError UNAVAILABLE when the storage fails; Error if something keeps writing rows of the tenant
 */
export async function removeTenant(
  store: Store,
  tenantId: string,
  removal: TenantRemoval = {},
): Promise<RemovedCounts> {
  await store.tenants.deleteOne({ _id: tenantId });
  const removed: Partial<Record<CollectionName | 'objects', number>> = {};
  const count = (what: CollectionName | 'objects', more: number) => {
    if (more === 0) return;
    removed[what] = (removed[what] ?? 0) + more;
    removal.progress?.(what, removed[what]);
  };
  await removeTraces(store, tenantId);
  for (let pass = 1; ; pass++) {
    const late = removal.storage ? await uploadableOf(store, tenantId) : [];
    if (removal.storage) count('objects', await removeObjects(store, removal.storage, tenantId));
    let found = 0;
    for (const name of TENANT_COLLECTIONS) {
      const kept = name === 'files' ? late.map(({ _id }) => _id) : [];
      const rows = await removeRows(store, name, tenantId, kept);
      count(name, rows);
      found += rows;
    }
    await emptyUploads(store, tenantId, late);
    if (found === 0) break;
    if (pass === PASSES) throw new Error('rows of the tenant keep being written');
  }
  await forgetDeleted(store.client, store.db);
  return removed;
}

/** Removes what names keys and endpoints of the tenant by their ids. */
async function removeTraces(store: Store, tenantId: string): Promise<void> {
  const ids = { projection: { _id: 1 } };
  const keys = await ofTenant(store.api_keys, tenantId).find({}, ids).toArray();
  await store.rate_limits.deleteMany({ _id: { $in: keys.map(({ _id }) => _id) } });
  // An endpoint that was deleted may have left a job, too.
  const endpoints = await store.deliveries.distinct('endpoint_id', { tenant_id: tenantId });
  await store.db.collection(JOBS_COLLECTION).deleteMany({ 'data.id': { $in: [tenantId, ...endpoints] } });
}

/** Removes the tenant's rows of a collection, but for some. */
async function removeRows(
  store: Store,
  name: CollectionName,
  tenantId: string,
  kept: readonly string[],
): Promise<number> {
  const rows = ofTenant(store.db.collection<OwnedRow>(name), tenantId);
  const found = rows.find({ _id: { $nin: kept } }, { projection: { _id: 1 }, batchSize: SLICE });
  let removed = 0;
  // One pass: without an index by tenant, it looks through the rows of all tenants.
  while (await found.hasNext()) {
    const slice = found.readBufferedDocuments().map(({ _id }) => _id);
    removed += (await rows.deleteMany({ _id: { $in: slice } })).deletedCount;
  }
  return removed;
}

async function emptyUploads(store: Store, tenantId: string, rows: readonly FileRow[]): Promise<void> {
  const files = ofTenant(store.files, tenantId);
  for (const row of rows) await files.updateOne({ _id: row._id }, { $set: emptiedUpload(row) });
}
