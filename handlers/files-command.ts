/** `npm run server -- files`: compares the storage with the rows, and removes what no row refers to. */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { clientOptions, collectionsOf } from './data/store.ts';
import { compareStoredFiles } from './files/stored-files.ts';
import { type Config, readConfig } from './runtime/config.ts';
import type { Environment } from './runtime/environment.ts';
import { folderInventory } from './storage/folder.ts';
import type { Inventory } from './storage/storage.ts';

const USAGE = `Compares what the storage holds with the rows of the database. It may run while the service does.

  npm run -s server -- files [--remove] [--json] [--env-file FILE]

  --remove   removes the versions that no row refers to, as a restore of an older database leaves them; there is no way back
  --json     prints one line of JSON

It needs the variables of the server: the database and the storage. It keeps about 100 bytes in memory for each version.
Exit codes: 0 nothing is missing, 1 it could not be done, 4 rows whose bytes are missing, which it names.`;

const MISSING = 4;
const PATIENCE_MS = 60_000;

async function withInventory<T>(config: Config, work: (inventory: Inventory) => Promise<T>): Promise<T> {
  if (config.STORAGE_DIR !== undefined) return work(folderInventory(config.STORAGE_DIR));
  const { s3Storage } = await import('./storage/s3.ts');
  const storage = s3Storage(config);
  try {
    await storage.check();
    return await work(storage.inventory);
  } finally {
    storage.stop();
  }
}

/**
 * @param args after the name of the command
 * @param variables those of the server, with those of a file
 * @returns the exit code @throws Error in words for the operator
 */
export async function filesCommand(
  args: readonly string[],
  variables: (file: string | undefined) => Environment,
): Promise<number> {
  const flag = { type: 'boolean' } as const;
  const options = { remove: flag, json: flag, help: flag, 'env-file': { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const read = readConfig(variables(values['env-file']));
  if ('config' in read) return compareFiles(read.config, values);
  console.error(['The storage cannot be opened:', ...read.problems].join('\n  '));
  return 1;
}

async function compareFiles(config: Config, values: { remove?: boolean; json?: boolean }): Promise<number> {
  const store = collectionsOf(new MongoClient(config.MONGODB_URI, clientOptions(PATIENCE_MS)), config.MONGODB_DATABASE);
  try {
    const found = await withInventory(config, (inventory) =>
      compareStoredFiles(store, inventory, async (orphan) => {
        if (values.remove) await inventory.removeVersion(orphan);
      }),
    );
    const { versions, orphans, orphanBytes, missing } = found;
    if (values.json) console.log(JSON.stringify({ ...found, removed: values.remove === true }));
    else {
      const lines = missing.map(
        ({ tenant_id, document_id, file_id }) =>
          `missing: file ${file_id} of ${document_id === '' ? 'no document' : `document ${document_id}`}, tenant ${tenant_id}`,
      );
      const done = values.remove ? 'were removed' : 'are referred to by no row';
      lines.push(
        `${versions} versions; ${orphans} of them, ${orphanBytes} bytes, ${done}; ${missing.length} are missing.`,
      );
      console.log(lines.join('\n'));
    }
    return missing.length === 0 ? 0 : MISSING;
  } finally {
    await store.close();
  }
}
