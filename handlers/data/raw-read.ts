/**
 * Reads rows as BSON. The driver's cursor makes two objects for each row before it hands out its bytes, which costs more
 * than to write the row as JSON. So the command is sent as it is, and its answer is taken in one piece.
 */
import { Long } from 'bson';
import type { Layout, RawRow } from './raw-row.ts';
import type { Collection, Filter, FindOptions, Store } from './store.ts';
import { isOutOfTime, isStoreAway } from './store-away.ts';

/** The options of a `find` that are sent with its command. */
type RawFindOptions = Pick<
  FindOptions,
  'sort' | 'limit' | 'batchSize' | 'maxTimeMS' | 'hint' | 'session' | 'readConcern'
>;

/**
 * The rows that match, with the fields of the layout.
 * @param options `batchSize` is best larger than the number of rows: then they come in one answer
 */
export async function findRaw<Row extends object, Field extends string>(
  { db }: Pick<Store, 'db'>,
  collection: Collection<Row>,
  layout: Layout<Field>,
  filter: Filter<Row>,
  { session, hint, ...more }: RawFindOptions,
): Promise<RawRow<Field>[]> {
  const { projection } = layout.options;
  const options = hint === undefined ? more : { ...more, hint };
  const command = { find: collection.collectionName, filter, projection, readConcern: { level: 'local' }, ...options };
  try {
    const { cursor } = await db.command(command, { raw: true, ...(session && { session }) });
    const { rows, cursorId } = layout.answer(cursor as Buffer);
    if (cursorId === 0n) return rows;
    // The rows are more than one answer can hold (16 MB).
    await db.command({ killCursors: collection.collectionName, cursors: [Long.fromBigInt(cursorId)] });
  } catch (error) {
    // The driver repeats a find after a failure, but no command that it does not know.
    if (!isStoreAway(error) || isOutOfTime(error)) throw error;
  }
  const found = await collection.find(filter, { ...layout.options, ...options, ...(session && { session }) }).toArray();
  return found.map((row) => layout.row(row));
}
