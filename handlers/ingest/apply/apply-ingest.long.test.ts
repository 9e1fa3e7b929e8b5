/** Applying batches to a store: every pair, the order, several workers, and the state after a crash. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { accept, appliedAsChecked, pausing, type TestBatch } from '../../../scripts/world/ingest.ts';
import { racedStore } from '../../../scripts/world/racing-store.ts';
import { TestTenant } from '../../../scripts/world/tenant.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { ExternalBindingRow } from '../../data/collections/external_bindings.ts';
import type { IngestOutcomeRow } from '../../data/collections/ingest_outcomes.ts';
import { collectionsOf } from '../../data/store.ts';
import { newPerson } from '../../employees/write/person-rows.ts';
import { now } from '../../runtime/clock.ts';
import { applyIngest, overdueIngest } from './apply-ingest.ts';
import { takeNext } from './lease.ts';

const { database, store } = await testDeployment();
const stopping = new AbortController().signal;
const PERSONS = 'KEDO/PERSONS';
let tenant: TestTenant;

beforeEach(async () => {
  tenant = await TestTenant.create(store);
});

const mine = () => ({ tenant_id: tenant.id });

/** Accepts and applies a batch. @returns the outcome of each record */
const load = async (batch: TestBatch) => (await appliedAsChecked(store, tenant.id, batch)).map(worded);

/** Accepts a batch of one person, who is always the same. */
const acceptPerson = (last_name: string) =>
  accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', last_name }] });

async function outcomes(requestId: string): Promise<string[]> {
  const rows = await store.ingest_outcomes
    .find({ tenant_id: tenant.id, request_id: requestId })
    .sort({ index: 1 })
    .toArray();
  return rows.map(worded);
}

const worded = ({ outcome, reason, unresolved }: IngestOutcomeRow) =>
  [outcome, ...(reason && [`: ${reason}`]), ...(unresolved.length > 0 ? [` (${unresolved.join()})`] : [])].join('');

describe('departments of LEDGER with an external_id and a Ссылка', () => {
  const DEPARTMENTS = 'LEDGER/DEPARTMENTS';
  const department = (external_id: string, Ссылка: string, parent = '') => ({
    external_id,
    Ссылка,
    Наименование: external_id,
    'Родитель.Ссылка': parent,
  });
  /** Titles from each department up to the top. */
  async function chains(): Promise<string[]> {
    const rows = await store.departments.find(mine()).sort({ title: 1 }).toArray();
    const titles = new Map(rows.map(({ _id, title }) => [_id, title]));
    return rows.map(({ ancestor_ids }) => ancestor_ids.map((id) => titles.get(id)).join('<'));
  }
  /** The title of the department that an employee's record finds. */
  async function found(reference: string): Promise<string | undefined> {
    const record = { external_id: `E ${reference}`, 'Подразделение.Ссылка': reference, ФизЛицо: { Имя: 'Дәулет' } };
    await store.employees.deleteMany(mine());
    await load({ pair: 'LEDGER/EMPLOYEES_FULL', records: [record] });
    const employee = await store.employees.findOne(mine());
    return (await store.departments.findOne({ _id: employee?.department_id ?? '' }))?.title;
  }

  test('are found by an external id before an equal Ссылка, and keep their department', async () => {
    await load({ pair: DEPARTMENTS, records: [department('X', '2'), department('2', 'X')] });
    expect([await found('2'), await found('X')]).toEqual(['2', 'X']);
    expect(await store.departments.countDocuments(mine())).toBe(2);
  });

  test('are found as the later one of two with the same Ссылка; a new Ссылка is an update', async () => {
    await load({ pair: DEPARTMENTS, records: [department('A', 'a'), department('B', 'b')] });
    expect(await load({ pair: DEPARTMENTS, records: [department('B', 'a')] })).toEqual(['updated']);
    expect([await found('a'), await found('b')]).toEqual(['B', 'B']);
  });

  const link = (Ссылка: string, more: object = {}) => ({ Ссылка, ...more });
  test.each<[string, readonly (readonly object[])[], string[]]>([
    ['both in one batch', [[link('x'), { external_id: 'X', ...link('x') }, link('x')]], ['X', 'x']],
    ['both in one batch, the other way', [[{ external_id: 'X', ...link('x') }, link('x')]], ['X', 'x']],
    [
      'an external_id beside the Ссылка of another external_id',
      [[{ external_id: 'X', ...link('x') }], [{ external_id: 'Y', ...link('x') }]],
      ['X', 'Y', 'x'],
    ],
  ])('are one department: %s', async (_, batches, references) => {
    for (const batch of batches) await load({ pair: DEPARTMENTS, records: batch });
    const title = { Ссылка: 'x', Наименование: 'Один' };
    expect(await load({ pair: DEPARTMENTS, records: [title], createMissing: false })).toEqual(['updated']);
    expect(await store.departments.countDocuments(mine())).toBe(1);
    for (const reference of references) expect(await found(reference)).toBe('Один');
    expect(await load({ pair: DEPARTMENTS, records: [title], createMissing: false })).toEqual(['unchanged']);
  });

  test('stay two where one batch names both by an external_id, also with one Ссылка', async () => {
    const records = [department('A', 's'), department('B', 's')];
    expect(await load({ pair: DEPARTMENTS, records })).toEqual(['created', 'created']);
    expect([await found('A'), await found('s')]).toEqual(['A', 'B']);
  });

  test('stand where all records of a batch that mean them say together', async () => {
    await load({ pair: DEPARTMENTS, records: [department('A', 'a'), department('B', 'b')] });
    const records = [link('b', { 'Родитель.Ссылка': 'a' }), { external_id: 'B', Наименование: 'Б' }];
    expect(await load({ pair: DEPARTMENTS, records, chunkRecords: 1 })).toEqual(['updated', 'updated']);
    expect(await chains()).toEqual(['A', 'Б<A']);
  });

  test('keep a place that the record does not know, with all else that it says', async () => {
    await load({ pair: DEPARTMENTS, records: [department('A', 'a'), department('B', 'b', 'a')] });
    const records = [{ ...department('B', 'b', 'нет'), Наименование: 'Б' }, department('C', 'c', 'нет')];
    expect(await load({ pair: DEPARTMENTS, records })).toEqual([
      'updated (Родитель.Ссылка)',
      'skipped: Родитель.Ссылка refers to a department that is not known.',
    ]);
    expect(await chains()).toEqual(['A', 'Б<A']);
  });
});

test('departments of KEDO have their organisation and all that stand above them', async () => {
  await load({ pair: 'KEDO/ORGANIZATIONS', records: [{ external_id: 'O', title: 'ТОО' }] });
  const records = [
    { external_id: 'D2', title: 'Ниже', external_parent_id: 'D1', external_organization_id: 'O' },
    { external_id: 'D1', title: 'Выше' },
  ];
  expect(await load({ pair: 'KEDO/DEPARTMENTS', records, chunkRecords: 1 })).toEqual(['created', 'created']);
  const organization = await store.organizations.findOne(mine());
  const [upper, lower] = await store.departments.find(mine()).sort({ title: 1 }).toArray();
  expect(upper).toMatchObject({ parent_id: '', ancestor_ids: [upper?._id], organization_id: '' });
  expect(lower).toMatchObject({ parent_id: upper?._id, organization_id: organization?._id });
  expect(lower?.ancestor_ids).toEqual([lower?._id, upper?._id]);
  await load({ pair: 'KEDO/DEPARTMENTS', records: [{ external_id: 'D2', external_organization_id: '' }] });
  expect(await store.departments.findOne({ _id: lower?._id ?? '' })).toMatchObject({
    title: 'Ниже',
    parent_id: upper?._id,
    organization_id: '',
  });
});

test('lists a record without fields under the first of its ids, also one that is a number', async () => {
  const records = [
    { external_id: 'E', ТабельныйНомер: 1 },
    { external_id: 7 },
    { external_id: '', ТабельныйНомер: '7', ДатаПриема: 'x' },
    {},
  ];
  const id = await accept(store, tenant.id, { pair: 'LEDGER/EMPLOYEES_FULL', records });
  await applyIngest(store, tenant.id, stopping);
  const rows = await store.ingest_outcomes.find({ request_id: id }).sort({ index: 1 }).toArray();
  expect(rows.map(({ external_id }) => external_id)).toEqual(['E', '7', '7', '']);
});

describe('requests of a tenant', () => {
  test('wait while another process has an earlier one', async () => {
    const first = await acceptPerson('А');
    await acceptPerson('Б');
    const held = await takeNext(store, tenant.id, stopping);
    expect(held?.request._id).toBe(first);
    expect(await overdueIngest(store)).toEqual([tenant.id]);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.countDocuments(mine())).toBe(0);
    await held?.giveBack();
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.find(mine()).toArray()).toEqual([expect.objectContaining({ last_name: 'Б' })]);
  });

  test('continue when they were begun, even before one that was numbered earlier and accepted later', async () => {
    const begun = await acceptPerson('А');
    const held = await takeNext(store, tenant.id, stopping);
    expect(held?.request._id).toBe(begun);
    const late = await acceptPerson('Б');
    await store.ingest_requests.updateOne({ _id: late }, { $set: { accepted_order: -1 } });
    expect(await takeNext(store, tenant.id, stopping)).toBeUndefined();
    // Another process looked before the first one took its request, and has now taken this one.
    await store.ingest_requests.updateOne({ _id: late }, { $set: { status: 'APPLYING' } });
    expect(await takeNext(store, tenant.id, stopping)).toBeUndefined();
    await held?.giveBack();
    await applyIngest(store, tenant.id, stopping);
    expect(await store.ingest_requests.countDocuments({ ...mine(), status: 'APPLIED' })).toBe(2);
  });

  test('go on with the earlier one when two processes take two at the same time', async () => {
    const first = await acceptPerson('А');
    await acceptPerson('Б');
    const set = (fields: object) => store.ingest_requests.updateOne({ _id: first }, { $set: fields });
    // This process looked while another one took the first request, so it saw that neither as begun nor as waiting …
    await set({ status: 'APPLIED' });
    const raced = racedStore(store, 'ingest_requests', 'findOneAndUpdate', () => set({ status: 'APPLYING' }));
    // … and the other process has then seen this one take the second request, and has given the first back.
    expect(await takeNext(raced, tenant.id, stopping)).toBeUndefined();
    const next = await takeNext(store, tenant.id, stopping);
    expect(next?.request._id).toBe(first);
    await next?.giveBack();
  });

  test('are free for others when the lease was not acknowledged', async () => {
    await acceptPerson('А');
    const lost = new MongoNetworkError('connection closed');
    const take = store.ingest_requests.findOneAndUpdate.bind(store.ingest_requests) as (...args: unknown[]) => unknown;
    const taking = jest.spyOn(store.ingest_requests, 'findOneAndUpdate').mockImplementationOnce((async (
      ...args: unknown[]
    ) => {
      await take(...args);
      throw lost;
    }) as never);
    const away = jest.spyOn(store.ingest_requests, 'updateOne').mockRejectedValueOnce(lost);
    await expect(applyIngest(store, tenant.id, stopping)).rejects.toThrow(lost);
    taking.mockRestore();
    away.mockRestore();
    expect(await overdueIngest(store)).toContain(tenant.id);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.countDocuments(mine())).toBe(1);
  });

  test('are applied once by several workers at once', async () => {
    const other = collectionsOf(store.client, database.name);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const records = Array.from({ length: 20 }, (_, i) => ({ external_id: `${i}`, first_name: `Имя ${n}` }));
      ids.push(await accept(store, tenant.id, { pair: PERSONS, records, chunkRecords: 5 }));
    }
    const work = () => Promise.all([store, other, store, other].map((each) => applyIngest(each, tenant.id, stopping)));
    while ((await overdueIngest(store)).includes(tenant.id)) await work();
    expect(await store.persons.countDocuments(mine())).toBe(20);
    expect(await store.persons.countDocuments({ ...mine(), first_name: 'Имя 4', rev: 5 })).toBe(20);
    for (const [n, id] of ids.entries())
      expect(new Set(await outcomes(id))).toEqual(new Set([n === 0 ? 'created' : 'updated']));
  });

  test('are given back between two chunks when the process stops', async () => {
    const controller = new AbortController();
    const records = Array.from({ length: 3 }, (_, i) => ({ external_id: `${i}`, first_name: 'А' }));
    await accept(store, tenant.id, { pair: PERSONS, records, chunkRecords: 1 });
    const raced = racedStore(store, 'persons', 'bulkWrite', async () => controller.abort());
    await applyIngest(raced, tenant.id, controller.signal);
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ status: 'APPLYING', cursor: 1, lease_id: '' });
    await applyIngest(store, tenant.id, stopping);
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ status: 'APPLIED', counts: { created: 3 } });
    expect(await store.ingest_chunks.countDocuments(mine())).toBe(0);
  });
});

describe('a process that was paused beyond its lease', () => {
  const records = [
    { external_id: 'P1', last_name: 'А', gender: 'F' },
    { external_id: 'P2', last_name: 'Б' },
  ];

  /** Pauses the process at one of its writes. @returns whether there is such a write */
  async function comesBackAt(write: number): Promise<boolean> {
    tenant = await TestTenant.create(store);
    await load({ pair: PERSONS, records: [{ external_id: 'P1', last_name: 'Я', gender: 'M' }] });
    await accept(store, tenant.id, { pair: PERSONS, records });
    const stale = pausing(store, write);
    const work = applyIngest(stale.store, tenant.id, stopping);
    const isPaused = await Promise.race([stale.paused.then(() => true), work.then(() => false)]);
    if (!isPaused) return false;
    await store.ingest_requests.updateMany(mine(), { $set: { lease_until: new Date(0) } });
    await applyIngest(store, tenant.id, stopping);
    const later = records.map(({ external_id }) => ({ external_id, last_name: 'Позже', gender: 'X' }));
    await load({ pair: PERSONS, records: [...later].reverse() });
    const before = await Promise.all(Object.values(rowsOf()).map((find) => find()));
    stale.goOn();
    await work;
    expect({ write, rows: await Promise.all(Object.values(rowsOf()).map((find) => find())) }).toEqual({
      write,
      rows: before,
    });
    return true;
  }

  const rowsOf = () => ({
    persons: () => store.persons.find(mine()).sort({ _id: 1 }).toArray(),
    bindings: () => store.external_bindings.find(mine()).sort({ _id: 1 }).toArray(),
    requests: () => store.ingest_requests.find(mine()).sort({ _id: 1 }).toArray(),
    outcomes: () => store.ingest_outcomes.find(mine()).sort({ _id: 1 }).toArray(),
  });

  test('writes nothing over what its successor did, at whichever write it was paused', async () => {
    let write = 1;
    while (await comesBackAt(write)) write++;
    expect(write).toBeGreaterThan(7);
  });
});

describe('a record that the database refuses', () => {
  test('is the only one that is skipped', async () => {
    const refused = (operations: readonly unknown[]) => JSON.stringify(operations).includes('яд');
    const bulk = store.persons.bulkWrite.bind(store.persons);
    const spy = jest.spyOn(store.persons, 'bulkWrite').mockImplementation(async (...args) => {
      if (refused(args[0])) throw new MongoServerError({ message: 'no', code: 2 });
      return bulk(...args);
    });
    const records = ['а', 'б', 'яд', 'г', 'д'].map((last_name, n) => ({ external_id: `${n}`, last_name }));
    const id = await accept(store, tenant.id, { pair: PERSONS, records });
    await applyIngest(store, tenant.id, stopping).finally(() => spy.mockRestore());
    expect(await outcomes(id)).toEqual([
      'created',
      'created',
      'skipped: The database refuses it.',
      'created',
      'created',
    ]);
    expect(await store.persons.countDocuments(mine())).toBe(4);
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ counts: { created: 4, skipped: 1 } });
  });

  test('is not skipped when the failure is not its own fault, but tried again', async () => {
    await acceptPerson('А');
    const spy = jest
      .spyOn(store.persons, 'bulkWrite')
      .mockRejectedValue(new MongoServerError({ message: 'full', code: 14_031 }));
    await expect(applyIngest(store, tenant.id, stopping)).rejects.toThrow('full');
    spy.mockRestore();
    expect(await overdueIngest(store)).toContain(tenant.id);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.countDocuments(mine())).toBe(1);
  });
});

describe('concurrent changes from elsewhere', () => {
  test('are neither lost nor overwritten', async () => {
    await load({ pair: PERSONS, records: [{ external_id: 'P', last_name: 'А', first_name: 'Б' }] });
    const id = await acceptPerson('Я');
    const change = { $set: { first_name: 'Из настроек' }, $inc: { rev: 1 } };
    const raced = racedStore(store, 'persons', 'bulkWrite', () => store.persons.updateOne(mine(), change));
    await applyIngest(raced, tenant.id, stopping);
    expect(await store.persons.findOne(mine())).toMatchObject({ last_name: 'Я', first_name: 'Из настроек', rev: 3 });
    expect(await outcomes(id)).toEqual(['updated']);
  });

  test('by another batch with the same new external id leave one object', async () => {
    await acceptPerson('А');
    await acceptPerson('Б');
    await Promise.all([1, 2, 3].map(() => applyIngest(store, tenant.id, stopping)));
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.find(mine()).toArray()).toEqual([expect.objectContaining({ last_name: 'Б' })]);
    expect(await store.external_bindings.countDocuments(mine())).toBe(1);
  });

  test('that bind the same external id keep their object', async () => {
    const insert = store.external_bindings.insertMany.bind(store.external_bindings);
    const object_id = randomUUID();
    await store.persons.insertOne(newPerson(tenant.id, { last_name: 'Чужой' }, now(), { id: object_id }));
    const spy = jest.spyOn(store.external_bindings, 'insertMany').mockImplementationOnce(async (...args) => {
      await store.external_bindings.insertOne({ ...(args[0][0] as ExternalBindingRow), object_id });
      return insert(...args);
    });
    expect(await load({ pair: PERSONS, records: [{ external_id: 'P', last_name: 'Я' }] })).toEqual(['created']);
    spy.mockRestore();
    expect(await store.persons.find(mine()).toArray()).toEqual([
      expect.objectContaining({ _id: object_id, last_name: 'Я' }),
    ]);
  });
});
