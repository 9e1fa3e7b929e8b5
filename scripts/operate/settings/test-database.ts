/** A database with its indexes, for tests of commands. */
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { Database } from '../../testbed/database.ts';

export interface TestDatabase {
  readonly store: Store;
  /** The environment with which a process can connect to it. */
  readonly env: Database['env'];
  /** Drops the data and stops what was started. */
  stop(): Promise<void>;
}

/** Starts a database; call `stop` in `afterAll`. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const database = new Database();
  const store = await database.open();
  await createIndexes(store);
  return {
    store,
    env: database.env,
    async stop() {
      await store.close();
      await database.remove();
    },
  };
}
