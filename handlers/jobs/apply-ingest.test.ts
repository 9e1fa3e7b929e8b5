/** Applying batches to a store: every pair, the order, several workers, and what a crash leaves. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { collectionsOf, createIndexes, openStore, type Store } from '../runtime/store.ts';
import { Database } from '../runtime/testing/processes.ts';
import { TestTenant } from '../runtime/testing/tenant.ts';
import { takeNext } from './apply-ingest/lease.ts';
import { accept, type TestBatch } from './apply-ingest/testing.ts';
import { applyIngest, overdueIngest } from './apply-ingest.ts';

jest.setTimeout(120_000);
const database = new Database();
const stopping = new AbortController().signal;
let store: Store;
let tenant: TestTenant;

beforeAll(async () => {
  store = await openStore(await database.start(), 'test');
  await createIndexes(store);
});

beforeEach(async () => {
  tenant = await TestTenant.create(store);
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

/** Accepts and applies a batch. @returns what became of each record */
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
  return rows.map(({ outcome, reason }) => (reason === '' ? outcome : `${outcome}: ${reason}`));
}

const mine = () => ({ tenant_id: tenant.id });
const PERSONS = 'KEDO/PERSONS';
const EMPLOYEES = 'KEDO/EMPLOYEES';

describe('every pair', () => {
  test('KEDO: an organisation with its people, and the same again', async () => {
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
            ...{ external_id: 'E', number: '7', admission_date: '2020-01-01', available_vacation_day_count: '24' },
            ...{ external_person_id: 'P', external_organization_id: 'O', external_department_id: 'D2' },
            ...{ external_job_title_id: 'J' },
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
      ...{ person_id: person?._id, organization_id: organization?._id, department_id: lower?._id },
      ...{ job_title_id: title?._id, employee_number: '7', start_date: '2020-01-01', status: 'EMPLOYEE_STATUS_ACTIVE' },
      ...{ listed: true, details: '{"available_vacation_day_count":"24"}' },
    });
    expect(employee?.pending_events.map(({ type }) => type)).toEqual(['employee.changed']);
    for (const batch of batches) expect(new Set(await load(batch))).toEqual(new Set(['unchanged']));
    expect(await store.employees.find(mine()).toArray()).toEqual([employee]);
    expect(await store.persons.find(mine()).toArray()).toEqual([person]);
  });

  test('LEDGER: departments, and employees with their persons; organisation and job title from KEDO', async () => {
    await load({ pair: 'KEDO/ORGANIZATIONS', records: [{ external_id: 'O', title: 'ТОО' }] });
    const departments = [
      { Ссылка: 'b', Наименование: 'Б', 'Родитель.Ссылка': 'a' },
      { Ссылка: 'a', Наименование: 'А' },
    ];
    expect(await load({ pair: 'LEDGER/DEPARTMENTS', records: departments })).toEqual(['created', 'created']);
    const record = {
      ...{ ТабельныйНомер: '1', ДатаПриема: '2020-01-01', 'Организация.Ссылка': 'O', 'Подразделение.Ссылка': 'b' },
      ...{ 'Должность.Ссылка': 'нет', ФизЛицо: { Имя: 'Дәулет', ИИН: '990701650036' } },
    };
    const id = await accept(store, tenant.id, { pair: 'LEDGER/EMPLOYEES_FULL', records: [record] });
    await applyIngest(store, tenant.id, stopping);
    expect(await store.ingest_outcomes.findOne({ request_id: id })).toMatchObject({
      ...{ outcome: 'created', external_id: 'O/1', unresolved: ['job_title_id'] },
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

  test('a pair that does not exist: every record is skipped', async () => {
    expect(await load({ pair: 'KEDO/VACATIONS', records: [{}, {}] })).toEqual(
      Array(2).fill('skipped: There is no such pair of source and payload.'),
    );
  });
});

describe('requests of a tenant', () => {
  test('are applied in the order of acceptance, and counted', async () => {
    const first = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    const second = await accept(store, tenant.id, {
      ...{ pair: PERSONS, portion: 2 },
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

  test('a later one waits while another process has the first', async () => {
    const first = await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'А' }] });
    await accept(store, tenant.id, { pair: PERSONS, records: [{ external_id: 'P', first_name: 'Б' }] });
    const held = await takeNext(store, tenant.id);
    expect(held?.request._id).toBe(first);
    expect(await overdueIngest(store)).toEqual([tenant.id]);
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.countDocuments(mine())).toBe(0);
    await held?.giveBack();
    await applyIngest(store, tenant.id, stopping);
    expect(await store.persons.find(mine()).toArray()).toEqual([expect.objectContaining({ first_name: 'Б' })]);
  });

  test('several workers at once do everything once', async () => {
    const other = collectionsOf(store.client, 'test');
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

  test('stopping gives the request back between two portions', async () => {
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
