/**
 * `npm run bench:plans`: what lists of a large tenant cost the database: milliseconds, keys and documents examined. The
 * handlers run in this process; what the database examined it tells itself, by `explain` of each command that was sent.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listDocuments } from '../../handlers/documents/listDocuments.ts';
import { World } from '../../handlers/documents/testing.ts';
import { listEmployees } from '../../handlers/employees/listEmployees.ts';
import { callerOf, findCredentials } from '../../handlers/runtime/caller.ts';
import { hashKey, newKey, shownPrefix } from '../../handlers/runtime/keys.ts';
import { pageTokens } from '../../handlers/runtime/page.ts';
import { createIndexes, type DocumentRow, type PermissionProfile, type Store } from '../../handlers/runtime/store.ts';
import { examinedBy, openWatched, type WatchedStore } from '../../handlers/runtime/testing/examined.ts';
import { SEES_ALL } from '../../handlers/runtime/testing/tenant.ts';
import { randomOf } from '../seed/random.ts';
import { inventTenant, tenantIdOf } from '../seed/tenant.ts';
import { writeTenant } from '../seed/write.ts';
import { startEmbedded } from '../start/embedded.ts';
import { inventDocuments } from './invented-documents.ts';

const HELP = `Usage: npm run bench:plans -- [options]

Seeds one tenant with employees and documents, and prints what lists of them cost the database.

  --employees N     how many employees (default 20000; 0 for none)
  --documents N     how many documents (default 20000; 0 for none)
  --only TEXT       only the measurements whose name contains the text
  --database NAME   keeps the data in this database; a further run with the same numbers measures at once
  --json            prints JSON instead of a table

The database is MONGODB_URI, or an embedded one that is removed afterwards. Each measurement is made three times; the
median counts. A million of each on a MongoDB takes about ten minutes the first time.`;

const TIMEOUT_MS = 60 * 60 * 1000;
const ROUNDS = 3;
const BATCH = 500;
const tokens = pageTokens([new Uint8Array(32).fill(7)]);

interface Line {
  readonly name: string;
  readonly outcome: string;
  readonly rows: number;
  readonly ms: number;
  readonly keys: number;
  readonly documents: number;
}

type Call = () => Promise<readonly unknown[]>;

/** Who asks in the tenant. */
type Profile = Partial<PermissionProfile>;

class Bench {
  readonly lines: Line[] = [];
  readonly store: Store;
  private readonly watched: WatchedStore;
  private readonly only: string;
  private readonly isJson: boolean;

  constructor(watched: WatchedStore, only: string, isJson: boolean) {
    this.watched = watched;
    this.store = watched.store;
    this.only = only;
    this.isJson = isJson;
  }

  /** Runs a call and notes what it cost. @param before done before each round, outside of what is measured */
  async measure(name: string, call: Call, before: () => Promise<unknown> = async () => {}): Promise<void> {
    if (!name.includes(this.only)) return;
    const times: number[] = [];
    let rows = 0;
    let outcome = '';
    for (let round = 0; round < ROUNDS; round++) {
      await before();
      this.watched.take();
      const startedAt = performance.now();
      await call().then(
        (found) => {
          rows = found.length;
        },
        (error: { code?: unknown; errorName?: unknown }) => {
          outcome = String(error.errorName ?? error.code ?? error);
        },
      );
      times.push(performance.now() - startedAt);
    }
    let [keys, documents] = [0, 0];
    for (const sent of this.watched.take()) {
      const examined = await examinedBy(this.store, sent);
      keys += examined.keys;
      documents += examined.documents;
    }
    const [, ms = 0] = times.sort((a, b) => a - b);
    const line = { name, outcome, rows, ms: Math.round(ms), keys, documents };
    this.lines.push(line);
    if (!this.isJson) console.log(written(line));
  }
}

function written({ name, outcome, rows, ms, keys, documents }: Line): string {
  const numbers = [rows, ms, keys, documents].map((value) => String(value).padStart(9)).join('');
  return `${name.padEnd(58)}${numbers}  ${outcome}`;
}

/** Calls lists as an owner with the profile would. */
async function asOwner(store: Store, tenantId: string, profile: Profile, employeeId = '') {
  const times = { create_time: new Date(), update_time: new Date() };
  const owner_id = randomUUID();
  await store.users.insertOne({
    ...{ _id: owner_id, tenant_id: tenantId, label: 'bench', employee_id: employeeId, super_admin: false },
    ...{ profile: { ...SEES_ALL, ...profile }, removed_at: null, ...times },
  });
  const secret = newKey('bench');
  await store.api_keys.insertOne({
    ...{ _id: randomUUID(), tenant_id: tenantId, owner_id, name: 'bench', prefix: shownPrefix(secret) },
    ...{ key_hash: hashKey(secret), scopes: ['employees:read', 'documents:read'], created_by_super_admin: false },
    ...{ active: true, revoked_at: null, expires_at: null, last_used_at: null, create_time: new Date() },
  });
  const credentials = await findCredentials(store, secret);
  if (credentials === undefined) throw new Error('the key of the bench is not valid');
  const caller = callerOf(credentials, store, tokens);
  return {
    employees:
      (query: object): Call =>
      async () =>
        (await listEmployees({ caller, query: { limit: 100, ...query } } as never)).employees,
    documents:
      (query: object): Call =>
      async () =>
        (await listDocuments({ caller, query: { limit: 100, ...query } } as never)).documents,
  };
}

async function seedEmployees(store: Store, employees: number): Promise<string> {
  const plan = { name: 'big', seed: '1', employees };
  const tenantId = tenantIdOf(plan);
  if ((await store.tenants.findOne({ _id: tenantId })) === null) await writeTenant(store, inventTenant(plan));
  await createIndexes(store);
  return tenantId;
}

const CHANGED = [600_000, 10_000, 10] as const;

/**
 * Makes the newest or the oldest 10, 10,000 and 600,000 of a million (or as large shares) those that changed last.
 * @returns since when it is so many
 */
async function change(store: Store, tenantId: string, side: 'newest' | 'oldest', total: number) {
  const filter = { tenant_id: tenantId, listed: true };
  // Without its indexes a mass of rows is changed in a fraction of the time.
  for (const { name, key } of await store.employees.listIndexes().toArray()) {
    if ('update_time' in key) await store.employees.dropIndex(name);
  }
  const base = Date.parse(side === 'newest' ? '2027-01-01T00:00:00Z' : '2027-02-01T00:00:00Z');
  const direction = side === 'newest' ? -1 : 1;
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
    const create_time = side === 'newest' ? { $gte: reach } : { $lte: reach };
    await store.employees.updateMany({ ...filter, create_time }, { $set: { update_time: at } });
    since.push({ count, at });
  }
  await createIndexes(store);
  return since.reverse();
}

const cold = (store: Store) => () => store.db.command({ planCacheClear: 'employees' }).catch(() => undefined);

async function benchEmployees(bench: Bench, total: number): Promise<void> {
  const { store } = bench;
  const tenantId = await seedEmployees(store, total);
  const all = await asOwner(store, tenantId, {});
  const departments = (await store.departments.find({ tenant_id: tenantId }).toArray()).map(({ _id }) => _id);
  const department_id = departments.slice(0, 100);
  const clear = cold(store);
  const list = (name: string, query: object, owner = all) =>
    bench.measure(`employees: ${name}`, owner.employees(query), clear);

  await list('no filter', {});
  await list('status', { status: ['EMPLOYEE_STATUS_LEAVE', 'EMPLOYEE_STATUS_ON_HOLD'] });
  await list('100 departments', { department_id });
  await list('status, 100 departments', { status: ['EMPLOYEE_STATUS_LEAVE'], department_id });
  for (const [name, query] of [
    ['', {}],
    [', status ACTIVE', { status: ['EMPLOYEE_STATUS_ACTIVE'] }],
    [', status ON_HOLD', { status: ['EMPLOYEE_STATUS_ON_HOLD'] }],
    [', 100 departments', { department_id }],
    [', status ACTIVE, 100 departments', { status: ['EMPLOYEE_STATUS_ACTIVE'], department_id }],
  ] as const) {
    await list(`total_count${name}`, { ...query, limit: 1, include_total: true });
  }
  await benchRestricted(bench, tenantId, departments);
  for (const side of ['newest', 'oldest'] as const) {
    await list(`updated_since, ${side}: 0`, { updated_since: '2028-01-01T00:00:00Z' });
    for (const { count, at } of await change(store, tenantId, side, total)) {
      const query = { updated_since: at.toISOString() };
      await list(`updated_since, ${side}: ${count}`, query);
      await list(`updated_since, ${side}: ${count}, limit 1000`, { ...query, limit: 1000 });
      await list(`updated_since, ${side}: ${count}, total_count`, { ...query, include_total: true });
      await list(`updated_since, ${side}: ${count}, 100 departments`, { ...query, department_id });
    }
  }
}

async function benchRestricted(bench: Bench, tenantId: string, departments: readonly string[]): Promise<void> {
  const { store } = bench;
  const report = await store.employees.findOne({ tenant_id: tenantId, listed: true, manager_id: { $gt: '' } });
  const manager = report?.manager_id ?? '';
  for (const count of [1, 150, 1_000, 2_500]) {
    const seen = departments.slice(0, count);
    if (seen.length < count && count > 150) continue;
    const profile = { employees: { all: false, departments: seen, reports: true, self: true } };
    const owner = await asOwner(store, tenantId, profile, manager);
    const list = (name: string, query: object) =>
      bench.measure(`employees: sees ${count} departments and reports${name}`, owner.employees(query), cold(store));
    await list('', {});
    await list(', total_count', { include_total: true });
    await list(', status ON_HOLD', { status: ['EMPLOYEE_STATUS_ON_HOLD'], include_total: true });
    await list(', since 2025-12', { updated_since: '2025-12-01T00:00:00Z', include_total: true });
  }
}

interface DocumentTenant {
  readonly tenantId: string;
  readonly types: readonly string[];
  readonly rare: string;
  readonly employee: string;
}

async function seedDocuments(store: Store, count: number): Promise<DocumentTenant> {
  const kept = store.db.collection<DocumentTenant & { _id: string }>('bench');
  const there = await kept.findOne({ _id: `documents-${count}` });
  if (there !== null) {
    await createIndexes(store);
    return there;
  }
  const world = await World.create(store);
  const types = await Promise.all(
    Array.from({ length: 12 }, (_, i) => world.type({ title: `Тип ${i}`, confidential: i === 11 })),
  );
  const rare = await world.type({ title: 'Редкий тип' });
  const employees = await Promise.all(Array.from({ length: 500 }, () => world.tenant.employee()));
  const setting = { tenantId: world.tenant.id, count, types, rare, employees, random: randomOf('documents') };
  let batch: DocumentRow[] = [];
  for (const row of inventDocuments(setting)) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await store.documents.insertMany(batch, { ordered: false });
    batch = [];
  }
  if (batch.length > 0) await store.documents.insertMany(batch, { ordered: false });
  await createIndexes(store);
  const made = { tenantId: world.tenant.id, types, rare, employee: employees[3] ?? '' };
  await kept.insertOne({ _id: `documents-${count}`, ...made });
  return made;
}

async function benchDocuments(bench: Bench, count: number): Promise<void> {
  const { store } = bench;
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
    for (const [name, query] of queries) await bench.measure(`documents of ${who}: ${name}`, owner.documents(query));
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      employees: { type: 'string', default: '20000' },
      documents: { type: 'string', default: '20000' },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void console.log(HELP);
  const scratch = mkdtempSync(join(tmpdir(), 'bench-plans-'));
  const embedded = process.env.MONGODB_URI === undefined ? await startEmbedded(scratch) : undefined;
  const uri = embedded?.uri ?? process.env.MONGODB_URI ?? '';
  const watched = await openWatched(uri, values.database ?? `bench_${randomUUID().slice(0, 8)}`, TIMEOUT_MS);
  const bench = new Bench(watched, values.only, values.json);
  try {
    const heads = ['rows', 'ms', 'keys', 'documents'].map((head) => head.padStart(9)).join('');
    if (!values.json) console.log(`${''.padEnd(58)}${heads}`);
    if (Number(values.employees) > 0) await benchEmployees(bench, Number(values.employees));
    if (Number(values.documents) > 0) await benchDocuments(bench, Number(values.documents));
    if (values.json) console.log(JSON.stringify(bench.lines, null, 2));
  } finally {
    if (values.database === undefined) await watched.store.db.dropDatabase();
    await watched.store.close();
    await embedded?.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

await main();
