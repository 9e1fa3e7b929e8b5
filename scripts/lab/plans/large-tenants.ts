/** Measures what lists of employees and of documents, and searches, cost the database in a large tenant. */

import { randomUUID } from 'node:crypto';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { randomOf } from '../../kit/random.ts';
import { inventTenant } from '../../operate/seed/tenant.ts';
import { writeTenant } from '../../operate/seed/write.ts';
import { TenantFixture } from '../../world/documents.ts';
import { measuring } from '../bench/measuring.ts';
import { finding, type Scenario, size } from '../scenario.ts';
import { asOwner, type Costs, measured, type Profile } from './cost.ts';
import { insertDocuments, inventDocuments, typesIn } from './tenants.ts';

async function seedEmployees(store: Store, employees: number): Promise<string> {
  const invented = inventTenant({ name: 'big', seed: '1', employees });
  await writeTenant(store, invented);
  await createIndexes(store);
  return invented.tenant._id;
}

const CHANGED = [600_000, 10_000, 10] as const;

/**
 * Changes the newest or the oldest 10, 10,000 and 600,000 of a million employees (or the same shares of another total),
 * so that these are the ones that changed last.
 * @returns for each of these numbers, the time since which that many have changed
 */
async function change(store: Store, tenantId: string, end: 'newest' | 'oldest', total: number) {
  const filter = { tenant_id: tenantId, listed: true };
  // Without its indexes, a large number of rows is changed in a fraction of the time.
  for (const { name, key } of await store.employees.listIndexes().toArray()) {
    if ('update_time' in key) await store.employees.dropIndex(name);
  }
  const base = Date.parse(end === 'newest' ? '2027-01-01T00:00:00Z' : '2027-02-01T00:00:00Z');
  const direction = end === 'newest' ? -1 : 1;
  const since: { readonly count: number; readonly at: Date }[] = [];
  for (const [i, of] of CHANGED.entries()) {
    const count = of === 10 ? 10 : Math.max(20, Math.round((of * Math.min(total, 1_000_000)) / 1_000_000));
    const at = new Date(base + i * 60_000);
    const [edge] = await store.employees
      .find(filter, { projection: { create_time: 1 } })
      .sort({ create_time: direction, _id: direction })
      .skip(count - 1)
      .limit(1)
      .toArray();
    const reach = edge?.create_time ?? new Date(0);
    const create_time = end === 'newest' ? { $gte: reach } : { $lte: reach };
    await store.employees.updateMany({ ...filter, create_time }, { $set: { update_time: at } });
    since.push({ count, at });
  }
  await createIndexes(store);
  return since.reverse();
}

const cold = (store: Store) => () => store.db.command({ planCacheClear: 'employees' }).catch(() => undefined);

/** Seeds employees, and measures. @param total how many */
async function measureEmployees(costs: Costs, total: number): Promise<void> {
  const { store } = costs;
  const tenantId = await seedEmployees(store, total);
  const all = await asOwner(store, tenantId, {});
  const departments = (await store.departments.find({ tenant_id: tenantId }).toArray()).map(({ _id }) => _id);
  const department_id = departments.slice(0, 100);
  const clear = cold(store);
  const list = (name: string, query: object, owner = all) =>
    costs.measure(`employees: ${name}`, owner.employees(query), clear);

  const status = ['EMPLOYEE_STATUS_LEAVE', 'EMPLOYEE_STATUS_ON_HOLD'] as const;
  for (const [name, query, filter] of [
    ['no filter', {}, {}],
    ['status', { status }, { status: { $in: [...status] } }],
    ['100 departments', { department_id }, { department_id: { $in: department_id } }],
    [
      'status, 100 departments',
      { status, department_id },
      { status: { $in: [...status] }, department_id: { $in: department_id } },
    ],
  ] as const) {
    await list(name, query);
    const page_token = await all.lastPage(query, filter);
    if (page_token !== undefined) await list(`${name}, last page`, { ...query, page_token });
  }
  for (const [name, query] of [
    ['', {}],
    [', status ACTIVE', { status: ['EMPLOYEE_STATUS_ACTIVE'] }],
    [', status ON_HOLD', { status: ['EMPLOYEE_STATUS_ON_HOLD'] }],
    [', 100 departments', { department_id }],
    [', status ACTIVE, 100 departments', { status: ['EMPLOYEE_STATUS_ACTIVE'], department_id }],
  ] as const) {
    await list(`total_count${name}`, { ...query, limit: 1, include_total: true });
  }
  await measureRestricted(costs, tenantId, departments);
  for (const end of ['newest', 'oldest'] as const) {
    await list(`updated_since, ${end}: 0`, { updated_since: '2028-01-01T00:00:00Z' });
    for (const { count, at } of await change(store, tenantId, end, total)) {
      const query = { updated_since: at.toISOString() };
      await list(`updated_since, ${end}: ${count}`, query);
      await list(`updated_since, ${end}: ${count}, limit 1000`, { ...query, limit: 1000 });
      await list(`updated_since, ${end}: ${count}, total_count`, { ...query, include_total: true });
      await list(`updated_since, ${end}: ${count}, 100 departments`, { ...query, department_id });
    }
  }
}

async function measureRestricted(costs: Costs, tenantId: string, departments: readonly string[]): Promise<void> {
  const { store } = costs;
  const report = await store.employees.findOne({ tenant_id: tenantId, listed: true, manager_id: { $gt: '' } });
  const manager = report?.manager_id ?? '';
  for (const count of [1, 150, 1_000, 2_500]) {
    const seen = departments.slice(0, count);
    if (seen.length < count && count > 150) continue;
    const profile = { employees: { all: false, departments: seen, reports: true, self: true } };
    const owner = await asOwner(store, tenantId, profile, manager);
    const list = (name: string, query: object) =>
      costs.measure(`employees: sees ${count} departments and reports${name}`, owner.employees(query), cold(store));
    await list('', {});
    await list(', total_count', { include_total: true });
    await list(', status ON_HOLD', { status: ['EMPLOYEE_STATUS_ON_HOLD'], include_total: true });
    await list(', since 2025-12', { updated_since: '2025-12-01T00:00:00Z', include_total: true });
  }
}

const COMMON = {
  sizes: [
    size('rounds', 'how often each call is made; the median counts', 3, 1),
    size('warm', '1: the database keeps its plans between calls', 0),
  ],
};

/** The scenario. */
export const largeEmployees: Scenario = {
  ...COMMON,
  name: 'large-employees',
  about: 'What lists of the employees of a large tenant cost the database (--employees 1000000).',
  finds: 'a list whose cost grows with the tenant',
  sizes: [size('employees', 'of the tenant', 20_000, 300), ...COMMON.sizes],
  run: measuring(async (options) => {
    return measured(options, (costs) => measureEmployees(costs, options.size('employees')).then(() => []));
  }),
};

const BATCH = 500;
/** Of which the last one is confidential. */
const TYPES = 12;
const EMPLOYEES = 500;

async function seedDocuments(store: Store, count: number) {
  const fixture = await TenantFixture.create(store);
  const { types, rare } = await typesIn(fixture, TYPES);
  const employees = Array.from({ length: EMPLOYEES }, () => randomUUID());
  const setting = { tenantId: fixture.id, count, types, rare, employees, random: randomOf('documents') };
  await insertDocuments(store, inventDocuments(setting), BATCH);
  await createIndexes(store);
  return { tenantId: fixture.id, types, rare, employee: employees[3] ?? '' };
}

/** Seeds documents, and measures. @param count how many */
async function measureDocuments(costs: Costs, count: number): Promise<void> {
  const { store } = costs;
  const { tenantId, types, rare, employee } = await seedDocuments(store, count);
  const as = (profile: Profile) => asOwner(store, tenantId, profile, employee);
  const owners = {
    all: await as({}),
    'all but confidential': await as({ documents: 'all_but_confidential' }),
    'a rare type, and own': await as({ document_types: [rare] }),
    own: await as({ documents: 'own' }),
    'own, of two types': await as({ documents: 'own', document_types: types.slice(0, 2) }),
  };
  const many = [...types, ...Array.from({ length: 87 }, () => randomUUID())];
  const queries: readonly (readonly [string, object])[] = [
    ['no filter', {}],
    ['a type', { type_id: [types[4]] }],
    ['the rare type', { type_id: [rare] }],
    ['100 types', { type_id: [rare, ...many] }],
    ['the newest day', { created_after: '2026-02-28T00:00:00Z' }],
    ['the newest day, the rare type', { created_after: '2026-02-28T00:00:00Z', type_id: [rare] }],
    ['search: common word', { search: 'приказ' }],
    ['search: one number', { search: `${Math.floor(count / 3)}-` }],
    ['search: only in the oldest, parts frequent', { search: 'Заявление о приёме' }],
    ['search: nowhere, parts frequent', { search: 'сказ о' }],
    ['search: nowhere, words swapped', { search: 'отпуск приказ о' }],
    ['search: nowhere, words common', { search: 'приказ о приёме на работу: Ахметов Ахметов' }],
    ['search: nowhere, 200 characters', { search: 'приказ о предоставлении отпуска '.repeat(7).slice(0, 200) }],
    ['search: nowhere, the rare type', { search: 'отпуск приказ о', type_id: [rare] }],
  ];
  for (const [who, owner] of Object.entries(owners)) {
    for (const [name, query] of queries) await costs.measure(`documents of ${who}: ${name}`, owner.documents(query));
  }
}

/** The time of one insertion with all indexes, in milliseconds. The rows are removed again. */
async function insertionMs(store: Store): Promise<number> {
  const found = await store.documents.find({}).limit(200).toArray();
  const rows = found.map((row) => ({ ...row, _id: randomUUID() }));
  const startedAt = performance.now();
  for (const row of rows) await store.documents.insertOne(row);
  const took = performance.now() - startedAt;
  await store.documents.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return took / rows.length;
}

/** The scenario. */
export const largeDocuments: Scenario = {
  ...COMMON,
  name: 'large-documents',
  about: 'What lists of documents, and searches in them, cost the database (--documents 1000000).',
  finds: 'a search whose cost grows with the tenant',
  sizes: [size('documents', 'of the tenant', 20_000, 300), ...COMMON.sizes],
  run: measuring(async (options) => {
    return measured(options, async (costs) => {
      await measureDocuments(costs, options.size('documents'));
      return [finding('an insertion with all indexes', await insertionMs(costs.store), 'ms')];
    });
  }),
};
