/** Finds the database that a command is to use, opens it, and says what its errors mean. */
import { existsSync } from 'node:fs';
import { MongoBulkWriteError, MongoClient, MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import { UnsupportedEngine } from '../../../handlers/data/engine.ts';
import { clientOptions, collectionsOf, openStore, type Store } from '../../../handlers/data/store.ts';
import { followStoreClock } from '../../../handlers/data/store-clock.ts';
import { refuseNewerStore } from '../../../handlers/prepare-store.ts';
import { type Config, databaseName } from '../../../handlers/runtime/config.ts';
import { secretValue } from '../../../handlers/runtime/environment.ts';
import { EXIT, Failure, messageOf, misuse } from '../../kit/command-line.ts';
import { databaseDir, startEmbedded } from '../../world/engine.ts';
import { databaseNote } from '../start/notes.ts';

const DAY_MS = 86_400_000;
const CHECK_MS = 60_000;
/** The service gives up sooner, as its callers wait. A person would rather wait than repeat a command. */
const REACH_MS = 5_000;

export interface Connection {
  readonly store: Store;
  /** Closes the connection, and stops the embedded database if it was started for this command. */
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the embedded database, `.data` by default. */
  readonly dataDir: string;
  readonly create?: boolean;
  /** For bulk loads: a slow answer or a busy database does not end the connection. */
  readonly patient?: boolean;
}

/** A connection string without its user and password. */
export function withoutCredentials(uri: string): string {
  return uri.replace(/\/\/[^@/]*@/, '//');
}

function unreachable(message: string): never {
  throw new Failure(EXIT.unreachable, message);
}

const reach = (uri: string, database: string) => openStore(uri, database, undefined, REACH_MS);

/** A store whose health check does not report a busy database as unavailable. */
async function openPatiently(uri: string, database: string): Promise<Store> {
  // Find out first, without the long timeouts, whether anything answers at all.
  await (await reach(uri, database)).close();
  const patience = { connectTimeoutMS: CHECK_MS, heartbeatFrequencyMS: CHECK_MS, serverSelectionTimeoutMS: CHECK_MS };
  return collectionsOf(new MongoClient(uri, { ...clientOptions(DAY_MS), ...patience }), database);
}

async function open(uri: string, { env, patient }: ConnectOptions, database = databaseName(env)): Promise<Connection> {
  const store = patient ? await openPatiently(uri, database) : await reach(uri, database);
  try {
    // Without a first command, a lazily connected client would fail only in the middle of what follows. Times that are
    // written are the database's, as those of the service.
    await followStoreClock(store);
    // What it writes must be what the processes of the deployment understand, and the other way round.
    await refuseNewerStore(store);
  } catch (error) {
    await store.close();
    if (error instanceof UnsupportedEngine) throw new Failure(EXIT.refused, `${error.message}.`);
    throw error;
  }
  return { store, close: () => store.close() };
}

/** A connection, or why there is none, in words about a database that cannot be reached. */
async function orUnreachable(opening: Promise<Connection>, words: (why: string) => string): Promise<Connection> {
  return opening.catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    return unreachable(words(messageOf(error)));
  });
}

/** @param said where the address comes from, for messages */
function openGiven(uri: string, said: string, options: ConnectOptions, database?: string): Promise<Connection> {
  return orUnreachable(
    open(uri, options, database),
    (why) =>
      `The database ${said} (${withoutCredentials(uri)}) does not answer: ${why}. Check the address and that it runs.`,
  );
}

/** Starts the embedded database of the folder for this one command. */
async function startOwn(options: ConnectOptions): Promise<Connection> {
  const { uri, process } = await startEmbedded(options.dataDir);
  try {
    const { store, close } = await open(uri, options);
    return {
      store,
      async close() {
        await close();
        await process.stop();
      },
    };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

/** A secret of the server, for tools. @throws Failure about its file */
export function givenSecret(env: ConnectOptions['env'], name: keyof Config): string | undefined {
  try {
    return secretValue(env, name);
  } catch (error) {
    return misuse(`${messageOf(error)}.`);
  }
}

/** Opens MONGODB_URI, or that of a running `npm start`, or starts the embedded one. @throws Failure with exit code 3 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { env, dataDir, create } = options;
  const given = givenSecret(env, 'MONGODB_URI');
  if (given !== undefined) return openGiven(given, 'at MONGODB_URI', options);
  const note = databaseNote.read(dataDir);
  if (note !== undefined && !note.embedded) {
    return openGiven(note.uri, `that npm start has noted in ${dataDir}`, options, note.name);
  }
  if (note !== undefined) {
    try {
      return await open(note.uri, options, note.name);
    } catch (error) {
      if (error instanceof Failure) throw error;
      // The note was left by a database that no longer runs; the next step starts it.
    }
  }
  if (!create && !existsSync(databaseDir(dataDir))) {
    unreachable(
      `There is no database yet: MONGODB_URI is not set, and ${dataDir} holds no embedded one. ` +
        'Run `npm start`, or set MONGODB_URI.',
    );
  }
  return orUnreachable(startOwn(options), (why) => `The embedded database in ${dataDir} cannot be started: ${why}`);
}

/** Whether the connection failed, rather than the request. */
function isOutage(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) return isOutage(error.errorResponse);
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** An error of the database as a sentence for a person; any other error as it is. */
export function databaseFailure(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  if (!isOutage(error)) return new Failure(EXIT.refused, `The database refused: ${error.message}`);
  const message = `The database went away: ${error.message}. Repeat the command when it runs again.`;
  return new Failure(EXIT.unreachable, message);
}
