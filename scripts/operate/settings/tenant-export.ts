/** Writes everything that a tenant has into a folder: each collection as lines of extended JSON, and every file. */
import { EJSON } from 'bson';
import type { StoredObject } from '../../../handlers/data/collections/files.ts';
import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import type { CollectionName, Store } from '../../../handlers/data/store.ts';
import type { ObjectStorage } from '../../../handlers/leaving/objects.ts';
import { TENANT_COLLECTIONS } from '../../../handlers/leaving/tenant.ts';
import { refuse } from '../../kit/command-line.ts';
import type { ExportFolder } from './export-folder.ts';

/** The row of the tenant, its entries of the audit log, and all that leaves with it. */
const EXPORTED: readonly CollectionName[] = ['tenants', 'audit_entries', ...TENANT_COLLECTIONS];

interface TenantExport {
  readonly store: Store;
  readonly storage: ObjectStorage | undefined;
  readonly tenant: TenantRow;
  readonly folder: ExportFolder;
  /** Called for each collection, and for every hundredth file. */
  readonly progress: (what: string) => void;
}

async function* linesOf(store: Store, name: CollectionName, tenantId: string): AsyncIterable<string> {
  const filter = name === 'tenants' ? { _id: tenantId } : { tenant_id: tenantId };
  const rows = store.db.collection<{ _id: string }>(name).find(filter, { sort: { _id: 1 }, allowDiskUse: true });
  for await (const row of rows) yield `${EJSON.stringify(row, { relaxed: false })}\n`;
}

/** The objects of all files that rows of the tenant refer to, each once. */
async function* objectsOf(store: Store, tenant_id: string): AsyncIterable<StoredObject> {
  for await (const { object } of store.files.find({ tenant_id, object: { $ne: null }, document_id: '' })) {
    if (object !== null) yield object;
  }
  for await (const { files } of store.documents.find({ tenant_id }, { projection: { files: 1 } })) {
    for (const { object } of files) yield object;
  }
}

/** @returns the counts of the answer @throws Failure if a file is damaged */
export async function exportTenant({ store, storage, tenant, folder, progress }: TenantExport) {
  for (const name of EXPORTED) {
    const written = await folder.write(`collections/${name}.ndjson`, () => linesOf(store, name, tenant._id));
    progress(`${name}: ${written.size_bytes} bytes`);
  }
  let objects = 0;
  for await (const object of objectsOf(store, tenant._id)) {
    const { key, version, sha256 } = object;
    if (storage === undefined) return refuse('The tenant has files, and nothing says where they are.');
    const written = await folder.write(`objects/${key}/${encodeURIComponent(version)}`, () => storage.read(object));
    if (written.sha256 !== sha256) refuse(`The bytes of ${key} are not those that were stored: restore them first.`);
    objects++;
    if (objects % 100 === 0) progress(`${objects} files`);
  }
  return { objects, ...(await folder.finish({ collections: EXPORTED })) };
}
