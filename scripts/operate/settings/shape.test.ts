import { expect, test } from '@jest/globals';
import { jsonText } from './shape.ts';

test('days and times of JSON are of the years 1 to 9999, or empty (D-2)', () => {
  const person = { birth_date: '2023-02-29', issued_date: '2024-02-29', title: '0000-02-29' };
  const row = { start_date: '0000-01-01', made: new Date(0), ended: new Date('+010000-01-01'), of: [person] };
  expect(JSON.parse(jsonText(row))).toEqual({
    start_date: '',
    made: '1970-01-01T00:00:00.000Z',
    ended: '',
    of: [{ ...person, birth_date: '' }],
  });
});
