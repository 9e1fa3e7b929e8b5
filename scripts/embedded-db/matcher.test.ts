import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Binary, Decimal128, type Document, Double, Int32, Long } from 'mongodb';
import { codeOf, type Fixture, setUp } from './test-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await setUp();
});
afterAll(() => fixture.end());

/** Stores the values as field x of documents numbered from 0. Returns the numbers of those that a filter finds. */
async function found(values: unknown[], filter: Document): Promise<number[]> {
  const collection = fixture.fresh();
  const docs = values.map((x, i) => (x === undefined ? { _id: i } : { _id: i, x }));
  await collection.insertMany(docs as never[]);
  return (await collection.find(filter).sort({ _id: 1 }).toArray()).map((doc) => doc._id as never);
}

type Case = [title: string, values: unknown[], filter: Document, expected: number[]];

const d = (text: string): Decimal128 => Decimal128.fromString(text);

describe.each<[page: string, cases: Case[]]>([
  [
    'Query for Null or Missing Fields',
    [
      ['null finds null and missing', [null, undefined, 0, '', []], { x: null }, [0, 1]],
      ['$ne null finds neither', [null, undefined, 0, ''], { x: { $ne: null } }, [2, 3]],
      ['$gte null and $lte null too', [null, undefined, 1], { x: { $gte: null } }, [0, 1]],
      ['$gt null finds nothing', [null, undefined, 1], { x: { $gt: null } }, []],
      ['$exists false finds only missing', [null, undefined, 1], { x: { $exists: false } }, [1]],
      ['null in an array', [[1, null], [1], []], { x: null }, [0]],
      ['null below an array of documents', [[{ y: 1 }, {}], [{ y: 1 }], [1, 2], [], 4, {}], { 'x.y': null }, [0, 4, 5]],
      ['$type null finds no missing', [null, undefined], { x: { $type: 'null' } }, [0]],
    ],
  ],
  [
    'Query an Array',
    [
      ['an element', [[1, 2], 1, [[1]], [2]], { x: 1 }, [0, 1]],
      ['the whole array, in order', [[1, 2], [2, 1], [[1, 2]], [1, 2, 3]], { x: [1, 2] }, [0, 2]],
      ['conditions met by different elements', [[1, 30], [15], [40]], { x: { $gt: 20, $lt: 10 } }, [0]],
      ['$elemMatch by one element', [[1, 30], [15], 15], { x: { $elemMatch: { $gt: 10, $lt: 20 } } }, [1]],
      ['an element by its index', [[1, 2], [2, 1], { 1: 2 }], { 'x.1': 2 }, [0, 2]],
      ['$size', [[1, 2], [], [[1, 2]], 2], { x: { $size: 2 } }, [0]],
      ['nested arrays are not entered', [[[3], 0], [[{ q: 1 }]], [{ q: 1 }]], { 'x.q': 1 }, [2]],
      ['nor for their elements', [[[5]], [5]], { x: 5 }, [1]],
      [
        '$elemMatch with a document passes over scalars',
        [[1, 2], [{ k: 1 }], ['k']],
        { x: { $elemMatch: { k: 1 } } },
        [1],
      ],
      ['$elemMatch with $ne', [[1], [1, 2], []], { x: { $elemMatch: { $ne: 1 } } }, [1]],
    ],
  ],
  [
    '$all',
    [
      ['contains all', [['a', 'b', 'c'], ['a'], 'a'], { x: { $all: ['a', 'b'] } }, [0]],
      ['a scalar that is each of them', [false, [false], true], { x: { $all: [false, false] } }, [0, 1]],
      ['an empty list finds nothing', [[], [1], undefined], { x: { $all: [] } }, []],
      [
        '$elemMatch inside',
        [[{ a: 1 }, { a: 5 }], [{ a: 1 }]],
        { x: { $all: [{ $elemMatch: { a: 1 } }, { $elemMatch: { a: 5 } }] } },
        [0],
      ],
    ],
  ],
  [
    'Comparison/Sort Order',
    [
      ['ranges stay in their type', [1, '1', new Date(1), null, true, [1]], { x: { $gt: 0 } }, [0, 5]],
      ['strings by bytes', ['a', 'B', 'é', 'z'], { x: { $gt: 'Z' } }, [0, 2, 3]],
      [
        'numbers of all types are one',
        [new Int32(5), new Double(5), Long.fromNumber(5), d('5.0'), 6],
        { x: 5 },
        [0, 1, 2, 3],
      ],
      ['decimals by value', [d('1.10'), d('1.1'), 1.1, d('1.2')], { x: d('1.1') }, [0, 1]],
      [
        'Long exactly',
        [Long.fromString('9007199254740993'), 9007199254740992],
        { x: Long.fromString('9007199254740993') },
        [0],
      ],
      ['NaN equals NaN only', [Number.NaN, 1, d('NaN')], { x: Number.NaN }, [0, 2]],
      ['NaN is in no range', [Number.NaN, 1], { x: { $lt: 5 } }, [1]],
      ['NaN or equal', [Number.NaN, 1], { x: { $gte: Number.NaN } }, [0]],
      [
        'binaries by length first',
        [new Binary(Buffer.from([9])), new Binary(Buffer.from([1, 1]))],
        { x: { $gt: new Binary(Buffer.from([8, 8]), 0) } },
        [],
      ],
      [
        'embedded documents by field order',
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        { x: { a: 1, b: 2 } },
        [0],
      ],
    ],
  ],
  [
    '$type',
    [
      ['elements of arrays', [['a'], [1], 'a'], { x: { $type: 'string' } }, [0, 2]],
      ['the array itself', [['a'], 'a', []], { x: { $type: 'array' } }, [0, 2]],
      [
        'number is all four',
        [new Int32(1), new Double(1), Long.ONE, d('1'), '1'],
        { x: { $type: 'number' } },
        [0, 1, 2, 3],
      ],
      ['int and double are distinguished', [new Int32(1), new Double(1)], { x: { $type: 'double' } }, [1]],
    ],
  ],
  [
    '$regex',
    [
      ['a prefix', ['abc', 'xabc', 'ABC', ['abd']], { x: /^ab/ }, [0, 3]],
      ['without case, beyond ASCII', ['Имя', 'имя', 'им'], { x: { $regex: 'ИМЯ', $options: 'i' } }, [0, 1]],
      ['$ before a last line feed', ['a\n', 'a\nb', 'a'], { x: /a$/ }, [0, 2]],
      ['the dot and the line feed', ['a\nb', 'a\rb'], { x: { $regex: 'a.b' } }, [1]],
      ['in $in', ['abc', 'xyz', 'q'], { x: { $in: [/^a/, 'q'] } }, [0, 2]],
      ['in $not', ['abc', 'xyz', 1], { x: { $not: /^a/ } }, [1, 2]],
    ],
  ],
  [
    '$not, $nor, $nin',
    [
      ['$not finds missing fields', [1, 10, undefined], { x: { $not: { $gt: 5 } } }, [0, 2]],
      ['$nor', [1, 2, undefined], { $nor: [{ x: 1 }, { x: 2 }] }, [2]],
      ['$nin', [1, [1, 3], 3, undefined], { x: { $nin: [1] } }, [2, 3]],
      ['an empty $in finds nothing', [1, undefined], { x: { $in: [] } }, []],
    ],
  ],
  [
    '$expr',
    [
      ['compares types by order', [1, '1'], { $expr: { $gt: ['$x', 100] } }, [1]],
      ['missing is below null', [undefined, null, 1], { $expr: { $lt: ['$x', null] } }, [0]],
    ],
  ],
])('%s', (_page, cases) => {
  test.each(cases)('%s', async (_title, values, filter, expected) => {
    expect(await found(values, filter)).toEqual(expected);
  });
});

describe('what MongoDB refuses', () => {
  test.each<[title: string, filter: Document, code: number]>([
    ['an operator that is not known here', { x: { $mod: [4, 0] } }, 2],
    ['a top-level operator that is not known here', { $where: 'true' }, 2],
    ['an empty $or', { $or: [] }, 2],
    ['$in without an array', { x: { $in: 1 } }, 2],
    ['a negative $size', { x: { $size: -1 } }, 2],
    ['an unknown type name', { x: { $type: 'foo' } }, 2],
    ['a type by number', { x: { $type: 8 } }, 115],
    ['an invalid pattern', { x: { $regex: '(' } }, 51091],
    ['an unknown flag', { x: { $regex: 'a', $options: 'q' } }, 51108],
    ['an expression that is not known here', { $expr: { $year: '$x' } }, 168],
    ['an unknown sub-operator in $not', { x: { $not: { foo: 1 } } }, 2],
  ])('%s', async (_title, filter, code) => {
    expect(await codeOf(fixture.fresh().find(filter).toArray())).toBe(code);
  });
});

test('sorts in the order of the manual’s page "Comparison/Sort Order"', async () => {
  const values = [
    [],
    null,
    undefined,
    Number.NaN,
    d('-1E+400'),
    Number.NEGATIVE_INFINITY,
    -1.5,
    new Int32(0),
    d('0.1'),
    0.1,
    1,
    Long.fromString('9007199254740993'),
    d('9007199254740993.5'),
    1e300,
    d('1E+400'),
    Number.POSITIVE_INFINITY,
    '',
    'a',
    'ab',
    'b',
    {},
    { a: 1 },
    { b: 0 },
    { a: 'x' },
    new Binary(Buffer.from([1])),
    false,
    true,
    new Date(-1),
    new Date(1),
    /a/,
  ];
  const order = [
    0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
  ];
  const collection = fixture.fresh();
  await collection.insertMany(values.map((x, i) => (x === undefined ? { _id: i } : { _id: i, x })) as never[]);
  const read = async (): Promise<unknown[]> =>
    (await collection.find().sort({ x: 1, _id: 1 }).toArray()).map((doc) => doc._id);
  const scanned = await read();
  expect(scanned).toEqual(order);
  await collection.createIndex({ x: 1, _id: 1 });
  expect(await read()).toEqual(order);
  expect((await collection.find().sort({ x: -1, _id: -1 }).toArray()).map((doc) => doc._id)).toEqual(
    order.toReversed(),
  );
});

test('an array is sorted by its smallest element, descending by its greatest ("cursor.sort()")', async () => {
  const collection = fixture.fresh();
  await collection.insertMany([
    { _id: 1, x: [5, 1] },
    { _id: 2, x: [4, 2] },
    { _id: 3, x: 3 },
    { _id: 4, x: [] },
  ] as never[]);
  const ids = async (direction: 1 | -1): Promise<unknown[]> =>
    (await collection.find().sort({ x: direction }).toArray()).map((doc) => doc._id);
  expect(await ids(1)).toEqual([4, 1, 2, 3]);
  expect(await ids(-1)).toEqual([1, 2, 3, 4]);
});
