/** Takes compound keys apart, to see what a key says about a document without reading the document. */

import { type Index, isMultikey } from './indexes.ts';
import { type Interval, isWithin } from './intervals.ts';
import { NUMBER_LENGTH, TAG } from './keys.ts';

/** One field of a sort, after checking. */
export interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

/** A condition on a field of an index: its value is in one of the intervals, which are in order. */
export interface KeyTest {
  readonly field: number;
  readonly intervals: readonly Interval[];
}

/** The length in bytes of a value in a key, including the tag, for types of fixed length. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [TAG.empty, 1],
  [TAG.null, 1],
  [TAG.nan, 1],
  [TAG.negative, NUMBER_LENGTH],
  [TAG.zero, 1],
  [TAG.positive, NUMBER_LENGTH],
  [TAG.boolean, 2],
  [TAG.date, 9],
  [TAG.objectId, 13],
]);

/** The end of the value that begins at `at` in a key. */
function endOf(key: Uint8Array, at: number, direction: 1 | -1): number {
  const flip = direction === 1 ? 0 : 0xff;
  const tag = (key[at] as number) ^ flip;
  return tag === TAG.string ? key.indexOf(flip, at + 1) + 1 : at + (LENGTHS.get(tag) as number);
}

/** The values of the first `count` fields, as bytes of the key. */
export function partsOf(index: Index, key: Uint8Array, count: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { direction } of index.fields.slice(0, count)) {
    const end = endOf(key, at, direction);
    parts.push(key.subarray(at, end));
    at = end;
  }
  return parts;
}

/** Whether a key passes the tests. */
export function passes(index: Index, tests: readonly KeyTest[], key: Uint8Array): boolean {
  const parts = partsOf(index, key, (tests.at(-1)?.field ?? -1) + 1);
  return tests.every(({ field, intervals }) => {
    const { direction } = index.fields[field] as { direction: 1 | -1 };
    return isWithin(parts[field] as Uint8Array, intervals, direction);
  });
}

/**
 * A function that reads the sort order from keys of an index: it returns bytes that compare as the documents sort.
 * Undefined if the index does not have all fields of the sort.
 */
export function sortKeyIn(index: Index, sort: readonly SortField[]): ((key: Uint8Array) => Buffer) | undefined {
  const places = sort.map(({ path, direction }) => {
    const field = index.fields.findIndex((each, i) => each.path === path && !isMultikey(index, i));
    return { field, isFlipped: index.fields[field]?.direction !== direction };
  });
  if (places.some(({ field }) => field < 0)) return undefined;
  const count = Math.max(...places.map(({ field }) => field)) + 1;
  return (key) => {
    const parts = partsOf(index, key, count);
    return Buffer.concat(
      places.map(({ field, isFlipped }) => {
        const part = parts[field] as Uint8Array;
        return isFlipped ? part.map((byte) => ~byte) : part;
      }),
    );
  };
}
