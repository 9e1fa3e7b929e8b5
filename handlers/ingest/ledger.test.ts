/** What records of LEDGER are known by, where an answer or an outcome does not show it. */
import { expect, test } from '@jest/globals';
import { mapRecord } from './records.ts';

const FULL = { source_type: 'LEDGER', payload_type: 'EMPLOYEES_FULL' };
const DEPARTMENTS = { source_type: 'LEDGER', payload_type: 'DEPARTMENTS' };

const ZERO = '00000000-0000-0000-0000-000000000000';

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
  [
    'Организация.Ссылка and ТабельныйНомер together have',
    FULL,
    { 'Организация.Ссылка': 'o'.repeat(250), ТабельныйНомер: '12345' },
  ],
  ['Ссылка has', DEPARTMENTS, { Ссылка: 'x'.repeat(256) }],
])('%s at most 255 characters, to be an external id', (words, pair, record) =>
  expect(mapRecord(pair, record)).toEqual({ skipped: `${words} more than 255 characters.` }),
);
