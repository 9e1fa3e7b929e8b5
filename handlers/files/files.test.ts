/** Reserving and confirming over HTTP, with storage in memory that can be made to fail at any call. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type JsonAnswer } from '../../scripts/testbed/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { FileRow } from '../data/collections/files.ts';
import * as served from '../index.ts';
import { setClockOffset } from '../process/clock.ts';
import { uploadKey } from '../storage/storage.ts';

const HOUR_MS = 60 * 60 * 1000;
const { store } = await testDeployment();
let storage: MemoryStorage;
let server: InProcess;
let tenant: TestTenant;
let key: string;

beforeAll(async () => {
  storage = new MemoryStorage();
  server = await serveInProcess(served, store, storage);
  tenant = await TestTenant.create(store);
  key = await tenant.key();
});

afterEach(() => {
  setClockOffset(0);
  storage.down = false;
  storage.before = () => {};
  storage.reusesPieces = false;
});

afterAll(() => server.stop());

const post = (path: string, body?: object) => ask('POST', server.url + path, key, body);

const ASKED = { filename: 'Бұйрық №118.pdf', content_type: 'application/pdf', size_bytes: 1000 };
const PDF = '%PDF-1.7 as far as anybody here looks';

const reserve = async (changes: object = {}): Promise<string> =>
  (await post('/files', { ...ASKED, ...changes })).body.file.id;
const confirm = (id: string, body?: object) => post(`/files/${id}/_confirm`, body);
const reason = ({ status, reason: said }: JsonAnswer) => [status, said];
const rowOf = async (id: string) => (await store.files.findOne({ _id: id })) as FileRow;
const keyOf = (id: string) => uploadKey(tenant.id, id);
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

const NOT_UPLOADED = [400, 'FILE.NOT_UPLOADED'];

describe('reserveFile', () => {
  test('returns a form for exactly its key and type, for any reserved size, and stores a row that is swept after a day', async () => {
    const { body } = await post('/files', ASKED);
    const { id, create_time } = body.file;
    expect(body.upload.fields).toEqual({
      key: `uploads/${tenant.id}/${id}`,
      'Content-Type': 'application/pdf',
      policy: '52428800',
    });
    expect(await rowOf(id)).toMatchObject({
      tenant_id: tenant.id,
      owner_id: tenant.ownerId,
      object: null,
      document_id: '',
      linked_at: null,
      sweep_at: new Date(Date.parse(create_time) + 24 * HOUR_MS),
    });
  });

  test('a content_type in upper case is refused', async () => {
    const answer = await post('/files', { ...ASKED, content_type: 'APPLICATION/PDF' });
    expect([reason(answer), answer.fields]).toEqual([[400, 'INVALID_ARGUMENT'], ['content_type']]);
  });

  test.each([
    ['255 characters outside the basic plane', '𝒜'.repeat(255)],
    ['right to left', '\u202efdp.pdf'],
  ])('keeps a filename %s as it is', async (_what, filename) => {
    const { status, body } = await post('/files', { ...ASKED, filename });
    expect([status, body.file?.filename]).toEqual([200, filename]);
  });

  test('answers 503 and reserves nothing while storage is down', async () => {
    const before = await store.files.countDocuments({});
    storage.down = true;
    expect(reason(await post('/files', ASKED))).toEqual([503, 'UNAVAILABLE']);
    expect(await store.files.countDocuments({})).toBe(before);
  });
});

describe('confirmFile', () => {
  test('pins the stored bytes, and keeps them pinned', async () => {
    const id = await reserve();
    const version = storage.upload(keyOf(id), PDF);
    expect((await confirm(id)).status).toBe(200);
    const row = await rowOf(id);
    expect(row.object).toEqual({ key: keyOf(id), version, size_bytes: PDF.length, sha256: sha256(PDF) });
    expect(row.sweep_at).toEqual(new Date(row.create_time.getTime() + HOUR_MS));

    storage.upload(keyOf(id), `${PDF}, and other bytes by the same form`);
    expect((await confirm(id)).status).toBe(200);
    expect((await rowOf(id)).object).toEqual(row.object);
  });

  test('takes ids in upper case, and refuses a different file_id in the body before it looks up the upload', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    expect(reason(await confirm(randomUUID(), { file_id: id }))).toEqual([400, 'INVALID_ARGUMENT']);
    expect((await confirm(id.toUpperCase(), { file_id: id })).status).toBe(200);
    expect((await confirm(id, { file_id: id.toUpperCase() })).status).toBe(200);
  });

  test('answers FILE.NOT_UPLOADED for an object without bytes', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), '');
    expect(reason(await confirm(id))).toEqual(NOT_UPLOADED);
    expect((await rowOf(id)).status).toBe('FILE_UPLOAD_STATUS_RESERVED');
  });

  test('answers FILE.SIZE_MISMATCH for one byte more than was reserved', async () => {
    const id = await reserve({ size_bytes: String(PDF.length) });
    storage.upload(keyOf(id), `${PDF}.`);
    expect(reason(await confirm(id))).toEqual([400, 'FILE.SIZE_MISMATCH']);
    expect(await rowOf(id)).toMatchObject({ status: 'FILE_UPLOAD_STATUS_RESERVED', object: null });
  });

  const MIME = 'Content-Type: application/pdf\r\nContent-Disposition: attachment\r\n\r\n';
  test.each([
    ['a byte order mark', `\ufeff${PDF}`],
    ['an empty line', `\r\n${PDF}`],
    ['the head of a mail', MIME + PDF],
    ['1,019 bytes', `${' '.repeat(1_019)}${PDF}`],
  ])('accepts a PDF after %s, as it is', async (_, bytes) => {
    const id = await reserve({ size_bytes: '9000' });
    storage.upload(keyOf(id), bytes);
    expect(reason(await confirm(id))[0]).toBe(200);
    expect((await rowOf(id)).object).toMatchObject({ size_bytes: Buffer.byteLength(bytes), sha256: sha256(bytes) });
  });

  test.each([
    ['too few for a PDF', '%PDF'],
    ['no PDF', '<html>%pdf-</html>'],
    ['a PDF after 1,020 bytes', `${' '.repeat(1_020)}${PDF}`],
  ])('refuses bytes that are %s, naming file_id', async (_, bytes) => {
    const id = await reserve({ size_bytes: '9000' });
    storage.upload(keyOf(id), bytes);
    const answer = await confirm(id);
    expect([reason(answer), answer.fields]).toEqual([[400, 'INVALID_ARGUMENT'], ['file_id']]);
    expect((await rowOf(id)).status).toBe('FILE_UPLOAD_STATUS_RESERVED');
  });

  test('digests 50 MB as a stream', async () => {
    const bytes = Buffer.alloc(52_428_800, PDF);
    const id = await reserve({ size_bytes: bytes.length });
    storage.upload(keyOf(id), bytes);
    storage.reusesPieces = true;
    expect((await confirm(id)).body.file.size_bytes).toBe('52428800');
    expect((await rowOf(id)).object?.sha256).toBe(sha256(bytes));
  });

  test('pins one version for twenty calls at once while the form is used again and again', async () => {
    const id = await reserve({ size_bytes: 100_000 });
    const sent = new Map<string, string>();
    const send = () => {
      const bytes = PDF + 'x'.repeat(sent.size);
      sent.set(storage.upload(keyOf(id), bytes), bytes);
    };
    send();
    // As many confirmations as a tenant may run at a time find it RESERVED before the first one continues. Then they
    // continue one by one, and each sees another version.
    let looking = 0;
    let begin: () => void = () => {};
    let turn = new Promise<void>((resolve) => {
      begin = resolve;
    });
    storage.before = async (call) => {
      if (call === 'latest') {
        if (++looking === 3) begin();
        const mine = turn;
        turn = mine.then(() => new Promise((resolve) => setImmediate(resolve)));
        await mine;
      }
      send();
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(id)));
    const { object, status } = await rowOf(id);
    expect(status).toBe('FILE_UPLOAD_STATUS_UPLOADED');
    const pinned = sent.get(object?.version ?? '') ?? '';
    expect(object).toMatchObject({ size_bytes: pinned.length, sha256: sha256(pinned) });
    for (const { status: code, body } of answers) {
      expect([code, body.file.size_bytes]).toEqual([200, String(pinned.length)]);
    }
  });

  test('looks again when a version vanishes before its bytes are read', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    let replaced = '';
    storage.before = async (call, objectKey) => {
      if (call !== 'read' || replaced !== '') return;
      replaced = storage.upload(keyOf(id), `${PDF}, replaced`);
      await storage.remove(objectKey, replaced);
    };
    expect((await confirm(id)).status).toBe(200);
    expect((await rowOf(id)).object).toMatchObject({ version: replaced, sha256: sha256(`${PDF}, replaced`) });
  });

  test('answers FILE.NOT_UPLOADED when all versions have vanished', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    storage.before = async (call, objectKey) => {
      if (call !== 'read') return;
      storage.before = () => {};
      await storage.remove(objectKey);
    };
    expect(reason(await confirm(id))).toEqual(NOT_UPLOADED);
  });

  test('answers 503 when the object is replaced at every look', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    storage.before = async (call) => {
      if (call !== 'read') return;
      const version = storage.upload(keyOf(id), PDF);
      const before = storage.before;
      storage.before = () => {};
      await storage.remove(keyOf(id), version);
      storage.before = before;
    };
    expect(reason(await confirm(id))).toEqual([503, 'UNAVAILABLE']);
    storage.before = () => {};
    expect((await confirm(id)).status).toBe(200);
  });

  test('answers 503 and leaves the upload unchanged while storage is down; a confirmed one needs no storage', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    for (const failing of ['latest', 'read'] as const) {
      storage.before = (call) => {
        storage.down = call === failing;
      };
      expect(reason(await confirm(id))).toEqual([503, 'UNAVAILABLE']);
      expect((await rowOf(id)).status).toBe('FILE_UPLOAD_STATUS_RESERVED');
    }
    storage.before = () => {};
    storage.down = false;
    expect((await confirm(id)).status).toBe(200);
    storage.down = true;
    expect((await confirm(id)).status).toBe(200);
  });

  test('answers FILE.NOT_UPLOADED 24 hours after the reservation, whether or not a sweeper came', async () => {
    const [late, inTime] = [await reserve(), await reserve()];
    for (const id of [late, inTime]) storage.upload(keyOf(id), PDF);
    setClockOffset(24 * HOUR_MS - 60_000);
    expect((await confirm(inTime)).status).toBe(200);
    setClockOffset(24 * HOUR_MS);
    expect(reason(await confirm(late))).toEqual(NOT_UPLOADED);
    expect((await confirm(inTime)).status).toBe(200);
    setClockOffset(0);
    await store.files.updateOne({ _id: late }, { $set: { status: 'FILE_UPLOAD_STATUS_EXPIRED' } });
    expect(reason(await confirm(late))).toEqual(NOT_UPLOADED);
  });

  test('does not confirm an upload that the sweeper expires while its bytes are read', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    storage.before = async (call) => {
      if (call === 'read') await store.files.updateOne({ _id: id }, { $set: { status: 'FILE_UPLOAD_STATUS_EXPIRED' } });
    };
    expect(reason(await confirm(id))).toEqual(NOT_UPLOADED);
    expect(await rowOf(id)).toMatchObject({ status: 'FILE_UPLOAD_STATUS_EXPIRED', object: null });
  });

  test('does not confirm an upload whose time ends while its bytes are read', async () => {
    const id = await reserve();
    storage.upload(keyOf(id), PDF);
    storage.before = (call) => void (call === 'read' && setClockOffset(24 * HOUR_MS));
    expect(reason(await confirm(id))).toEqual(NOT_UPLOADED);
    expect(await rowOf(id)).toMatchObject({ status: 'FILE_UPLOAD_STATUS_RESERVED', object: null });
  });
});
