import { describe, expect, test } from '@jest/globals';
import { Binary, BSONError, Decimal128, MaxKey, MinKey, ObjectId, serialize, Timestamp } from 'bson';
import { decode, encode } from './documents.ts';
import { DatabaseError } from './errors.ts';
import { encodeKey } from './keys.ts';
import { randomFrom } from './test-fixture.ts';
import type { Doc, Value } from './values.ts';

const { below, pick } = randomFrom(7);
/** In the order of the manual's page "Comparison/Sort Order". */
const NUMBERS: Value[] = [
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -1e300,
  -(2 ** 53) - 2,
  -1.5,
  -1,
  0,
  5e-324,
  1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  2 ** 53,
  2 ** 53 + 2,
  1e300,
  Number.POSITIVE_INFINITY,
];
const TEXTS = ['', '\u0000', '\u0000\u0000', '\u0001', 'a', 'a\u0000', 'a\u0001', 'ab', 'b', 'é', '\uffff', '😀'];
const DOCUMENTS: Value[] = [{}, { a: 1 }, { a: 1, b: 0 }, { a: 2 }, { b: 0 }, { a: '' }, { a: {} }];
const ARRAYS: Value[] = [[], [null], [1], [1, 0], [2], ['1'], [[]]];
const BINARIES = [new Binary(Buffer.from([9])), new Binary(Buffer.from([0]), 4), new Binary(Buffer.from([1, 1]))];
const IN_ORDER: Value[] = [
  null,
  ...NUMBERS,
  ...TEXTS,
  ...DOCUMENTS,
  ...ARRAYS,
  ...BINARIES,
  new ObjectId('00'.repeat(12)),
  new ObjectId('01'.repeat(12)),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Date(1),
];
/** Any value: one of those, or a list or a document of such values. */
function value(depth = 0): Value {
  const list = Array.from({ length: below(3) });
  switch (below(depth > 2 ? 1 : 3)) {
    case 1:
      return list.map(() => value(depth + 1));
    case 2:
      return Object.fromEntries(list.map(() => [pick(['a', 'b', 'é', '😀']), value(depth + 1)]));
    default:
      return pick(IN_ORDER);
  }
}

describe('keys', () => {
  test('compare as bytes in the order of the values', () => {
    for (const [i, a] of IN_ORDER.entries()) {
      for (const [k, b] of IN_ORDER.entries()) {
        const order = Math.sign(Buffer.compare(encodeKey(a), encodeKey(b)));
        expect({ a, b, order }).toEqual({ a, b, order: Math.sign(i - k) });
      }
    }
    expect(encodeKey(-0)).toEqual(encodeKey(0));
  });

  test('are never prefixes of each other, so that compound keys keep the order', () => {
    for (let i = 0; i < 5000; i++) {
      const [a, b] = [encodeKey(value()), encodeKey(value())];
      if (!a.equals(b)) expect(a.subarray(0, b.length).equals(b)).toBe(false);
    }
  });
});

describe('documents', () => {
  test('are read back unchanged, byte by byte', () => {
    for (let i = 0; i < 2000; i++) {
      const bytes = encode({ _id: i, v: value(), w: value() });
      expect(encode(decode(bytes))).toEqual(bytes);
    }
  });

  test.each<[type: string, value: unknown]>([
    ['decimal', Decimal128.fromString('1')],
    ['maxKey', new MaxKey()],
    ['minKey', new MinKey()],
    ['regex', /a/],
    ['timestamp', new Timestamp({ t: 1, i: 2 })],
  ])('of the type %s are refused by its name', (type, value) => {
    expect(() => decode(serialize({ value }))).toThrow(`the BSON type ${type} is not supported`);
  });

  test('may have fields of any name', () => {
    const bytes = encode(JSON.parse('{"__proto__": 1, "constructor": 2, "a.b": 3, "$x": 4, "": 5}') as Doc);
    expect(JSON.stringify(decode(bytes))).toBe('{"__proto__":1,"constructor":2,"a.b":3,"$x":4,"":5}');
  });

  test('are refused if they are damaged or cut, and nothing else happens', () => {
    const bytes = encode({ _id: 1, s: 'text', l: [1, { x: 'y' }], b: new Binary(Buffer.alloc(5)), re: 'a' });
    for (let i = 0; i < 5000; i++) {
      const damaged = Buffer.from(bytes);
      damaged[below(bytes.length)] = below(256);
      try {
        const cut = below(10) === 0 ? damaged.subarray(0, below(bytes.length)) : damaged;
        encode(decode(cut));
      } catch (error) {
        expect(error instanceof BSONError || error instanceof DatabaseError).toBe(true);
      }
    }
  });
});
