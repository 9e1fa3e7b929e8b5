/** Tests which database a command on this machine works with. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StoreVersionRow } from '../../../handlers/data/collections/store_versions.ts';
import { EXIT, Failure } from '../../kit/command-line.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { databaseNote } from '../start/notes.ts';
import { connect } from './connect.ts';

const NOWHERE = 'mongodb://hr:hunter2@127.0.0.1:1/?directConnection=true';
const { database, store } = await testDeployment();
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'connect-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The name of the database that a command works with. */
async function reached(env: Readonly<Record<string, string>>): Promise<string> {
  const { store, close } = await connect({ env, dataDir });
  const { databaseName } = store.db;
  await close();
  return databaseName;
}

const noted = (embedded: boolean, uri = database.env.MONGODB_URI) =>
  databaseNote.write(dataDir, { uri, name: 'noted', embedded });

test.each([true, false])('the one that npm start has noted, by its name (embedded: %s)', async (embedded) => {
  noted(embedded);
  expect(await reached({})).toBe('noted');
  // The commands of a conformance profile run in an environment that somebody else has set.
  expect(await reached({ MONGODB_DATABASE: 'other' })).toBe('noted');
});

test('MONGODB_URI takes precedence over the note', async () => {
  noted(false, NOWHERE);
  expect(await reached({ ...database.env, MONGODB_DATABASE: 'given' })).toBe('given');
});

test('MONGODB_URI may be in a file, which is named if it cannot be used', async () => {
  noted(false, NOWHERE);
  const MONGODB_URI_FILE = path.join(dataDir, 'uri');
  await writeFile(MONGODB_URI_FILE, `${database.env.MONGODB_URI}\n`);
  expect(await reached({ MONGODB_URI_FILE, MONGODB_DATABASE: 'given' })).toBe('given');
  await expect(reached({ MONGODB_URI_FILE, MONGODB_URI: NOWHERE })).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: 'MONGODB_URI, MONGODB_URI_FILE: only one of them may be set.',
  });
});

test('a noted database that does not answer is an error, shown without its password, and no other one is used', async () => {
  noted(false, NOWHERE);
  const failure = await connect({ env: {}, dataDir, create: true }).catch((error: Failure) => error);
  expect(failure).toBeInstanceOf(Failure);
  const { exitCode, message } = failure as Failure;
  expect(exitCode).toBe(EXIT.unreachable);
  expect(message).toContain('that npm start has noted');
  expect(message).toContain('mongodb://127.0.0.1:1/');
  expect(message).not.toContain('hunter2');
  // Somebody who unset MONGODB_URI would work with another database.
  expect(message).toMatch(/Check the address and that it runs\.$/);
});

test('a store that only a newer release understands is refused, and is not taken for an absent one', async () => {
  const row = { version: 1_000, oldest_safe: 1_000, release: '99.0.0', update_time: new Date(0) };
  const versions = store.client.db('of_a_newer_release').collection<StoreVersionRow>('store_versions');
  await versions.insertOne({ _id: 'store', ...row });
  const env = { ...database.env, MONGODB_DATABASE: 'of_a_newer_release' };
  try {
    await expect(reached(env)).rejects.toMatchObject({
      exitCode: EXIT.refused,
      message: expect.stringMatching(/^MONGODB_URI: release 99\.0\.0 has brought this database to store version 1000/),
    });
  } finally {
    await store.client.db('of_a_newer_release').dropDatabase();
  }
});
