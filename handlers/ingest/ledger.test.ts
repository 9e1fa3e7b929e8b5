import { describe, expect, test } from '@jest/globals';
import { ledger } from './ledger.ts';
import { mapRecord } from './records.ts';

const FULL = { source_type: 'LEDGER', payload_type: 'EMPLOYEES_FULL' };
const DEPARTMENTS = { source_type: 'LEDGER', payload_type: 'DEPARTMENTS' };

const ZERO = '00000000-0000-0000-0000-000000000000';

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
      naturals: ['ORG-1/00-0231'],
      fields: { employee_number: '00-0231', start_date: '2023-05-10' },
      details: {},
      number: '00-0231',
      natural: 'ORG-1/00-0231',
      references: { organization: 'ORG-1', department: 'c0a1-0007', job_title: '' },
      person: {
        kind: 'PERSON',
        externalId: '',
        fields: {
          first_name: 'Дәулет',
          last_name: 'Сәрсенов',
          middle_name: '',
          iin: '990701000001',
          phone: '+7',
          birth_date: '1999-07-01',
        },
        details: {},
        references: {},
      },
    });
  });

  test('derives the id from the number alone without an organisation; the person has none', () => {
    for (const organization of [{}, { 'Организация.Ссылка': '' }, { 'Организация.Ссылка': null }]) {
      for (const iin of [{}, { ИИН: '' }, { ИИН: null }]) {
        const mapped = mapRecord(FULL, { ТабельныйНомер: '7', ...organization, ФизЛицо: { Имя: 'А', ...iin } });
        expect(mapped).toMatchObject({ externalId: '7', references: {}, person: { externalId: '' } });
      }
    }
  });

  test('prefers an external_id to the derived id, also of the person, and keeps the number as a field', () => {
    expect(
      mapRecord(FULL, { ...employee, external_id: 'E-1', ФизЛицо: { ...person, external_id: 'P-1' } }),
    ).toMatchObject({
      externalId: 'E-1',
      fields: { employee_number: '00-0231' },
      references: { organization: 'ORG-1' },
      person: { externalId: 'P-1', fields: { iin: person.ИИН } },
    });
    expect(mapRecord(FULL, { external_id: 'E-1', ФизЛицо: { Имя: 'А' } })).toMatchObject({
      externalId: 'E-1',
      fields: {},
      person: { externalId: '' },
    });
    const long = { external_id: 'E-1', ТабельныйНомер: 'n'.repeat(1_000) };
    expect(mapRecord(FULL, long)).toMatchObject({
      externalId: 'E-1',
      fields: { employee_number: long.ТабельныйНомер },
    });
  });

  test('an earlier version has made natural ids of what was sent: they are looked up first', () => {
    const naturals = (organization: string, number: string) =>
      mapRecord(FULL, { ТабельныйНомер: number, 'Организация.Ссылка': organization, external_id: 'E' });
    expect(naturals(ZERO, '7')).toMatchObject({
      naturals: [`${ZERO}/7`, '7'],
      details: { organization: '', number: '7' },
    });
    expect(naturals('O ', ' 7')).toMatchObject({
      naturals: ['O / 7', 'O/7'],
      details: { organization: 'O', number: '7' },
    });
    expect(naturals('O', ' ')).toMatchObject({ naturals: [] });
    expect(mapRecord(DEPARTMENTS, { Ссылка: 'c0 ' })).toMatchObject({ externalId: 'c0', naturals: ['c0 ', 'c0'] });
    expect(mapRecord(DEPARTMENTS, { external_id: 'D', Ссылка: `{${ZERO}}` })).toMatchObject({ naturals: [] });
  });

  test.each([
    [{ ИИН: '000000000000' }, { externalId: '', fields: {} }],
    [
      { external_id: '222222222222', ИИН: '990701000001' },
      { externalId: '', fields: { iin: '990701000001' } },
    ],
    [{ ИИН: '111111111112' }, { fields: { iin: '111111111112' } }],
  ])('takes a filler for no IIN and no id of a person: %j', (sent, expected) => {
    const mapped = mapRecord(FULL, { ТабельныйНомер: '7', ФизЛицо: sent });
    expect(mapped).toMatchObject({ person: expected });
  });

  test.each([[''], [null], [undefined]])('treats an external_id of %j as absent', (external_id) => {
    const nested = { ...employee, external_id, ФизЛицо: { ...person, external_id } };
    expect(mapRecord(FULL, nested)).toEqual(mapRecord(FULL, employee));
    expect(mapRecord(DEPARTMENTS, { external_id, Ссылка: 'c0' })).toEqual(mapRecord(DEPARTMENTS, { Ссылка: 'c0' }));
  });

  test('a department keeps its Ссылка beside another external_id', () => {
    expect(mapRecord(DEPARTMENTS, { external_id: 'D', Ссылка: 'c0', Наименование: 'Склад' })).toEqual({
      kind: 'DEPARTMENT',
      externalId: 'D',
      isGiven: true,
      naturals: ['c0'],
      fields: { title: 'Склад' },
      details: { external_id: 'D', link: 'c0' },
      references: {},
    });
    expect(mapRecord(DEPARTMENTS, { Ссылка: 'c0' })).toEqual({
      kind: 'DEPARTMENT',
      externalId: 'c0',
      naturals: ['c0'],
      fields: {},
      details: {},
      references: {},
    });
  });

  test.each([[{}], [{ ФизЛицо: null }]])('leaves the person alone without one (%j)', (given) => {
    const mapped = mapRecord(FULL, { ТабельныйНомер: '7', ...given });
    expect(mapped).toEqual({
      kind: 'EMPLOYEE',
      externalId: '7',
      naturals: ['7', `${ZERO}/7`],
      number: '7',
      natural: '7',
      fields: { employee_number: '7' },
      details: {},
      references: {},
    });
  });

  test.each([
    ['external_id and ТабельныйНомер are missing.', { 'Организация.Ссылка': 'O' }],
    ['ФизЛицо is no object.', { ...employee, ФизЛицо: 'Сәрсенов' }],
    ['ФизЛицо is no object.', { ...employee, ФизЛицо: [person] }],
    ['ФизЛицо is no object.', { ...employee, ФизЛицо: false }],
    [
      'Организация.Ссылка and ТабельныйНомер together have more than 255 characters.',
      { 'Организация.Ссылка': 'o'.repeat(250), ТабельныйНомер: '12345' },
    ],
  ])('skips with the reason: %s', (skipped, record) => expect(mapRecord(FULL, record)).toEqual({ skipped }));

  test.each([
    ['external_id and Ссылка are missing.', { Наименование: 'Склад' }],
    ['Ссылка has more than 255 characters.', { Ссылка: 'x'.repeat(256) }],
  ])('skips a department with the reason: %s', (skipped, record) =>
    expect(mapRecord(DEPARTMENTS, record)).toEqual({ skipped }),
  );

  test('people find a skipped record by its external id, else by what would have become one', () => {
    expect(ledger.get('EMPLOYEES_FULL')?.idFields).toEqual(['external_id', 'ТабельныйНомер']);
    expect(ledger.get('DEPARTMENTS')?.idFields).toEqual(['external_id', 'Ссылка']);
  });
});
