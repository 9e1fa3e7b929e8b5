/** What the deletion of a tenant meets: work that has begun, uploads that still arrive, other tenants. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { atOffset, type DiskBed, openDiskBed, PDF, postForm } from '../../scripts/world/disk-storage.ts';
import { reservationRow } from '../../scripts/world/file-row.ts';
import { accept, killedInTurn, pausing } from '../../scripts/world/ingest.ts';
import { endpointRow, TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { sweepFiles } from '../files/sweep-files.ts';
import { applyIngest } from '../ingest/apply/apply-ingest.ts';
import { now } from '../runtime/clock.ts';
import { uploadKey } from '../storage/storage.ts';
import { removeTenant, TENANT_COLLECTIONS } from './tenant.ts';

const { store } = await testDeployment();
const never = new AbortController().signal;
let disk: DiskBed;
beforeAll(async () => {
  disk = await openDiskBed();
});
afterAll(() => disk.stop());

async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const counts = TENANT_COLLECTIONS.map(async (name) => {
    return [name, await store.db.collection(name).countDocuments({ tenant_id: tenantId })] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
}

test('a batch that is being applied ends, and leaves nothing behind', async () => {
  const tenant = await TestTenant.create(store);
  const records = Array.from({ length: 6 }, (_, i) => ({ external_id: `P${i}`, last_name: `Лицо ${i}` }));
  await accept(store, tenant.id, { pair: 'KEDO/PERSONS', records, chunkRecords: 2 });
  // Before the first rows of the second chunk are written.
  const { store: paused, paused: reached, goOn } = pausing(store, 6);
  const applying = applyIngest(paused, tenant.id, never);
  await reached;
  const removing = removeTenant(store, tenant.id);
  goOn();
  await Promise.all([applying, removing]);
  await removeTenant(store, tenant.id);
  expect(await rowsOf(tenant.id)).toEqual({});
});

test('killed before each of its writes in turn, it ends; other tenants keep everything', async () => {
  const [tenant, other] = [await TestTenant.create(store), await TestTenant.create(store)];
  for (const each of [tenant, other]) {
    await each.employee();
    await each.key();
    await store.webhook_endpoints.insertOne(endpointRow({ tenant_id: each.id }));
  }
  const before = await rowsOf(other.id);
  const removal = { storage: disk.storage };
  const kills = await killedInTurn(store, (dying) => removeTenant(dying, tenant.id, removal));
  expect(kills).toBeGreaterThan(3);
  expect(await rowsOf(tenant.id)).toEqual({});
  expect(await rowsOf(other.id)).toEqual(before);
});

test('bytes that arrive by a form of before are removed by the sweeper, and the row of their upload', async () => {
  const tenant = await TestTenant.create(store);
  const sent = { owner_id: tenant.ownerId, filename: 'Тайна.pdf', sweep_at: now() };
  const row = reservationRow({ _id: 'late', tenant_id: tenant.id, ...sent });
  await store.files.insertOne(row);
  const { _id } = row;
  const key = uploadKey(tenant.id, _id);
  const form = await disk.storage.uploadForm(key, PDF, 100, 900_000);
  await removeTenant(store, tenant.id, { storage: disk.storage });
  expect(JSON.stringify(await store.files.findOne({ _id }))).not.toContain('Тайна');
  // Repeated, it leaves to the sweeper what is the sweeper's.
  await removeTenant(store, tenant.id, { storage: disk.storage });
  expect(await postForm(form, '%PDF-late')).toBe(204);
  await atOffset(61 * 60_000, () => sweepFiles(store, disk.storage, never));
  expect([await disk.storage.latest(key), await rowsOf(tenant.id)]).toEqual([undefined, {}]);
});
