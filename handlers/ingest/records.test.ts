import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RawJson } from '../http/bulk-body.ts';
import { bindingId, derivedUuid, objectId } from './bindings.ts';
import { mapRecord, type Pair, payloadOf, supersededIn } from './records.ts';
import { reduceRecord } from './reduce.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_260_302 });

const pair = (source_type: string, payload_type: string): Pair => ({ source_type, payload_type });
const PERSONS = pair('KEDO', 'PERSONS');
const EMPLOYEES = pair('KEDO', 'EMPLOYEES');
const FULL = pair('LEDGER', 'EMPLOYEES_FULL');
const DEPARTMENTS = pair('LEDGER', 'DEPARTMENTS');
const PAIRS = [
  ...['PERSONS', 'ORGANIZATIONS', 'DEPARTMENTS', 'EMPLOYEES', 'JOB_TITLES'].map((type) => pair('KEDO', type)),
  FULL,
  DEPARTMENTS,
];

describe('KEDO', () => {
  test('maps a person: shown fields, details, and cleared fields', () => {
    const record = {
      external_id: 'P-1',
      first_name: 'Әсел',
      iin: '',
      birth_date: null,
      email: 'as given',
      gender: 'F',
    };
    expect(mapRecord(PERSONS, { ...record, number: '017', issued_date: '2019-06-04', manager: 'nobody' })).toEqual({
      kind: 'PERSON',
      externalId: 'P-1',
      fields: { first_name: 'Әсел', iin: '', birth_date: '', personal_email: 'as given' },
      details: { gender: 'F', number: '017', issued_date: '2019-06-04' },
      references: {},
    });
  });

  test('maps an employee', () => {
    const record = { external_id: 'E-1', number: '000417', admission_date: '2021-09-01', left_date: '' };
    const links = { external_person_id: 'P-1', external_organization_id: 'O', external_department_id: null };
    const rest = { available_vacation_day_count: '24', external_job_title_id: 'J' };
    expect(mapRecord(EMPLOYEES, { ...record, ...links, ...rest })).toEqual({
      kind: 'EMPLOYEE',
      externalId: 'E-1',
      fields: { employee_number: '000417', start_date: '2021-09-01', end_date: '' },
      details: { available_vacation_day_count: '24' },
      references: { person: 'P-1', organization: 'O', department: '', job_title: 'J' },
    });
  });

  test('maps departments, organisations and job titles', () => {
    const department = { external_id: 'D', title: 'T', external_organization_id: 'O', external_parent_id: 'U' };
    expect(mapRecord(pair('KEDO', 'DEPARTMENTS'), department)).toMatchObject({
      ...{ kind: 'DEPARTMENT', fields: { title: 'T' }, references: { organization: 'O', parent: 'U' } },
    });
    expect(mapRecord(pair('KEDO', 'ORGANIZATIONS'), { external_id: 'O', title: 'T', bin: '1' })).toMatchObject({
      ...{ kind: 'ORGANIZATION', fields: { title: 'T' }, details: { bin: '1' } },
    });
    expect(mapRecord(pair('KEDO', 'JOB_TITLES'), { external_id: 'J', title: '' })).toMatchObject({
      ...{ kind: 'JOB_TITLE', externalId: 'J', fields: { title: '' } },
    });
  });

  test.each([
    ['external_id is missing.', {}],
    ['external_id is missing.', { external_id: '' }],
    ['external_id is missing.', { external_id: null }],
    ['external_id is no text.', { external_id: 7 }],
    ['external_id is no text.', { external_id: { $ne: '' } }],
    ['external_id has more than 255 characters.', { external_id: 'x'.repeat(256) }],
    ['external_id has a NUL character or half a surrogate pair.', { external_id: 'a\0' }],
    ['external_id has a NUL character or half a surrogate pair.', { external_id: '\ud800' }],
    ['first_name is no text.', { external_id: 'P', first_name: 1 }],
    ['gender is no text.', { external_id: 'P', gender: ['F'] }],
    ['phone has more than 1000 characters.', { external_id: 'P', phone: '😀'.repeat(1_001) }],
    ...[
      '90013100000',
      '9001310000011',
      '90013100000a',
      ' 900131000001',
      '９００１３１００００01',
      '900131000001\n',
    ].map((iin) => ['iin is neither empty nor 12 digits.', { external_id: 'P', iin }] as const),
    ...['2024-02-30', '2023-02-29', '0000-00-00', '24-1-1', ' 2024-01-01', '2024-01-01T00:00', '2024-13-01'].map(
      (birth_date) =>
        ['birth_date is no day of the calendar as YYYY-MM-DD.', { external_id: 'P', birth_date }] as const,
    ),
  ])('skips with the reason: %s', (skipped, record) => expect(mapRecord(PERSONS, record)).toEqual({ skipped }));

  test.each([[null], [[]], [[{ external_id: 'P' }]], ['P'], [1], [true], [undefined]])(
    'skips %j, which is no object',
    (record) => {
      expect(mapRecord(PERSONS, record)).toEqual({ skipped: 'The record is no object.' });
    },
  );

  test('takes 1,000 and 255 characters beyond the basic plane, and a leap day', () => {
    const record = { external_id: '😀'.repeat(255), phone: '😀'.repeat(1_000), birth_date: '2024-02-29' };
    expect(mapRecord(PERSONS, record)).toMatchObject({
      externalId: record.external_id,
      fields: { phone: record.phone },
    });
  });

  test.each([
    [pair('KEDO', 'EMPLOYEES_FULL')],
    [pair('LEDGER', 'PERSONS')],
    [pair('kedo', 'PERSONS')],
    [pair('constructor', 'toString')],
    [pair('__proto__', 'get')],
  ])('skips records of the unknown pair %j', (unknown) => {
    expect(mapRecord(unknown, { external_id: 'P' })).toEqual({
      skipped: 'There is no such pair of source and payload.',
    });
  });

  test('ignores the content of unknown fields', () => {
    const odd =
      '{"external_id":"P","_bsontype":"ObjectId","$where":"1","__proto__":{"iin":"x"},"constructor":{"prototype":{}},"a.b":1,"":{},"\\u0000":[]}';
    expect(mapRecord(PERSONS, JSON.parse(odd))).toEqual({
      ...{ kind: 'PERSON', externalId: 'P', fields: {}, details: {}, references: {} },
    });
    expect(Object.getPrototypeOf({}).iin).toBeUndefined();
  });
});

describe('LEDGER', () => {
  const person = {
    Имя: 'Дәулет',
    Фамилия: 'Сәрсенов',
    Отчество: null,
    ИИН: '990701000001',
    Телефон: '+7',
    ДатаРождения: '1999-07-01',
  };
  const employee = {
    ТабельныйНомер: '00-0231',
    ДатаПриема: '2023-05-10',
    'Организация.Ссылка': 'ORG-1',
    ФизЛицо: person,
  };

  test('maps an employee with the person', () => {
    const links = { 'Подразделение.Ссылка': 'c0a1-0007', 'Должность.Ссылка': '' };
    expect(mapRecord(FULL, { ...employee, ...links })).toEqual({
      kind: 'EMPLOYEE',
      externalId: 'ORG-1/00-0231',
      fields: { employee_number: '00-0231', start_date: '2023-05-10' },
      details: {},
      references: { organization: 'ORG-1', department: 'c0a1-0007', job_title: '', person: '990701000001' },
      person: {
        kind: 'PERSON',
        externalId: '990701000001',
        idFrom: 'iin',
        fields: {
          ...{ first_name: 'Дәулет', last_name: 'Сәрсенов', middle_name: '', iin: '990701000001', phone: '+7' },
          birth_date: '1999-07-01',
        },
        details: {},
        references: {},
      },
    });
  });

  test('derives the id from the number alone without an organisation; the person without ИИН has the same id', () => {
    for (const organization of [{}, { 'Организация.Ссылка': '' }, { 'Организация.Ссылка': null }]) {
      for (const iin of [{}, { ИИН: '' }, { ИИН: null }]) {
        const mapped = mapRecord(FULL, { ТабельныйНомер: '7', ...organization, ФизЛицо: { Имя: 'А', ...iin } });
        expect(mapped).toMatchObject({
          externalId: '7',
          references: { person: '7' },
          person: { externalId: '7', idFrom: 'employee' },
        });
      }
    }
  });

  test('prefers an external_id to the derived id, also of the person, and keeps the number as a field', () => {
    expect(
      mapRecord(FULL, { ...employee, external_id: 'E-1', ФизЛицо: { ...person, external_id: 'P-1' } }),
    ).toMatchObject({
      externalId: 'E-1',
      fields: { employee_number: '00-0231' },
      references: { organization: 'ORG-1', person: 'P-1' },
      person: { externalId: 'P-1', idFrom: 'external_id', fields: { iin: person.ИИН } },
    });
    expect(mapRecord(FULL, { external_id: 'E-1', ФизЛицо: { Имя: 'А' } })).toMatchObject({
      ...{ externalId: 'E-1', fields: {}, person: { externalId: 'E-1', idFrom: 'employee' } },
    });
    const long = { external_id: 'E-1', ТабельныйНомер: 'n'.repeat(1_000) };
    expect(mapRecord(FULL, long)).toMatchObject({
      externalId: 'E-1',
      fields: { employee_number: long.ТабельныйНомер },
    });
  });

  test.each([[''], [null], [undefined]])('treats an external_id of %j as absent', (external_id) => {
    const nested = { ...employee, external_id, ФизЛицо: { ...person, external_id } };
    expect(mapRecord(FULL, nested)).toEqual(mapRecord(FULL, employee));
    expect(mapRecord(DEPARTMENTS, { external_id, Ссылка: 'c0' })).toEqual(mapRecord(DEPARTMENTS, { Ссылка: 'c0' }));
  });

  test('a department keeps its Ссылка beside another external_id', () => {
    expect(mapRecord(DEPARTMENTS, { external_id: 'D', Ссылка: 'c0', Наименование: 'Склад' })).toEqual({
      ...{ kind: 'DEPARTMENT', externalId: 'D', link: 'c0', fields: { title: 'Склад' }, details: {}, references: {} },
    });
    for (const record of [{ external_id: 'c0' }, { Ссылка: 'c0' }, { external_id: 'c0', Ссылка: 'c0' }]) {
      expect(mapRecord(DEPARTMENTS, record)).toEqual({
        ...{ kind: 'DEPARTMENT', externalId: 'c0', fields: {}, details: {}, references: {} },
      });
    }
  });

  test.each([[{}], [{ ФизЛицо: null }]])('leaves the person alone without one (%j)', (given) => {
    const mapped = mapRecord(FULL, { ТабельныйНомер: '7', ...given });
    expect(mapped).toEqual({
      kind: 'EMPLOYEE',
      externalId: '7',
      fields: { employee_number: '7' },
      details: {},
      references: {},
    });
  });

  test('takes names in NFD, and the last of equal names', () => {
    const nfd = (name: string) => name.normalize('NFD');
    expect(nfd('ДатаПриёма Й')).not.toBe('ДатаПриёма Й');
    const record = { [nfd('ТабельныйНомер')]: '1', ТабельныйНомер: '2' };
    expect(nfd('ТабельныйНомер')).not.toBe('ТабельныйНомер');
    expect(mapRecord(FULL, record)).toMatchObject({ externalId: '2' });
    expect(mapRecord(FULL, { ТабельныйНомер: false, [nfd('ТабельныйНомер')]: '1' })).toMatchObject({ externalId: '1' });
    const title = { Ссылка: 'c0', [nfd('Наименование')]: 'Склад', 'Родитель.Ссылка': 'c1' };
    expect(mapRecord(DEPARTMENTS, title)).toMatchObject({
      externalId: 'c0',
      fields: { title: 'Склад' },
      references: { parent: 'c1' },
    });
  });

  test('does not normalise external ids', () => {
    const [nfc, nfd] = ['Й', 'Й'.normalize('NFD')].map((Ссылка) => mapRecord(DEPARTMENTS, { Ссылка }));
    expect(nfc).not.toEqual(nfd);
  });

  test('does not take a dotted name for a path', () => {
    expect(mapRecord(FULL, { ТабельныйНомер: '7', Организация: { Ссылка: 'O' } })).toMatchObject({ externalId: '7' });
  });

  test.each([
    ['external_id and ТабельныйНомер are missing.', { 'Организация.Ссылка': 'O' }],
    ['external_id is no text.', { ...employee, external_id: 7 }],
    ['external_id has more than 255 characters.', { ...employee, external_id: 'x'.repeat(256) }],
    ['ФизЛицо.external_id is no text.', { ...employee, ФизЛицо: { external_id: {} } }],
    ['ФизЛицо is no object.', { ...employee, ФизЛицо: 'Сәрсенов' }],
    ['ФизЛицо is no object.', { ...employee, ФизЛицо: [person] }],
    ['ФизЛицо.ИИН is neither empty nor 12 digits.', { ...employee, ФизЛицо: { ИИН: '1' } }],
    ['ФизЛицо.Имя is no text.', { ...employee, ФизЛицо: { Имя: {} } }],
    ['ДатаПриема is no day of the calendar as YYYY-MM-DD.', { ...employee, ДатаПриема: '10.05.2023' }],
    [
      'Организация.Ссылка and ТабельныйНомер together have more than 255 characters.',
      { 'Организация.Ссылка': 'o'.repeat(250), ТабельныйНомер: '12345' },
    ],
  ])('skips with the reason: %s', (skipped, record) => expect(mapRecord(FULL, record)).toEqual({ skipped }));

  test.each([
    ['external_id and Ссылка are missing.', { Наименование: 'Склад' }],
    ['external_id is no text.', { external_id: [], Ссылка: 'c0' }],
    ['Ссылка has more than 255 characters.', { Ссылка: 'x'.repeat(256) }],
    ['Ссылка is no text.', { external_id: 'D', Ссылка: 1 }],
  ])('skips a department with the reason: %s', (skipped, record) =>
    expect(mapRecord(DEPARTMENTS, record)).toEqual({ skipped }),
  );
});

test('the last applicable record of one external id wins', () => {
  const mapped = [{ external_id: 'A' }, { external_id: 'B' }, { external_id: 'A' }, { external_id: 'A', phone: 1 }, {}];
  expect(supersededIn(mapped.map((each) => mapRecord(PERSONS, each)))).toEqual(new Set([0]));
});

/** Nearly correct records: known names, in both Unicode forms, with values of every kind, most of them right. */
const names = PAIRS.flatMap((each) => Object.keys(payloadOf(each)?.columns ?? {}));
const name = fc.oneof(
  fc.constantFrom(...names, ...names.map((each) => each.normalize('NFD')), 'Имя', 'ИИН', 'ДатаРождения', '__proto__'),
  fc.string(),
);
const right = fc.constantFrom('', null, '2024-02-29', '990701000001');
const wrong = fc.constantFrom(
  '2024-02-30',
  '1',
  'a\0',
  '\ud800',
  'x'.repeat(1_001),
  '😀'.repeat(1_000),
  7,
  true,
  1e300,
);
const ids = fc.constantFrom(
  '"external_id":"1"',
  '"ТабельныйНомер":"2"',
  '"Ссылка":"3","external_id":"4","ТабельныйНомер":"5"',
);
const record = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 12, arbitrary: right },
    wrong,
    fc.string({ unit: 'binary' }),
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 8 }), fc.option(ids))
    // Built as text, to have the same name twice, and names like `__proto__` as own properties.
    .map(([members, id]) => {
      const texts = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      return JSON.parse(`{${[...texts, ...(id === null ? [] : [id])].join()}}`);
    }),
}));
const anyRecord = fc.oneof({ weight: 8, arbitrary: record.object }, record.value, fc.jsonValue());
const anyPair = fc.constantFrom(...PAIRS, pair('KEDO', 'OTHER'));

describe('any JSON', () => {
  test('is mapped without an error, always to the same, and reasons hold no value', () => {
    let applied = 0;
    fc.assert(
      fc.property(anyPair, anyRecord, (each, value) => {
        const mapped = mapRecord(each, value);
        expect(mapRecord(each, JSON.parse(JSON.stringify(value)))).toEqual(mapped);
        if ('skipped' in mapped) {
          expect(mapped.skipped).toMatch(
            /^(The record is no object|There is no such pair of source and payload|[\p{L}_.]+( and [\p{L}_.]+( together)?)? (is|are|has|have) [a-zA-Z0-9 -]+)\.$/u,
          );
          return;
        }
        applied++;
        expect([...mapped.externalId].length).toBeGreaterThanOrEqual(1);
        expect([...mapped.externalId].length).toBeLessThanOrEqual(255);
        for (const field of Object.values(mapped.fields)) expect([...field].length).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 3_000 },
    );
    expect(applied).toBeGreaterThan(200);
  });

  test('is mapped to the same after it is reduced to the fields that its pair knows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAIRS), anyRecord, fc.boolean(), async (each, value, isLarge) => {
        const sent = value !== null && typeof value === 'object' && !Array.isArray(value) && isLarge;
        const json = JSON.stringify(value);
        const padded = sent ? `{"padding":"${'x'.repeat(70_000)}"${json === '{}' ? '' : ','}${json.slice(1)}` : json;
        const columns = payloadOf(each)?.columns ?? {};
        const reduced = JSON.parse(JSON.stringify(await reduceRecord(columns, new RawJson(Buffer.from(padded)))));
        expect(mapRecord(each, reduced)).toEqual(mapRecord(each, JSON.parse(json)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('derived ids', () => {
  const named = (source: 'KEDO' | 'LEDGER', kind: 'PERSON' | 'EMPLOYEE', externalId: string) => ({
    ...{ source, kind, externalId },
  });

  test('are equal for equal input, and differ otherwise', () => {
    const ids = [
      bindingId('t', named('KEDO', 'PERSON', 'a')),
      bindingId('u', named('KEDO', 'PERSON', 'a')),
      bindingId('t', named('LEDGER', 'PERSON', 'a')),
      bindingId('t', named('KEDO', 'EMPLOYEE', 'a')),
      bindingId('t', named('KEDO', 'PERSON', 'b')),
      bindingId('t', { ...named('KEDO', 'PERSON', 'a'), isLink: true }),
      objectId('t', named('KEDO', 'PERSON', 'a')),
      derivedUuid('a', 'b'),
      derivedUuid('ab'),
      derivedUuid('a","b'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(bindingId('t', named('KEDO', 'PERSON', 'a'))).toBe(ids[0]);
  });

  test('have the form of random ids', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (let i = 0; i < 64; i++) expect(derivedUuid(String(i))).toMatch(form);
  });
});
