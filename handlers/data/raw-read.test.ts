/** Rows that are read in one piece, on the engine of the tests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collection, MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { Database } from '../../scripts/world/database.ts';
import { findRaw, Layout } from './raw-row.ts';
import { clientOptions, collectionsOf, type Store } from './store.ts';

interface Row {
  readonly _id: string;
  readonly text: string;
  readonly hidden: string;
}
const layout = new Layout(['text']);
const database = new Database();
const commands: string[] = [];
let store: Store;
let rows: Collection<Row>;

beforeAll(async () => {
  const client = new MongoClient(await database.start(), clientOptions(60_000, 60_000));
  client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  store = collectionsOf(await client.connect(), database.name);
  rows = store.db.collection<Row>('rows');
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

const sorted = { sort: { _id: 1 }, batchSize: 1_000 } as const;

/** Writes rows with texts of a length. @returns their ids and texts, in order */
async function fill(prefix: string, count: number, length: number): Promise<[string, string][]> {
  const made = Array.from({ length: count }, (_, nth): [string, string] => [
    `${prefix}${String(nth).padStart(4, '0')}`,
    'я'.repeat(length / 2),
  ]);
  await rows.insertMany(made.map(([_id, text]) => ({ _id, text, hidden: 'x' })));
  return made;
}

const read = async (prefix: string, from = store.db) => {
  const found = await findRaw(from, rows, layout, { _id: { $gte: prefix, $lt: `${prefix}~` } }, sorted);
  return found.map((row) => [row._id, row.text('text')]);
};

test('rows come in one answer, with the fields of the layout', async () => {
  const made = await fill('few', 300, 10);
  commands.length = 0;
  expect(await read('few')).toEqual(made);
  expect(commands).toEqual(['find']);
});

test('rows that are too much for one answer come all the same, and leave no cursor open', async () => {
  const made = await fill('much', 20, 1_000_000);
  commands.length = 0;
  expect(await read('much')).toEqual(made);
  expect(commands.slice(0, 3)).toEqual(['find', 'killCursors', 'find']);
});

/** A database whose commands fail. */
const failing = (error: Error) => ({ command: () => Promise.reject(error) }) as unknown as Store['db'];

test('after a failure of the connection the driver reads, which repeats', async () => {
  const made = await fill('lost', 3, 10);
  expect(await read('lost', failing(new MongoNetworkError('closed')))).toEqual(made);
});

test.each([50, 2])('an error that repeating would not mend is passed on (%i)', async (code) => {
  const error = new MongoServerError({ message: 'no', code });
  await expect(read('few', failing(error))).rejects.toBe(error);
});
