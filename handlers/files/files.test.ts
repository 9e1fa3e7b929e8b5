/** Reserving and confirming over HTTP, with storage in memory that can be made to fail at any call. */

import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type JsonAnswer } from '../../scripts/world/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { FileRow } from '../data/collections/files.ts';
import * as served from '../index.ts';
import { setClockOffset } from '../runtime/clock.ts';
import { uploadKey } from '../storage/storage.ts';
import { holdsPdfStart } from './upload.ts';

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
const confirm = (id: string) => post(`/files/${id}/_confirm`);
const reason = ({ status, reason: said }: JsonAnswer) => [status, said];
const rowOf = async (id: string) => (await store.files.findOne({ _id: id })) as FileRow;
const keyOf = (id: string) => uploadKey(tenant.id, id);
const sha256 = (bytes: string | Buffer) => hash('sha256', bytes, 'hex');

const NOT_UPLOADED = [400, 'FILE.NOT_UPLOADED'];

test('a reservation answers 503 and reserves nothing while storage is down', async () => {
  const before = await store.files.countDocuments({});
  storage.down = true;
  expect(reason(await post('/files', ASKED))).toEqual([503, 'UNAVAILABLE']);
  expect(await store.files.countDocuments({})).toBe(before);
});

test('a reservation is swept after a day, and a confirmed upload when its form cannot be used any more', async () => {
  const id = await reserve();
  const reserved = await rowOf(id);
  expect(reserved.sweep_at).toEqual(new Date(reserved.create_time.getTime() + 24 * HOUR_MS));
  const version = storage.upload(keyOf(id), PDF);
  expect((await confirm(id)).status).toBe(200);
  const { object, sweep_at } = await rowOf(id);
  expect(object).toEqual({ key: keyOf(id), version, size_bytes: PDF.length, sha256: sha256(PDF) });
  expect(sweep_at).toEqual(new Date(reserved.create_time.getTime() + HOUR_MS));
});

test('bytes that begin almost as a PDF does are none', () => {
  expect(holdsPdfStart(Buffer.from('%PDF 1.7'))).toBe(false);
});

describe('confirmFile', () => {
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
        turn = mine.then(() => setImmediate());
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
