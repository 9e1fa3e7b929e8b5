/**
 * Where a measurement works: the database, which is `MONGODB_URI`, a real MongoDB of its own or an embedded one, both of
 * which are removed; and its tenant.
 */
import { randomUUID } from 'node:crypto';
import { refuse } from '../../../conformance/command-line.ts';
import { hashKey } from '../../../handlers/access/keys.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';
import { givenSecret } from '../../operate/settings/connect.ts';
import { Database, type Engines } from '../../testbed/database.ts';
import { findMongod } from '../../testbed/mongod-tool.ts';
import { TestTenant } from '../../testbed/tenant.ts';

export const ENGINES = ['embedded', 'mongod'] as const;
export type Engine = (typeof ENGINES)[number];

/** Where a measurement works. */
export interface Place {
  readonly store: Store;
  readonly uri: string;
  /** The name of the database. */
  readonly database: string;
  /** A folder that goes with it; a database that is started here keeps its data there. */
  readonly folder: string;
  /** The process of a database that is started here. */
  readonly pid: number | undefined;
  /** Removes what was made. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface DatabaseOptions {
  /** An existing database, which is kept; by default a new one is made, and dropped afterwards. */
  readonly name?: string | undefined;
  /** After how long a command counts as failed. */
  readonly timeoutMs?: number;
  /** What is started here, unless `MONGODB_URI` names a deployment. */
  readonly engine?: Engine;
}

async function enginesFor(name: Engine): Promise<Engines> {
  const shared = givenSecret(process.env, 'MONGODB_URI');
  if (shared !== undefined) return { own: { name: 'embedded' }, shared };
  if (name === 'embedded') return { own: { name } };
  const found = await findMongod((text) => console.error(text));
  return 'missing' in found ? refuse(found.missing) : { own: { name, program: found.path } };
}

/** Opens the database of a measurement. */
export async function openPlace({ name, timeoutMs, engine = 'embedded' }: DatabaseOptions): Promise<Place> {
  const made = new Database(await enginesFor(engine), name);
  const remove = () => made.remove(name !== undefined);
  try {
    const store = await made.open(timeoutMs);
    const dispose = async () => {
      await store.close();
      await remove();
    };
    const { uri, name: database, folder, pid } = made;
    return { store, uri, database, folder, pid, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await remove();
    throw error;
  }
}

const KEYS = 2_000;

/** The tenant that is measured. */
export interface Tenant {
  readonly id: string;
  readonly keys: readonly string[];
  readonly employeeIds: readonly string[];
}

/** A tenant with people, and with enough keys of its administrator that the rate limit is never reached. */
export async function prepare(store: Store, employees: number): Promise<Tenant> {
  await createIndexes(store);
  const { tenant_id, keys } = await seedTenant(store, { name: 'bench', seed: randomUUID(), employees });
  const sample = await store.api_keys.findOne({ key_hash: hashKey(keys[0]?.key ?? '') });
  if (sample === null) throw new Error('the invented tenant has no key');
  const { owner_id, scopes } = sample;
  const rows = await store.employees
    .find({ tenant_id, listed: true }, { projection: { _id: 1 } })
    .limit(500)
    .toArray();
  return {
    id: tenant_id,
    keys: await new TestTenant(store, tenant_id, owner_id).keys(KEYS, { scopes }),
    employeeIds: rows.map(({ _id }) => _id),
  };
}
