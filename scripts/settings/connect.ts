/** Finds the database that a command means and opens it. */
import { existsSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { clientOptions, collectionsOf, openStore, type Store } from '../../handlers/data/store.ts';
import { databaseName } from '../../handlers/process/config.ts';
import { readDatabaseNote } from '../start/database-note.ts';
import { databaseDir, startEmbedded } from '../start/embedded.ts';
import { EXIT, Failure } from './failure.ts';

const DAY_MS = 86_400_000;
const CHECK_MS = 60_000;

export interface Connection {
  readonly store: Store;
  /** Closes the connection, and the embedded database when it was started for this command. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the embedded database, `.data` unless told otherwise. */
  readonly dataDir: string;
  /** Make a new embedded database when there is none. */
  readonly create?: boolean;
  /** For bulk loads: neither a long answer nor a busy moment of the database ends the connection. */
  readonly patient?: boolean;
}

/** A connection string without its user and password. */
export function withoutCredentials(uri: string): string {
  return uri.replace(/\/\/[^@/]*@/, '//');
}

function unreachable(message: string): never {
  throw new Failure(EXIT.unreachable, message);
}

/** A store whose health check does not mistake a database at work for a dead one. */
async function openPatiently(uri: string, database: string): Promise<Store> {
  // Whether anything answers at all is found out at once.
  await (await openStore(uri, database)).close();
  const patience = { connectTimeoutMS: CHECK_MS, heartbeatFrequencyMS: CHECK_MS, serverSelectionTimeoutMS: CHECK_MS };
  return collectionsOf(new MongoClient(uri, { ...clientOptions(DAY_MS), ...patience }), database);
}

async function open(uri: string, { env, patient }: ConnectOptions, database = databaseName(env)): Promise<Store> {
  const store = patient ? await openPatiently(uri, database) : await openStore(uri, database);
  try {
    // A lazily connected client would fail only in the middle of a command.
    await store.db.command({ ping: 1 });
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** A store that closes with its connection. */
function connected(store: Store): Connection {
  return { store, close: () => store.close() };
}

/** @param said how the address came to be known */
async function openGiven(uri: string, said: string, options: ConnectOptions, database?: string): Promise<Connection> {
  try {
    return connected(await open(uri, options, database));
  } catch (error) {
    return unreachable(
      `The database ${said} (${withoutCredentials(uri)}) does not answer: ${(error as Error).message}. ` +
        'Check the address and that it runs, or unset MONGODB_URI to use the embedded database.',
    );
  }
}

/** The embedded database of the folder, started for this one command. */
async function startOwn(options: ConnectOptions): Promise<Connection> {
  try {
    const embedded = await startEmbedded(options.dataDir);
    try {
      const store = await open(embedded.uri, options);
      return {
        store,
        async close() {
          await store.close();
          await embedded.stop();
        },
      };
    } catch (error) {
      await embedded.stop();
      throw error;
    }
  } catch (error) {
    return unreachable(`The embedded database in ${options.dataDir} cannot be started: ${(error as Error).message}`);
  }
}

/**
 * `MONGODB_URI`; else the database that `npm start` runs on, whichever that is; else the embedded one, started for this
 * one command.
 * @throws Failure with exit code 3 when none of them answers
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { env, dataDir, create } = options;
  if (env.MONGODB_URI) return openGiven(env.MONGODB_URI, 'at MONGODB_URI', options);
  const note = readDatabaseNote(dataDir);
  if (note !== undefined && !note.embedded) {
    return openGiven(note.uri, `that npm start has noted in ${dataDir}`, options, note.name);
  }
  if (note !== undefined) {
    try {
      return connected(await open(note.uri, options, note.name));
    } catch {
      // The note outlived its database; the next step starts it.
    }
  }
  if (!create && !existsSync(databaseDir(dataDir))) {
    unreachable(
      `There is no database yet: MONGODB_URI is not set, and ${dataDir} holds no embedded one. ` +
        'Run `npm start`, or set MONGODB_URI.',
    );
  }
  return startOwn(options);
}
