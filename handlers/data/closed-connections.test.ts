/** The database's connections that close while a command is on its way. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { eventually } from '../../scripts/kit/eventually.ts';
import { OwnDatabase } from '../../scripts/world/database.ts';
import { testDeploymentOn } from '../../scripts/world/test-deployment.ts';
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

test('a socket with TLS is announced, too', () => {
  const socket = connect({ host: '127.0.0.1', port: 1 });
  socket.on('error', () => {}).destroy();
  expect(sockets).toContain(socket);
});

test('with the driver alone it would wait: once this fails, nothing of ours is needed', async () => {
  sockets.clear();
  const client = new MongoClient(database.uri);
  const ping = () => client.db().command({ ping: 1 });
  await ping();
  const closed = [...sockets].map((socket) => once(socket.destroy(), 'close'));
  const pinged = ping().catch(() => 'ended');
  await Promise.all(closed);
  expect(await Promise.race([pinged, turn('waits')])).toBe('waits');
  await client.close();
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
