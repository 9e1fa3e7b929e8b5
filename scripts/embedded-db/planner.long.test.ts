import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Document, Filter, Sort } from 'mongodb';
import { codeOf, randomFrom, setUp } from './test-fixture.ts';

const fixture = await setUp();
afterAll(() => fixture.end());

const winner = async (
  collection: Collection,
  filter: Filter<Document>,
  sort: Sort = {},
  limit = 0,
): Promise<Document> => (await collection.find(filter).sort(sort).limit(limit).explain()).queryPlanner.winningPlan;

describe('an indexed collection answers as an unindexed one does', () => {
  const { below, pick } = randomFrom(20_261);
  const value = (): unknown =>
    pick([below(6), below(6) + 0.5, -below(4), `s${below(5)}`, null, new Date(1e12 + below(5)), true, 'é', '', 0, []]);
  const scalar = (): unknown => pick([below(6), below(6) + 0.5, `s${below(5)}`, null, new Date(1e12 + below(5)), '']);
  const tag = (): string => `t${below(6)}`;
  const list = (): unknown[] => Array.from({ length: below(4) }, () => scalar());
  const row = (i: number): Document => {
    const doc: Document = { _id: `${pick(['k', 'm'])}${i}` };
    if (below(9)) doc.x = scalar();
    if (below(9)) doc.y = below(3) ? value() : list();
    if (below(9)) doc.z = below(10);
    if (below(3)) doc.n = { q: scalar(), r: below(3) };
    doc.tags = Array.from({ length: below(4) }, () => (below(8) ? tag() : null));
    doc.group = `g${below(3)}`;
    if (below(2)) doc.opt = below(5);
    return doc;
  };
  const fields = ['x', 'y', 'z', 'n.q', 'n.r', 'tags', 'group', 'opt'];
  const condition = (): Document => {
    const field = pick(fields);
    switch (below(12)) {
      case 0:
      case 1:
        return { [field]: scalar() };
      case 2:
        return { [field]: { $in: Array.from({ length: below(5) }, scalar) } };
      case 3:
        return {
          [field]: {
            [pick(['$gt', '$gte', '$lt', '$lte'])]: pick([below(6), 's2', new Date(1e12 + 2), null, 't3']),
          },
        };
      case 4: {
        const low = below(5);
        return { [field]: { $gte: low, $lt: low + below(4) } };
      }
      case 5:
        return { _id: { [pick(['$lt', '$gt'])]: `k${below(400)}` } };
      case 6:
        // Different elements of a list may fulfil the two conditions.
        return {
          group: `g${below(3)}`,
          tags: { $in: Array.from({ length: 1 + below(4) }, tag), [pick(['$eq', '$ne', '$gt'])]: tag() },
        };
      case 7:
        return { group: `g${below(3)}` };
      case 8:
        return { [field]: { $exists: below(2) === 0 } };
      case 9:
        return pick<Document>([
          { 'n.q': below(3), 'n.r': below(3) },
          { 'n.q': below(3), 'n.r': { $in: [below(3), below(3)] } },
          { tags: { $gt: 't1', $lt: 't4' } },
          { y: { $ne: scalar() } },
          { group: `g${below(3)}`, tags: null },
          { tags: { $regex: `t${below(6)}` } },
          { $nor: [{ y: { $gte: below(5) } }] },
        ]);
      case 10:
        return { y: pick<unknown>([list(), []]) };
      default:
        return { z: below(10) };
    }
  };
  const filter = (depth = 0): Document => {
    const kind = below(7);
    if (kind === 0 && depth < 2) return { $or: [filter(depth + 1), filter(depth + 1)] };
    if (kind === 1 && depth < 2) return { $and: [filter(depth + 1), filter(depth + 1)] };
    if (kind === 2 && depth === 0) {
      const [z, id] = [below(10), `k${below(400)}`];
      return { group: `g${below(3)}`, $or: [{ z: { $lt: z } }, { z, _id: { $lt: id } }] };
    }
    return { ...condition(), ...(below(2) ? condition() : {}), ...(below(4) ? {} : condition()) };
  };
  const sorts: Document[] = [
    { _id: 1 },
    { _id: -1 },
    { x: 1, z: -1, _id: -1 },
    { x: -1, z: 1, _id: 1 },
    { z: -1, _id: -1 },
    { z: 1, _id: 1 },
    { z: -1, x: 1, _id: 1 },
    { 'n.q': 1, x: -1, _id: 1 },
    { opt: 1, _id: 1 },
  ];
  const indexes = [
    { key: { x: 1, z: -1, _id: -1 } },
    { key: { y: 1 } },
    { key: { y: -1, z: 1 } },
    { key: { z: -1, x: 1 } },
    { key: { 'n.q': 1, x: -1 } },
    { key: { 'n.q': 1, 'n.r': -1 } },
    { key: { opt: 1 } },
    { key: { opt: -1, z: 1 }, partialFilterExpression: { group: 'g1' }, name: 'partial' },
    { key: { z: 1 }, partialFilterExpression: { opt: { $gte: 2 } }, name: 'range' },
    { key: { group: 1, z: -1, _id: -1 } },
    { key: { group: 1, tags: 1, z: -1, _id: -1 } },
    { key: { group: 1, x: 1, z: 1, _id: 1 } },
  ] as never[];

  test('for random filters, sorts, skips, limits and counts, while documents change', async () => {
    const [indexed, plain] = [fixture.fresh(), fixture.fresh()];
    await indexed.createIndexes(indexes);
    const rows = Array.from({ length: 300 }, (_, i) => row(i));
    await indexed.insertMany(rows as never[]);
    await plain.insertMany(rows as never[]);
    let used = 0;
    for (let round = 0; round < 250; round++) {
      if (round % 10 === 0) {
        const { _id } = pick(rows);
        const { _id: _, ...change } = row(0);
        await indexed.replaceOne({ _id }, change);
        await plain.replaceOne({ _id }, change);
      }
      const [query, sort, limit, skip] = [filter(), pick(sorts), pick([0, 0, 7]), pick([0, 0, 0, 3])];
      const read = (collection: Collection): Promise<Document[]> =>
        collection
          .find(query as never)
          .sort(sort as never)
          .skip(skip)
          .limit(limit)
          .toArray();
      const [a, b, countA, countB, plan] = await Promise.all([
        read(indexed),
        read(plain),
        indexed.countDocuments(query as never),
        plain.countDocuments(query as never),
        winner(indexed, query as never, sort as never, limit),
      ]);
      if (plan.stage === 'IXSCAN') used++;
      const label = `round ${round}: ${JSON.stringify({ query, sort, limit, skip, index: plan.indexName })}`;
      expect({ label, ids: a.map((each) => each._id), count: countA }).toEqual({
        label,
        ids: b.map((each) => each._id),
        count: countB,
      });
    }
    expect(used).toBeGreaterThan(125);
  });
});

describe('an index is used', () => {
  test('and refuses what it cannot follow: fields of the documents in an array', async () => {
    const collection = fixture.fresh();
    await collection.createIndex({ 'n.q': 1 });
    await collection.insertOne({ n: { q: [1, 2] } });
    expect(await codeOf(collection.insertOne({ n: [{ q: 1 }] }))).toBe(115);
    expect(await collection.countDocuments({ 'n.q': 2 })).toBe(1);
  });

  describe('in lists', () => {
    let rows: Collection;
    const total = 6000;
    const page = { create_time: -1, _id: -1 } as const;
    beforeAll(async () => {
      rows = fixture.fresh();
      await rows.createIndexes([
        { key: { tenant_id: 1, create_time: -1, _id: -1 }, name: 'plain' },
        { key: { tenant_id: 1, status: 1, create_time: -1, _id: -1 }, name: 'status' },
        { key: { tenant_id: 1, visible_to: 1, create_time: -1, _id: -1 }, name: 'visible' },
        { key: { tenant_id: 1, update_time: -1 }, name: 'updated' },
        { key: { tenant_id: 1, status: 1, _id: 1 }, name: 'ids' },
      ]);
      await rows.insertMany(
        Array.from({ length: total }, (_, i) => ({
          _id: `d${String(i).padStart(5, '0')}` as never,
          tenant_id: 'T',
          status: `s${i % 4}`,
          visible_to: [`u${i % 100}`, `u${(i * 7) % 100}`],
          create_time: new Date(1e12 + Math.floor(i / 3)),
          update_time: new Date(1e12 + ((i * 7919) % total)),
        })),
      );
    });

    const byHand = async (filter: Filter<Document>, limit: number): Promise<unknown[]> => {
      // No index serves a negation.
      const all = await rows.find({ $nor: [{ $nor: [filter] }] }).toArray();
      all.sort((a, b) => b.create_time - a.create_time || (String(a._id) < String(b._id) ? 1 : -1));
      return all.slice(0, limit).map((doc) => doc._id);
    };
    const check = async (filter: Filter<Document>, expected: Document): Promise<void> => {
      expect(await winner(rows, filter, page, 101)).toMatchObject(expected);
      const found = await rows.find(filter).sort(page).limit(101).toArray();
      expect(found.map((doc) => doc._id)).toEqual(await byHand(filter, 101));
    };

    test('by several keys of a unique index, of which one has no document', async () => {
      const found = rows.find({ _id: { $in: ['a', 'd00003', 'd00009'] } as never });
      expect((await found.toArray()).length).toBe(2);
      expect(
        await found
          .clone()
          .sort({ _id: -1 })
          .map(({ _id }) => _id)
          .toArray(),
      ).toEqual(['d00009', 'd00003']);
    });

    test('if another index finds far fewer documents', () =>
      check(
        { tenant_id: 'T', update_time: { $gte: new Date(1e12 + total - 20) } },
        { indexName: 'updated', sortedByIndex: false },
      ));

    test('to skip and to count by keys alone', async () => {
      const filter = { tenant_id: 'T', status: 's2' };
      expect(await winner(rows, filter, { _id: 1 })).toMatchObject({ indexName: 'ids', covered: true });
      const [doc] = await rows.find(filter).sort({ _id: 1 }).skip(1000).limit(1).project({ _id: 1 }).toArray();
      expect(doc).toEqual({ _id: 'd04002' });
      expect(await rows.countDocuments(filter)).toBe(total / 4);
      expect(await rows.countDocuments(filter, { limit: 100 })).toBe(100);
      const range = { tenant_id: 'T', update_time: { $gte: new Date(1e12), $lt: new Date(1e12 + 500) } };
      expect((await winner(rows, range)).covered).toBe(true);
      expect(await rows.countDocuments(range)).toBe(500);
    });

    describe('by conditions on later fields of its keys', () => {
      const later = { tenant_id: 1, create_time: -1, _id: -1, update_time: -1, status: 1 } as const;
      const changed = { tenant_id: 1, status: 1, update_time: 1, create_time: -1, _id: -1 } as const;
      beforeAll(async () => {
        await rows.createIndexes([
          { key: later, name: 'later' },
          { key: changed, name: 'changed' },
        ]);
      });

      const since = { tenant_id: 'T', update_time: { $gte: new Date(1e12 + total - 600) } };
      const statuses = { status: { $in: ['s1', 's2', 's3'] } };

      test('documents are read only where the key fulfils them', async () => {
        const query = rows
          .find({ ...since, status: 's2' })
          .sort(page)
          .limit(50)
          .hint(later);
        const { executionStats } = await query.clone().explain('executionStats');
        expect(executionStats).toMatchObject({ nReturned: 50, totalDocsExamined: 50 });
        expect(executionStats.totalKeysExamined).toBeGreaterThan(500);
        expect((await query.toArray()).map(({ _id }) => _id)).toEqual(await byHand({ ...since, status: 's2' }, 50));
      });

      test('a sort by fields of the keys reads only the documents that it gives', async () => {
        const filter = { ...since, ...statuses };
        const query = rows.find(filter).sort(page).limit(50).hint(changed);
        const { executionStats } = await query.clone().explain('executionStats');
        const matching = (await byHand(filter, total)).length;
        expect(executionStats).toMatchObject({ nReturned: 50, totalDocsExamined: 50, totalKeysExamined: matching });
        expect((await query.toArray()).map(({ _id }) => _id)).toEqual(await byHand(filter, 50));
      });

      test('they are counted by keys alone', async () => {
        const query = { ...since, ...statuses };
        const explained = await rows.db.command({
          explain: { count: rows.collectionName, query, hint: later },
          verbosity: 'executionStats',
        });
        expect(explained.executionStats).toMatchObject({ totalDocsExamined: 0, totalKeysExamined: total });
        expect(explained.executionStats.executionStages.nCounted).toBe((await byHand(query, total)).length);
      });
    });

    test('and a scan is reported as a scan', async () => {
      expect((await winner(rows, { create_time: { $gt: new Date(0) } })).stage).toBe('COLLSCAN');
    });
  });
});
