import { describe, expect, test } from '@jest/globals';
import fastCheck from 'fast-check';
import { formats, instantOf, isUnique, ucs2length } from './formats.ts';

// A fixed seed gives the same examples in each run, so a failure comes from a change, not from a rare example that
// earlier runs did not try.
fastCheck.configureGlobal({ seed: 20_260_302 });

function judge(format: keyof typeof formats, value: string | number): boolean {
  const rule = formats[format];
  if (rule instanceof RegExp) return rule.test(String(value));
  if (typeof rule === 'function') return rule(String(value));
  return rule.validate(Number(value));
}

describe('date', () => {
  test.each(['2025-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('takes %s', (text) => {
    expect(judge('date', text)).toBe(true);
  });
  test.each([
    '0000-01-01',
    '0000-02-29',
    '0000-12-31',
    '10000-01-01',
    '+010000-01-01',
    '-000001-01-01',
    '2025-02-29',
    '1900-02-29',
    '2025-02-30',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-1-1',
    '25-01-01',
    '2025-01-01T00:00:00Z',
    '2025-01-01\n',
    ' 2025-01-01',
    '٢٠٢٥-01-01',
    '',
  ])('refuses %j', (text) => {
    expect(judge('date', text)).toBe(false);
  });
  test('agrees with the calendar of Date for every day number', () => {
    fastCheck.assert(
      fastCheck.property(
        fastCheck.integer({ min: 0, max: 9999 }),
        fastCheck.integer({ min: 0, max: 14 }),
        fastCheck.integer({ min: 0, max: 33 }),
        (year, month, day) => {
          const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          const real = new Date(`${text}T00:00:00Z`);
          const exists = year > 0 && !Number.isNaN(real.getTime()) && real.toISOString().slice(0, 10) === text;
          expect(judge('date', text)).toBe(exists);
        },
      ),
    );
  });
});

describe('date-time', () => {
  test.each([
    '2025-03-01T09:30:00Z',
    '2025-03-01T09:30:00.123456789+05:00',
    '2025-03-01t09:30:00z',
    '2024-02-29T23:59:59-23:59',
    // The first and the last instant of the years 1 to 9999 in UTC, in other zones.
    '0001-01-01T00:00:00Z',
    '0001-01-01T05:00:00+05:00',
    '9999-12-31T23:59:59.999999999Z',
    '9999-12-31T18:59:59.999-05:00',
  ])('takes %s', (text) => {
    expect(judge('date-time', text)).toBe(true);
  });
  test.each([
    '2025-03-01T09:30:00',
    '2025-03-01 09:30:00Z',
    '2025-02-30T09:30:00Z',
    '2025-03-01T24:00:00Z',
    '2025-03-01T09:60:00Z',
    '2016-12-31T23:59:60Z',
    '2025-03-01T09:30:00+24:00',
    '2025-03-01T09:30:00+05:60',
    '2025-03-01T09:30:00+0500',
    '2025-03-01T09:30Z',
    '2025-03-01T09:30:00.Z',
    '2025-03-01',
    '2025-03-01T09:30:00Z\n',
    '2025-03-01T09:30:00.1234567890Z',
    '0000-12-31T23:59:59Z',
    '0000-12-31T23:59:59-05:00',
    '0001-01-01T04:59:59.999+05:00',
    '0001-01-01T00:00:00+05:00',
    '9999-12-31T19:00:00-05:00',
    '9999-12-31T23:59:59-05:00',
  ])('refuses %j', (text) => {
    expect(judge('date-time', text)).toBe(false);
  });
});

test.each([
  ['2025-03-01t09:30:00z', '2025-03-01T09:30:00.000Z', false],
  ['2025-03-01T09:30:00.1+05:00', '2025-03-01T04:30:00.100Z', false],
  ['2025-03-01T09:30:00.123000000Z', '2025-03-01T09:30:00.123Z', false],
  ['2025-03-01T09:30:00.123000001Z', '2025-03-01T09:30:00.123Z', true],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', false],
])('instantOf reads %s as %s', (text, instant, isFiner) => {
  expect(instantOf(text)).toEqual({ ms: new Date(instant).getTime(), isFiner });
});

describe('other formats', () => {
  test.each([
    ['uuid', '2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b11', true],
    ['uuid', '2D1F7A52-8F7E-4C34-9D3A-6A0F3C0C1B11', true],
    ['uuid', '00000000-0000-0000-0000-000000000000', true],
    ['uuid', '2d1f7a528f7e4c349d3a6a0f3c0c1b11', false],
    ['uuid', '{2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b11}', false],
    ['uuid', '2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b1g', false],
    ['email', 'aigerim.b@example.com', true],
    ['email', 'почта@пример.example', true],
    ['email', 'aigerim@example', false],
    ['email', 'aigerim@@example.com', false],
    ['email', 'aigerim @example.com', false],
    ['email', `a@${'b'.repeat(64)}.com`, false],
    ['email', 'a@b..com', false],
    ['uri', 'https://example.com/a?b=c#d', true],
    ['uri', 'https://example.com/%D0%90', true],
    ['uri', 'https://example.com/%D', false],
    ['uri', 'https://example.com/ a', false],
    ['uri', '/relative', false],
    ['byte', 'AAAA', true],
    ['byte', 'AAA=', true],
    ['byte', 'AA==', true],
    ['byte', 'AAA', false],
    ['byte', 'AA-_', false],
    ['int32', 2147483647, true],
    ['int32', -2147483648, true],
    ['int32', 2147483648, false],
    ['int32', 1.5, false],
    ['int64', 9007199254740991, true],
    ['int64', 9007199254740992, false],
  ] as const)('%s of %s is %s', (format, value, valid) => {
    expect(judge(format, value)).toBe(valid);
  });
  test('take linear time for long texts', () => {
    const text = `${'a'.repeat(200_000)}@${'b.'.repeat(100_000)}`;
    const begin = performance.now();
    for (const format of ['date', 'date-time', 'uuid', 'email', 'uri', 'byte'] as const) judge(format, text);
    expect(performance.now() - begin).toBeLessThan(30_000);
  });
});

test('ucs2length counts code points', () => {
  expect(ucs2length('Әйгерім')).toBe(7);
  expect(ucs2length('a😀b')).toBe(3);
  expect(ucs2length('\ud83d')).toBe(1);
  fastCheck.assert(
    fastCheck.property(fastCheck.string({ unit: 'binary' }), (text) => expect(ucs2length(text)).toBe([...text].length)),
  );
});

describe('isUnique', () => {
  test.each([
    [[], true],
    [['a', 'b'], true],
    [['a', 'b', 'a'], false],
    [[1, '1'], true],
    [[{ a: 1 }, { a: 1 }, [], []], true],
    [[null, null], false],
  ])('%j: %s', (items, unique) => {
    expect(isUnique(items)).toBe(unique);
  });
  test('takes linear time', () => {
    const items = Array.from({ length: 200_000 }, (_unused, index) => `id-${index}`);
    const begin = performance.now();
    expect(isUnique(items)).toBe(true);
    expect(performance.now() - begin).toBeLessThan(30_000);
  });
});
