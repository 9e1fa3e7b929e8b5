/** Uploads on real processes: the form, storage on disk, and sweeping that follows the control clock. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { ask } from '../../scripts/testbed/ask.ts';
import { OwnDatabase } from '../../scripts/testbed/database.ts';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { askClock, type RunningServer } from '../../scripts/testbed/server.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeploymentOn } from '../../scripts/testbed/test-deployment.ts';
import type { FileRow } from '../data/collections/files.ts';

const HOUR_MS = 60 * 60 * 1000;
const deployment = await testDeploymentOn(new OwnDatabase());
const { database, store } = deployment;
const folder = join(deployment.folder, 'files');
let servers: RunningServer[];
let key: string;

beforeAll(async () => {
  const tenant = await TestTenant.create(store);
  key = await tenant.key();
  servers = await Promise.all([deployment.start(), deployment.start({ DATABASE_TIMEOUT_MS: '2000' })]);
});

const post = async (server: RunningServer | undefined, path: string, body: object) =>
  (await ask('POST', `${server?.url}/developer/v1${path}`, key, body)).body;

const reserve = () =>
  post(servers[0], '/files', { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 100 });

async function send({ url, fields }: { url: string; fields: Record<string, string> }, bytes: string): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'a.pdf');
  const answer = await fetch(url, { method: 'POST', body: form });
  expect(answer.status).toBe(204);
}

async function moveClocks(offset_ms: number): Promise<void> {
  for (const { controlUrl } of servers) {
    await askClock({ controlUrl }, { offset_ms });
  }
}

/** How many versions are in the storage's folder. */
const versions = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

/** Waits until the row is as it should be. */
const becomes = (id: string, is: (row: FileRow) => boolean) =>
  eventually('the sweeper', async () => {
    const row = await store.files.findOne({ _id: id });
    return row !== null && is(row) ? row : undefined;
  });

test('the sweeper removes other versions, a forgotten upload and an unused one, each when its time comes', async () => {
  const [confirmed, forgotten] = [await reserve(), await reserve()];
  await send(confirmed.upload, '%PDF-1.7 first');
  await send(confirmed.upload, '%PDF-1.7 pinned');
  await send(forgotten.upload, '%PDF-1.7 never confirmed');
  const { id } = confirmed.file;
  const answer = await post(servers[1], `/files/${id}/_confirm`, {});
  expect(answer.file).toEqual({ ...confirmed.file, status: 'FILE_UPLOAD_STATUS_UPLOADED', size_bytes: '15' });
  await send(confirmed.upload, '%PDF-1.7 too late');
  expect(await post(servers[0], `/files/${id}/_confirm`, {})).toEqual(answer);

  expect(versions()).toBe(4);
  await moveClocks(2 * HOUR_MS);
  const trimmed = await becomes(id, (row) => (row.sweep_at?.getTime() ?? 0) > Date.now() + 24 * HOUR_MS);
  expect(versions()).toBe(2);
  expect(trimmed).toMatchObject({ status: 'FILE_UPLOAD_STATUS_UPLOADED', object: { size_bytes: 15 } });

  await moveClocks(25 * HOUR_MS);
  await becomes(forgotten.file.id, (row) => row.status === 'FILE_UPLOAD_STATUS_EXPIRED' && row.sweep_at === null);
  expect(versions()).toBe(1);
  const late = await post(servers[0], `/files/${forgotten.file.id}/_confirm`, {});
  expect(late.details[0].reason).toBe('FILE.NOT_UPLOADED');

  await moveClocks(31 * 24 * HOUR_MS);
  await eventually('removal', async () => ((await store.files.findOne({ _id: id })) === null ? true : undefined));
  expect(versions()).toBe(0);
  await moveClocks(0);
});

test('an outage of the database only delays sweeping', async () => {
  const { file } = await reserve();
  await database.kill();
  await moveClocks(25 * HOUR_MS);
  await eventually('its absence in a log', () =>
    servers.some((server) => server.log().some(({ work }) => work === 'recurring_work')) ? true : undefined,
  );
  await database.start();
  const gone = (row: FileRow) => row.status === 'FILE_UPLOAD_STATUS_EXPIRED';
  await eventually('the store of the test', () => store.db.command({ ping: 1 }).catch(() => undefined));
  expect((await becomes(file.id, gone)).object).toBeNull();
  await moveClocks(0);
});
