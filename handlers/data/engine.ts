/**
 * Which kind of database a connection leads to (D-34), and what follows from it. Production runs on a replica set or a
 * sharded cluster; a standalone server and the embedded database serve for trying out.
 */
import { type Db, type MongoClient, MongoCompatibilityError } from 'mongodb';

export type Topology = 'replica set' | 'sharded cluster' | 'standalone' | 'embedded';

/** The database behind a connection. */
export interface Engine {
  readonly topology: Topology;
  /** Such as `6.0.5`. */
  readonly version: string;
  /** Whether several reads, or one read in several batches, can see one moment: `readConcern: snapshot`. */
  readonly hasSnapshots: boolean;
}

/** The oldest release of MongoDB that the service runs on. */
const OLDEST = 6;

/** The database can never be used as it is; the message says what to do. */
export class UnsupportedEngine extends Error {}

const known = new WeakMap<MongoClient, Promise<Engine>>();

/**
 * Asks the database what it is, once for each client.
 * @throws UnsupportedEngine when it is older than MongoDB 6.0; what the driver fails with when nothing answers
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
      // What is older than the driver itself knows is refused before anything can be asked.
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

/** What a standalone server does not give, in one sentence; undefined for the engines that a deployment knows it runs. */
export function lackOf({ topology }: Engine): string | undefined {
  if (topology !== 'standalone') return undefined;
  return (
    'The database is a standalone server: it serves for trying out. Nobody takes over when it stops, and lists with ' +
    "several values of a filter hold what they promise only as far as the processes' clocks agree. One node is enough " +
    'for a replica set, which production runs on.'
  );
}
