/**
 * The process that applies a batch is killed at every single write, before it or in its middle, and another one applies
 * the batch again: the state, the outcomes and the events are the same as without the crash.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { accept, mortal, ProcessKilled, type TestBatch } from '../../../scripts/world/ingest.ts';
import { TestTenant } from '../../../scripts/world/tenant.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { CollectionName, Store } from '../../data/store.ts';
import { todayIn } from '../../runtime/day.ts';
import { applyIngest } from './apply-ingest.ts';

const { store } = await testDeployment();
const stopping = new AbortController().signal;
let tenant: TestTenant;

const WRITTEN: readonly CollectionName[] = [
  ...(['persons', 'employees', 'departments', 'organizations', 'job_titles', 'external_bindings'] as const),
  ...(['ingest_requests', 'ingest_chunks', 'ingest_outcomes'] as const),
];

const person = (id: string, name: string) => ({ external_id: id, last_name: name, gender: 'F' });
const employee = (id: string, personId: string, more: object = {}) => ({
  external_id: id,
  number: id,
  admission_date: '2020-01-01',
  external_person_id: personId,
  external_organization_id: 'O',
  external_department_id: 'D1',
  external_job_title_id: 'J',
  ...more,
});
const ledger = (number: string, person: object, more: object = {}) => ({
  ТабельныйНомер: number,
  'Организация.Ссылка': 'O',
  'Подразделение.Ссылка': 'l',
  ФизЛицо: person,
  ...more,
});

/** Batches of every pair; each creates, changes, leaves unchanged and skips. In chunks of two records. `left`: a number. */
const batches: readonly (TestBatch & { readonly left?: string })[] = [
  {
    pair: 'KEDO/ORGANIZATIONS',
    records: [
      { external_id: 'O', title: 'А', bin: '1' },
      { external_id: 'O2', title: 'Б' },
    ],
  },
  {
    pair: 'KEDO/ORGANIZATIONS',
    records: [
      { external_id: 'O', title: 'В' },
      { external_id: 'O2', title: 'Б' },
    ],
  },
  { pair: 'KEDO/JOB_TITLES', records: [{ external_id: 'J', title: 'А' }, { external_id: 'J', title: 'Б' }, {}] },
  {
    pair: 'KEDO/DEPARTMENTS',
    records: [
      { external_id: 'D3', title: 'В', external_parent_id: 'D2' },
      { external_id: 'D2', title: 'Б', external_parent_id: 'D1', external_organization_id: 'O' },
      { external_id: 'D1', title: 'А' },
      { external_id: 'X', external_parent_id: 'X' },
    ],
  },
  {
    pair: 'KEDO/DEPARTMENTS',
    records: [
      { external_id: 'D2', external_parent_id: '' },
      { external_id: 'D4', title: 'Г', external_parent_id: 'D3' },
      { external_id: 'D1', external_parent_id: 'D5' },
      { external_id: 'D5', title: 'Д', external_parent_id: 'D1' },
    ],
  },
  { pair: 'KEDO/PERSONS', records: [person('P1', 'А'), person('P2', 'Б'), person('P3', 'В')] },
  {
    pair: 'KEDO/EMPLOYEES',
    records: [
      employee('E1', 'P1'),
      employee('E2', 'P2'),
      employee('E3', 'P1', { external_department_id: 'no' }),
      employee('E4', 'P3'),
    ],
  },
  { pair: 'KEDO/PERSONS', records: [person('P1', 'Я'), person('P2', 'Б'), { external_id: 'P3', gender: 'M' }] },
  {
    pair: 'KEDO/EMPLOYEES',
    records: [
      employee('E1', 'P1', { left_date: '2020-02-02' }),
      employee('E2', 'P3'),
      employee('E4', 'P3', { available_vacation_day_count: '3' }),
      employee('E5', 'P2'),
    ],
  },
  {
    pair: 'LEDGER/DEPARTMENTS',
    records: [
      { external_id: 'L', Ссылка: 'l', Наименование: 'Л', 'Родитель.Ссылка': 'm' },
      { external_id: 'M', Ссылка: 'm' },
      {},
    ],
  },
  {
    pair: 'LEDGER/EMPLOYEES_FULL',
    records: [
      ledger('1', { Имя: 'А', ИИН: '990701650036', external_id: 'P' }, { external_id: 'E' }),
      ledger('2', { Имя: 'Б' }),
      ledger('3', { Имя: 'В', ИИН: '990701650036' }, { 'Должность.Ссылка': 'no' }),
    ],
  },
  {
    pair: 'LEDGER/EMPLOYEES_FULL',
    records: [
      ledger('4', { Имя: 'Г', ИИН: '990701650037', external_id: 'Q' }, { external_id: 'E' }),
      ledger('2', { Имя: 'Д', ИИН: '990701650038' }),
      ledger('3', { Имя: 'Е', ИИН: '990701650036' }, { ДатаПриема: '2021-01-01' }),
    ],
  },
  {
    pair: 'LEDGER/EMPLOYEES_FULL',
    records: [
      ledger('2', { ИИН: '990701650039' }),
      ledger('3', {}, { external_id: 'F' }),
      ledger('5', { ИИН: '990701650038' }),
      ledger('6', { Имя: 'Ж', ИИН: '990701650039' }),
    ],
  },
  { pair: 'LEDGER/DEPARTMENTS', records: [{ Ссылка: 'm' }, { external_id: 'N', Ссылка: 'm', 'Родитель.Ссылка': 'l' }] },
  {
    pair: 'LEDGER/EMPLOYEES_FULL',
    records: [
      { ТабельныйНомер: '9', ФизЛицо: { Фамилия: 'З', Имя: 'З' } },
      ledger('10', { Фамилия: 'И', Имя: 'И', ИИН: '990701650040' }),
      ledger('11', { Фамилия: 'И', Имя: 'И', ИИН: '990701650040' }),
    ],
  },
  // Two forms of a number, a number held by another one, a new IIN of two jobs, a successor.
  {
    pair: 'LEDGER/EMPLOYEES_FULL',
    left: '2',
    records: [
      ledger('9', { Фамилия: 'З', Имя: 'З' }),
      ledger('9', { Фамилия: 'К', Имя: 'К' }, { external_id: 'G' }),
      ledger('10', { Фамилия: 'И', Имя: 'И', ИИН: '990701650041' }),
      ledger('11', { Фамилия: 'И', Имя: 'И', ИИН: '990701650041' }),
      ledger('2', { Фамилия: 'Л', Имя: 'Л', ИИН: '990701650042' }),
    ],
  },
  { pair: 'LEDGER/VACATIONS', records: [{}, {}] },
];

beforeAll(async () => {
  tenant = await TestTenant.create(store);
});

type State = Readonly<Record<string, readonly Record<string, unknown>[]>>;

async function stateOf(): Promise<State> {
  const rows = await Promise.all(WRITTEN.map((name) => store.db.collection(name).find({}).sort({ _id: 1 }).toArray()));
  return Object.fromEntries(WRITTEN.map((name, place) => [name, rows[place] ?? []]));
}

/** Restores a state. @param present the present state; collections that are right already are left alone */
async function restore(state: State, present: State): Promise<void> {
  for (const name of WRITTEN) {
    if (JSON.stringify(state[name]) === JSON.stringify(present[name])) continue;
    await store.db.collection(name).deleteMany({});
    const rows = state[name] ?? [];
    if (rows.length > 0) await store.db.collection(name).insertMany(rows as never[]);
  }
}

/** What two runs must have in common: without times and ids of events, which differ in each run. */
function comparable(state: State): unknown {
  return JSON.parse(
    JSON.stringify(state, (name, value: unknown) => {
      if (name.endsWith('_time') || name === 'started_at' || name === 'ended_at' || name === 'occurred_at')
        return undefined;
      if (name === 'outbox_at') return value !== null;
      if (name === 'pending_events') return (value as { type: string }[]).map(({ type }) => type);
      return value;
    }),
  );
}

async function apply(from: Store): Promise<void> {
  await applyIngest(from, tenant.id, stopping);
}

async function leaves(employee_number: string): Promise<void> {
  const $set = { status: 'EMPLOYEE_STATUS_TERMINATED', status_due_on: '' } as const;
  await store.employees.updateMany({ tenant_id: tenant.id, employee_number }, { $set });
}

/** Ends the lease of a dead process. */
async function leaseEnds(): Promise<void> {
  await store.ingest_requests.updateMany({}, { $set: { lease_until: new Date(0) } });
}

test('after a kill at any write the next process reaches the same result as without a kill', async () => {
  const id = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
  let crashes = 0;
  for (const [place, batch] of batches.entries()) {
    if (batch.left !== undefined) await leaves(batch.left);
    await accept(store, tenant.id, { ...batch, chunkRecords: 2, id: id(place) });
    const before = await stateOf();
    const watched = mortal(store, Number.POSITIVE_INFINITY, 'before');
    await apply(watched.store);
    const after = await stateOf();
    let present = after;
    const kills = Array.from({ length: watched.writes() }, (_, n) => ({ write: n + 1, where: 'before' as const }));
    for (const kill of [...kills, ...watched.bulks.map((write) => ({ write, where: 'middle' as const }))]) {
      await restore(before, present);
      await expect(apply(mortal(store, kill.write, kill.where).store)).rejects.toThrow(ProcessKilled);
      await leaseEnds();
      await apply(store);
      present = await stateOf();
      expect({ batch, kill, state: comparable(present) }).toEqual({ batch, kill, state: comparable(after) });
      crashes++;
    }
    await restore(after, present);
  }
  expect(crashes).toBeGreaterThan(100);
  // Both forms of the number, the successor, and the one who has a number beside its holder.
  const bindings = await store.external_bindings.find({ source_type: 'LEDGER' }).toArray();
  const employees = bindings.filter(({ kind }) => kind === 'EMPLOYEE');
  const ofNine = employees.filter(({ external_id }) => ['9', 'O/9'].includes(external_id));
  expect(new Set(ofNine.map(({ object_id }) => object_id)).size).toBe(1);
  expect(ofNine.flatMap(({ others = [] }) => others)).toHaveLength(1);
  expect(employees.filter(({ external_id }) => external_id === 'O/2')).toHaveLength(2);
  expect(bindings.filter(({ external_id }) => /^99070165004[01]$/.test(external_id))).toHaveLength(1);
  expect(todayIn('Asia/Almaty') > '2020-02-02').toBe(true);
});
