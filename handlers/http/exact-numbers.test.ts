import { expect, test } from '@jest/globals';
import { isExact, parseJson } from './plain-body.ts';

const wrongIn = async (text: string) =>
  (await parseJson(Buffer.from(text), { bodyFields: [], openFields: ['values'] })).wrong.map(({ field }) => field);

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
