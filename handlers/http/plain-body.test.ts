import { describe, expect, test } from '@jest/globals';
import { ApiError, type Violation } from './errors.ts';
import { parseJson } from './plain-body.ts';

function refused(text: string | Buffer): string | undefined {
  try {
    const wrong: Violation[] = [];
    parseJson(Buffer.from(text), wrong);
    return wrong[0]?.description;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extras.violations?.[0]?.description;
  }
}

describe('parseJson (D-6a)', () => {
  test('takes JSON, with the last of duplicate keys', () => {
    expect(parseJson(Buffer.from('{"a":1,"a":{"b":"ә \\ud83d\\ude00"}}'), [])).toEqual({ a: { b: 'ә 😀' } });
  });

  test.each([
    ['two byte order marks', '\u{feff}\u{feff}{}', 'is not valid JSON at line 1, column 1'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    ['a trailing comma', '{"a":1,}', 'is not valid JSON at line 1, column 8'],
    ['NaN', 'NaN', 'is not valid JSON at line 1, column 1'],
    ['nothing', '', 'is not valid JSON at line 1, column 1'],
    ['an end that is missing', '{"a":\n["ә", 1', 'is not valid JSON at line 2, column 8'],
    ['a word in a later line', '{\n  "ә": 1,\n  "b": no\n}', 'is not valid JSON at line 3, column 8'],
    ['an escaped NUL', '{"a":["\\u0000"]}', 'contains a NUL character or a lone surrogate'],
    ['an escaped NUL in a name', '{"\\u0000":1}', 'contains a NUL character or a lone surrogate'],
    ['a lone high surrogate', '["\\ud800"]', 'contains a NUL character or a lone surrogate'],
    ['a lone low surrogate', '["\\udc00"]', 'contains a NUL character or a lone surrogate'],
    ['the last lone low surrogate', '["\\uDFFF"]', 'contains a NUL character or a lone surrogate'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 'is nested deeper than 64 levels'],
    ['400,000 levels', '{"a":'.repeat(400_000), 'is nested deeper than 64 levels'],
  ])('refuses %s', (_what, text, reason) => expect(refused(text)).toBe(reason));

  test('ignores one byte order mark', () => expect(refused('\u{feff}{}')).toBeUndefined());

  test('takes 64 levels, and does not count brackets in strings', () => {
    expect(refused('['.repeat(64) + ']'.repeat(64))).toBeUndefined();
    expect(refused(JSON.stringify('[{"\\'.repeat(100)))).toBeUndefined();
  });

  test('treats a prototype key as data like any other', () => {
    const value = parseJson(Buffer.from('{"__proto__":{"polluted":1}}'), []) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each([
    '0',
    '-1',
    '0.1',
    '1.50',
    '1e2',
    '15E-1',
    '1.0',
    '9007199254740991',
    '0.30000000000000004',
    '1e21',
    '5e-324',
  ])('takes the number %s, which a double holds exactly', (text) => expect(refused(`{"a":${text}}`)).toBeUndefined());

  test.each([
    '-0',
    '-0.0',
    '-0e5',
    '1e-400',
    '1e400',
    '99999999.999999999',
    '9007199254740993',
    '0.1000000000000000055',
  ])('refuses the number %s, which a double changes', (text) => {
    const wrong: Violation[] = [];
    parseJson(Buffer.from(`{"a":[{"b":1,"c":${text}}],"d":${text},"e":"${text}"}`), wrong);
    const description = 'must be a number that a 64-bit float holds as it is written';
    expect(wrong).toEqual(['a[0].c', 'd'].map((field) => ({ field, description })));
  });
});
