/**
 * Compares what storage holds with what the rows say, after a restore above all: versions that no row refers to, and rows
 * whose bytes are not there. It may run while the service does: bytes are stored after the row or the note that announces
 * them, and a note goes only once a row refers to its bytes. So the storage is listed first, then notes are read, then
 * rows; what was listed and is in none of them can belong to nothing.
 */
import { hash } from 'node:crypto';
import type { FileRow, StoredObject } from '../data/collections/files.ts';
import type { Store } from '../data/store.ts';
import { type Inventory, type ListedVersion, uploadKey } from '../storage/storage.ts';

/** A row that refers to bytes which storage does not have. */
interface MissingFile {
  readonly tenant_id: string;
  /** The document, or an empty text if it is an upload that no document has. */
  readonly document_id: string;
  readonly file_id: string;
}

interface StoredFiles {
  readonly versions: number;
  readonly orphans: number;
  readonly orphanBytes: number;
  readonly missing: readonly MissingFile[];
}

/** Half of a SHA-256: a listing of many millions has to be kept. */
const KEPT_CHARACTERS = 22;
const nameOf = (...parts: readonly string[]) => hash('sha256', parts.join('\0'), 'base64url').slice(0, KEPT_CHARACTERS);

/** @param onOrphan is called for each version that nothing refers to */
export async function compareStoredFiles(
  store: Store,
  inventory: Inventory,
  onOrphan: (orphan: ListedVersion) => Promise<void>,
): Promise<StoredFiles> {
  const unclaimed = new Set<string>();
  for await (const { place, version } of inventory.versions()) unclaimed.add(nameOf(place, version));
  const versions = unclaimed.size;
  /** Places of which the sweeper still has to decide, with all that is there. */
  const open = new Set<string>();
  const missing = new Map<string, MissingFile>();
  const claim = ({ key, version }: StoredObject, file: MissingFile) => {
    const name = nameOf(inventory.placeOf(key), version);
    if (!unclaimed.delete(name) && !claimed.has(name)) missing.set(name, file);
    claimed.add(name);
  };
  const claimed = new Set<string>();
  for await (const { _id } of store.unclaimed_objects.find({}, { projection: { _id: 1 } })) {
    open.add(nameOf(inventory.placeOf(_id)));
  }
  for await (const row of store.files.find({})) {
    const { _id, tenant_id, document_id, object } = row;
    if (isOpen(row)) open.add(nameOf(inventory.placeOf(uploadKey(tenant_id, _id))));
    if (object !== null) claim(object, { tenant_id, document_id, file_id: _id });
  }
  const documents = store.documents.find({ 'files.0': { $exists: true } }, { projection: { tenant_id: 1, files: 1 } });
  for await (const { _id, tenant_id, files } of documents) {
    for (const { file_id, object } of files) claim(object, { tenant_id, document_id: _id, file_id });
  }
  return lookedAgain(inventory, { versions, unclaimed, open, missing }, onOrphan);
}

/** Whether the sweeper will come back to the upload, and removes by itself what nobody needs. */
const isOpen = ({ status, sweep_at }: FileRow) => status === 'FILE_UPLOAD_STATUS_RESERVED' || sweep_at !== null;

interface ComparedNames {
  readonly versions: number;
  readonly unclaimed: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly missing: Map<string, MissingFile>;
}

/** Lists once more: to name the orphans, and to find what was stored since the first listing. */
async function lookedAgain(
  inventory: Inventory,
  { versions, unclaimed, open, missing }: ComparedNames,
  onOrphan: (orphan: ListedVersion) => Promise<void>,
): Promise<StoredFiles> {
  let [orphans, orphanBytes] = [0, 0];
  for await (const found of inventory.versions()) {
    const name = nameOf(found.place, found.version);
    missing.delete(name);
    if (!unclaimed.has(name) || open.has(nameOf(found.place))) continue;
    orphans++;
    orphanBytes += found.size_bytes;
    await onOrphan(found);
  }
  return { versions, orphans, orphanBytes, missing: [...missing.values()] };
}
