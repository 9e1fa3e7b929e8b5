/**
 * How many bytes of rows and of indexes a tenant takes in the database, measured with one tenant
 * and multiplied. Rows and index entries have the same size however many there are, so the multiplication holds.
 */
import type { Store } from '../../../../handlers/data/store.ts';
import { inventTenant } from '../../../operate/seed/tenant.ts';
import { writeTenant } from '../../../operate/seed/write.ts';
import { figure, type Row, type Scenario, size } from '../../scenario.ts';
import { type Measuring, measuring } from '../measuring.ts';

/** What one collection takes, in bytes. */
interface Size {
  readonly collection: string;
  readonly rows: number;
  /** Uncompressed, as it is in the cache of the database. */
  readonly row_bytes: number;
  /** Compressed. */
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

const MB = 2 ** 20;

const MULTIPLIED = [
  ['rows in cache', 'row_bytes'],
  ['on disk', 'disk_bytes'],
  ['indexes', 'index_bytes'],
] as const;

/** What so many employees would take, by multiplication. */
function multiplied(label: string, sizes: readonly Size[], times: number): Row {
  const figures = MULTIPLIED.map(([name, field]) => {
    const bytes = sizes.reduce((sum, size) => sum + size[field], 0);
    return figure(name, (times * bytes) / MB, 'MB');
  });
  return { label, figures };
}

/** @throws Error on another engine than a MongoDB, which alone can tell */
async function run({ place: { store }, size }: Measuring): Promise<Row[]> {
  const employees = size('employees');
  await writeTenant(store, inventTenant({ name: 'growth', seed: '1', employees }));
  // A checkpoint writes what the sizes on disk are read from.
  await store.db.admin().command({ fsync: 1 });
  const sizes = await Promise.all(['employees', 'persons', 'departments'].map((name) => sizeOf(store, name)));
  const ofRows = sizes.map(({ collection, rows, row_bytes, index_bytes }): Row => {
    const figures = [
      figure('rows', rows, ''),
      figure('a row', row_bytes / rows, 'bytes'),
      figure('its indexes', index_bytes / rows, 'bytes'),
    ];
    return { label: collection, figures };
  });
  return [
    ...ofRows,
    multiplied('a tenant of 10,000,000 employees', sizes, 10_000_000 / employees),
    multiplied('10,000 tenants of 3,000 employees', sizes, 30_000_000 / employees),
  ];
}

/** The scenario. */
export const growth: Scenario = {
  name: 'growth',
  about: 'how many bytes a tenant takes in a MongoDB, and what many would take',
  finds: 'a row or an index that has become larger',
  sizes: [size('employees', 'size of the tenant', 100_000, 1_000)],
  run: measuring(run),
};
