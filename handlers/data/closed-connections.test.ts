/** The database's connections that close while a command is on its way. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { OwnDatabase } from '../../scripts/testbed/database.ts';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { testDeploymentOn } from '../../scripts/testbed/test-deployment.ts';
import { openStore } from './store.ts';

const CREATED = 'net.client.socket';
const sockets = new Set<Socket>();
const noted = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
// The connections of the store are noted, too.
subscribe(CREATED, noted);
afterAll(() => void unsubscribe(CREATED, noted));
const { database, store } = await testDeploymentOn(new OwnDatabase());

test('a command that begins when its connection is destroyed, but not closed yet, is repeated', async () => {
  await store.tenants.findOne({});
  expect(sockets.size).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
  // Nothing else of the event loop runs before the command is written.
  expect(await store.tenants.findOne({})).toBeNull();
});

test('a long command to a database that does not read ends with the time limit of its connection', async () => {
  const rows = Array.from({ length: 8 }, () => ({ text: 'x'.repeat(4_000_000) }));
  const open = () => openStore(database.uri, database.name, 2_000, 2_000);
  // A busy machine may need longer than that to connect.
  const impatient = await eventually('a store', () => open().catch(() => undefined));
  await eventually('an answer', () => impatient.tenants.countDocuments({}).catch(() => undefined));
  await database.freeze();
  try {
    await expect(impatient.db.collection('rows').insertMany(rows)).rejects.toThrow();
  } finally {
    database.thaw();
    await impatient.close();
  }
});
