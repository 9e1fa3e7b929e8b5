/** What of the storage belongs to rows, and what to none; what rows lack. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { draftRow } from '../../scripts/world/document-row.ts';
import { reservationRow } from '../../scripts/world/file-row.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { StoredObject } from '../data/collections/files.ts';
import { now } from '../runtime/clock.ts';
import { folderInventory, openFolder } from '../storage/folder.ts';
import { documentKey, type ListedVersion, uploadKey } from '../storage/storage.ts';
import { compareStoredFiles } from './stored-files.ts';

const { store, database } = await testDeployment();
const dir = join(database.folder, 'stored-files');
const folder = await openFolder(dir);
const inventory = folderInventory(dir);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function stored(key: string, text = 'bytes'): Promise<StoredObject> {
  const chunks = async function* () {
    yield Buffer.from(text);
  };
  const draft = await folder.draft(chunks());
  return { key, version: await draft.commit(key), size_bytes: draft.size_bytes, sha256: draft.sha256 };
}

const compared = async (remove = false) => {
  const orphans: ListedVersion[] = [];
  const found = await compareStoredFiles(store, inventory, async (orphan) => {
    orphans.push(orphan);
    if (remove) await inventory.removeVersion(orphan);
  });
  return { ...found, listed: orphans };
};

test('only versions that no row and no note can claim are orphans; what rows lack is named', async () => {
  const tenant_id = 'tenant';
  const row = (_id: string) => reservationRow({ _id, tenant_id });
  const [reserved, taken, swept, lost] = [row('reserved'), row('taken'), row('swept'), row('lost')];
  const confirmed = { status: 'FILE_UPLOAD_STATUS_UPLOADED', confirmed_at: now() } as const;
  const keyOf = ({ _id }: { readonly _id: string }) => uploadKey(tenant_id, _id);
  // A form may be used twice: both versions belong to the reservation.
  await stored(keyOf(reserved));
  await stored(keyOf(reserved));
  const object = await stored(keyOf(taken));
  const second = await stored(keyOf(taken), 'longer bytes');
  await stored(keyOf(swept));
  const gone = { key: keyOf(lost), version: object.version, size_bytes: 1, sha256: '' };
  await store.files.insertMany([
    reserved,
    { ...taken, ...confirmed, object, document_id: 'document', sweep_at: null },
    { ...swept, status: 'FILE_UPLOAD_STATUS_EXPIRED', sweep_at: now() },
    { ...lost, ...confirmed, object: gone, sweep_at: null },
  ]);
  const printed = await stored(documentKey(tenant_id, 'document', 'signed'));
  const noted = documentKey(tenant_id, 'document', 'noted');
  await stored(noted);
  await store.unclaimed_objects.insertOne({ _id: noted, tenant_id, create_time: now() });
  const unknown = await stored(documentKey(tenant_id, 'of-a-later-database', 'printed'));
  const file = { filename: 'a.pdf', content_type: 'application/pdf' };
  const files = [
    { file_id: taken._id, file_type: 'FILE_TYPE_PDF' as const, object, ...file },
    { file_id: 'signed', file_type: 'FILE_TYPE_SIGNED_PDF' as const, object: printed, ...file },
    { file_id: 'never', file_type: 'FILE_TYPE_SIGNED_PDF' as const, object: { ...printed, key: 'nowhere' }, ...file },
  ];
  await store.documents.insertOne({
    ...draftRow({ tenant_id, _id: 'document', initiator_employee_id: 'nobody' }),
    files,
  });

  const before = await compared(true);
  expect(before).toMatchObject({ versions: 8, orphans: 2, orphanBytes: second.size_bytes + unknown.size_bytes });
  const versionsOf = (found: readonly { readonly version: string }[]) => found.map(({ version }) => version).toSorted();
  expect(versionsOf(before.listed)).toEqual(versionsOf([second, unknown]));
  expect(before.missing).toEqual([
    { tenant_id, document_id: '', file_id: 'lost' },
    { tenant_id, document_id: 'document', file_id: 'never' },
  ]);
  expect(await compared()).toMatchObject({ versions: 6, orphans: 0, missing: before.missing });
  expect(await folder.latest(object.key)).toMatchObject({ version: object.version });
});
