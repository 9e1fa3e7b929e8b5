/** The kind of database behind a connection (D-34), and what follows from it. */
import { type Db, type MongoClient, MongoCompatibilityError } from 'mongodb';
import type { Logger } from '../runtime/log.ts';

export type Topology = 'replica set' | 'sharded cluster' | 'standalone' | 'embedded';

export interface Engine {
  readonly topology: Topology;
  readonly version: string;
  /**
   * Whether several reads, or one read in several batches, can show the data of one moment: `readConcern: snapshot`.
   */
  readonly hasSnapshots: boolean;
}

const OLDEST = 6;

/** The service can never run on this database; the message says what to do. */
export class UnsupportedEngine extends Error {}

const known = new WeakMap<MongoClient, Promise<Engine>>();

/**
 * Asks the database what it is, once for each client.
 * @throws UnsupportedEngine when it is older than MongoDB 6.0; the driver's error when nothing answers
 */
export function engineOf(client: MongoClient): Promise<Engine> {
  const found = known.get(client) ?? inspect(client.db('admin'));
  known.set(client, found);
  found.catch(() => known.delete(client));
  return found;
}

async function inspect(db: Db): Promise<Engine> {
  const [hello, build] = await Promise.all([db.command({ hello: 1 }), db.command({ buildInfo: 1 })]).catch(
    (error: Error) => {
      // The driver refuses a database that is older than it supports before anything can be asked.
      throw error instanceof MongoCompatibilityError ? tooOld('This database') : error;
    },
  );
  const version = String(build.version);
  if (Number.parseInt(version, 10) < OLDEST) throw tooOld(`MongoDB ${version}`);
  const topology = topologyOf(hello, build);
  return { topology, version, hasSnapshots: topology === 'replica set' || topology === 'sharded cluster' };
}

function tooOld(what: string): UnsupportedEngine {
  return new UnsupportedEngine(`MONGODB_URI: ${what} is too old: the service needs MongoDB 6.0 or newer`);
}

function topologyOf(hello: Readonly<Record<string, unknown>>, build: Readonly<Record<string, unknown>>): Topology {
  if (hello.msg === 'isdbgrid') return 'sharded cluster';
  if (hello.setName !== undefined) return 'replica set';
  return Array.isArray(build.modules) && build.modules.includes('embedded-db') ? 'embedded' : 'standalone';
}

/**
 * Has the database's files forget what was deleted, where it can: the embedded one. What stays in those of a MongoDB, and
 * how long, `docs/data.md` says.
 * @param db with the collection `persons`
 */
export async function forgetDeleted(client: MongoClient, db: Db): Promise<void> {
  const { topology } = await engineOf(client);
  if (topology === 'embedded') await db.command({ compact: 'persons' });
}

/** A warning about what a standalone server lacks; undefined for all other databases. */
export function lackOf({ topology }: Engine): string | undefined {
  if (topology !== 'standalone') return undefined;
  return (
    'The database is a standalone server: it serves for trying out. Nobody takes over when it stops, and lists with ' +
    'several values of a filter hold what they promise only if changes are written within 10 seconds. One node is ' +
    'enough for a replica set, which production runs on.'
  );
}

/** Logs once which engine the process runs on, and what that engine does not guarantee. */
export function logEngine(engine: Engine, log: Logger): void {
  const { topology, version } = engine;
  const lack = lackOf(engine);
  const line = { event: 'database', topology, version };
  if (lack === undefined) log.info(line);
  else log.warn(line, lack);
}

/**
 * How many members must have built an index. By default all must, so one that is down would keep the service from
 * starting. A standalone server does not know this option.
 */
export async function indexQuorum(client: MongoClient): Promise<{ commitQuorum?: 'majority' }> {
  const { hasSnapshots } = await engineOf(client);
  return hasSnapshots ? { commitQuorum: 'majority' } : {};
}
