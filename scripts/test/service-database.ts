/** The database of the services that the steps start, on the engine that `TEST_MONGODB` names. */
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { type StartedMongod, startMongod } from '../../handlers/testing/mongod.ts';
import { freePort } from '../../handlers/testing/processes.ts';
import type { FoundTool } from '../go-tool.ts';

/** What a service needs to be told of its database. */
export type DatabaseEnv = Readonly<Record<string, string>>;

/** Where services keep their data; each has a name of its own there. */
export interface ServiceDatabase {
  /** Starts what is not running yet. @throws Error where it cannot be had */
  env(service: string): Promise<DatabaseEnv>;
  /** Ends what was started, and drops what is left elsewhere. */
  stop(): Promise<void>;
}

/** Each service starts the embedded database by itself, whatever deployment the caller's environment names. */
export const EMBEDDED: ServiceDatabase = { env: async () => ({ MONGODB_URI: '' }), stop: async () => {} };

/** A deployment that is there already. */
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

/**
 * A MongoDB of this run, started when the first service asks for it.
 * @param isMember whether it is a replica set of one, or a standalone
 */
export function mongodDatabase(
  find: () => Promise<FoundTool>,
  folder: string,
  { isMember }: { readonly isMember: boolean },
): ServiceDatabase {
  let starting: Promise<StartedMongod> | undefined;
  const start = async () => {
    const found = await find();
    if ('missing' in found) throw new Error(found.missing);
    return startMongod({ program: found.path, folder, port: await freePort(), isMember });
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

/** @param wanted as `TEST_MONGODB` says it. @throws Error for what it cannot be */
export function serviceDatabase(wanted: string, find: () => Promise<FoundTool>, scratch: string): ServiceDatabase {
  if (/^mongodb(\+srv)?:\/\//.test(wanted)) return deployedDatabase(wanted);
  switch (wanted) {
    case '':
    case 'embedded':
      return EMBEDDED;
    case 'mongod':
    case 'standalone':
      return mongodDatabase(find, join(scratch, wanted), { isMember: wanted === 'mongod' });
    default:
      throw new Error(`The database is embedded, mongod, standalone or mongodb://…, not ${wanted}`);
  }
}
