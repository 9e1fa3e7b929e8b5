import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { codeOf, type Fixture, setUp } from './test-fixture.ts';

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
    [{ $cond: [{ $gt: ['$a', 3] }, 'more', 'less'] }, 'more'],
    [{ $ifNull: ['$missing', '$no', 'last'] }, 'last'],
    [{ $and: ['$a', { $not: ['$no'] }] }, true],
    [{ $size: '$l' }, 3],
    [{ $in: [1, '$l'] }, true],
    [{ $filter: { input: '$l', as: 'n', cond: { $gte: ['$$n', 2] } } }, [3, 2]],
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
    [{ $literal: '$a' }, '$a'],
    [{ $dateAdd: { startDate: '$t', unit: 'minute', amount: -1 } }, new Date('2024-02-29T12:33:56.789Z')],
    [{ $divide: ['$a', 2] }, 2.5],
    [{ $floor: { $divide: [-5, 2] } }, -3],
    [{ $multiply: ['$a', 2, '$no'] }, null],
    [{ $min: ['$a', '$no', 7] }, 5],
    [{ $concatArrays: ['$l', '$no'] }, null],
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
  ])('%s', async (_title, stages, expected) => {
    expect(await sales.aggregate(stages).toArray()).toEqual(expected);
  });

  test.each<[title: string, stage: Document, code: number]>([
    ['a stage', { $facet: { a: [] } }, 40324],
    ['$out', { $out: 'target' }, 40324],
    ['$lookup with a pipeline', { $lookup: { from: 'shops', as: 's', pipeline: [] } }, 9],
    ['an expression', { $set: { a: { $dateToString: { date: '$t' } } } }, 168],
    ['$dateAdd by months', { $set: { a: { $dateAdd: { startDate: '$t', unit: 'month', amount: 1 } } } }, 115],
    ['an accumulator', { $group: { _id: null, a: { $stdDevPop: '$n' } } }, 15952],
  ])('%s that is not known here is refused', async (_title, stage, code) => {
    expect(await codeOf(sales.aggregate([stage]).toArray())).toBe(code);
  });
});

describe('projections ("Project Fields to Return from Query")', () => {
  const doc = { _id: 1, a: 1, b: { c: 1, d: 2 }, l: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 7], n: [1, 2, 3] };
  test.each<[projection: Document, expected: Document]>([
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
  ])('%j', async (projection, expected) => {
    const collection = fixture.fresh();
    await collection.insertOne(doc as never);
    expect(await collection.findOne({}, { projection })).toEqual(expected);
  });

  test.each<[projection: Document, code: number]>([
    [{ l: { $elemMatch: { k: 2 } } }, 168],
    [{ 'l.$': 1 }, 16410],
    [{ n: { $slice: '$a' } }, 28667],
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ 'a.b': 1, a: 1 }, 31250],
  ])('%j is refused', async (projection, code) => {
    expect(await codeOf(fixture.fresh().find({}, { projection }).toArray())).toBe(code);
  });
});
