import { expect, test } from '@jest/globals';
import { OUTERMOST, OUTSIDE, unreadable } from './readers.ts';

const complaint = (text: string) => unreadable(Buffer.from(text), JSON.parse(text));

test('what every reader holds is of the years 1 to 9999 in UTC', () => {
  expect(OUTERMOST).toEqual({
    date: ['0001-01-01', '9999-12-31'],
    'date-time': ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  });
  expect(OUTSIDE['date-time']).toContain('9999-12-31T23:59:59.999-00:01');
});

test.each([
  ['{"birth_date":"0001-01-01","date":"9999-12-31","end_date":"","title":"0000-01-01"}', ''],
  ['{"birth_date":"0000-02-29"}', 'the day of birth_date is none for Python, .NET, PostgreSQL'],
  ['{"date":"10000-01-01"}', 'the day of date is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"date":"2023-02-29"}', 'the day of date is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"a_at":"2023-02-29T00:00:00Z"}', 'the instant of a_at is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"total_count":7}', 'the int64 of total_count is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"a_time":"9999-12-31T23:59:59.999999Z","b_at":"0001-01-01T05:00:00+05:00"}', ''],
  ['{"a_time":"0001-01-01T00:00:00+05:00"}', 'the instant of a_time is none for Python, .NET, PostgreSQL'],
  ['{"a_at":"+010000-01-01T00:00:00Z"}', 'the instant of a_at is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"a_at":"2026-01-01T00:00:00.1234567Z"}', 'the fraction of a_at is none for Python, PostgreSQL'],
  ['{"a":{"index":2147483647},"total_count":"9223372036854775807"}', ''],
  ['{"a":[{"index":2147483648}]}', 'the int32 of index is none for .NET, Go, Java, PostgreSQL'],
  ['{"variable_schema":{"properties":{"a":{"maximum":1e300}}}}', ''],
  ['{"total_count":"9223372036854775808"}', 'the int64 of total_count is none for .NET, Go, Java, PostgreSQL'],
  ['{"a":["\\u0000"]}', 'the character of a is none for PostgreSQL'],
  ['{"\\ud83d":1}', 'the character of a name is none for Python, .NET, Go, Java, PostgreSQL'],
  ['{"a":"\\ud83d\\ude00","b":"\\":\\\\"}', ''],
  [`${'['.repeat(64)}${']'.repeat(64)}`, ''],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 'the depth of the body is none for .NET'],
  ['[{"a":1},{"a":2,"b":{"a":3}}]', ''],
  ['{"a":{"b":1,"b":1}}', 'an object has a name twice'],
])('of %s: %s', (text, expected) => {
  expect(complaint(text)).toBe(expected);
});

test('bytes that are no UTF-8', () => {
  const body = Buffer.from('{"a":"\xe9"}', 'latin1');
  expect(unreadable(body, JSON.parse(body.toString()))).toBe('the body is no UTF-8');
});
