import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { LockedError } from './database.ts';
import { start } from './server.ts';
import { codeOf, Leftovers, type Process, setUp } from './test-fixture.ts';

const fixture = await setUp();
const leftovers = new Leftovers();
afterAll(async () => {
  await fixture.end();
  leftovers.remove();
});

const uriOf = async ({ said }: Process): Promise<string> => (await said).replace('listening ', '');

describe('the process', () => {
  test('says where it listens and ends cleanly on SIGTERM', async () => {
    const data = leftovers.folder();
    const process = leftovers.run('--data', data);
    const line = await process.said;
    expect(line).toBe(`listening mongodb://${encodeURIComponent(join(data, 'db.sock'))}/`);
    const client = await new MongoClient(await uriOf(process)).connect();
    await client.db('a').collection('b').insertOne({ x: 1 });
    process.child.kill('SIGTERM');
    expect(await process.exit).toBe(0);
    await client.close();
    const again = await start({ data });
    const second = await new MongoClient(again.uri).connect();
    expect(await second.db('a').collection('b').countDocuments()).toBe(1);
    await second.close();
    await again.close();
  });

  test.each<[title: string, options: string[], message: RegExp]>([
    ['no folder', [], /--data DIR is missing/],
    ['an unknown option', ['--foo'], /--foo/],
  ])('refuses %s with a sentence and exit 1', async (_title, options, message) => {
    const process = leftovers.run(...options);
    expect(await process.said).toMatch(message);
    expect(await process.exit).toBe(1);
  });

  test('refuses data that another process has locked, until that process has ended in any way', async () => {
    const data = leftovers.folder();
    const holder = leftovers.run('--data', data);
    await holder.said;
    const second = leftovers.run('--data', data);
    expect(await second.said).toMatch(/another process is using the database/);
    expect(await second.exit).toBe(1);
    await expect(start({ data })).rejects.toThrow(LockedError);
    holder.child.kill('SIGKILL');
    await holder.exit;
    const third = await start({ data });
    await third.close();
  });

  test('loses nothing acknowledged when it is killed', async () => {
    const data = leftovers.folder();
    const acknowledged: number[] = [];
    let next = 0;
    for (let cycle = 0; cycle < 3; cycle++) {
      const process = leftovers.run('--data', data);
      const client = await new MongoClient(await uriOf(process), { retryWrites: false }).connect();
      const collection = client.db('k').collection<{ _id: number; u: string }>('k');
      if (cycle === 0) await collection.createIndex({ u: 1 }, { unique: true });
      const have = new Set(await collection.distinct('_id'));
      expect(acknowledged.filter((id) => !have.has(id))).toEqual([]);
      expect(await collection.countDocuments({ u: { $gte: '' } })).toBe(have.size);
      const goal = acknowledged.length + 200;
      const writer = async (): Promise<void> => {
        for (;;) {
          const _id = next++;
          await collection.insertOne({ _id, u: `u${_id}` });
          acknowledged.push(_id);
          if (acknowledged.length >= goal) process.child.kill('SIGKILL');
        }
      };
      // Closing the client makes operations that still look for the server fail at once.
      const closed = process.exit.then(() => client.close(true));
      await Promise.allSettled(Array.from({ length: 8 }, writer));
      await closed;
    }
    const last = await start({ data });
    const client = await new MongoClient(last.uri).connect();
    const have = new Set(await client.db('k').collection<{ _id: number }>('k').distinct('_id'));
    expect(acknowledged.filter((id) => !have.has(id))).toEqual([]);
    await client.close();
    await last.close();
  });
});

describe('a running server', () => {
  test('answers damaged messages with an error and continues', async () => {
    const socket = connect(fixture.running.socket);
    const message = Buffer.alloc(30);
    message.writeInt32LE(30, 0);
    message.writeInt32LE(2013, 12);
    message.writeInt32LE(5, 21);
    socket.write(message);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toContain('InvalidBSON');
    socket.destroy();
    expect((await fixture.db.command({ ping: 1 })).ok).toBe(1);
  });

  test('acknowledges concurrent writes and commits them in groups', async () => {
    const collection = fixture.fresh();
    await collection.insertOne({ _id: 0 as never, n: 0 });
    await Promise.all(Array.from({ length: 100 }, () => collection.updateOne({}, { $inc: { n: 1 } })));
    expect(await collection.findOne({})).toMatchObject({ n: 100 });
  });

  test('empties the write-ahead log with each sweep, and keeps all documents when it writes the file anew', async () => {
    const collection = fixture.fresh();
    await collection.insertOne({});
    await fixture.running.sweep();
    expect(statSync(fixture.running.socket.replace('db.sock', 'data.sqlite-wal')).size).toBe(0);
    expect(await codeOf(fixture.db.command({ compact: 'none' }))).toBe(26);
    expect(await fixture.db.command({ compact: collection.collectionName })).toMatchObject({ ok: 1 });
    expect(await collection.countDocuments()).toBe(1);
  });

  test('deletes cursors that nobody reads ("cursorTimeoutMillis")', async () => {
    const collection = fixture.fresh();
    await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ i })));
    const cursor = collection.find().batchSize(2);
    await cursor.next();
    await fixture.running.sweep(Date.now() + 599_000);
    expect(fixture.running.openCursors()).toBe(1);
    await fixture.running.sweep(Date.now() + 601_000);
    expect(fixture.running.openCursors()).toBe(0);
    expect(await codeOf(cursor.toArray())).toBe(43);
  });

  test('closes cursors when the client closes them, and when their limit is reached', async () => {
    const collection = fixture.fresh();
    await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ i })));
    const cursor = collection.find().batchSize(2);
    await cursor.next();
    await cursor.close();
    expect(await collection.find().limit(4).batchSize(2).toArray()).toHaveLength(4);
    expect(fixture.running.openCursors()).toBe(0);
  });

  test('stops at maxTimeMS with error 50, and serves others meanwhile', async () => {
    const collection = fixture.fresh();
    await collection.insertMany(Array.from({ length: 20_000 }, (_, i) => ({ i, text: `${i} and some more text` })));
    const texts = Array.from({ length: 50 }, (_, i) => ({ text: { $regex: `no ${i}` } }));
    const slow = { $nor: [{ $nor: texts }] };
    expect(await codeOf(collection.find(slow).maxTimeMS(1).toArray())).toBe(50);
    expect(await codeOf(collection.updateMany(slow, { $set: { j: 1 } }, { maxTimeMS: 1 }))).toBe(50);
    let finished = false;
    const scan = collection
      .find({ $and: [slow, slow, slow] })
      .toArray()
      .then(() => {
        finished = true;
      });
    await fixture.db.command({ ping: 1 });
    expect(finished).toBe(false);
    await scan;
  });

  test('a cursor continues while documents are inserted and deleted', async () => {
    const collection = fixture.fresh();
    await collection.insertMany(Array.from({ length: 3000 }, (_, i) => ({ _id: i as never })));
    const seen: unknown[] = [];
    for await (const doc of collection.find().sort({ _id: 1 }).batchSize(500)) {
      seen.push(doc._id);
      if (seen.length === 600) await collection.deleteMany({ _id: { $gte: 1000, $lt: 2000 } as never });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 600)).toEqual(Array.from({ length: 600 }, (_, i) => i));
    expect(seen).toEqual(expect.arrayContaining(Array.from({ length: 1000 }, (_, i) => 2000 + i)));
  });

  test('a cursor on a dropped collection fails with 175', async () => {
    const collection = fixture.fresh();
    await collection.insertMany(Array.from({ length: 3000 }, (_, i) => ({ i })));
    const cursor = collection.find().batchSize(10);
    await cursor.next();
    await fixture.db.dropDatabase();
    expect(await codeOf(cursor.toArray())).toBe(175);
    const listed = fixture.db.listCollections({ name: collection.collectionName }).toArray();
    expect([await listed, await collection.countDocuments()]).toEqual([[], 0]);
  });

  test('deletes expired documents ("TTL Indexes")', async () => {
    const collection = fixture.fresh();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const now = Date.now();
    const at = (seconds: number): Date => new Date(now + seconds * 1000);
    await collection.insertMany([
      { _id: 'old', at: at(-61) },
      { _id: 'young', at: at(-59) },
      { _id: 'earliest counts', at: [at(0), at(-90)] },
      { _id: 'no date', at: 5 },
      { _id: 'none' },
    ] as never[]);
    await fixture.running.sweep(now);
    expect((await collection.distinct('_id')).sort()).toEqual(['no date', 'none', 'young']);
  });

  test('removes the collection and the index that a failed command made', async () => {
    const collection = fixture.fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(11000);
    expect(await collection.indexes()).toHaveLength(1);
    const other = fixture.fresh();
    expect(await codeOf(other.updateOne({ _id: 1 as never }, { $set: { _id: 2 } }, { upsert: true }))).toBe(66);
    expect(await fixture.db.listCollections({ name: other.collectionName }).toArray()).toEqual([]);
  });

  test('notes that a field became an array only if the write stands', async () => {
    const collection = fixture.fresh();
    await collection.createIndexes([{ key: { a: 1 } }, { key: { k: 1 }, unique: true }]);
    await collection.insertOne({ k: 1, a: 1 });
    expect(await codeOf(collection.insertOne({ k: 1, a: [1, 2] }))).toBe(11000);
    const multikey = async (): Promise<unknown> =>
      (await collection.find({ a: 1 }).explain()).queryPlanner.winningPlan.isMultiKey;
    expect(await multikey()).toBe(false);
    await collection.insertOne({ k: 2, a: [1, 2] });
    expect(await multikey()).toBe(true);
  });
});

describe('commands that fail as a standalone server’s do', () => {
  test.each<[title: string, code: number, command: Document]>([
    ['an unknown command', 59, { foo: 1 }],
    ['a command that is not known here', 59, { renameCollection: 'test.x', to: 'test.y' }],
    ['a collection with options', 59, { create: 'x', capped: true, size: 1 }],
    ['an unknown field', 40415, { find: 'x', foo: 1 }],
    ['a collation', 40415, { find: 'x', collation: { locale: 'en' } }],
    ['a transaction', 20, { find: 'x', txnNumber: 1, startTransaction: true, autocommit: false }],
    ['a change stream', 40573, { aggregate: 'x', pipeline: [{ $changeStream: {} }], cursor: {} }],
    ['a sort by 2', 15975, { find: 'x', sort: { a: 2 } }],
    ['a negative skip', 51024, { find: 'x', skip: -1 }],
    ['w: 2', 2, { insert: 'x', documents: [{}], writeConcern: { w: 2 } }],
    ['an index of a missing collection', 26, { dropIndexes: 'x', index: 'a_1' }],
  ])('%s: %i', async (_title, code, command) => {
    expect(await codeOf(fixture.db.command(command))).toBe(code);
  });

  const grow = { $push: { list: 'x'.repeat(9_000_000) } } as Document;
  test.each<[title: string, code: number, act: (rows: Collection) => Promise<unknown>]>([
    ['a hint at no index', 2, (rows) => rows.find().hint('nope').toArray()],
    ['dropping a missing index', 27, (rows) => rows.dropIndex('x_1')],
    ['dropping the index on _id', 72, (rows) => rows.dropIndex('_id_')],
    ['the same index with other options', 86, (rows) => rows.createIndex({ a: 1, b: 1 }, { unique: true })],
    ['the same index under another name', 85, (rows) => rows.createIndex({ a: 1, b: 1 }, { name: 'other' })],
    ['two arrays in one index', 171, (rows) => rows.insertOne({ a: [1], b: [2] })],
    ['a document beyond 16 MB', 10334, (rows) => Promise.all([1, 2].map(() => rows.updateOne({}, grow)))],
    ['a text index', 67, (rows) => rows.createIndex({ a: 'text' })],
    ['a sparse index', 197, (rows) => rows.createIndex({ c: 1 }, { sparse: true })],
  ])('%s: %i', async (_title, code, act) => {
    const rows = fixture.fresh();
    await rows.createIndex({ a: 1, b: 1 });
    await rows.insertOne({ a: 1 });
    expect(await codeOf(act(rows))).toBe(code);
  });
});
