/** Applying batches to a store: every pair, the order, several workers, and the state after a crash. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { accept, pausing, type TestBatch } from '../../../scripts/testbed/ingest.ts';
import { racedStore } from '../../../scripts/testbed/raced-store.ts';
import { TestTenant } from '../../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../../scripts/testbed/test-deployment.ts';
import type { ExternalBindingRow } from '../../data/collections/external_bindings.ts';
import { collectionsOf } from '../../data/store.ts';
import { newPerson } from '../../employees/write/person-rows.ts';
import { now } from '../../process/clock.ts';
import { applyIngest, overdueIngest } from './apply-ingest.ts';
import { takeNext } from './lease.ts';

const { database, store } = await testDeployment();
const stopping = new AbortController().signal;
let tenant: TestTenant;

beforeEach(async () => {
  tenant = await TestTenant.create(store);
});

/** Accepts and applies a batch. @returns the outcome of each record */
async function load(batch: TestBatch): Promise<string[]> {
  const id = await accept(store, tenant.id, batch);
  await applyIngest(store, tenant.id, stopping);
  return outcomes(id);
}

async function outcomes(requestId: string): Promise<string[]> {
  const rows = await store.ingest_outcomes
    .find({ tenant_id: tenant.id, request_id: requestId })
    .sort({ index: 1 })
    .toArray();
  return rows.map(({ outcome, reason, unresolved }) =>
    [outcome, ...(reason && [`: ${reason}`]), ...(unresolved.length > 0 ? [` (${unresolved.join()})`] : [])].join(''),
  );
}

const mine = () => ({ tenant_id: tenant.id });
const PERSONS = 'KEDO/PERSONS';
const EMPLOYEES = 'KEDO/EMPLOYEES';

describe('a batch', () => {
  test('of KEDO creates an organisation with its people, and changes nothing the second time', async () => {
    const batches: TestBatch[] = [
      { pair: 'KEDO/ORGANIZATIONS', records: [{ external_id: 'O', title: 'ТОО', bin: '120440001231' }] },
      { pair: 'KEDO/JOB_TITLES', records: [{ external_id: 'J', title: 'Бухгалтер' }] },
      {
        pair: 'KEDO/DEPARTMENTS',
        portion: 1,
        records: [
          { external_id: 'D2', title: 'Ниже', external_parent_id: 'D1', external_organization_id: 'O' },
          { external_id: 'D1', title: 'Выше', external_organization_id: 'O' },
        ],
      },
      {
        pair: PERSONS,
        records: [{ external_id: 'P', first_name: 'Әсел', iin: '900315400018', gender: 'F', email: 'no address' }],
      },
      {
        pair: EMPLOYEES,
        records: [
          {
            external_id: 'E',
            number: '7',
            admission_date: '2020-01-01',
            available_vacation_day_count: '24',
            external_person_id: 'P',
            external_organization_id: 'O',
            external_department_id: 'D2',
            external_job_title_id: 'J',
          },
        ],
      },
    ];
    for (const batch of batches) expect(new Set(await load(batch))).toEqual(new Set(['created']));
    const [[organization], [title], [person], [employee], upper, lower] = await Promise.all([
      store.organizations.find(mine()).toArray(),
      store.job_titles.find(mine()).toArray(),
      store.persons.find(mine()).toArray(),
      store.employees.find(mine()).toArray(),
      store.departments.findOne({ ...mine(), title: 'Выше' }),
      store.departments.findOne({ ...mine(), title: 'Ниже' }),
    ]);
    expect(organization).toMatchObject({ title: 'ТОО', details: '{"bin":"120440001231"}' });
    expect(upper).toMatchObject({ parent_id: '', ancestor_ids: [upper?._id], organization_id: organization?._id });
    expect(lower).toMatchObject({ parent_id: upper?._id, ancestor_ids: [lower?._id, upper?._id] });
    expect(person).toMatchObject({
      first_name: 'Әсел',
      iin: '900315400018',
      personal_email: 'no address',
      details: '{"gender":"F"}',
    });
    expect(employee).toMatchObject({
      person_id: person?._id,
      organization_id: organization?._id,
      department_id: lower?._id,
      job_title_id: title?._id,
      employee_number: '7',
      start_date: '2020-01-01',
      status: 'EMPLOYEE_STATUS_ACTIVE',
      listed: true,
      details: '{"available_vacation_day_count":"24"}',
    });
    expect(employee?.pending_events.map(({ type }) => type)).toEqual(['employee.changed']);
    for (const batch of batches) expect(new Set(await load(batch))).toEqual(new Set(['unchanged']));
    expect(await store.employees.find(mine()).toArray()).toEqual([employee]);
    expect(await store.persons.find(mine()).toArray()).toEqual([person]);
  });

  test('of LEDGER creates departments and employees with their persons; organisation and job title come from KEDO', async () => {
    await load({ pair: 'KEDO/ORGANIZATIONS', records: [{ external_id: 'O', title: 'ТОО' }] });
    const departments = [
      { Ссылка: 'b', Наименование: 'Б', 'Родитель.Ссылка': 'a' },
      { Ссылка: 'a', Наименование: 'А' },
    ];
    expect(await load({ pair: 'LEDGER/DEPARTMENTS', records: departments })).toEqual(['created', 'created']);
    const record = {
      ТабельныйНомер: '1',
      ДатаПриема: '2020-01-01',
      'Организация.Ссылка': 'O',
      'Подразделение.Ссылка': 'b',
      'Должность.Ссылка': 'нет',
      ФизЛицо: { Имя: 'Дәулет', ИИН: '990701650036' },
    };
    const id = await accept(store, tenant.id, { pair: 'LEDGER/EMPLOYEES_FULL', records: [record] });
    await applyIngest(store, tenant.id, stopping);
    expect(await store.ingest_outcomes.findOne({ request_id: id })).toMatchObject({
      outcome: 'created',
      external_id: 'O/1',
      unresolved: ['Должность.Ссылка'],
    });
    const employee = await store.employees.findOne(mine());
    const department = await store.departments.findOne({ ...mine(), title: 'Б' });
    const organization = await store.organizations.findOne(mine());
    expect(employee).toMatchObject({
      department_id: department?._id,
      organization_id: organization?._id,
      job_title_id: '',
    });
    expect(await store.persons.findOne({ _id: employee?.person_id ?? '' })).toMatchObject({ first_name: 'Дәулет' });
  });

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
      const [outcome = ''] = await load({ pair: 'LEDGER/EMPLOYEES_FULL', records: [record] });
      if (outcome.startsWith('skipped')) return outcome;
      const employee = await store.employees.findOne(mine());
      return (await store.departments.findOne({ _id: employee?.department_id ?? '' }))?.title;
    }

    test('are found by either id, before and after they come in their batch, and in later batches', async () => {
      const batch = [department('C', 'c', 'b'), department('B', 'b', 'A'), department('A', 'a')];
      expect(await load({ pair: DEPARTMENTS, records: batch, portion: 1 })).toEqual(Array(3).fill('created'));
      expect(await chains()).toEqual(['A', 'B<A', 'C<B<A']);
      expect(await load({ pair: DEPARTMENTS, records: batch })).toEqual(Array(3).fill('unchanged'));
      expect(await load({ pair: DEPARTMENTS, records: [department('C', 'c', 'a')] })).toEqual(['updated']);
      expect(await chains()).toEqual(['A', 'B<A', 'C<A']);
      expect([await found('b'), await found('A')]).toEqual(['B', 'A']);
      expect(await found('нет')).toBe('skipped: Подразделение.Ссылка refers to a department that is not known.');
    });

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
      [
        'an external_id and its Ссылка, then the Ссылка',
        [[{ external_id: 'X', ...link('x') }], [link('x')]],
        ['X', 'x'],
      ],
      ['a Ссылка, then an external_id beside it', [[link('x')], [{ external_id: 'X', ...link('x') }]], ['X', 'x']],
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
      expect(await load({ pair: DEPARTMENTS, records, portion: 1 })).toEqual(['updated', 'updated']);
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

    test('stand at the top where the parent is the zero GUID', async () => {
      await load({ pair: DEPARTMENTS, records: [department('A', 'a'), department('B', 'b', 'a')] });
      const records = [department('B', 'b', '00000000-0000-0000-0000-000000000000')];
      expect(await load({ pair: DEPARTMENTS, records })).toEqual(['updated']);
      expect(await chains()).toEqual(['A', 'B']);
    });

    test('are not found when their record is skipped', async () => {
      const records = [department('A', 'a', 'нет'), department('B', 'b', 'a')];
      expect(await load({ pair: DEPARTMENTS, records })).toEqual(
        Array(2).fill('skipped: Родитель.Ссылка refers to a department that is not known.'),
      );
      expect(await store.external_bindings.countDocuments(mine())).toBe(0);
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

  test('of a pair that does not exist has every record skipped', async () => {
    expect(await load({ pair: 'KEDO/VACATIONS', records: [{}, {}] })).toEqual(
      Array(2).fill('skipped: There is no such pair of source and payload.'),
    );
  });
});

describe('requests of a tenant', () => {
  test('are applied in the order of acceptance, and counted', async () => {
    const first = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    const second = await accept(store, tenant.id, {
      pair: PERSONS,
      portion: 2,
      records: [{ external_id: 'P', first_name: 'Б' }, { external_id: 'P', first_name: 'В' }, {}],
    });
    expect(await overdueIngest(store)).toEqual([tenant.id]);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.find(mine()).toArray()).toEqual([expect.objectContaining({ first_name: 'В' })]);
    const rows = await store.ingest_requests.find(mine()).sort({ accepted_order: 1 }).toArray();
    expect(rows.map(({ _id, status, counts }) => [_id, status, counts])).toEqual([
      [first, 'APPLIED', { created: 1, updated: 0, unchanged: 0, skipped: 0 }],
      [second, 'APPLIED', { created: 0, updated: 1, unchanged: 0, skipped: 2 }],
    ]);
    expect(await store.ingest_chunks.countDocuments(mine())).toBe(0);
    expect(await overdueIngest(store)).toEqual([]);
  });

  test('wait while another process has an earlier one', async () => {
    const first = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'Б' }] });
    const held = await takeNext(store, tenant.id, stopping);
    expect(held?.request._id).toBe(first);
    expect(await overdueIngest(store)).toEqual([tenant.id]);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.countDocuments(mine())).toBe(0);
    await held?.giveBack();
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.find(mine()).toArray()).toEqual([expect.objectContaining({ first_name: 'Б' })]);
  });

  test('continue when they were begun, even before one that was numbered earlier and accepted later', async () => {
    const begun = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    const held = await takeNext(store, tenant.id, stopping);
    expect(held?.request._id).toBe(begun);
    const late = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'Б' }] });
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
    const first = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'Б' }] });
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
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
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
      ids.push(await accept(store, tenant.id, { pair: PERSONS, records, portion: 5 }));
    }
    const work = () => Promise.all([store, other, store, other].map((each) => applyIngest(each, tenant.id, stopping)));
    while ((await overdueIngest(store)).includes(tenant.id)) await work();
    expect(await store.persons.countDocuments(mine())).toBe(20);
    expect(await store.persons.countDocuments({ ...mine(), first_name: 'Имя 4', rev: 5 })).toBe(20);
    for (const [n, id] of ids.entries())
      expect(new Set(await outcomes(id))).toEqual(new Set([n === 0 ? 'created' : 'updated']));
  });

  test('are given back between two portions when the process stops', async () => {
    const controller = new AbortController();
    const records = Array.from({ length: 3 }, (_, i) => ({ external_id: `${i}`, first_name: 'А' }));
    await accept(store, tenant.id, { pair: PERSONS, records, portion: 1 });
    const bulk = store.persons.bulkWrite.bind(store.persons);
    const spy = jest.spyOn(store.persons, 'bulkWrite').mockImplementation((...args) => {
      controller.abort();
      return bulk(...args);
    });
    await applyIngest(store, tenant.id, controller.signal);
    spy.mockRestore();
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ status: 'APPLYING', cursor: 1, lease_id: '' });
    await applyIngest(store, tenant.id, stopping);
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ status: 'APPLIED', counts: { created: 3 } });
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
    const reported = await load({ pair: PERSONS, records }).finally(() => spy.mockRestore());
    expect(reported).toEqual(['created', 'created', 'skipped: The database refuses it.', 'created', 'created']);
    expect(await store.persons.countDocuments(mine())).toBe(4);
    expect(await store.ingest_requests.findOne(mine())).toMatchObject({ counts: { created: 4, skipped: 1 } });
  });

  test('is not skipped when the failure is not its own fault, but tried again', async () => {
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', last_name: 'А' }] });
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
    const id = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', last_name: 'Я' }] });
    const bulk = store.persons.bulkWrite.bind(store.persons);
    const spy = jest.spyOn(store.persons, 'bulkWrite').mockImplementationOnce(async (...args) => {
      await store.persons.updateOne(mine(), { $set: { first_name: 'Из настроек' }, $inc: { rev: 1 } });
      return bulk(...args);
    });
    await applyIngest(store, tenant.id, stopping);
    spy.mockRestore();
    expect(await store.persons.findOne(mine())).toMatchObject({ last_name: 'Я', first_name: 'Из настроек', rev: 3 });
    expect(await outcomes(id)).toEqual(['updated']);
  });

  test('by another batch with the same new external id leave one object', async () => {
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', last_name: 'А' }] });
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', last_name: 'Б' }] });
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

describe('departments', () => {
  test('below a moved department follow it, also when the batch does not name them', async () => {
    const parents = (pairs: Record<string, string>) =>
      Object.entries(pairs).map(([external_id, external_parent_id]) => ({
        external_id,
        title: external_id,
        external_parent_id,
      }));
    await load({ pair: 'KEDO/DEPARTMENTS', records: parents({ a: '', b: 'a', c: 'b', d: 'c', z: '' }) });
    expect(await load({ pair: 'KEDO/DEPARTMENTS', records: parents({ b: 'z', z: 'd', a: 'a' }) })).toEqual([
      'skipped: It stands in a cycle of departments.',
      'skipped: It stands in a cycle of departments.',
      'skipped: It stands in a cycle of departments.',
    ]);
    expect(await load({ pair: 'KEDO/DEPARTMENTS', records: parents({ b: 'z' }) })).toEqual(['updated']);
    const rows = await store.departments.find(mine()).toArray();
    const titles = new Map(rows.map(({ _id, title }) => [_id, title]));
    expect(
      Object.fromEntries(
        rows.map(({ title, ancestor_ids }) => [title, ancestor_ids.map((id) => titles.get(id)).join('')]),
      ),
    ).toEqual({ a: 'a', b: 'bz', c: 'cbz', d: 'dcbz', z: 'z' });
  });

  test('may refer to ones that come later in the batch; a reference that stays unknown skips the record', async () => {
    const records = [
      { external_id: 'a', external_parent_id: 'b' },
      { external_id: 'b', external_parent_id: 'c' },
      { external_id: 'c', external_organization_id: 'нет' },
      { external_id: 'd' },
    ];
    expect(await load({ pair: 'KEDO/DEPARTMENTS', records, portion: 1 })).toEqual([
      'skipped: external_parent_id refers to a department that is not known.',
      'skipped: external_parent_id refers to a department that is not known.',
      'skipped: external_organization_id refers to an organisation that is not known.',
      'created',
    ]);
    expect(await load({ pair: 'KEDO/DEPARTMENTS', records: [{ external_id: 'c' }, ...records.slice(0, 2)] })).toEqual(
      Array(3).fill('created'),
    );
  });
});

test('the last of several records with one external id counts, also in another portion', async () => {
  const records = ['А', 'Б', 'В'].map((last_name) => ({ external_id: 'P', last_name }));
  expect(await load({ pair: PERSONS, records, portion: 1 })).toEqual([
    'skipped: A later record of the batch has the same external id.',
    'skipped: A later record of the batch has the same external id.',
    'created',
  ]);
  expect(await store.persons.findOne(mine())).toMatchObject({ last_name: 'В', rev: 1 });
});
