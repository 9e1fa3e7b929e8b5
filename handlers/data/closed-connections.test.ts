/** The database's connections that close while a command is on its way. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OwnDatabase } from '../../scripts/testbed/database.ts';
import type { Store } from './store.ts';

const CREATED = 'net.client.socket';
const database = new OwnDatabase();
const sockets = new Set<Socket>();
const noted = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
let store: Store;

beforeAll(async () => {
  subscribe(CREATED, noted);
  store = await database.open(2_000);
});

afterAll(async () => {
  unsubscribe(CREATED, noted);
  await store.close();
  await database.remove();
});

test('a command that begins when its connection is destroyed, but not closed yet, is repeated', async () => {
  await store.tenants.findOne({});
  for (const socket of sockets) socket.destroy();
  // Nothing else of the event loop runs before the command is written.
  expect(await store.tenants.findOne({})).toBeNull();
});

test('a long command to a database that does not read ends with the time limit of its connection', async () => {
  const rows = Array.from({ length: 8 }, () => ({ text: 'x'.repeat(4_000_000) }));
  await store.tenants.findOne({});
  database.signal('SIGSTOP');
  try {
    await expect(store.db.collection('rows').insertMany(rows)).rejects.toThrow();
  } finally {
    database.signal('SIGCONT');
  }
});
