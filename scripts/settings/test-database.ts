/** A database for tests: the one of MONGODB_URI under a name of its own, or an embedded one in a temporary folder. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createIndexes, openStore, type Store } from '../../handlers/runtime/store.ts';
import { startEmbedded } from '../start/embedded.ts';

const PATIENCE_MS = 120_000;

export interface TestDatabase {
  readonly store: Store;
  /** What a process needs to reach it. */
  readonly env: { readonly MONGODB_URI: string; readonly MONGODB_DATABASE: string };
  /** Drops the data and ends what was started. */
  stop(): Promise<void>;
}

/** Starts one with its indexes; call `stop` in `afterAll`. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().slice(0, 8)}`;
  const given = process.env.MONGODB_URI;
  const dir = await mkdtemp(path.join(tmpdir(), 'developer-api-'));
  const embedded = given ? undefined : await startEmbedded(dir);
  const uri = given ?? embedded?.uri ?? '';
  // On a slow machine one command may keep it busy for longer than a server would wait.
  const store = await openStore(uri, name, PATIENCE_MS, PATIENCE_MS);
  await createIndexes(store);
  return {
    store,
    env: { MONGODB_URI: uri, MONGODB_DATABASE: name },
    async stop() {
      await store.db.dropDatabase();
      await store.close();
      await embedded?.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
