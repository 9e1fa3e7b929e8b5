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
class World {
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
    return plan.outcomes.map(told);
  }

  only<Kind extends IngestKind>(kind: Kind): RowsOf[Kind] {
    expect(this.rows[kind].size).toBe(1);
    return [...this.rows[kind].values()][0] as RowsOf[Kind];
  }

  /** A tenant with one object of every kind that an employee may refer to. */
  static withCatalogues(): World {
    const world = new World();
    world.load('KEDO/ORGANIZATIONS', [{ external_id: 'O', title: 'О' }]);
    world.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'Д' }]);
    world.load('KEDO/PERSONS', [{ external_id: 'P', last_name: 'П' }]);
    return world;
  }
}

const told = ({ outcome, reason, unresolved }: Outcome) =>
  [outcome, ...(reason === '' ? [] : [reason]), ...unresolved].join(': ');
const writes = ({ bindings, changes }: Plan) => bindings.length + Object.values(changes).flat().length;

const UNKNOWN = 'skipped: Its external id is not known, and the batch does not create what is missing.';

describe('create or update', () => {
  test('a new external id creates only with create_missing, a known one updates without it', () => {
    const world = new World();
    expect(world.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'А' }], false)).toEqual([UNKNOWN]);
    expect(world.rows.JOB_TITLE.size).toBe(0);
    expect(world.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'А' }])).toEqual(['created']);
    expect(world.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'Б' }], false)).toEqual(['updated']);
    expect(world.only('JOB_TITLE').title).toBe('Б');
  });

  test('an absent field leaves, "" and null clear', () => {
    const world = new World();
    world.load('KEDO/PERSONS', [
      { external_id: 'P', first_name: 'А', last_name: 'Б', phone: '1', gender: 'F', number: '5' },
    ]);
    world.load('KEDO/PERSONS', [{ external_id: 'P', last_name: '', phone: null, gender: '' }]);
    expect(world.only('PERSON')).toMatchObject({
      first_name: 'А',
      last_name: '',
      phone: '',
      details: '{"number":"5"}',
    });
  });

  test('what changes nothing writes nothing', () => {
    const world = World.withCatalogues();
    const records = [{ external_id: 'E', number: '1', admission_date: '2020-01-01', external_person_id: 'P' }];
    world.load('KEDO/EMPLOYEES', records);
    for (const [pair, same] of [
      ['KEDO/EMPLOYEES', records],
      ['KEDO/PERSONS', [{ external_id: 'P', last_name: 'П', gender: '' }]],
      ['KEDO/ORGANIZATIONS', [{ external_id: 'O', title: 'О' }]],
    ] as const) {
      const plan = world.plan(pair, same);
      expect([plan.outcomes.map(told), writes(plan)]).toEqual([['unchanged'], 0]);
    }
  });

  test('what is never shown is stored without an event and without a new time', () => {
    const world = World.withCatalogues();
    world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P' }]);
    const { update_time, pending_events } = world.only('EMPLOYEE');
    expect(world.load('KEDO/EMPLOYEES', [{ external_id: 'E', available_vacation_day_count: '3' }])).toEqual([
      'updated',
    ]);
    expect(world.only('EMPLOYEE')).toMatchObject({
      update_time,
      pending_events,
      details: '{"available_vacation_day_count":"3"}',
    });
    expect(world.load('KEDO/PERSONS', [{ external_id: 'P', gender: 'F' }])).toEqual(['updated']);
    expect(world.only('PERSON')).toMatchObject({ rev: 1, outbox_at: null, details: '{"gender":"F"}' });
  });

  test('an external id whose object was deleted counts as unknown, and may mean a new one', () => {
    const world = World.withCatalogues();
    const record = { external_id: 'E', external_person_id: 'P' };
    world.load('KEDO/EMPLOYEES', [record]);
    const first = world.only('EMPLOYEE');
    world.rows.EMPLOYEE.set(first._id, { ...first, deleted_at: NOW });
    expect(world.load('KEDO/EMPLOYEES', [record], false)).toEqual([UNKNOWN]);
    expect(world.load('KEDO/EMPLOYEES', [record])).toEqual(['created']);
    expect(world.rows.EMPLOYEE.size).toBe(2);
    expect(world.load('KEDO/EMPLOYEES', [{ ...record, number: '9' }], false)).toEqual(['updated']);
    expect(world.rows.EMPLOYEE.get(first._id)).toEqual({ ...first, deleted_at: NOW });
  });

  test('one that was deleted while its batch is being applied is not made again', () => {
    const world = World.withCatalogues();
    const [record, requestId] = [{ external_id: 'E', external_person_id: 'P' }, randomUUID()];
    const plan = world.plan('KEDO/EMPLOYEES', [record], true, requestId);
    const [created] = plan.changes.EMPLOYEE;
    if (created === undefined) throw new Error('nothing was created');
    for (const { row } of plan.bindings) world.bound.set(row._id, row.object_id);
    world.rows.EMPLOYEE.set(created.after._id, { ...created.after, deleted_at: NOW });
    const again = world.plan('KEDO/EMPLOYEES', [record], true, requestId);
    expect([again.outcomes.map(told), writes(again)]).toEqual([
      ['skipped: It was deleted while its batch was being applied.'],
      0,
    ]);
  });

  test('the same external id means different objects of different sources and kinds', () => {
    const world = new World();
    world.load('KEDO/ORGANIZATIONS', [{ external_id: 'X', title: 'О' }]);
    expect(world.load('KEDO/JOB_TITLES', [{ external_id: 'X', title: 'Д' }])).toEqual(['created']);
    expect(world.load('KEDO/PERSONS', [{ external_id: 'X', last_name: 'П' }])).toEqual(['created']);
    expect(world.load('LEDGER/EMPLOYEES_FULL', [{ ТабельныйНомер: 'X', ФизЛицо: { Имя: 'И' } }])).toEqual(['created']);
    expect([world.rows.PERSON.size, world.bound.size]).toEqual([2, 5]);
  });

  test('a person may come without a name and with an address that is none', () => {
    const world = new World();
    expect(world.load('KEDO/PERSONS', [{ external_id: 'P', email: 'кого спросить' }])).toEqual(['created']);
    expect(world.only('PERSON').personal_email).toBe('кого спросить');
  });

  test('a record that breaks the rules of rows harms no other', () => {
    const world = World.withCatalogues();
    const [bad, good] = ['2019-12-31', '2021-01-01'].map((left_date, n) => ({
      ...{ external_id: `E${n}`, external_person_id: 'P', admission_date: '2020-01-01', left_date },
    }));
    expect(world.load('KEDO/EMPLOYEES', [bad, 5, good])).toEqual([
      'skipped: end_date must not be before start_date.',
      'skipped: The record is no object.',
      'created',
    ]);
  });
});

describe('employees', () => {
  test('need a known person, and known references where they are given', () => {
    const world = World.withCatalogues();
    const record = { external_id: 'E', external_person_id: 'P' };
    const references = {
      external_organization_id: 'The organisation that it refers to is not known.',
      external_department_id: 'The department that it refers to is not known.',
      external_job_title_id: 'The job title that it refers to is not known.',
      external_person_id: 'The person that it refers to is not known.',
    };
    for (const [field, reason] of Object.entries(references)) {
      expect(world.load('KEDO/EMPLOYEES', [{ ...record, [field]: 'нет' }])).toEqual([`skipped: ${reason}`]);
    }
    for (const none of [{ external_person_id: undefined }, { external_person_id: '' }]) {
      const reason = 'skipped: An employee is created only with a known person.';
      expect(world.load('KEDO/EMPLOYEES', [{ ...record, ...none }])).toEqual([reason]);
    }
    expect([world.rows.EMPLOYEE.size, world.bound.size]).toEqual([0, 3]);
    expect(world.load('KEDO/EMPLOYEES', [record])).toEqual(['created']);
    expect(world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: '' }])).toEqual([
      'skipped: An employee cannot be left without a person.',
    ]);
  });

  test('references are set, kept, cleared; a reference to what was deleted is unknown', () => {
    const world = World.withCatalogues();
    const references = { external_organization_id: 'O', external_job_title_id: 'J' };
    world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P', ...references }]);
    world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_job_title_id: '' }]);
    const organization_id = world.only('ORGANIZATION')._id;
    expect(world.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id: '' });
    world.rows.JOB_TITLE.clear();
    expect(world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_job_title_id: 'J' }])).toEqual([
      'skipped: The job title that it refers to is not known.',
    ]);
  });

  test('may get another person', () => {
    const world = World.withCatalogues();
    world.load('KEDO/PERSONS', [{ external_id: 'Q', last_name: 'К' }]);
    world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P' }]);
    const before = world.only('EMPLOYEE');
    expect(world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'Q' }])).toEqual(['updated']);
    expect(world.only('EMPLOYEE').person_id).not.toBe(before.person_id);
    expect(world.only('EMPLOYEE').pending_events).toHaveLength(2);
  });

  test.each([
    [{ admission_date: '2026-03-11' }, 'EMPLOYEE_STATUS_ACCEPTED'],
    [{ admission_date: '2026-03-10' }, 'EMPLOYEE_STATUS_ACTIVE'],
    [{}, 'EMPLOYEE_STATUS_ACTIVE'],
    [{ admission_date: '2020-01-01', left_date: '2026-03-10' }, 'EMPLOYEE_STATUS_ACTIVE'],
    [{ admission_date: '2020-01-01', left_date: '2026-03-09' }, 'EMPLOYEE_STATUS_TERMINATED'],
  ])('status by dates: %j', (dates, status) => {
    const world = World.withCatalogues();
    world.load('KEDO/EMPLOYEES', [{ external_id: 'E', external_person_id: 'P', ...dates }]);
    expect(world.only('EMPLOYEE').status).toBe(status);
  });
});

describe('LEDGER', () => {
  const FULL = 'LEDGER/EMPLOYEES_FULL';
  const record = (number: string, person?: object, more: object = {}) => ({
    ...{ ТабельныйНомер: number, ...(person && { ФизЛицо: person }), ...more },
  });
  const [IIN, OTHER] = ['990701650036', '990701650037'];

  test('organisation and job title come from KEDO, or stay as they are; a department must be known', () => {
    const world = World.withCatalogues();
    const unknown = { 'Организация.Ссылка': 'O', 'Должность.Ссылка': 'нет' };
    expect(world.load(FULL, [record('1', { Имя: 'А' }, unknown)])).toEqual(['created: job_title_id']);
    const [organization_id, job_title_id] = [world.only('ORGANIZATION')._id, world.only('JOB_TITLE')._id];
    expect(world.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id: '' });
    world.load(FULL, [record('1', undefined, { ...unknown, 'Должность.Ссылка': 'J' })]);
    expect(world.load(FULL, [record('1', undefined, unknown)])).toEqual(['unchanged: job_title_id']);
    expect(world.only('EMPLOYEE')).toMatchObject({ organization_id, job_title_id });
    world.load('KEDO/DEPARTMENTS', []);
    expect(world.load(FULL, [record('2', { Имя: 'А' }, { 'Подразделение.Ссылка': 'нет' })])).toEqual([
      'skipped: The department that it refers to is not known.',
    ]);
    expect(world.rows.PERSON.size).toBe(2);
  });

  test('a skipped employee leaves its person as it was', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    world.load(FULL, [record('1', { Имя: 'Б', ИИН: IIN }, { 'Подразделение.Ссылка': 'нет' })]);
    expect(world.only('PERSON').first_name).toBe('А');
  });

  test('an employee that is refused leaves its person as it was', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    const row = world.only('EMPLOYEE');
    world.rows.EMPLOYEE.set(row._id, { ...row, end_date: '2019-12-31' });
    expect(world.load(FULL, [record('1', { Имя: 'Б', ИИН: IIN }, { ДатаПриема: '2020-01-01' })])).toEqual([
      'skipped: end_date must not be before start_date.',
    ]);
    expect(world.only('PERSON').first_name).toBe('А');
  });

  test('without an IIN it stays the person whom the employee has now, not the one that it once had', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А' }), record('2', { Имя: 'Б', ИИН: IIN })]);
    expect(world.load(FULL, [record('1', { ИИН: IIN })])).toEqual(['updated']);
    expect(world.load(FULL, [record('1', { Имя: 'В' })])).toEqual(['updated']);
    expect([...world.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['А', 'В']);
  });

  test('employments with one IIN have one person, also within one batch; the last one counts', () => {
    const world = new World();
    const records = [record('1', { Имя: 'А', ИИН: IIN }), record('2', { Имя: 'Б', ИИН: IIN })];
    expect(world.load(FULL, records)).toEqual(['created', 'created']);
    expect(world.only('PERSON')).toMatchObject({ first_name: 'Б', iin: IIN });
    expect(world.rows.EMPLOYEE.size).toBe(2);
  });

  test('without an IIN it is the person whom the employee has; an IIN that comes later is taken by that person', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А' })]);
    expect(world.load(FULL, [record('1', { Имя: 'Б' })], false)).toEqual(['updated']);
    expect(world.load(FULL, [record('1', { ИИН: IIN })], false)).toEqual(['updated']);
    expect(world.load(FULL, [record('1', { Имя: 'В' })], false)).toEqual(['updated']);
    expect(world.only('PERSON')).toMatchObject({ first_name: 'В', iin: IIN });
    expect(world.load(FULL, [record('2', { ИИН: IIN })])).toEqual(['created']);
    expect(world.only('PERSON').first_name).toBe('В');
  });

  test('a known external_id is the same employee, whatever number and organisation the record says', () => {
    const world = World.withCatalogues();
    const first = { external_id: 'E', 'Организация.Ссылка': 'O' };
    expect(world.load(FULL, [record('1', { Имя: 'А' }, first)])).toEqual(['created']);
    const before = world.only('EMPLOYEE');
    expect(world.load(FULL, [record('2', { Имя: 'А' }, { external_id: 'E' })])).toEqual(['updated']);
    expect(world.only('EMPLOYEE')).toMatchObject({ _id: before._id, employee_number: '2' });
    // His old number now belongs to another employee.
    expect(world.load(FULL, [record('1', { Имя: 'Б' }, { ...first, external_id: 'F' })])).toEqual(['created']);
    expect(world.rows.EMPLOYEE.get(before._id)?.employee_number).toBe('2');
    expect(world.load(FULL, [record('3', undefined, { external_id: 'G' })], false)).toEqual([UNKNOWN]);
  });

  test('what was loaded by its fields is updated by an external_id of the same text, and by no other', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А', ИИН: IIN }, { 'Организация.Ссылка': 'O' })]);
    const [employee, human] = [world.only('EMPLOYEE'), world.only('PERSON')];
    const other = record('1', { Имя: 'Б', ИИН: IIN }, { 'Организация.Ссылка': 'O', external_id: 'E' });
    expect(world.load(FULL, [other], false)).toEqual([UNKNOWN]);
    const same = record('9', { Имя: 'В', external_id: IIN }, { external_id: 'O/1' });
    expect(world.load(FULL, [same], false)).toEqual(['updated']);
    expect(world.only('EMPLOYEE')).toMatchObject({ _id: employee._id, employee_number: '9', person_id: human._id });
    expect(world.only('PERSON').first_name).toBe('В');
  });

  test('an external_id of a person is this person and nobody else, whatever the IIN', () => {
    const world = new World();
    const person = (Имя: string, external_id: string, ИИН: string) => ({ Имя, external_id, ИИН });
    world.load(FULL, [record('1', person('А', 'P', IIN)), record('2', person('Б', 'P', OTHER))]);
    expect(world.only('PERSON')).toMatchObject({ first_name: 'Б', iin: OTHER });
    expect(world.load(FULL, [record('1', person('В', 'Q', OTHER))], false)).toEqual([
      'skipped: The person in it is not known, and the batch does not create what is missing.',
    ]);
    expect(world.load(FULL, [record('1', person('В', 'Q', OTHER))])).toEqual(['updated']);
    expect([...world.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['Б', 'В']);
  });

  test('another IIN is another person', () => {
    const world = new World();
    world.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    expect(world.load(FULL, [record('1', { Имя: 'Б', ИИН: OTHER })], false)).toEqual([
      'skipped: The person in it is not known, and the batch does not create what is missing.',
    ]);
    expect(world.load(FULL, [record('1', { Имя: 'Б', ИИН: OTHER })])).toEqual(['updated']);
    expect([...world.rows.PERSON.values()].map(({ first_name }) => first_name)).toEqual(['А', 'Б']);
    const person = world.rows.PERSON.get(world.only('EMPLOYEE').person_id);
    expect(person).toMatchObject({ iin: OTHER });
  });
});
