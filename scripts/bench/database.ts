/** The database of a measurement: `MONGODB_URI`, or an embedded one that is removed afterwards. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../handlers/data/store.ts';
import { startEmbedded } from '../start/embedded.ts';

/** Where a measurement works. */
export interface Place {
  readonly store: Store;
  readonly uri: string;
  /** The name of the database. */
  readonly database: string;
  /** A folder that goes with it; the embedded database keeps its data there. */
  readonly folder: string;
  readonly isEmbedded: boolean;
}

interface DatabaseOptions {
  /** An existing database, which is kept; by default a new one is made, and dropped afterwards. */
  readonly name?: string | undefined;
  /** After how long a command counts as failed. */
  readonly timeoutMs?: number;
}

/** Does the work on a database. */
export async function withDatabase(
  { name, timeoutMs }: DatabaseOptions,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const embedded = process.env.MONGODB_URI === undefined ? await startEmbedded(folder) : undefined;
  const uri = embedded?.uri ?? process.env.MONGODB_URI ?? '';
  const database = name ?? `bench_${randomUUID().slice(0, 8)}`;
  const store = await openStore(uri, database, timeoutMs, timeoutMs);
  try {
    await work({ store, uri, database, folder, isEmbedded: embedded !== undefined });
  } finally {
    if (name === undefined) await store.db.dropDatabase();
    await store.close();
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
