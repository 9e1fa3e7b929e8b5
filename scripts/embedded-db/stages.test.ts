import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { type Fixture, setUp } from './test-fixture.ts';

// Long, because the machine may be busy. No test waits for a time, so only a hang takes this long.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await setUp();
});
afterAll(() => fixture.end());

async function evaluated(expression: unknown, doc: Document = {}): Promise<unknown> {
  const collection = fixture.fresh();
  await collection.insertOne(doc as never);
  const [result] = await collection.aggregate([{ $project: { _id: 0, r: expression } }]).toArray();
  return result?.r;
}

describe('expressions ("Aggregation Operators")', () => {
  const doc = {
    a: 5,
    s: 'Héllo',
    l: [3, 1, 2],
    o: { x: 1 },
    t: new Date('2024-02-29T12:34:56.789Z'),
    docs: [{ v: 1 }, { v: 2 }, { w: 3 }],
    no: null,
  };
  test.each<[expression: unknown, expected: unknown]>([
    [{ $add: ['$a', 1.5] }, 6.5],
    [{ $add: ['$t', 1000] }, new Date('2024-02-29T12:34:57.789Z')],
    [{ $add: ['$a', '$no'] }, null],
    [{ $subtract: ['$t', new Date('2024-02-29T12:34:56.000Z')] }, 789],
    [{ $mod: [-7, 3] }, -1],
    [{ $round: [2.5] }, 2],
    [{ $round: [1234.567, 2] }, 1234.57],
    [{ $trunc: [-2.9] }, -2],
    [{ $cond: [{ $gt: ['$a', 3] }, 'more', 'less'] }, 'more'],
    [{ $ifNull: ['$missing', '$no', 'last'] }, 'last'],
    // biome-ignore lint/suspicious/noThenProperty: the operator's argument has that name
    [{ $switch: { branches: [{ case: { $eq: ['$a', 4] }, then: 'x' }], default: 'y' } }, 'y'],
    [{ $and: ['$a', { $not: ['$no'] }] }, true],
    [{ $concat: ['$s', '-', { $toString: '$a' }] }, 'Héllo-5'],
    [{ $concat: ['$s', '$no'] }, null],
    [{ $substrCP: ['$s', 1, 2] }, 'él'],
    [{ $toUpper: '$s' }, 'HéLLO'],
    [{ $split: ['a-b-c', '-'] }, ['a', 'b', 'c']],
    [{ $trim: { input: '  x ' } }, 'x'],
    [{ $regexMatch: { input: '$s', regex: '^h', options: 'i' } }, true],
    [{ $size: '$l' }, 3],
    [{ $arrayElemAt: ['$l', -1] }, 2],
    [{ $in: [1, '$l'] }, true],
    [{ $slice: ['$l', 1, 5] }, [1, 2]],
    [{ $filter: { input: '$l', as: 'n', cond: { $gte: ['$$n', 2] } } }, [3, 2]],
    [{ $map: { input: '$l', in: { $add: ['$$this', 1] } } }, [4, 2, 3]],
    [{ $reduce: { input: '$l', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
    [{ $sortArray: { input: '$l', sortBy: -1 } }, [3, 2, 1]],
    [
      {
        $setUnion: [
          [1, 2],
          [2, 3],
        ],
      },
      [1, 2, 3],
    ],
    [{ $max: '$l' }, 3],
    ['$docs.v', [1, 2]],
    [{ $mergeObjects: ['$o', { y: 2 }, '$no'] }, { x: 1, y: 2 }],
    [{ $objectToArray: '$o' }, [{ k: 'x', v: 1 }]],
    [{ $arrayToObject: [[{ k: 'x', v: 1 }]] }, { x: 1 }],
    [{ $let: { vars: { n: '$a' }, in: { $multiply: ['$$n', 2] } } }, 10],
    [{ $literal: '$a' }, '$a'],
    [{ $getField: 'a' }, 5],
    [{ $type: '$missing' }, 'missing'],
    [{ $cmp: ['$a', 'x'] }, -1],
    [{ $year: '$t' }, 2024],
    [{ $dateToString: { date: '$t', format: '%Y-%m-%d %H:%M:%S.%L' } }, '2024-02-29 12:34:56.789'],
    [{ $dateToString: { date: '$t', format: '%d %H', timezone: '+05:00' } }, '29 17'],
    [{ $dateTrunc: { date: '$t', unit: 'month' } }, new Date('2024-02-01T00:00:00.000Z')],
    [{ $dateAdd: { startDate: '$t', unit: 'year', amount: 1 } }, new Date('2025-02-28T12:34:56.789Z')],
    [{ $dateDiff: { startDate: '$t', endDate: new Date('2024-03-01T00:00:00Z'), unit: 'day' } }, 1],
    [{ $toDate: '2024-01-02' }, new Date('2024-01-02T00:00:00.000Z')],
    [{ $toInt: '42' }, 42],
    [
      ['$a', '$missing'],
      [5, null],
    ],
    [{ x: '$a', y: '$missing' }, { x: 5 }],
  ])('%j', async (expression, expected) => {
    expect(await evaluated(expression, doc)).toEqual(expected);
  });
});

describe('stages ("Aggregation Stages")', () => {
  let sales: Collection;
  const rows = [
    { _id: 1, item: 'a', n: 2, tags: ['x', 'y'], shop: 's1' },
    { _id: 2, item: 'b', n: 1, tags: [], shop: 's2' },
    { _id: 3, item: 'a', n: 5, shop: ['s1', 's2'] },
    { _id: 4, n: null, shop: null },
  ];
  beforeAll(async () => {
    sales = fixture.fresh();
    await sales.insertMany(rows as never[]);
    await fixture.db.collection('shops').insertMany([
      { _id: 's1', city: 'A' },
      { _id: 's2', city: 'B' },
    ] as never[]);
  });

  test.each<[title: string, stages: Document[], expected: unknown[]]>([
    [
      '$group with sums',
      [{ $group: { _id: '$item', n: { $sum: '$n' }, rows: { $count: {} } } }, { $sort: { _id: 1 } }],
      [
        { _id: null, n: 0, rows: 1 },
        { _id: 'a', n: 7, rows: 2 },
        { _id: 'b', n: 1, rows: 1 },
      ],
    ],
    [
      '$avg, $min, $max, $first, $last',
      [
        { $sort: { _id: 1 } },
        {
          $group: {
            _id: null,
            avg: { $avg: '$n' },
            min: { $min: '$n' },
            max: { $max: '$n' },
            f: { $first: '$item' },
            l: { $last: '$item' },
          },
        },
      ],
      [{ _id: null, avg: 8 / 3, min: 1, max: 5, f: 'a', l: null }],
    ],
    [
      '$push and $addToSet',
      [{ $group: { _id: null, all: { $push: '$item' }, set: { $addToSet: '$item' } } }],
      [{ _id: null, all: ['a', 'b', 'a'], set: ['a', 'b'] }],
    ],
    [
      '$unwind',
      [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
      [
        { _id: 1, tags: 'x' },
        { _id: 1, tags: 'y' },
      ],
    ],
    [
      '$unwind that keeps',
      [
        { $match: { _id: { $in: [2, 3] } } },
        { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
        { $project: { tags: 1, i: 1 } },
      ],
      [
        { _id: 2, i: null },
        { _id: 3, i: null },
      ],
    ],
    [
      '$lookup by equality',
      [
        { $match: { _id: 1 } },
        { $lookup: { from: 'shops', localField: 'shop', foreignField: '_id', as: 's' } },
        { $project: { s: 1 } },
      ],
      [{ _id: 1, s: [{ _id: 's1', city: 'A' }] }],
    ],
    [
      '$lookup from an array',
      [
        { $match: { _id: 3 } },
        { $lookup: { from: 'shops', localField: 'shop', foreignField: '_id', as: 's' } },
        { $project: { 's._id': 1 } },
      ],
      [{ _id: 3, s: [{ _id: 's1' }, { _id: 's2' }] }],
    ],
    [
      '$lookup of null',
      [
        { $match: { _id: 4 } },
        { $lookup: { from: 'shops', localField: 'shop', foreignField: '_id', as: 's' } },
        { $project: { s: 1 } },
      ],
      [{ _id: 4, s: [] }],
    ],
    [
      '$lookup with a pipeline',
      [
        { $match: { _id: 1 } },
        {
          $lookup: {
            from: 'shops',
            let: { s: '$shop' },
            pipeline: [{ $match: { $expr: { $ne: ['$_id', '$$s'] } } }],
            as: 's',
          },
        },
        { $project: { s: 1 } },
      ],
      [{ _id: 1, s: [{ _id: 's2', city: 'B' }] }],
    ],
    [
      '$skip and $limit',
      [{ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { n: 1 } }],
      [{ _id: 1, n: 2 }],
    ],
    [
      '$limit before $skip',
      [{ $sort: { _id: 1 } }, { $limit: 2 }, { $skip: 1 }, { $project: { _id: 1 } }],
      [{ _id: 2 }],
    ],
    ['$count', [{ $match: { item: 'a' } }, { $count: 'c' }], [{ c: 2 }]],
    ['$count of nothing', [{ $match: { item: 'z' } }, { $count: 'c' }], []],
    [
      '$facet',
      [{ $facet: { a: [{ $count: 'c' }], b: [{ $match: { item: 'b' } }, { $project: { _id: 1 } }] } }],
      [{ a: [{ c: 4 }], b: [{ _id: 2 }] }],
    ],
    [
      '$unionWith',
      [
        { $match: { _id: 1 } },
        { $project: { _id: 1 } },
        { $unionWith: { coll: 'shops', pipeline: [{ $match: { _id: 's1' } }] } },
      ],
      [{ _id: 1 }, { _id: 's1', city: 'A' }],
    ],
    [
      '$sortByCount',
      [{ $match: { item: { $ne: null } } }, { $sortByCount: '$item' }],
      [
        { _id: 'a', count: 2 },
        { _id: 'b', count: 1 },
      ],
    ],
    ['$replaceRoot', [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { n: '$n' } } }], [{ n: 2 }]],
  ])('%s', async (_title, stages, expected) => {
    expect(await sales.aggregate(stages).toArray()).toEqual(expected);
  });

  test('$merge and $out', async () => {
    await sales.aggregate([{ $match: { n: { $gt: 1 } } }, { $project: { n: 1 } }, { $out: 'target' }]).toArray();
    await sales
      .aggregate([{ $match: { _id: { $lte: 2 } } }, { $project: { item: 1 } }, { $merge: { into: 'target' } }])
      .toArray();
    const target = fixture.db.collection('target');
    expect(await target.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 2, item: 'a' },
      { _id: 2, item: 'b' },
      { _id: 3, n: 5 },
    ]);
  });
});

describe('projections ("Project Fields to Return from Query")', () => {
  const doc = { _id: 1, a: 1, b: { c: 1, d: 2 }, l: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 7], n: [1, 2, 3] };
  test.each<[projection: Document, expected: Document, filter?: Document]>([
    [{ a: 1 }, { _id: 1, a: 1 }],
    [{ _id: 0, a: 1 }, { a: 1 }],
    [{ _id: 0 }, { a: doc.a, b: doc.b, l: doc.l, n: doc.n }],
    [
      { l: 0, n: 0, 'b.c': 0 },
      { _id: 1, a: 1, b: { d: 2 } },
    ],
    [
      { 'b.c': 1, 'l.v': 1 },
      { _id: 1, b: { c: 1 }, l: [{ v: 1 }, { v: 2 }] },
    ],
    [{ 'a.x': 1 }, { _id: 1 }],
    [
      { a: 1, sum: { $add: ['$a', 1] } },
      { _id: 1, a: 1, sum: 2 },
    ],
    [
      { a: 1, n: { $slice: -2 } },
      { _id: 1, a: 1, n: [2, 3] },
    ],
    [
      { n: { $slice: [1, 1] }, l: 0 },
      { _id: 1, a: 1, b: doc.b, n: [2] },
    ],
    [{ l: { $elemMatch: { k: 2 } } }, { _id: 1, l: [{ k: 2, v: 2 }] }],
    [{ l: { $elemMatch: { k: 9 } } }, { _id: 1 }],
    [{ 'l.$': 1 }, { _id: 1, l: [{ k: 2, v: 2 }] }, { 'l.k': 2 }],
    [{ 'n.$': 1 }, { _id: 1, n: [3] }, { n: { $gt: 2 } }],
  ])('%j', async (projection, expected, filter = {}) => {
    const collection = fixture.fresh();
    await collection.insertOne(doc as never);
    expect(await collection.findOne(filter, { projection })).toEqual(expected);
  });
});
