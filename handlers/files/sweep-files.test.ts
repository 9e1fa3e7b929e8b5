/**
 * What is removed when, by the clock; and that neither a crash nor a paused process makes the sweeper remove too much.
 */
import { hash, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { draftRow } from '../../scripts/world/document-row.ts';
import { reservationRow } from '../../scripts/world/file-row.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { type Caller, callerOf } from '../access/caller.ts';
import { findCredentials } from '../access/keys.ts';
import type { StoredDocumentFile } from '../data/collections/documents.ts';
import type { FileRow } from '../data/collections/files.ts';
import { pageTokens } from '../data/page.ts';
import type { Store } from '../data/store.ts';
import { now, setClockOffset } from '../runtime/clock.ts';
import { claimed, storeFile } from '../storage/objects.ts';
import { uploadKey } from '../storage/storage.ts';
import { linkableUpload, linkUpload } from '../storage/uploads.ts';
import { sweepFiles } from './sweep-files.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const { store } = await testDeployment();
let storage: MemoryStorage;
let tenant: TestTenant;
let caller: Caller;

beforeAll(async () => {
  storage = new MemoryStorage();
  tenant = await TestTenant.create(store);
  const credentials = await findCredentials(store, await tenant.key());
  if (credentials === undefined) throw new Error('no credentials');
  caller = callerOf(credentials, store, pageTokens([new Uint8Array(32)]));
});

afterEach(async () => {
  setClockOffset(0);
  storage.down = false;
  storage.before = () => {};
  await store.files.deleteMany({});
  await store.unclaimed_objects.deleteMany({});
});

const sweep = () => sweepFiles(store, storage, new AbortController().signal);
const keyOf = (id: string) => uploadKey(tenant.id, id);
const rowOf = (id: string) => store.files.findOne({ _id: id });
const RESERVED = 'FILE_UPLOAD_STATUS_RESERVED';
const UPLOADED = 'FILE_UPLOAD_STATUS_UPLOADED';
const EXPIRED = 'FILE_UPLOAD_STATUS_EXPIRED';

/** Stores a reservation made now, as reserveFile leaves it, with one version of bytes. */
async function reservation(changes: Partial<FileRow> = {}): Promise<string> {
  const row = reservationRow({ tenant_id: tenant.id, owner_id: tenant.ownerId, ...changes });
  await store.files.insertOne(row);
  storage.upload(keyOf(row._id), '%PDF-1');
  return row._id;
}

/** Stores an upload confirmed now, as confirmFile leaves it, with the pinned version between two others. */
async function upload(changes: Partial<FileRow> = {}): Promise<{ id: string; version: string }> {
  const id = await reservation();
  const version = storage.upload(keyOf(id), '%PDF-2');
  storage.upload(keyOf(id), '%PDF-3');
  const sha256 = hash('sha256', '%PDF-2', 'hex');
  await store.files.updateOne(
    { _id: id },
    {
      $set: {
        status: UPLOADED,
        object: { key: keyOf(id), version, size_bytes: 6, sha256 },
        confirmed_at: now(),
        sweep_at: new Date(now().getTime() + HOUR_MS),
        ...changes,
      },
    },
  );
  return { id, version };
}

/** The document as createDocument inserts it. @returns false when its id is taken */
function insertDocument(id: string, files: StoredDocumentFile[]): Promise<boolean> {
  const row = draftRow({ _id: id, tenant_id: tenant.id, initiator_employee_id: randomUUID(), files });
  return caller.inTenant('documents').insert(row);
}

describe('reservations', () => {
  test('expire after 24 hours and lose their bytes; the row stays as EXPIRED for 30 days more', async () => {
    const id = await reservation();
    setClockOffset(DAY_MS - 60_000);
    await sweep();
    expect([(await rowOf(id))?.status, storage.versions(keyOf(id)).length]).toEqual([RESERVED, 1]);
    setClockOffset(DAY_MS + 1);
    expect(await sweep()).toBe(false);
    expect((await rowOf(id))?.status).toBe(EXPIRED);
    expect(storage.versions(keyOf(id))).toEqual([]);
    setClockOffset(31 * DAY_MS - 60_000);
    await sweep();
    expect((await rowOf(id))?.status).toBe(EXPIRED);
    setClockOffset(31 * DAY_MS + 60_000);
    await sweep();
    expect(await rowOf(id)).toBeNull();
  });

  test('whose expiry a crash interrupted lose their bytes in the next run', async () => {
    const id = await reservation({ status: EXPIRED, sweep_at: now() });
    await sweep();
    expect((await rowOf(id))?.status).toBe(EXPIRED);
    expect(storage.versions(keyOf(id))).toEqual([]);
  });

  test('that are confirmed after the sweeper has read them keep their bytes', async () => {
    const [first, second] = [await reservation(), await reservation()];
    setClockOffset(DAY_MS + 1);
    let confirmed = '';
    storage.before = async (call, key) => {
      if (call !== 'remove' || confirmed !== '') return;
      confirmed = key === keyOf(first) ? second : first;
      // A process whose clock is a little behind confirms it at this moment.
      await store.files.updateOne({ _id: confirmed, status: RESERVED }, { $set: { status: UPLOADED } });
    };
    await sweep();
    expect((await rowOf(confirmed))?.status).toBe(UPLOADED);
    expect(storage.versions(keyOf(confirmed))).toHaveLength(1);
  });
});

describe('confirmed uploads', () => {
  test('lose all other versions once the form has ended, and nothing else', async () => {
    const { id, version } = await upload();
    const before = await rowOf(id);
    await sweep();
    expect(storage.versions(keyOf(id))).toHaveLength(3);
    setClockOffset(HOUR_MS + 1);
    await sweep();
    expect(storage.versions(keyOf(id))).toEqual([version]);
    expect(await rowOf(id)).toEqual({
      ...before,
      sweep_at: new Date((before?.confirmed_at?.getTime() ?? 0) + 30 * DAY_MS),
    });
  });

  test('are removed with their bytes after 30 days without a document', async () => {
    const { id } = await upload();
    setClockOffset(HOUR_MS + 1);
    await sweep();
    setClockOffset(30 * DAY_MS - 60_000);
    await sweep();
    expect(await linkableUpload(caller, id, randomUUID())).toMatchObject({ file_id: id });
    setClockOffset(30 * DAY_MS + 1);
    await sweep();
    expect([await rowOf(id), storage.versions(keyOf(id))]).toEqual([null, []]);
  });

  test('whose removal a crash interrupted are removed by the next run, and no document can take them', async () => {
    const { id } = await upload({ status: EXPIRED, sweep_at: now() });
    await expect(linkUpload(caller, id, randomUUID())).rejects.toMatchObject({
      errorName: 'FILE_INVALID_STATUS_TRANSITION',
    });
    await sweep();
    expect([await rowOf(id), storage.versions(keyOf(id))]).toEqual([null, []]);
  });

  test('that a document takes after the sweeper has read them keep their bytes', async () => {
    const uploads = [await upload(), await upload()];
    setClockOffset(30 * DAY_MS + 1);
    const documentId = randomUUID();
    let taken: (typeof uploads)[number] | undefined;
    storage.before = async (call, key) => {
      if (call !== 'remove' || taken !== undefined) return;
      taken = uploads.find(({ id }) => keyOf(id) !== key);
      await linkUpload(caller, taken?.id ?? '', documentId);
    };
    await sweep();
    expect(await rowOf(taken?.id ?? '')).toMatchObject({ status: UPLOADED, document_id: documentId });
    expect(storage.versions(keyOf(taken?.id ?? ''))).toContain(taken?.version);
  });
});

describe('links', () => {
  test('without a document are kept while a retry under the key may come, and are removed then', async () => {
    const { id } = await upload();
    const [crashed, other] = [randomUUID(), randomUUID()];
    await linkUpload(caller, id, crashed);
    setClockOffset(DAY_MS);
    await sweep();
    await expect(linkUpload(caller, id, other)).rejects.toMatchObject({ errorName: 'FILE_ALREADY_LINKED' });
    expect(await linkableUpload(caller, id, crashed)).toMatchObject({ file_id: id });
    setClockOffset(25 * HOUR_MS + 1);
    await sweep();
    expect(await rowOf(id)).toMatchObject({ document_id: '', linked_at: null, status: UPLOADED });
    const file = await linkUpload(caller, id, other);
    expect(await insertDocument(other, [file])).toBe(true);
  });

  test('that were removed keep a creator that was paused for days from inserting its document', async () => {
    const { id } = await upload();
    const paused = randomUUID();
    const file = await linkUpload(caller, id, paused);
    setClockOffset(3 * DAY_MS);
    await sweep();
    expect(await insertDocument(paused, [file])).toBe(false);
    expect(await caller.documents.find(paused)).toBeUndefined();
  });

  test('that are renewed while the sweeper judges them stay', async () => {
    const { id } = await upload();
    const documentId = randomUUID();
    await linkUpload(caller, id, documentId);
    setClockOffset(25 * HOUR_MS + 1);
    const racing = new Proxy(store, {
      get(target, name: keyof Store) {
        if (name !== 'documents') return target[name];
        return new Proxy(target.documents, {
          get: (documents, method: string | symbol) => {
            if (method !== 'insertOne') return Reflect.get(documents, method).bind(documents);
            return async (row: never) => {
              await linkUpload(caller, id, documentId);
              return documents.insertOne(row);
            };
          },
        });
      },
    });
    await sweepFiles(racing, storage, new AbortController().signal);
    expect((await rowOf(id))?.document_id).toBe(documentId);
  });
});

describe('objects that the service makes', () => {
  /** Stores a signature for the document. */
  function signature(documentId: string): Promise<StoredDocumentFile> {
    const file = { file_type: 'FILE_TYPE_SIGNATURE', filename: 'a.p7s', content_type: 'x/y' } as const;
    return storeFile({ caller, storage }, documentId, file, Buffer.from('cms'));
  }
  const notes = () => store.unclaimed_objects.countDocuments({});

  test('are noted until a row refers to them', async () => {
    const documentId = randomUUID();
    const { object } = await signature(documentId);
    expect(await store.unclaimed_objects.findOne({})).toMatchObject({ _id: object.key, tenant_id: tenant.id });
    await claimed(caller, object.key);
    expect(await notes()).toBe(0);
    setClockOffset(30 * DAY_MS);
    await sweep();
    expect(storage.versions(object.key)).toEqual([object.version]);
  });

  test('are noted before their bytes are stored', async () => {
    let noted = 0;
    storage.before = async (call) => {
      if (call === 'write') noted = await notes();
    };
    await signature(randomUUID());
    expect(noted).toBe(1);
  });

  test('whose bytes come after their note was swept are noted again', async () => {
    storage.before = async (call) => {
      if (call === 'write') await store.unclaimed_objects.deleteMany({});
    };
    await signature(randomUUID());
    expect(await notes()).toBe(1);
  });

  test('do not fail the request when their claim fails', async () => {
    const away = { ...caller, inTenant: () => ({ remove: () => Promise.reject(new Error('away')) }) };
    await expect(claimed(away as unknown as Caller, 'any')).resolves.toBeUndefined();
  });

  test('are never removed under a key that is not of a document', async () => {
    const key = keyOf(await reservation());
    await store.unclaimed_objects.insertOne({ _id: key, tenant_id: tenant.id, create_time: new Date(0) });
    await expect(sweep()).rejects.toThrow('not a key of a document');
    expect([storage.versions(key).length, await notes()]).toEqual([1, 1]);
  });

  test('without a document are removed when no retry can come any more; the insert is refused then', async () => {
    const documentId = randomUUID();
    const file = await signature(documentId);
    setClockOffset(24 * HOUR_MS);
    await sweep();
    expect(storage.versions(file.object.key)).toHaveLength(1);
    setClockOffset(25 * HOUR_MS + 1);
    await sweep();
    expect([storage.versions(file.object.key), await notes()]).toEqual([[], 0]);
    expect(await insertDocument(documentId, [file])).toBe(false);
  });

  test('that their document refers to stay in its version, although the note was left', async () => {
    const documentId = randomUUID();
    const file = await signature(documentId);
    const { key, version } = file.object;
    storage.upload(key, 'of a second attempt');
    await insertDocument(documentId, [file]);
    setClockOffset(26 * HOUR_MS);
    await sweep();
    expect([storage.versions(key), await notes()]).toEqual([[version], 0]);
    expect((await store.documents.findOne({ _id: documentId }))?.rev).toBe(1);
  });

  test('that their document does not refer to are removed, and a change under way is refused', async () => {
    const documentId = randomUUID();
    await insertDocument(documentId, []);
    const read = await store.documents.findOne({ _id: documentId });
    const file = await signature(documentId);
    setClockOffset(26 * HOUR_MS);
    await sweep();
    expect([storage.versions(file.object.key), await notes()]).toEqual([[], 0]);
    const late = await caller
      .inTenant('documents')
      .change({ _id: documentId, rev: read?.rev ?? 0 }, { $push: { files: file }, $inc: { rev: 1 } });
    expect(late).toBeUndefined();
  });
});

describe('a run of the sweeper', () => {
  test('may overlap others with the same result', async () => {
    const [expired, trimmed, removed, freed] = [await reservation(), await upload(), await upload(), await upload()];
    await linkUpload(caller, freed.id, randomUUID());
    await store.files.updateOne(
      { _id: removed.id },
      { $set: { confirmed_at: new Date(now().getTime() - 30 * DAY_MS) } },
    );
    setClockOffset(26 * HOUR_MS);
    await Promise.all([sweep(), sweep(), sweep(), sweep()]);
    expect((await rowOf(expired))?.status).toBe(EXPIRED);
    expect(storage.versions(keyOf(trimmed.id))).toEqual([trimmed.version]);
    expect([await rowOf(removed.id), storage.versions(keyOf(removed.id))]).toEqual([null, []]);
    expect(await rowOf(freed.id)).toMatchObject({ status: UPLOADED, document_id: '' });
  });

  test('handles a bounded number of rows, and says that there is more', async () => {
    const one = await rowOf(await reservation());
    const rows = Array.from({ length: 250 }, () => ({ ...(one as FileRow), _id: randomUUID() }));
    await store.files.insertMany(rows);
    setClockOffset(DAY_MS + 1);
    const runs = [await sweep(), await sweep()];
    expect([runs, await store.files.countDocuments({ status: EXPIRED })]).toEqual([[true, false], 251]);
  });

  test('continues after an object that storage cannot remove, which is tried again later', async () => {
    const [bad, good] = [await reservation(), await reservation()];
    storage.before = (call, key) => {
      if (call === 'remove' && key === keyOf(bad)) throw new Error('refused');
    };
    setClockOffset(DAY_MS + 1);
    await expect(sweep()).rejects.toThrow('refused');
    expect([storage.versions(keyOf(good)), storage.versions(keyOf(bad)).length]).toEqual([[], 1]);
    storage.before = () => {};
    await sweep();
    expect(storage.versions(keyOf(bad))).toHaveLength(1);
    setClockOffset(DAY_MS + 11 * 60_000);
    await sweep();
    expect(storage.versions(keyOf(bad))).toEqual([]);
  });

  test('ends after three failures in a row when storage is away, and a later one does the rest', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => reservation()));
    let calls = 0;
    storage.before = (call) => {
      if (call === 'remove') calls++;
    };
    storage.down = true;
    setClockOffset(DAY_MS + 1);
    await expect(sweep()).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    expect(calls).toBe(3);
    storage.down = false;
    setClockOffset(DAY_MS + 11 * 60_000);
    await sweep();
    expect(ids.flatMap((id) => storage.versions(keyOf(id)))).toEqual([]);
  });

  test('ends early when the process stops', async () => {
    await reservation();
    setClockOffset(DAY_MS + 1);
    const stopping = new AbortController();
    stopping.abort();
    await sweepFiles(store, storage, stopping.signal);
    expect(await store.files.countDocuments({ status: EXPIRED })).toBe(0);
  });
});
