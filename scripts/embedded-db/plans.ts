import { fail } from './errors.ts';
import type { Index } from './indexes.ts';
import type { KeyTest, SortField } from './key-parts.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** A range of an index: keys from `low` up to but not including `high`. */
export interface Range {
  readonly low: Buffer;
  readonly high: Buffer;
  /**
   * How many bytes at the start of the key are the same in the whole range and do not take part in the requested order.
   */
  readonly prefix: number;
}

/** How to find the documents of a filter. */
export interface Plan {
  /** If undefined, the whole collection is scanned. */
  readonly index: Index | undefined;
  readonly ranges: readonly Range[];
  /** Whether reading the ranges, merged by what follows their prefixes, gives the requested order. */
  readonly sorted: boolean;
  /** Whether the ranges must be merged for that order. */
  readonly merge: boolean;
  readonly reverse: boolean;
  /** Whether everything in the ranges matches, so that documents need not be read. */
  readonly covered: boolean;
  /**
   * Conditions on fields of the index that do not bound the ranges. If a key fails one, its document need not be read.
   */
  readonly tests: readonly KeyTest[];
  /** Whether ranges and tests together express the whole filter, so that keys decide whether a document matches. */
  readonly decidable: boolean;
  /** Whether a document may be found more than once. */
  readonly repeats: boolean;
  /** The paths that bound the ranges. Plans with the same paths and ranges find about the same number of documents. */
  readonly bounded: string;
  /** Paths whose condition, if there is only one, is fulfilled by every document in the ranges. */
  readonly fulfilled: ReadonlySet<string>;
  /** Whether each field of the index is fixed to one value. */
  readonly fixed: boolean;
  /** The plan to use instead after this many documents were read in order and too few of them matched. */
  readonly fallback?: { readonly plan: Plan; readonly after: number };
}

export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** How many documents will be read at most; 0 means all. */
  readonly limit: number;
  /** Whether only the number of documents is wanted; then keys may be enough. */
  readonly counting?: boolean;
  /** The name or the key of the index to use. */
  readonly hint?: Value | undefined;
}

/** Checks a sort specification (manual: "cursor.sort()"). */
export function parseSort(sort: Value | undefined): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (!isDoc(sort)) return fail(14, 'Expected field sort to be of type object');
  return Object.entries(sort).map(([path, direction]): SortField => {
    if (isDoc(direction)) return fail(2, '$meta sorts are not supported by this database');
    const number = isNumeric(direction) ? toNumber(direction) : 0;
    if (number !== 1 && number !== -1) {
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
    if (path.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    return { path, direction: number };
  });
}
