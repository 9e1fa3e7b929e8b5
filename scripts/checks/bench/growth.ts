/**
 * `npm run bench:growth`: how many bytes of rows and of indexes a tenant takes in the database, measured with one tenant
 * and multiplied. Rows and index entries have the same size however many there are, so the multiplication holds.
 */
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { commandLine, runProgram, wholeNumber } from '../../command-line.ts';
import { inventTenant } from '../../operate/seed/tenant.ts';
import { writeTenant } from '../../operate/seed/write.ts';
import { withDatabase } from './database.ts';

const TIMEOUT_MS = 60 * 60 * 1000;

interface Flags {
  readonly employees: number;
  readonly json?: true;
}

/** What one collection takes, in bytes. */
interface Size {
  readonly collection: string;
  readonly rows: number;
  /** Uncompressed, as it is in the cache of the database. */
  readonly row_bytes: number;
  /** Compressed, as it is on disk. */
  readonly disk_bytes: number;
  readonly index_bytes: number;
}

async function sizeOf(store: Store, collection: string): Promise<Size> {
  const [stats] = await store.db
    .collection(collection)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  const { count, size, storageSize, totalIndexSize } = stats?.storageStats ?? {};
  return { collection, rows: count, row_bytes: size, disk_bytes: storageSize, index_bytes: totalIndexSize };
}

const sumOf = (sizes: readonly Size[], read: (size: Size) => number) =>
  sizes.reduce((sum, size) => sum + read(size), 0);
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`.padStart(10);
const each = (bytes: number, rows: number) => (rows === 0 ? '' : `${Math.round(bytes / rows)} B`).padStart(8);

function show(sizes: readonly Size[], employees: number): void {
  const heads = ['rows', 'rows in cache', 'on disk', 'indexes', 'a row', 'its indexes'];
  console.log(`${''.padEnd(22)}${heads.map((head) => head.padStart(14)).join('')}`);
  for (const { collection, rows, row_bytes, disk_bytes, index_bytes } of sizes) {
    const cells = [String(rows), ...[row_bytes, disk_bytes, index_bytes].map(megabytes)];
    cells.push(each(row_bytes, rows), each(index_bytes, rows));
    console.log(`${collection.padEnd(22)}${cells.map((cell) => cell.padStart(14)).join('')}`);
  }
  for (const [name, count] of [
    ['a tenant of 10,000,000 employees', 10_000_000],
    ['10,000 tenants of 3,000 employees', 30_000_000],
  ] as const) {
    const times = count / employees;
    const of = (read: (size: Size) => number) => megabytes(sumOf(sizes, read) * times).trim();
    console.log(
      `${name}: ${of((one) => one.row_bytes)} rows in cache, ${of((one) => one.disk_bytes)} on disk, ${of((one) => one.index_bytes)} indexes`,
    );
  }
}

async function bench({ employees, json }: Flags): Promise<void> {
  await withDatabase({ timeoutMs: TIMEOUT_MS, engine: 'mongod' }, async ({ store }) => {
    await createIndexes(store);
    await writeTenant(store, inventTenant({ name: 'growth', seed: '1', employees }));
    // A checkpoint writes what the sizes on disk are read from.
    await store.db.admin().command({ fsync: 1 });
    const sizes = await Promise.all(['employees', 'persons', 'departments'].map((name) => sizeOf(store, name)));
    if (json) console.log(JSON.stringify({ employees, sizes }, null, 2));
    else show(sizes, employees);
  });
}

const about = 'Fills one tenant with employees on a real MongoDB, and prints what it takes there, and what many would.';
const program = commandLine('npm run bench:growth --', about)
  .option('--employees <N>', 'how many employees', wholeNumber(1_000, 10_000_000), 100_000)
  .option('--json', 'prints JSON instead of a table')
  .action(bench);
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);
