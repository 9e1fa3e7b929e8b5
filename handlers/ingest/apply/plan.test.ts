/** Planning records (D-29) without a store: each rule, on top of what earlier batches of the test left. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { IngestKind, IngestSource } from '../../data/store.ts';
import { mapRecord, type Pair } from '../records.ts';
import type { Known, RowsOf } from './known.ts';
import { type Outcome, type Plan, planRecords, type RecordAt } from './plan.ts';

const NOW = new Date('2026-03-10T07:00:00Z');
const TODAY = '2026-03-10';

/** A tenant in memory. */
class MemoryTenant {
  readonly bound = new Map<string, string>();
  readonly rows: { [Kind in IngestKind]: Map<string, RowsOf[Kind]> } = {
    PERSON: new Map(),
    ORGANIZATION: new Map(),
    DEPARTMENT: new Map(),
    EMPLOYEE: new Map(),
    JOB_TITLE: new Map(),
  };

  /** Plans a batch for the tenant as it is. */
  plan(pair: string, records: readonly unknown[], createMissing = true, requestId: string = randomUUID()): Plan {
    const [source_type = '', payload_type = ''] = pair.split('/');
    const named: Pair = { source_type, payload_type };
    const at = records.map((record, index): RecordAt => {
      const mapped = mapRecord(named, record);
      return { index, externalId: 'skipped' in mapped ? '' : mapped.externalId, mapped };
    });
    const batch = { tenantId: 't', requestId, source: source_type as IngestSource, createMissing };
    return planRecords(batch, { now: NOW, today: TODAY }, this as Known, at);
  }

  /** Plans a batch and applies the plan. */
  load(pair: string, records: readonly unknown[], createMissing = true): string[] {
    const plan = this.plan(pair, records, createMissing);
    for (const { row } of plan.bindings) this.bound.set(row._id, row.object_id);
    for (const [kind, changes] of Object.entries(plan.changes)) {
      for (const { after } of changes) (this.rows[kind as IngestKind] as Map<string, object>).set(after._id, after);
    }
    return plan.outcomes.map(textOf);
  }

  only<Kind extends IngestKind>(kind: Kind): RowsOf[Kind] {
    expect(this.rows[kind].size).toBe(1);
    return [...this.rows[kind].values()][0] as RowsOf[Kind];
  }

  /** A tenant with one object of every kind that an employee may refer to. */
  static withCatalogues(): MemoryTenant {
    const tenant = new MemoryTenant();
    tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'O', title: 'О' }]);
    tenant.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'Д' }]);
    tenant.load('KEDO/PERSONS', [{ external_id: 'P', last_name: 'П' }]);
    return tenant;
  }
}

const textOf = ({ outcome, reason, unresolved }: Outcome) =>
  [outcome, ...(reason === '' ? [] : [reason]), ...unresolved].join(': ');
const writes = ({ bindings, changes }: Plan) => bindings.length + Object.values(changes).flat().length;

const UNKNOWN = 'skipped: Its external id is not known, and the batch does not create what is missing.';

describe('a plan', () => {
  test('creates for a new external id with create_missing only, and updates a known one without it', () => {
    const tenant = new MemoryTenant();
    expect(tenant.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'А' }], false)).toEqual([UNKNOWN]);
    expect(tenant.rows.JOB_TITLE.size).toBe(0);
    expect(tenant.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'А' }])).toEqual(['created']);
    expect(tenant.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'Б' }], false)).toEqual(['updated']);
    expect(tenant.only('JOB_TITLE').title).toBe('Б');
  });

  test('keeps a field that is absent, and clears one that is "" or null', () => {
    const tenant = new MemoryTenant();
    tenant.load('KEDO/PERSONS', [
      { external_id: 'P', first_name: 'А', last_name: 'Б', phone: '1', gender: 'F', number: '5' },
    ]);
    tenant.load('KEDO/PERSONS', [{ external_id: 'P', last_name: '', phone: null, gender: '' }]);
    expect(tenant.only('PERSON')).toMatchObject({
      first_name: 'А',
      last_name: '',
      phone: '',
      details: '{"number":"5"}',
    });
  });

  test('writes nothing when nothing changes', () => {
    const tenant = MemoryTenant.withCatalogues();
    const records = [{ external_id: 'E', number: '1', admission_date: '2020-01-01', external_person_id: 'P' }];
    tenant.load('KEDO/EMPLOYEES', records);
    for (const [pair, same] of [
      ['KEDO/EMPLOYEES', records],
      ['KEDO/PERSONS', [{ external_id: 'P', last_name: 'П', gender: '' }]],
      ['KEDO/ORGANIZATIONS', [{ external_id: 'O', title: 'О' }]],
    ] as const) {
      const plan = tenant.plan(pair, same);
      expect([plan.outcomes.map(textOf), writes(plan)]).toEqual([['unchanged'], 0]);
    }
  });

  test('stores hidden details without an event and without a new update_time', () => {
    const tenant = MemoryTenant.withCatalogues();
    tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P' }]);
    const { update_time, pending_events } = tenant.only('EMPLOYEE');
    expect(tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', available_vacation_day_count: '3' }])).toEqual([
      'updated',
    ]);
    expect(tenant.only('EMPLOYEE')).toMatchObject({
      update_time,
      pending_events,
      details: '{"available_vacation_day_count":"3"}',
    });
    expect(tenant.load('KEDO/PERSONS', [{ external_id: 'P', gender: 'F' }])).toEqual(['updated']);
    expect(tenant.only('PERSON')).toMatchObject({ rev: 1, outbox_at: null, details: '{"gender":"F"}' });
  });

  test('treats an external id of a deleted object as unknown, and may bind it to a new one', () => {
    const tenant = MemoryTenant.withCatalogues();
    const record = { external_id: 'E', external_person_id: 'P' };
    tenant.load('KEDO/EMPLOYEES', [record]);
    const first = tenant.only('EMPLOYEE');
    tenant.rows.EMPLOYEE.set(first._id, { ...first, deleted_at: NOW });
    expect(tenant.load('KEDO/EMPLOYEES', [record], false)).toEqual([UNKNOWN]);
    expect(tenant.load('KEDO/EMPLOYEES', [record])).toEqual(['created']);
    expect(tenant.rows.EMPLOYEE.size).toBe(2);
    expect(tenant.load('KEDO/EMPLOYEES', [{ ...record, number: '9' }], false)).toEqual(['updated']);
    expect(tenant.rows.EMPLOYEE.get(first._id)).toEqual({ ...first, deleted_at: NOW });
  });

  test('does not create an object again that was deleted while its batch is applied', () => {
    const tenant = MemoryTenant.withCatalogues();
    const [record, requestId] = [{ external_id: 'E', external_person_id: 'P' }, randomUUID()];
    const plan = tenant.plan('KEDO/EMPLOYEES', [record], true, requestId);
    const [created] = plan.changes.EMPLOYEE;
    if (created === undefined) throw new Error('nothing was created');
    for (const { row } of plan.bindings) tenant.bound.set(row._id, row.object_id);
    tenant.rows.EMPLOYEE.set(created.after._id, { ...created.after, deleted_at: NOW });
    const again = tenant.plan('KEDO/EMPLOYEES', [record], true, requestId);
    expect([again.outcomes.map(textOf), writes(again)]).toEqual([
      ['skipped: It was deleted while its batch was being applied.'],
      0,
    ]);
  });

  test('binds one external id to different objects of different sources and kinds', () => {
    const tenant = new MemoryTenant();
    tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'X', title: 'О' }]);
    expect(tenant.load('KEDO/JOB_TITLES', [{ external_id: 'X', title: 'Д' }])).toEqual(['created']);
    expect(tenant.load('KEDO/PERSONS', [{ external_id: 'X', last_name: 'П' }])).toEqual(['created']);
    expect(tenant.load('LEDGER/EMPLOYEES_FULL', [{ ТабельныйНомер: 'X', ФизЛицо: { Имя: 'И' } }])).toEqual(['created']);
    expect([tenant.rows.PERSON.size, tenant.bound.size]).toEqual([2, 5]);
  });

  test('takes a person without a name and with a malformed address', () => {
    const tenant = new MemoryTenant();
    expect(tenant.load('KEDO/PERSONS', [{ external_id: 'P', email: 'кого спросить' }])).toEqual(['created']);
    expect(tenant.only('PERSON').personal_email).toBe('кого спросить');
  });

  test('skips a record that breaks the rules of rows, and no other', () => {
    const tenant = MemoryTenant.withCatalogues();
    const [bad, good] = ['2019-12-31', '2021-01-01'].map((left_date, n) => ({
      ...{ external_id: `E${n}`, external_person_id: 'P', admission_date: '2020-01-01', left_date },
    }));
    expect(tenant.load('KEDO/EMPLOYEES', [bad, 5, good])).toEqual([
      'skipped: end_date must not be before start_date.',
      'skipped: The record is no object.',
      'created',
    ]);
  });
});

describe('employees', () => {
  test('need a known person, and known references where they have any', () => {
    const tenant = MemoryTenant.withCatalogues();
    const record = { external_id: 'E', external_person_id: 'P' };
    const references = {
      external_organization_id: 'The organisation that it refers to is not known.',
      external_department_id: 'The department that it refers to is not known.',
      external_job_title_id: 'The job title that it refers to is not known.',
      external_person_id: 'The person that it refers to is not known.',
    };
    for (const [field, reason] of Object.entries(references)) {
      expect(tenant.load('KEDO/EMPLOYEES', [{ ...record, [field]: 'нет' }])).toEqual([`skipped: ${reason}`]);
    }
    for (const none of [{ external_person_id: undefined }, { external_person_id: '' }]) {
      const reason = 'skipped: An employee is created only with a known person.';
      expect(tenant.load('KEDO/EMPLOYEES', [{ ...record, ...none }])).toEqual([reason]);
    }
    expect([tenant.rows.EMPLOYEE.size, tenant.bound.size]).toEqual([0, 3]);
    expect(tenant.load('KEDO/EMPLOYEES', [record])).toEqual(['created']);
    expect(tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: '' }])).toEqual([
      'skipped: An employee cannot be left without a person.',
    ]);
  });

  test('have references that are set, kept and cleared; a reference to a deleted object is unknown', () => {
    const tenant = MemoryTenant.withCatalogues();
    const references = { external_organization_id: 'O', external_job_title_id: 'J' };
    tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P', ...references }]);
    tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_job_title_id: '' }]);
    const organization_id = tenant.only('ORGANIZATION')._id;
    expect(tenant.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id: '' });
    tenant.rows.JOB_TITLE.clear();
    expect(tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_job_title_id: 'J' }])).toEqual([
      'skipped: The job title that it refers to is not known.',
    ]);
  });

  test('can get another person', () => {
    const tenant = MemoryTenant.withCatalogues();
    tenant.load('KEDO/PERSONS', [{ external_id: 'Q', last_name: 'К' }]);
    tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P' }]);
    const before = tenant.only('EMPLOYEE');
    expect(tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'Q' }])).toEqual(['updated']);
    expect(tenant.only('EMPLOYEE').person_id).not.toBe(before.person_id);
    expect(tenant.only('EMPLOYEE').pending_events).toHaveLength(2);
  });

  test.each([
    [{ admission_date: '2026-03-11' }, 'EMPLOYEE_STATUS_ACCEPTED'],
    [{ admission_date: '2026-03-10' }, 'EMPLOYEE_STATUS_ACTIVE'],
    [{}, 'EMPLOYEE_STATUS_ACTIVE'],
    [{ admission_date: '2020-01-01', left_date: '2026-03-10' }, 'EMPLOYEE_STATUS_ACTIVE'],
    [{ admission_date: '2020-01-01', left_date: '2026-03-09' }, 'EMPLOYEE_STATUS_TERMINATED'],
  ])('have a status by their dates: %j', (dates, status) => {
    const tenant = MemoryTenant.withCatalogues();
    tenant.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P', ...dates }]);
    expect(tenant.only('EMPLOYEE').status).toBe(status);
  });
});

describe('LEDGER', () => {
  const FULL = 'LEDGER/EMPLOYEES_FULL';
  const record = (number: string, person?: object, more: object = {}) => ({
    ...{ ТабельныйНомер: number, ...(person && { ФизЛицо: person }), ...more },
  });
  const [IIN, OTHER] = ['990701650036', '990701650037'];

  test('takes organisation and job title from KEDO or keeps them; a department must be known', () => {
    const tenant = MemoryTenant.withCatalogues();
    const unknown = { 'Организация.Ссылка': 'O', 'Должность.Ссылка': 'нет' };
    expect(tenant.load(FULL, [record('1', { Имя: 'А' }, unknown)])).toEqual(['created: job_title_id']);
    const [organization_id, job_title_id] = [tenant.only('ORGANIZATION')._id, tenant.only('JOB_TITLE')._id];
    expect(tenant.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id: '' });
    tenant.load(FULL, [record('1', undefined, { ...unknown, 'Должность.Ссылка': 'J' })]);
    expect(tenant.load(FULL, [record('1', undefined, unknown)])).toEqual(['unchanged: job_title_id']);
    expect(tenant.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id });
    tenant.load('KEDO/DEPARTMENTS', []);
    expect(tenant.load(FULL, [record('2', { Имя: 'А' }, { 'Подразделение.Ссылка': 'нет' })])).toEqual([
      'skipped: The department that it refers to is not known.',
    ]);
    expect(tenant.rows.PERSON.size).toBe(2);
  });

  test('keeps the person of an employee that is skipped', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    tenant.load(FULL, [record('1', { Имя: 'Б', ИИН: IIN }, { 'Подразделение.Ссылка': 'нет' })]);
    expect(tenant.only('PERSON').first_name).toBe('А');
  });

  test('keeps the person of an employee that is refused', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    const row = tenant.only('EMPLOYEE');
    tenant.rows.EMPLOYEE.set(row._id, { ...row, end_date: '2019-12-31' });
    expect(tenant.load(FULL, [record('1', { Имя: 'Б', ИИН: IIN }, { ДатаПриема: '2020-01-01' })])).toEqual([
      'skipped: end_date must not be before start_date.',
    ]);
    expect(tenant.only('PERSON').first_name).toBe('А');
  });

  test('keeps the present person of an employee when the record has no IIN, not an earlier one', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А' }), record('2', { Имя: 'Б', ИИН: IIN })]);
    expect(tenant.load(FULL, [record('1', { ИИН: IIN })])).toEqual(['updated']);
    expect(tenant.load(FULL, [record('1', { Имя: 'В' })])).toEqual(['updated']);
    expect([...tenant.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['А', 'В']);
  });

  test('makes one person for employees with one IIN, also within one batch; the last record counts', () => {
    const tenant = new MemoryTenant();
    const records = [record('1', { Имя: 'А', ИИН: IIN }), record('2', { Имя: 'Б', ИИН: IIN })];
    expect(tenant.load(FULL, records)).toEqual(['created', 'created']);
    expect(tenant.only('PERSON')).toMatchObject({ first_name: 'Б', iin: IIN });
    expect(tenant.rows.EMPLOYEE.size).toBe(2);
  });

  test('changes the present person when the record has no IIN; a later IIN is given to that person', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А' })]);
    expect(tenant.load(FULL, [record('1', { Имя: 'Б' })], false)).toEqual(['updated']);
    expect(tenant.load(FULL, [record('1', { ИИН: IIN })], false)).toEqual(['updated']);
    expect(tenant.load(FULL, [record('1', { Имя: 'В' })], false)).toEqual(['updated']);
    expect(tenant.only('PERSON')).toMatchObject({ first_name: 'В', iin: IIN });
    expect(tenant.load(FULL, [record('2', { ИИН: IIN })])).toEqual(['created']);
    expect(tenant.only('PERSON').first_name).toBe('В');
  });

  test('finds the employee by a known external_id, with any number and organisation', () => {
    const tenant = MemoryTenant.withCatalogues();
    const first = { external_id: 'E', 'Организация.Ссылка': 'O' };
    expect(tenant.load(FULL, [record('1', { Имя: 'А' }, first)])).toEqual(['created']);
    const before = tenant.only('EMPLOYEE');
    expect(tenant.load(FULL, [record('2', { Имя: 'А' }, { external_id: 'E' })])).toEqual(['updated']);
    expect(tenant.only('EMPLOYEE')).toMatchObject({ _id: before._id, employee_number: '2' });
    // His old number now belongs to another employee.
    expect(tenant.load(FULL, [record('1', { Имя: 'Б' }, { ...first, external_id: 'F' })])).toEqual(['created']);
    expect(tenant.rows.EMPLOYEE.get(before._id)?.employee_number).toBe('2');
    expect(tenant.load(FULL, [record('3', undefined, { external_id: 'G' })], false)).toEqual([UNKNOWN]);
  });

  test('finds an employee that was loaded by its fields by an equal external_id, and by no other', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN }, { 'Организация.Ссылка': 'O' })]);
    const [employee, human] = [tenant.only('EMPLOYEE'), tenant.only('PERSON')];
    const other = record('1', { Имя: 'Б', ИИН: IIN }, { 'Организация.Ссылка': 'O', external_id: 'E' });
    expect(tenant.load(FULL, [other], false)).toEqual([UNKNOWN]);
    const same = record('9', { Имя: 'В', external_id: IIN }, { external_id: 'O/1' });
    expect(tenant.load(FULL, [same], false)).toEqual(['updated']);
    expect(tenant.only('EMPLOYEE')).toMatchObject({ _id: employee._id, employee_number: '9', person_id: human._id });
    expect(tenant.only('PERSON').first_name).toBe('В');
  });

  test('finds a person by its external_id, with any IIN', () => {
    const tenant = new MemoryTenant();
    const person = (Имя: string, external_id: string, ИИН: string) => ({ Имя, external_id, ИИН });
    tenant.load(FULL, [record('1', person('А', 'P', IIN)), record('2', person('Б', 'P', OTHER))]);
    expect(tenant.only('PERSON')).toMatchObject({ first_name: 'Б', iin: OTHER });
    expect(tenant.load(FULL, [record('1', person('В', 'Q', OTHER))], false)).toEqual([
      'skipped: The person in it is not known, and the batch does not create what is missing.',
    ]);
    expect(tenant.load(FULL, [record('1', person('В', 'Q', OTHER))])).toEqual(['updated']);
    expect([...tenant.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['Б', 'В']);
  });

  test('takes another IIN for another person', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    expect(tenant.load(FULL, [record('1', { Имя: 'Б', ИИН: OTHER })], false)).toEqual([
      'skipped: The person in it is not known, and the batch does not create what is missing.',
    ]);
    expect(tenant.load(FULL, [record('1', { Имя: 'Б', ИИН: OTHER })])).toEqual(['updated']);
    expect([...tenant.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['А', 'Б']);
    const person = tenant.rows.PERSON.get(tenant.only('EMPLOYEE').person_id);
    expect(person).toMatchObject({ iin: OTHER });
  });
});
