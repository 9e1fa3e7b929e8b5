import { describe, expect, test } from '@jest/globals';
import type { Store } from '../../../handlers/data/store.ts';
import { TENANT_COLLECTIONS } from '../../../handlers/leaving/tenant.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { requireInventedAllowed, seedTenant, tenantNames } from './main.ts';
import { inventTenant, tenantIdOf } from './tenant.ts';

const { store } = await testDeployment();

const plan = { name: 'written', seed: '1', employees: 900 };

async function counts(tenantId: string): Promise<Record<string, number>> {
  const pairs = TENANT_COLLECTIONS.map(async (name) => {
    return [name, await store.db.collection(name).countDocuments({ tenant_id: tenantId })] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

describe('seedTenant', () => {
  test('writes what was invented, row by row', async () => {
    const invented = inventTenant(plan);
    const lines: string[] = [];
    const seeded = await seedTenant(store, plan, { output: { write: (text) => lines.push(text) } });
    expect(seeded.tenant_id).toBe(tenantIdOf(plan));
    expect(lines.at(-1)).toContain('900 of 900');
    const rows = [...invented.batches()].flatMap(({ employees }) => employees);
    const stored = await store.employees.find({ tenant_id: seeded.tenant_id }).toArray();
    const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1);
    expect(stored.toSorted(byId)).toEqual(rows.toSorted(byId));
    expect(await store.tenants.findOne({ _id: seeded.tenant_id })).toEqual(invented.tenant);
  });

  test('a second time is refused, and nothing is changed', async () => {
    const before = await counts(tenantIdOf(plan));
    await expect(seedTenant(store, plan)).rejects.toThrow('--replace');
    expect(await counts(tenantIdOf(plan))).toEqual(before);
  });

  test('replacing removes the old rows, and no other tenant is changed', async () => {
    const other = await seedTenant(store, { ...plan, name: 'other', employees: 30 });
    const before = await counts(other.tenant_id);
    // Rows that an ingest or a subscription has made are also removed with the tenant.
    for (const name of ['external_bindings', 'deliveries'] as const) {
      await store.db.collection(name).insertOne({ tenant_id: tenantIdOf(plan) });
    }
    await seedTenant(store, { ...plan, employees: 50 }, { replace: true });
    expect(await counts(tenantIdOf(plan))).toMatchObject({ employees: 50, external_bindings: 0, deliveries: 0 });
    expect(await counts(other.tenant_id)).toEqual(before);
  });

  test('what an interrupted run left is replaced without --replace', async () => {
    const cut = { ...plan, name: 'cut' };
    await seedTenant(store, cut);
    // The tenant's own row is written last, so without it the run looks interrupted.
    await store.tenants.deleteOne({ _id: tenantIdOf(cut) });
    await seedTenant(store, { ...cut, employees: 40 });
    expect((await counts(tenantIdOf(cut))).employees).toBe(40);
  });
});

test.each([
  ['embedded', { modules: ['embedded-db'] }, {}],
  ['replica set', {}, { setName: 'rs' }],
])('a database that may hold real tenants is refused unless it is meant: %s', async (topology, build, hello) => {
  const command = async (asked: object) => ('hello' in asked ? hello : { version: '8.0.0', ...build });
  const store = { client: { db: () => ({ command }) } } as unknown as Store;
  const answer = requireInventedAllowed(store);
  if (topology === 'embedded') await expect(answer).resolves.toBeUndefined();
  else await expect(answer).rejects.toThrow(`This database (${topology}) is not the embedded one`);
  await expect(requireInventedAllowed(store, true)).resolves.toBeUndefined();
});

test('tenants of one run are numbered', () => {
  expect(tenantNames({ seed: '1', tenants: 3, name: 'x' })).toEqual(['x', 'x-2', 'x-3']);
  expect(tenantNames({ seed: '7', tenants: 1 })).toEqual(['seed-7']);
});
