import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../answers/errors.ts';
import { isExact } from './exact-number.ts';
import { readJson } from './json-body.ts';
import { PORTION_BYTES } from './json-scan.ts';
import type { RawJson } from './raw-json.ts';

const LIMIT = 1024 * 1024;
const shape = { bodyFields: ['a', 'title'], openFields: [], bodyLimitBytes: LIMIT };
const parsed = async (text: string) => (await readJson(Buffer.from(text), shape)).value;

async function refused(text: string | Buffer): Promise<string | undefined> {
  try {
    await readJson(Buffer.from(text), shape);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extras.violations?.[0]?.description;
  }
}

describe('readJson (D-6a)', () => {
  test('takes JSON, with the last of duplicate keys', async () => {
    expect(await parsed('{"a":1,"a":{"b":"ә \\ud83d\\ude00"}}')).toEqual({ a: { b: 'ә 😀' } });
  });

  test.each([
    ['a second byte order mark', '\u{feff}\u{feff}{}', 'is not valid JSON at line 1, column 1'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    ['a trailing comma', '{"a":1,}', 'is not valid JSON at line 1, column 8'],
    ['NaN', 'NaN', 'is not valid JSON at line 1, column 1'],
    ['nothing', '', 'is not valid JSON at line 1, column 1'],
    ['an end that is missing', '{"a":\n["ә", 1', 'is not valid JSON at line 2, column 8'],
    ['a line longer than a portion', `{"a":\n1,"${'ә'.repeat(50_000)}" 1`, 'is not valid JSON at line 2, column 50006'],
    ['a word in a later line', '{\n  "ә": 1,\n  "b": no\n}', 'is not valid JSON at line 3, column 8'],
    ['an escaped NUL in a name', '{"\\u0000":1}', 'contains a NUL character or a lone surrogate'],
    ['the last lone low surrogate', '{"a":["\\uDFFF"]}', 'contains a NUL character or a lone surrogate'],
    [
      'half a pair before an escape that is none',
      '{"a":"\\ud83d\\\\uDE00"}',
      'contains a NUL character or a lone surrogate',
    ],
    ['400,000 levels', '{"a":'.repeat(400_000), 'is nested deeper than 64 levels'],
  ])('refuses %s', async (_what, text, reason) => expect(await refused(text)).toBe(reason));

  test('ignores one byte order mark', async () => expect(await parsed('\u{feff}{}')).toEqual({}));

  test('treats a prototype key as data like any other, in a large body too', async () => {
    for (const title of ['"x"', `"${'x'.repeat(100_000)}"`]) {
      const a = '{"__proto__":{"polluted":1},"b":1,"__proto__":[2]}';
      const value = await parsed(`{"title":${title},"a":${a},"__proto__":{"polluted":1}}`);
      expect(JSON.stringify(value)).toContain('"a":{"__proto__":[2],"b":1}');
      expect(Object.keys(value)).toEqual(['title', 'a', '__proto__']);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  test('reads names with escapes, whatever objects others have sent', async () => {
    const first = '"only here":1';
    for (let time = 0; time < 2; time++) await parsed(`{"a":{${first},${String.raw`"\\u0442":1`}}}`);
    const read = await parsed(`{"a":{${first},${String.raw`"\u0442\u0435\u043c\u044b\u0430\u0431":1`}}}`);
    expect(JSON.stringify(read)).toBe(`{"a":{${first},"темыаб":1}}`);
  });

  test('refuses a body with more values than any operation takes, at the field that brings it there', async () => {
    const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
    expect(await parsed(`{"a":${zeros(5_000)},"title":${zeros(4_998)}}`)).toHaveProperty('title.length', 4_998);
    const description = 'brings the body to more than 10000 values, or 1048576 bytes besides its lists of records';
    expect(await refused(`{"a":${zeros(5_000)},"title":${zeros(4_999)}}`)).toBe(description);
    expect(await refused(`{${Array.from({ length: 10_001 }, (_, nth) => `"${nth}":1`).join()}}`)).toBe(description);
  });

  test('leaves the elements of lists unparsed where a body may be large, and whatever else it has is small', async () => {
    const bulk = { bodyFields: ['records', 'a'], openFields: [], bodyLimitBytes: 32 * LIMIT };
    const read = async (text: string) => (await readJson(Buffer.from(text), bulk)).value;
    const record = `{"b":[${'[],'.repeat(20_000)}1]}`;
    const { records, ...others } = (await read(
      `{"records":[1],"a":[2],"a":"x","u":[[3]],"records":[ ${record}, 2 ]}`,
    )) as unknown as {
      records: RawJson[];
    };
    expect(others).toEqual({ a: 'x', u: [[3]] });
    expect(records.map((each) => each.sizeBytes)).toEqual([record.length, 1]);
    expect(await read(`{"records":[1],"records":5}`)).toEqual({ records: 5 });
    await expect(read(`{"u":"${'x'.repeat(LIMIT)}"}`)).rejects.toThrow('u brings the body');
  });

  test('lets other work run between the parts of a large body, sound or not', async () => {
    const text = `{"a":[${'{},'.repeat(100_000)}1]`;
    for (const end of ['', '}']) {
      let rests = 0;
      const rest = async () => void rests++;
      await readJson(Buffer.from(text + end), shape, rest).catch(() => {});
      expect(rests).toBeGreaterThanOrEqual(Math.floor(text.length / PORTION_BYTES));
    }
  });
});

const wrongIn = async (text: string) =>
  (
    await readJson(Buffer.from(text), { bodyFields: ['values', 'o'], openFields: ['values'], bodyLimitBytes: LIMIT })
  ).wrong.map(({ field }) => field);

const EXACT = [
  '0',
  '0.00',
  '0e5',
  '-1',
  '0.1',
  '1.50',
  '1e2',
  '15E-1',
  '1.0',
  '1e0',
  '9007199254740991',
  '1e21',
  '5e-324',
  '0.30000000000000004',
  '1234567890123456e-300',
  `1${'0'.repeat(20)}`,
  `1.${'0'.repeat(500)}`,
];
const INEXACT = [
  '-0',
  '-0.0',
  '-0e5',
  '1e-400',
  '1e400',
  '99999999.999999999',
  '9007199254740993',
  '0.1000000000000000055',
  '4e-324',
  '123456789012e-330',
  '1.7976931348623159e308',
  `1.${'0'.repeat(200_000)}1`,
];

test.each(EXACT)('takes the number %s, which a double holds as it is written', (text) => {
  expect(isExact(text)).toBe(true);
});

test.each(INEXACT.map((text) => [text.slice(0, 30), text]))('refuses the number %s', (_, text) => {
  expect(isExact(text)).toBe(false);
});

test('names the numbers of the open fields, and no others', async () => {
  const number = '1e-400';
  const values = `{"a":[{"b":1,"c \\u00e9":${number}}],"d":${number},"e":"${number}"}`;
  expect(await wrongIn(`{"other":${number},"values":${values},"o":{"values":${number}}}`)).toEqual([
    'values.a[0].c \u00e9',
    'values.d',
  ]);
  expect(await wrongIn(`{"values":${number}}`)).toEqual(['values']);
  expect(await wrongIn(`[${number}]`)).toEqual([]);
});

test('judges the last of equal names, and at most twenty numbers', async () => {
  expect(await wrongIn('{"values":{"a":-0},"values":{"a":1}}')).toEqual([]);
  expect(await wrongIn('{"values":{"a":{"b":-0,"c":1e400},"a":{"c":-0,"c":3}}}')).toEqual([]);
  const many = '-0,'.repeat(30);
  expect(await wrongIn(`{"values":{"a":[${many}1],"a":0}}`)).toEqual([]);
  expect(await wrongIn(`{"values":[${many}1]}`)).toHaveLength(20);
});
