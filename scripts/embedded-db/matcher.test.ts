import { afterAll, describe, expect, test } from '@jest/globals';
import { Binary, type Document, Double, Int32, Long } from 'mongodb';
import { codeOf, setUp } from './test-fixture.ts';

const fixture = await setUp();
afterAll(() => fixture.end());

/** Stores the values as field x of documents numbered from 0. Returns the numbers of those that a filter finds. */
async function found(values: unknown[], filter: Document): Promise<number[]> {
  const collection = fixture.fresh();
  const docs = values.map((x, i) => (x === undefined ? { _id: i } : { _id: i, x }));
  await collection.insertMany(docs as never[]);
  return (await collection.find(filter).sort({ _id: 1 }).toArray()).map((doc) => doc._id as never);
}

type Case = [title: string, values: unknown[], filter: Document, expected: number[]];

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
    ],
  ],
  [
    'Query an Array',
    [
      ['an element', [[1, 2], 1, [[1]], [2]], { x: 1 }, [0, 1]],
      ['the whole array, in order', [['a', 'b'], ['b', 'a'], [['a', 'b']], 'a'], { x: ['a', 'b'] }, [0, 2]],
      ['conditions met by different elements', [[1, 30], [15], [40]], { x: { $gt: 20, $lt: 10 } }, [0]],
      ['an element by its index', [[1, 2], [2, 1], { 1: 2 }], { 'x.1': 2 }, [0, 2]],
      ['nested arrays are not entered', [[[3], 0], [[{ q: 1 }]], [{ q: 1 }]], { 'x.q': 1 }, [2]],
      ['nor for their elements', [[[5]], [5]], { x: 5 }, [1]],
    ],
  ],
  [
    'Comparison/Sort Order',
    [
      ['ranges stay in their type', [1, '1', new Date(1), null, true, [1]], { x: { $gt: 0 } }, [0, 5]],
      ['strings by bytes', ['a', 'B', 'é', 'z'], { x: { $gt: 'Z' } }, [0, 2, 3]],
      ['numbers of all types are one', [new Int32(5), new Double(5), Long.fromNumber(5), 6], { x: 5 }, [0, 1, 2]],
      ['NaN equals NaN only', [Number.NaN, 1], { x: Number.NaN }, [0]],
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
    '$regex',
    [
      ['a text in the middle', ['xaby', 'ab', 'AB', ['ab'], 5], { x: { $regex: 'ab' } }, [0, 1, 3]],
      ['marks that would mean something', ['a.b*(\\)', 'axb'], { x: { $regex: 'a\\.b\\*\\(\\\\\\)' } }, [0]],
      ['letters beyond ASCII', ['приказ о', 'Приказ'], { x: { $regex: 'каз о' } }, [0]],
    ],
  ],
  [
    '$nor, $nin',
    [
      ['$nor', [1, 2, undefined], { $nor: [{ x: 1 }, { x: 2 }] }, [2]],
      ['$nin', [1, [1, 3], 3, undefined], { x: { $nin: [1] } }, [2, 3]],
      ['an empty $in finds nothing', [1, undefined], { x: { $in: [] } }, []],
    ],
  ],
  [
    '$expr',
    [
      ['compares types by order', [1, '1'], { $expr: { $gt: ['$x', 100] } }, [1]],
      ['missing is below null', [undefined, null, 1], { $expr: { $lte: ['$x', null] } }, [0, 1]],
    ],
  ],
])('%s', (_page, cases) => {
  test.each(cases)('%s', async (_title, values, filter, expected) => {
    expect(await found(values, filter)).toEqual(expected);
  });
});

describe('what MongoDB refuses', () => {
  test.each<[title: string, filter: Document, code: number]>([
    ['an empty $or', { $or: [] }, 2],
    ['$in without an array', { x: { $in: 1 } }, 2],
    ['a field of an element by its index', { 'x.1.y': 2 }, 115],
    ['a pattern', { x: { $regex: '^a' } }, 51091],
    ['a class of characters', { x: { $regex: '\\d' } }, 51091],
    ['an expression that is not known here', { $expr: { $year: '$x' } }, 168],
  ])('%s', async (_title, filter, code) => {
    expect(await codeOf(fixture.fresh().find(filter).toArray())).toBe(code);
  });
});

describe('what is not supported is refused by its name', () => {
  test.each<[operator: string, filter: Document]>([
    ...['$all', '$elemMatch', '$mod', '$not', '$options', '$size', '$type'].map((name): [string, Document] => [
      name,
      { x: { [name]: [1] } },
    ]),
    ['$comment', { $comment: 'x' }],
    ['$where', { $where: 'true' }],
  ])('%s', async (operator, filter) => {
    const message = new RegExp(`unknown (top level )?operator: \\${operator}$`);
    await expect(fixture.fresh().find(filter).toArray()).rejects.toThrow(message);
  });

  test('a regular expression as a value', async () => {
    await expect(fixture.fresh().find({ x: /a/ }).toArray()).rejects.toThrow('the BSON type regex is not supported');
  });
});

test('sorts in the order of the manual’s page "Comparison/Sort Order"', async () => {
  const values = [
    [],
    null,
    undefined,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    -1.5,
    new Int32(0),
    0.1,
    1,
    Long.fromNumber(9_007_199_254_740_991),
    1e300,
    Number.POSITIVE_INFINITY,
    '',
    'a',
    'ab',
    'b',
    false,
    true,
    new Date(-1),
    new Date(1),
  ];
  const order = values.map((_, i) => i);
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

test('documents, binary data and several elements of an array have no place in a sort or an index', async () => {
  const collection = fixture.fresh();
  const sorted = (): Promise<unknown> => collection.find().sort({ x: 1 }).toArray();
  for (const [x, code] of [
    [{ a: 1 }, 115],
    [new Binary(Buffer.from([1])), 115],
    [[5, 1], 2],
  ] as const) {
    await collection.replaceOne({}, { x }, { upsert: true });
    expect(await codeOf(sorted())).toBe(code);
  }
  await collection.createIndex({ x: 1 });
  expect(await codeOf(collection.insertOne({ x: { a: 1 } }))).toBe(115);
  expect(await codeOf(collection.insertOne({ x: [[1]] }))).toBe(115);
});
