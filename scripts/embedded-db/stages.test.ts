import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { codeOf, setUp } from './test-fixture.ts';

const fixture = await setUp();
afterAll(() => fixture.end());

async function evaluated(expression: unknown, doc: Document = {}): Promise<unknown> {
  const collection = fixture.fresh();
  await collection.insertOne(doc as never);
  await collection.updateOne({}, [{ $set: { r: expression } }]);
  return (await collection.findOne())?.r;
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
    [{ $not: ['$no'] }, true],
    [{ $size: '$l' }, 3],
    [{ $in: [1, '$l'] }, true],
    [{ $filter: { input: '$l', cond: { $gte: ['$$this', 2] } } }, [3, 2]],
    [{ $filter: { input: '$no', cond: true } }, null],
    [
      {
        $setUnion: [
          [1, 2],
          [2, 3],
        ],
      },
      [1, 2, 3],
    ],
    [{ $max: ['$a', 7] }, 7],
    [{ $literal: '$a' }, '$a'],
    [{ $divide: ['$a', 2] }, 2.5],
    [{ $floor: { $divide: [-5, 2] } }, -3],
    [{ $multiply: ['$a', '$no'] }, null],
    [{ $multiply: ['$a', 2] }, 10],
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
  const lookup = { $lookup: { from: 'shops', localField: 'shop', foreignField: '_id', as: 's' } };
  const [s1, s2] = [
    { _id: 's1', city: 'A' },
    { _id: 's2', city: 'B' },
  ];
  const rows = [
    { _id: 1, item: 'a', n: 2, shop: 's1' },
    { _id: 2, item: 'b', n: 1, shop: 's2' },
    { _id: 3, item: 'a', n: 5, shop: ['s1', 's2'] },
    { _id: 4, n: null, shop: null },
  ];
  beforeAll(async () => {
    sales = fixture.fresh();
    await sales.insertMany(rows as never[]);
    await fixture.db.collection('shops').insertMany([s1, s2] as never[]);
  });

  test.each<[title: string, stages: Document[], expected: unknown[]]>([
    [
      '$group, in the order of the first document of each group',
      [{ $match: { _id: { $gte: 2 } } }, { $group: { _id: '$item' } }],
      [{ _id: 'b' }, { _id: 'a' }, { _id: null }],
    ],
    ['$lookup by equality', [{ $match: { _id: 1 } }, lookup], [{ ...rows[0], s: [s1] }]],
    ['$lookup from an array', [{ $match: { _id: 3 } }, lookup], [{ ...rows[2], s: [s1, s2] }]],
    ['$lookup of null', [{ $match: { _id: 4 } }, lookup], [{ ...rows[3], s: [] }]],
    ['$limit', [{ $match: { _id: { $gt: 1 } } }, { $limit: 1 }], [rows[1]]],
  ])('%s', async (_title, stages, expected) => {
    expect(await sales.aggregate(stages).toArray()).toEqual(expected);
  });

  test.each<[title: string, stage: Document, code: number]>([
    ['a stage', { $facet: { a: [] } }, 40324],
    ['$out', { $out: 'target' }, 40324],
    ['$lookup with a pipeline', { $lookup: { from: 'shops', as: 's', pipeline: [] } }, 9],
    ['$lookup into a document', { $lookup: { ...lookup.$lookup, as: 's.t' } }, 9],
    ['a sum of groups', { $group: { _id: '$item', n: { $sum: '$n' } } }, 115],
    ...['$addFields', '$count', '$project', '$set', '$skip', '$sort', '$unset', '$unwind'].map(
      (name): [string, Document, number] => [name, { [name]: 'a' }, 40324],
    ),
  ])('%s, which is not known here, is refused', async (_title, stage, code) => {
    expect(await codeOf(sales.aggregate([stage]).toArray())).toBe(code);
  });

  test.each(['$match', '$limit'])('%s after another stage is refused', async (name) => {
    expect(await codeOf(sales.aggregate([lookup, { [name]: { a: 1 } }]).toArray())).toBe(115);
  });

  test.each<[expression: unknown, code: number]>([
    [{ $dateToString: { date: '$t' } }, 168],
    [{ $dateAdd: { startDate: '$t', unit: 'hour', amount: 1 } }, 168],
    [{ $and: [true] }, 168],
    [{ $ne: [1, 2] }, 168],
    ['$$ROOT', 17276],
    [{ $filter: { input: '$l', as: 'n', cond: true } }, 28648],
  ])('the expression %j is refused', async (expression, code) => {
    expect(await codeOf(sales.updateOne({}, [{ $set: { a: expression } }]))).toBe(code);
  });
});

describe('projections ("Project Fields to Return from Query")', () => {
  const doc = { _id: 1, a: 1, b: { c: 1, d: 2 }, l: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 7], n: [1, 2, 3] };
  test.each<[projection: Document, expected: Document]>([
    [{ a: 1 }, { _id: 1, a: 1 }],
    [{ _id: 0, a: 1 }, { a: 1 }],
    [{ _id: 0 }, { a: doc.a, b: doc.b, l: doc.l, n: doc.n }],
    [
      { l: 0, n: 0 },
      { _id: 1, a: 1, b: doc.b },
    ],
    [{ _id: 1 }, { _id: 1 }],
  ])('%j', async (projection, expected) => {
    const collection = fixture.fresh();
    await collection.insertOne(doc as never);
    expect(await collection.findOne({}, { projection })).toEqual(expected);
  });

  test.each<[projection: Document, code: number]>([
    [{ l: { $elemMatch: { k: 2 } } }, 115],
    [{ sum: { $add: ['$a', 1] } }, 115],
    [{ 'l.$': 1 }, 115],
    [{ 'b.c': 1 }, 115],
    [{ a: 1, b: 0 }, 31254],
  ])('%j is refused', async (projection, code) => {
    expect(await codeOf(fixture.fresh().find({}, { projection }).toArray())).toBe(code);
  });
});
