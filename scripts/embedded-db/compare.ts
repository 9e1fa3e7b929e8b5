import type { Binary, ObjectId } from 'bson';
import { type Doc, type Maybe, RANK, rankOf, type Value } from './values.ts';

/** Compares numbers; NaN is below every other number and equal to itself. */
function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/**
 * Compares two values in MongoDB's order (manual: "Comparison/Sort Order"): by bracket, then by value. Null and missing
 * are different here; callers for which they are the same must handle that themselves. Agrees with the byte order of
 * encodeKey.
 */
export function compareValues(a: Maybe, b: Maybe): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareStrings(a, b);
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (rank === RANK.number) return compareNumbers(a as number, b as number);
  if (rank === RANK.object) return compareDocs(a as Doc, b as Doc);
  if (rank === RANK.array) return compareArrays(a as Value[], b as Value[]);
  if (rank === RANK.date || rank === RANK.boolean) return Number(a) - Number(b);
  if (rank === RANK.objectId) return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
  return rank === RANK.binary ? compareBinaries(a as Binary, b as Binary) : 0;
}

/** Strings are compared by their UTF-8 bytes, in which characters beyond 2^16 come last. */
const compareStrings = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareBinaries(a: Binary, b: Binary): number {
  return a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}

function compareDocs(a: Doc, b: Doc): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [leftName, leftValue] = left[i] as [string, Value];
    const [rightName, rightValue] = right[i] as [string, Value];
    const result =
      rankOf(leftValue) - rankOf(rightValue) ||
      compareStrings(leftName, rightName) ||
      compareValues(leftValue, rightValue);
    if (result !== 0) return result;
  }
  return left.length - right.length;
}

function compareArrays(a: Value[], b: Value[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const result = compareValues(a[i], b[i]);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

/** Equality as in MongoDB: the order of an embedded document's fields matters. */
export function equalValues(a: Maybe, b: Maybe): boolean {
  return a === b || compareValues(a, b) === 0;
}
