/** Finds the database that a command means and opens it. */
import { existsSync, readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { clientOptions, collectionsOf, openStore, type Store } from '../../handlers/runtime/store.ts';
import { databaseDir, startEmbedded, uriFile } from '../start/embedded.ts';
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

async function open(uri: string, { env, patient }: ConnectOptions): Promise<Store> {
  const database = env.MONGODB_DATABASE || 'developer_api';
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

/**
 * `MONGODB_URI`; else the embedded database that `npm start` runs; else that database started for this one command.
 * @throws Failure with exit code 3 when none of them answers
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const uri = options.env.MONGODB_URI;
  if (uri) {
    try {
      const store = await open(uri, options);
      return { store, close: () => store.close() };
    } catch (error) {
      unreachable(
        `The database at MONGODB_URI (${withoutCredentials(uri)}) does not answer: ${(error as Error).message}. ` +
          'Check the address and that it runs, or unset MONGODB_URI to use the embedded database.',
      );
    }
  }
  const file = uriFile(options.dataDir);
  if (existsSync(file)) {
    try {
      const store = await open(readFileSync(file, 'utf8').trim(), options);
      return { store, close: () => store.close() };
    } catch {
      // The file outlived its database; the next step starts it.
    }
  }
  if (!options.create && !existsSync(databaseDir(options.dataDir))) {
    unreachable(
      `There is no database yet: MONGODB_URI is not set, and ${options.dataDir} holds no embedded one. ` +
        'Run `npm start`, or set MONGODB_URI.',
    );
  }
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
    unreachable(`The embedded database in ${options.dataDir} cannot be started: ${(error as Error).message}`);
  }
}
