/** Planning records (D-29) without a store: each rule, on top of what earlier batches of the test left. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { MemoryTenant, NOW, textOf, writes } from '../../../scripts/world/memory-tenant.ts';

describe('a plan', () => {
  test.each([
    ['KEDO/PERSONS', { external_id: 'N' }],
    ['KEDO/ORGANIZATIONS', { external_id: 'N' }],
    ['KEDO/DEPARTMENTS', { external_id: 'N' }],
    ['KEDO/EMPLOYEES', { external_id: 'N', external_person_id: 'P' }],
  ])('without create_missing skips a record of %s that is not known', (pair, record) => {
    const plan = MemoryTenant.withCatalogues().plan(pair, [record], false);
    const reason = 'Its external id is not known, and the batch does not create what is missing.';
    expect([plan.outcomes.map(textOf), writes(plan)]).toEqual([[`skipped: ${reason}`], 0]);
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
    expect(tenant.load('KEDO/PERSONS', [{ external_id: 'P', gender: 'F', number: '5' }])).toEqual(['updated']);
    expect(tenant.load('KEDO/PERSONS', [{ external_id: 'P', gender: '' }])).toEqual(['updated']);
    expect(tenant.only('PERSON')).toMatchObject({ rev: 1, outbox_at: null, details: '{"number":"5"}' });
    expect(tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'O', bin: '1' }])).toEqual(['updated']);
    expect(tenant.only('ORGANIZATION')).toMatchObject({ title: 'О', details: '{"bin":"1"}' });
  });

  test('does not create an object again that was deleted while its batch is applied', () => {
    const tenant = MemoryTenant.withCatalogues();
    const [record, requestId] = [{ external_id: 'E', external_person_id: 'P' }, randomUUID()];
    const plan = tenant.plan('KEDO/EMPLOYEES', [record], true, requestId);
    const [created] = plan.changes.EMPLOYEE;
    if (created === undefined) throw new Error('nothing was created');
    for (const { row } of plan.bindings) tenant.bound.set(row._id, row);
    tenant.rows.EMPLOYEE.set(created.after._id, { ...created.after, deleted_at: NOW });
    const again = tenant.plan('KEDO/EMPLOYEES', [record], true, requestId);
    expect([again.outcomes.map(textOf), writes(again)]).toEqual([
      ['skipped: It was deleted while its batch was being applied.'],
      0,
    ]);
  });

  test('gives a new object an empty title, and a later record without a title changes nothing', () => {
    const tenant = new MemoryTenant();
    expect(tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'O' }])).toEqual(['created']);
    const { details: _, ...row } = tenant.only('ORGANIZATION');
    expect(row.title).toBe('');
    // The settings make organisations without details.
    tenant.rows.ORGANIZATION.set(row._id, row);
    expect(tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'O' }, { external_id: 'O', title: '' }])).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  test('skips a record that fails unexpectedly, says nothing of the failure, and applies the others', () => {
    const tenant = MemoryTenant.withCatalogues();
    const row = tenant.only('ORGANIZATION');
    tenant.rows.ORGANIZATION.set(row._id, { ...row, details: '{' });
    const records = [{ external_id: 'O', bin: '1' }, { external_id: 'O2' }];
    expect(tenant.load('KEDO/ORGANIZATIONS', records)).toEqual(['skipped: It cannot be applied.', 'created']);
  });

  test('skips a record that breaks the rules of rows, and no other', () => {
    const tenant = MemoryTenant.withCatalogues();
    const [bad, good] = ['2019-12-31', '2021-01-01'].map((left_date, n) => ({
      external_id: `E${n}`,
      external_person_id: 'P',
      admission_date: '2020-01-01',
      left_date,
    }));
    expect(tenant.load('KEDO/EMPLOYEES', [bad, 5, good])).toEqual([
      'skipped: left_date must not be before admission_date.',
      'skipped: The record is no object.',
      'created',
    ]);
  });
});

describe('LEDGER', () => {
  const FULL = 'LEDGER/EMPLOYEES_FULL';
  const record = (number: string, person?: object, more: object = {}) => ({
    ТабельныйНомер: number,
    ...(person && { ФизЛицо: person }),
    ...more,
  });
  const [IIN, OTHER] = ['990701650036', '990701650037'];

  test.each([
    ['Организация.Ссылка', 'created: Организация.Ссылка'],
    ['Подразделение.Ссылка', 'skipped: Подразделение.Ссылка refers to a department that is not known.'],
  ])('creates an employee in spite of an unknown reference only where LEDGER cannot load it: %s', (field, outcome) => {
    expect(new MemoryTenant().load(FULL, [record('1', { Имя: 'А' }, { [field]: 'нет' })])).toEqual([outcome]);
  });

  test('keeps the person of an employee that is refused', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    const row = tenant.only('EMPLOYEE');
    tenant.rows.EMPLOYEE.set(row._id, { ...row, end_date: '2019-12-31' });
    expect(tenant.load(FULL, [record('1', { Имя: 'Б', ИИН: IIN }, { ДатаПриема: '2020-01-01' })])).toEqual([
      'skipped: ДатаПриема must not be after the last day.',
    ]);
    expect(tenant.only('PERSON').first_name).toBe('А');
  });

  test('finds an employee that was loaded by its fields by an equal external_id too', () => {
    const tenant = MemoryTenant.withCatalogues();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN }, { 'Организация.Ссылка': 'O' })]);
    const employee = tenant.only('EMPLOYEE');
    const same = record('9', { Отчество: 'В', external_id: IIN }, { external_id: 'O/1' });
    expect(tenant.load(FULL, [same], false)).toEqual(['updated']);
    expect(tenant.only('EMPLOYEE')).toMatchObject({ _id: employee._id, employee_number: '9' });
    expect(tenant.rows.PERSON.get(employee.person_id)?.middle_name).toBe('В');
  });

  describe('knows an employee by external_id and by what it is made of', () => {
    const ZERO = '00000000-0000-0000-0000-000000000000';
    const ORGANIZATIONS: Readonly<Record<string, string>> = { O: 'O', Z: ZERO, e: '' };
    /** `1O=A`: number 1, organisation O (Z: the zero GUID, e: an empty one), external_id A. */
    const parsed = (text: string) => {
      const [, number = '', organization = '', external_id] = /^(\d)([OZe]?)(?:=(\w+))?$/.exec(text) ?? [];
      return record(
        number,
        { Имя: 'А' },
        {
          ...(organization !== '' && { 'Организация.Ссылка': ORGANIZATIONS[organization] }),
          ...(external_id !== undefined && { external_id }),
        },
      );
    };
    /** Batches, and which employee each record means: n is that of the n-th record. */
    test.each<[string, string[], number[]]>([
      ['an external_id takes over the natural id', ['1O', '1O=A', '2=A'], [0, 0, 0]],
      ['both, then either', ['1O=A', '1O', '9=A'], [0, 0, 0]],
      ['an absent organisation stays', ['1O=A', '1=A', '1O'], [0, 0, 0]],
      ['an empty organisation counts', ['1O=A', '1Z=A', '1'], [0, 0, 0]],
      ['other numbers are others', ['1=A', '2=B', '2', '1'], [0, 1, 1, 0]],
      ['ids that are numbers of others', ['1=2', '2=1'], [0, 1]],
      ['a number that was an external_id', ['9=1', '1'], [0, 0]],
      ['a number before an external_id', ['1=2', '2=A', '2'], [0, 1, 1]],
      ['in one batch, both ways', ['1 1=A 1'], [0, 0, 0]],
      ['a zero GUID is no organisation', ['1Z', '1', '1e'], [0, 0, 0]],
    ])('%s', (_, batches, employees) => {
      const tenant = MemoryTenant.withCatalogues();
      const ids = batches.flatMap((batch) => {
        const { outcomes } = tenant.apply(tenant.plan(FULL, batch.split(' ').map(parsed)));
        return outcomes.map(({ object_id }) => object_id);
      });
      expect(ids.map((id) => ids.indexOf(id))).toEqual(employees);
    });

    test('two employees of one number stay two, and the same records change nothing', () => {
      const tenant = new MemoryTenant();
      const records = [parsed('1=A'), parsed('1=B')];
      expect(tenant.load(FULL, records)).toEqual(['created', 'created']);
      const plan = tenant.plan(FULL, records);
      expect([plan.outcomes.map(textOf), writes(plan)]).toEqual([['unchanged', 'unchanged'], 0]);
    });

    test('an employee of an earlier version is found under an id made of the zero GUID', () => {
      const tenant = new MemoryTenant();
      for (const external_id of [`${ZERO}/1`, '1']) tenant.load(FULL, [record('', { Имя: 'А' }, { external_id })]);
      const [ofZero, plain] = [...tenant.rows.EMPLOYEE.values()].map(({ _id, ...row }) => {
        // Such a row says nothing of its ids.
        tenant.rows.EMPLOYEE.set(_id, { _id, ...row, details: '' });
        return _id;
      });
      const found = (text: string) => tenant.plan(FULL, [parsed(text)]).outcomes[0]?.object_id;
      expect([found('1Z'), found('1')]).toEqual([ofZero, plain]);
      tenant.rows.EMPLOYEE.delete(plain ?? '');
      expect([found('1'), found('1e')]).toEqual([ofZero, ofZero]);
    });

    test('a former external_id that is a number is not taken for that number', () => {
      const tenant = new MemoryTenant();
      tenant.load(FULL, [record('7', { Имя: 'А' }, { external_id: '1' })]);
      const row = tenant.only('EMPLOYEE');
      tenant.rows.EMPLOYEE.set(row._id, { ...row, details: '' });
      expect(tenant.load(FULL, [parsed('1=B')])).toEqual(['created']);
    });
  });

  test('a new ФизЛицо.external_id with the name of before keeps the person, and an IIN of another names nobody', () => {
    const tenant = new MemoryTenant();
    const own = { Фамилия: 'А', Имя: 'А' };
    tenant.load(FULL, [record('1', { ...own, Телефон: '+7' }), record('2', { Фамилия: 'Б', Имя: 'Б', ИИН: IIN })]);
    expect(tenant.load(FULL, [record('1', { ...own, ИИН: IIN, external_id: 'P' })])).toEqual([
      'unchanged: iin_of_another',
    ]);
    expect(tenant.load(FULL, [record('3', { Фамилия: 'В', ИИН: IIN, external_id: 'Q' })])).toEqual([
      'created: iin_of_another',
    ]);
    expect([...tenant.rows.PERSON.values()].map(({ iin, phone }) => [iin, phone])).toEqual([
      ['', '+7'],
      [IIN, ''],
      [IIN, ''],
    ]);
  });

  test('without create_missing skips a known employee with a person who is not known', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', external_id: 'P' })]);
    expect(tenant.load(FULL, [record('1', { Имя: 'Б', external_id: 'Q' })], false)).toEqual([
      'skipped: The person in it is not known, and the batch does not create what is missing.',
    ]);
    expect(tenant.only('PERSON').first_name).toBe('А');
  });

  test('another IIN is taken where each employment has a record with it, under any of its external ids', () => {
    const tenant = new MemoryTenant();
    const person = (iin: string) => ({ Фамилия: 'А', Имя: 'А', ДатаРождения: '1990-03-15', ИИН: iin });
    tenant.load(FULL, [
      record('1', person(IIN)),
      record('2', person(IIN)),
      record('2', undefined, { external_id: 'E' }),
    ]);
    const records = [record('1', person(OTHER)), record('9', person(OTHER), { external_id: 'E' })];
    expect([tenant.load(FULL, records), tenant.only('PERSON').iin]).toEqual([['updated: corrected', 'updated'], OTHER]);
  });

  test('a corrected IIN frees the one of before where the person has an external_id, and in one batch', () => {
    const tenant = new MemoryTenant();
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN })]);
    tenant.load(FULL, [record('1', { Имя: 'А', ИИН: IIN, external_id: 'P' }, {})]);
    const records = [record('1', { external_id: 'P', Имя: 'А', ИИН: OTHER }), record('2', { Имя: 'Б', ИИН: IIN })];
    expect(tenant.load(FULL, records)).toEqual([expect.stringMatching(/^updated/), 'created']);
  });
});
