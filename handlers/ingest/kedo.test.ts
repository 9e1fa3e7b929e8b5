import { expect, test } from '@jest/globals';
import { mapRecord } from './records.ts';

/** Fields that no answer shows: where they are kept, only a copy of the person and the settings tell. */
const kept = {
  PERSONS: {
    gender: 'FEMALE',
    birth_place: 'г. Алматы',
    number: '000000017',
    serial_number: 'N',
    issued_date: '2019-06-04',
    issuing_authority: 'МВД РК',
    issuing_authority_code: '001',
    registration_address: 'ул. Примерная, 1',
    citizenship: 'KZ',
  },
  ORGANIZATIONS: {
    bin: '120440001231',
    legal_address: 'пр. Образцовый, 10',
    actual_address: 'пр. Образцовый, 12',
    bank_bik: 'EXAMKZKA',
    bank_account: 'KZ00000000000000000A',
    bank_name: 'АО «Пример Банк»',
  },
  EMPLOYEES: { available_vacation_day_count: '24' },
};

test.each(Object.entries(kept))('what is never shown of %s is kept under its own name', (payload_type, details) => {
  const mapped = mapRecord({ source_type: 'KEDO', payload_type }, { external_id: 'X', ...details });
  expect(mapped).toMatchObject({ fields: {}, details });
});
