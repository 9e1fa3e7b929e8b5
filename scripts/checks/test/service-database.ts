/** The database of the services that steps start, on the engine that `TEST_MONGODB` names. */
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { engineNamed, type StartedEngine, startEngine } from '../../testbed/engine.ts';
import type { FoundTool } from '../../testbed/go-tool.ts';

/** The variables that name the database of a service. */
export type DatabaseEnv = Readonly<Record<string, string>>;

/** A place for the data of services; each service uses its own name there. */
export interface ServiceDatabase {
  /** Starts the database unless it is running. @throws Error if it is not available */
  env(service: string): Promise<DatabaseEnv>;
  /** Ends what was started here, and drops databases on a deployment that was not started here. */
  stop(): Promise<void>;
}

/** Each service starts the embedded database by itself, even if the caller's environment names a deployment. */
export const EMBEDDED: ServiceDatabase = { env: async () => ({ MONGODB_URI: '' }), stop: async () => {} };

/** A deployment that already runs. */
export function deployedDatabase(uri: string): ServiceDatabase {
  const names = new Set<string>();
  return {
    async env(service) {
      const name = `test_${process.pid}_${service}`;
      names.add(name);
      return { MONGODB_URI: uri, MONGODB_DATABASE: name };
    },
    async stop() {
      if (names.size === 0) return;
      const client = new MongoClient(uri);
      try {
        for (const name of names) await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}

/** A MongoDB for this run only, started when the first service asks for it. */
export function mongodDatabase(
  name: 'mongod' | 'standalone',
  find: () => Promise<FoundTool>,
  folder: string,
): ServiceDatabase {
  let starting: Promise<StartedEngine> | undefined;
  const start = async () => {
    const found = await find();
    if ('missing' in found) throw new Error(found.missing);
    return startEngine({ name, program: found.path }, folder);
  };
  return {
    async env(service) {
      starting ??= start();
      const { uri } = await starting;
      return { MONGODB_URI: uri, MONGODB_DATABASE: `test_${service}` };
    },
    async stop() {
      const running = await starting?.catch(() => undefined);
      await running?.process.stop();
    },
  };
}

/** @param wanted the value of `TEST_MONGODB`. @throws Error for a value that is not allowed */
export function serviceDatabase(wanted: string, find: () => Promise<FoundTool>, scratch: string): ServiceDatabase {
  const named = engineNamed(wanted);
  if (typeof named === 'object') return deployedDatabase(named.uri);
  return named === 'embedded' ? EMBEDDED : mongodDatabase(named, find, join(scratch, named));
}
