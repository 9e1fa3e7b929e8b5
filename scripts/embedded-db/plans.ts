import { fail } from './errors.ts';
import type { Index } from './indexes.ts';
import type { KeyTest } from './key-parts.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** A stretch of an index: keys from `low` up to but not including `high`. */
export interface Range {
  readonly low: Buffer;
  readonly high: Buffer;
  /** Bytes of the key that are the same in the whole range and do not take part in the order asked for. */
  readonly prefix: number;
}

/** How to find the documents of a filter. */
export interface Plan {
  /** Undefined scans the whole collection. */
  readonly index: Index | undefined;
  readonly ranges: readonly Range[];
  /** Whether reading the ranges, merged by what follows their prefixes, gives the order asked for. */
  readonly sorted: boolean;
  /** Whether the ranges have to be merged for that. */
  readonly merge: boolean;
  readonly reverse: boolean;
  /** Whether everything in the ranges matches, so that documents need not be looked at. */
  readonly covered: boolean;
  /** Conditions on fields of the index that do not bound the ranges: a key that fails one spares a look at its document. */
  readonly tests: readonly KeyTest[];
  /** Whether ranges and tests together are all that the filter asks. */
  readonly told: boolean;
  /** Whether a document may be found more than once. */
  readonly repeats: boolean;
  /** The paths that bound the ranges: plans with the same paths and ranges find about as much. */
  readonly bounded: string;
  /** Paths whose condition, where it is a single one, every document in the ranges fulfils. */
  readonly fulfilled: ReadonlySet<string>;
  /** Whether all of the index's fields are fixed by one value each. */
  readonly fixed: boolean;
  /** What to do instead when so many documents were read in order and too few of them match. */
  readonly fallback?: { readonly plan: Plan; readonly after: number };
}

/** A field of a sort, checked. */
export interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** How many documents will be read at most; 0 means all. */
  readonly limit: number;
  /** Whether only the number of documents is wanted, for which keys may do. */
  readonly counting?: boolean;
  /** The name or the key of the index to use, or $natural. */
  readonly hint?: Value | undefined;
}

/** Checks a sort specification (manual: "cursor.sort()"). `$natural` asks for no order here. */
export function parseSort(sort: Value | undefined): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (!isDoc(sort)) return fail(14, 'Expected field sort to be of type object');
  const fields = Object.entries(sort).map(([path, direction]): SortField => {
    if (isDoc(direction)) return fail(2, '$meta sorts are not supported by this database');
    const number = isNumeric(direction) ? toNumber(direction) : 0;
    if (number !== 1 && number !== -1) {
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
    if (path.startsWith('$') && path !== '$natural') fail(16410, "FieldPath field names may not start with '$'.");
    return { path, direction: number };
  });
  if (fields.some((field) => field.path === '$natural') && fields.length > 1) {
    fail(2, "Cannot include '$natural' in compound sort");
  }
  return fields;
}
