import { afterAll, describe, expect, test } from '@jest/globals';
import { Decimal128, type Document, Long } from 'mongodb';
import { codeOf, setUp } from './test-fixture.ts';

const fixture = await setUp();
afterAll(() => fixture.end());

async function updated(
  doc: Document,
  update: Document | Document[],
  options: Document = {},
  filter: Document = {},
): Promise<Document> {
  const collection = fixture.fresh();
  await collection.insertOne({ _id: 1, ...doc } as never);
  await collection.updateOne(filter, update, options);
  const { _id, ...rest } = (await collection.findOne({ _id: 1 } as never)) as Document;
  return rest;
}

type Case = [
  title: string,
  before: Document,
  update: Document | Document[],
  after: Document,
  options?: Document,
  filter?: Document,
];

describe.each<[page: string, cases: Case[]]>([
  [
    'Field Update Operators',
    [
      ['$set makes documents on the way', {}, { $set: { 'a.b': 1 } }, { a: { b: 1 } }],
      ['$set changes an element by its index', { a: [1, { b: 2 }] }, { $set: { 'a.1.b': 4 } }, { a: [1, { b: 4 }] }],
      ['new fields come in the order of their names', {}, { $set: { c: 1, a: 2, b: 3 } }, { a: 2, b: 3, c: 1 }],
      ['$unset leaves null in an array', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
      ['$unset passes over what is not there', { a: 1 }, { $unset: { 'b.c': '', 'a.x': '' } }, { a: 1 }],
      ['$inc makes a missing field the number', {}, { $inc: { a: 5 } }, { a: 5 }],
      ['an empty operator does nothing', { a: 1 }, { $set: {} }, { a: 1 }],
    ],
  ],
  [
    'Array Update Operators',
    [
      ['$push with $each', { a: [1] }, { $push: { a: { $each: [2, [3]] } } }, { a: [1, 2, [3]] }],
      ['$push makes the array', {}, { $push: { a: [1] } }, { a: [[1]] }],
      [
        '$addToSet distinguishes documents by field order',
        { a: [{ x: 1, y: 2 }] },
        { $addToSet: { a: { y: 2, x: 1 } } },
        {
          a: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
      ],
      ['$pull of an equal value', { a: [1, 2, [1], 1] }, { $pull: { a: 1 } }, { a: [2, [1]] }],
    ],
  ],
  [
    'Updates with Aggregation Pipeline',
    [
      [
        '$set sees the stages before',
        { a: 1 },
        [{ $set: { b: { $add: ['$a', 1] } } }, { $set: { c: '$b' } }],
        { a: 1, b: 2, c: 2 },
      ],
      ['a token bucket', { tat: 5 }, [{ $set: { tat: { $add: [{ $max: ['$tat', 10] }, 100] } } }], { tat: 110 }],
      [
        '$filter, $concatArrays, $setUnion',
        { a: [1, 2, 3] },
        [
          {
            $set: {
              a: {
                $concatArrays: [
                  { $filter: { input: '$a', cond: { $gt: ['$$this', 1] } } },
                  { $setUnion: ['$a', [1, 4]] },
                ],
              },
            },
          },
        ],
        { a: [2, 3, 1, 2, 3, 4] },
      ],
    ],
  ],
])('%s', (_page, cases) => {
  test.each(cases)('%s', async (_title, before, update, after, options = {}, filter = {}) => {
    const result = await updated(before, update, options, filter);
    expect(result).toEqual(after);
    expect(Object.keys(result)).toEqual(Object.keys(after));
  });
});

describe('what MongoDB refuses', () => {
  test.each<[title: string, update: Document | Document[], code: number, options?: Document]>([
    ['two operators on one path', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['an operator on a path within another', { $set: { 'o.x': 1, o: 1 } }, 40],
    ['$inc of a string', { $inc: { s: 1 } }, 14],
    ['$inc by a string', { $inc: { n: 'x' } }, 14],
    ['$inc of null', { $inc: { nothing: 2 } }, 14],
    ['an operator that is not known here', { $rename: { n: 'm' } }, 9],
    ['$push to a number', { $push: { n: 1 } }, 2],
    ['$addToSet to a number', { $addToSet: { n: 1 } }, 2],
    ['$pull from a number', { $pull: { n: 1 } }, 2],
    ['a path through a scalar', { $set: { 'n.x': 1 } }, 28],
    ['a name in an array', { $set: { 'l.x': 1 } }, 28],
    ['a field in an array, by a pipeline', [{ $set: { 'l.x': 1 } }], 28],
    ['an index, by a pipeline', [{ $set: { 'l.0': 1 } }], 115],
    ['an empty name', { $set: { 'o..x': 1 } }, 56],
    ['a name with $', { $set: { 'o.$x': 1 } }, 52],
    ['another _id', { $set: { _id: 2 } }, 66],
    ['array filters', { $set: { 'l.$[e]': 1 } }, 40415, { arrayFilters: [{ e: 1 }] }],
    ['the positional $', { $set: { 'l.$': 1 } }, 52],
    ['a new element by its index', { $set: { 'l.1': 1 } }, 28],
    ['a modifier of $push that is not known here', { $push: { l: { $each: [], $sort: 1 } } }, 2],
    ['a stage that is not known here', [{ $unset: 'n' }], 115],
    ['$pull by a condition', { $pull: { l: { $gte: 1 } } }, 115],
  ])('%s', async (_title, update, code, options = {}) => {
    const collection = fixture.fresh();
    const doc = { _id: 1, n: 1, f: 1.5, s: 'x', l: [1], o: { x: 1 }, nothing: null };
    await collection.insertOne(doc as never);
    expect(await codeOf(collection.updateOne({}, update, options))).toBe(code);
    expect(await collection.findOne()).toEqual(doc);
  });

  test('an array as _id', async () => {
    expect(await codeOf(fixture.fresh().insertOne({ _id: [1] } as never))).toBe(53);
  });

  test('a type that is not stored', async () => {
    const decimal = () => ({ a: Decimal128.fromString('1.10') });
    const [one, many] = [fixture.fresh().insertOne(decimal()), fixture.fresh().insertMany([decimal()])];
    for (const insertion of [one, many])
      await expect(insertion).rejects.toThrow('the BSON type decimal is not supported');
  });

  test('what a number cannot hold exactly', async () => {
    const collection = fixture.fresh();
    expect(await codeOf(collection.insertOne({ a: Long.MAX_VALUE }))).toBe(22);
    await collection.insertOne({ a: Number.MAX_SAFE_INTEGER });
    expect(await codeOf(collection.updateOne({}, { $inc: { a: 1 } }))).toBe(115);
  });
});

describe('upserts ("db.collection.update()")', () => {
  test('use the equality conditions of the filter', async () => {
    const collection = fixture.fresh();
    await collection.updateOne(
      { 'a.b': 1, c: { $gt: 5 }, d: 2, e: { $in: [1, 2] } },
      { $set: { z: 1 } },
      { upsert: true },
    );
    const { _id, ...rest } = (await collection.findOne()) as Document;
    expect(rest).toEqual({ a: { b: 1 }, d: 2, z: 1 });
  });

  test('report a duplicate key with keyPattern and keyValue', async () => {
    const collection = fixture.fresh();
    await collection.createIndex({ a: 1, b: -1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, a: 1, b: 'x' },
      { _id: 2, a: 2, b: 'x' },
    ] as never[]);
    const expected = { code: 11000, keyPattern: { a: 1, b: -1 }, keyValue: { a: 1, b: 'x' } };
    const attempts = [
      collection.insertOne({ a: 1, b: 'x' }),
      collection.updateOne({ _id: 2 } as never, { $set: { a: 1 } }),
      collection.updateOne({ _id: 3 } as never, { $set: { a: 1, b: 'x' } }, { upsert: true }),
      collection.findOneAndUpdate({ _id: 2 } as never, { $set: { a: 1 } }),
      collection.findOneAndReplace({ _id: 2 } as never, { a: 1, b: 'x' }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject(expected);
    expect(await collection.countDocuments()).toBe(2);
  });

  test.each<[filter: Document, code: number]>([
    [{ a: 1, 'a.b': 2 }, 54],
    [{ $and: [{ a: 1 }] }, 115],
    [{ a: { $eq: 1 } }, 115],
  ])('fail on %j', async (filter, code) => {
    expect(await codeOf(fixture.fresh().updateOne(filter, { $set: { b: 1 } }, { upsert: true }))).toBe(code);
  });
});

test('an error in an ordered batch keeps the earlier writes, in an unordered one all others', async () => {
  const collection = fixture.fresh();
  const rows = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[];
  await expect(collection.insertMany(rows)).rejects.toMatchObject({ code: 11000, insertedCount: 1 });
  await expect(
    collection.insertMany([{ _id: 3 }, { _id: 1 }, { _id: 4 }] as never[], { ordered: false }),
  ).rejects.toMatchObject({ insertedCount: 2 });
  expect(await collection.distinct('_id')).toEqual([1, 3, 4]);
});
