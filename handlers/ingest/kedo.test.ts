import { expect, test } from '@jest/globals';
import { kedo } from './kedo.ts';
import { mapRecord } from './records.ts';

const map = (payload_type: string, record: object) => mapRecord({ source_type: 'KEDO', payload_type }, record);

test('each field of a person has a place of its own, shown or kept as the contract says', () => {
  const shown = {
    first_name: 'Әсел',
    last_name: 'Нұрланова',
    middle_name: 'Бауыржанқызы',
    birth_date: '1990-03-15',
    iin: '900315400018',
    phone: '+77010000001',
  };
  const kept = {
    gender: 'FEMALE',
    birth_place: 'г. Алматы',
    number: '000000017',
    serial_number: 'N',
    issued_date: '2019-06-04',
    issuing_authority: 'МВД РК',
    issuing_authority_code: '001',
    registration_address: 'ул. Примерная, 1',
    citizenship: 'KZ',
  };
  expect(map('PERSONS', { external_id: 'P', ...shown, ...kept, email: 'asel@example.com' })).toEqual({
    kind: 'PERSON',
    externalId: 'P',
    references: {},
    fields: { ...shown, personal_email: 'asel@example.com' },
    details: kept,
  });
});

test('each field of an organisation beside its title is kept in a place of its own', () => {
  const kept = {
    bin: '120440001231',
    legal_address: 'пр. Образцовый, 10',
    actual_address: 'пр. Образцовый, 12',
    bank_bik: 'EXAMKZKA',
    bank_account: 'KZ00000000000000000A',
    bank_name: 'АО «Пример Банк»',
  };
  expect(map('ORGANIZATIONS', { external_id: 'O', title: 'ТОО «Пример»', ...kept })).toEqual({
    kind: 'ORGANIZATION',
    externalId: 'O',
    references: {},
    fields: { title: 'ТОО «Пример»' },
    details: kept,
  });
});

test('maps an employee', () => {
  const record = { external_id: 'E-1', number: '000417', admission_date: '2021-09-01', left_date: '' };
  const links = { external_person_id: 'P-1', external_organization_id: 'O', external_department_id: null };
  const rest = { available_vacation_day_count: '24', external_job_title_id: 'J' };
  expect(map('EMPLOYEES', { ...record, ...links, ...rest })).toEqual({
    kind: 'EMPLOYEE',
    externalId: 'E-1',
    fields: { employee_number: '000417', start_date: '2021-09-01', end_date: '' },
    details: { available_vacation_day_count: '24' },
    references: { person: 'P-1', organization: 'O', department: '', job_title: 'J' },
  });
});

test.each([...kedo.keys()])('skips a record of %s without its external_id', (payloadType) => {
  for (const record of [{}, { external_id: '' }, { external_id: null }])
    expect(map(payloadType, record)).toEqual({ skipped: 'external_id is missing.' });
});

test.each([...kedo])('people find a skipped record of %s by its external id', (_, { idFields }) => {
  expect(idFields).toEqual(['external_id']);
});
