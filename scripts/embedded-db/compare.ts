import { type Binary, Double, type ObjectId } from 'bson';
import { type Doc, type Maybe, type Numeric, RANK, rankOf, type Value } from './values.ts';

const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

type Kind = 'int' | 'long' | 'double';

export function isNumeric(value: Maybe): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;
}

/** The type with which a number is stored, see Value. */
export function kindOf(value: Numeric): Kind {
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Double) return 'double';
  return (value | 0) === value && !Object.is(value, -0) ? 'int' : 'double';
}

/** Makes a number that stays a Double even if it is integral. */
export function makeDouble(value: number): number | Double {
  return kindOf(value) === 'int' ? new Double(value) : value;
}

/**
 * Makes an Int32 or a Long, whichever is narrower, but at least `atLeast` wide; undefined if the value does not fit 64
 * bits.
 */
function makeInteger(value: bigint, atLeast: 'int' | 'long'): number | bigint | undefined {
  if (atLeast === 'int' && value >= BigInt(INT32_MIN) && value <= BigInt(INT32_MAX)) return Number(value);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/** The nearest JavaScript number. */
export function toNumber(value: Numeric): number {
  return value instanceof Double ? value.value : Number(value);
}

/** An integer as a bigint; undefined for fractions, NaN and infinities. */
export function toInteger(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = toNumber(value);
  return Number.isInteger(number) ? BigInt(number) : undefined;
}

/** Rounds toward zero to 64 bits, as the server does where it needs an integer; undefined if that is impossible. */
export function truncate(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = Math.trunc(toNumber(value));
  if (!Number.isFinite(number)) return undefined;
  const integer = BigInt(number);
  return makeInteger(integer, 'long') === undefined ? undefined : integer;
}

type Operation = 'add' | 'subtract' | 'multiply';

export function doubleArithmetic(operation: Operation, a: number, b: number): number {
  return operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
}

/**
 * Adds, subtracts or multiplies, and keeps the wider of the two types. An Int32 that overflows becomes a Long.
 * Undefined if a Long overflows: `$inc` refuses that, expressions continue with a Double.
 */
export function arithmetic(operation: Operation, a: Numeric, b: Numeric): Numeric | undefined {
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('double')) return makeDouble(doubleArithmetic(operation, toNumber(a), toNumber(b)));
  const width = kinds.includes('long') ? 'long' : 'int';
  if (width === 'int') {
    const result = doubleArithmetic(operation, a as number, b as number);
    if ((result | 0) === result) return result + 0;
  }
  const x = BigInt(a as number | bigint);
  const y = BigInt(b as number | bigint);
  return makeInteger(operation === 'add' ? x + y : operation === 'subtract' ? x - y : x * y, width);
}

/** Compares numbers of any types by their exact value; NaN is below every other number and equal to itself. */
function compareNumbers(a: Numeric, b: Numeric): number {
  const x = a instanceof Double ? a.value : a;
  const y = b instanceof Double ? b.value : b;
  if (x < y) return -1;
  if (x > y) return 1;
  if (x <= y) return 0;
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

const order = (a: number | string | bigint, b: number | string | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

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
  if (rank === RANK.number) return compareNumbers(a as Numeric, b as Numeric);
  if (rank === RANK.object) return compareDocs(a as Doc, b as Doc);
  if (rank === RANK.array) return compareArrays(a as Value[], b as Value[]);
  if (rank === RANK.date) return order((a as Date).getTime(), (b as Date).getTime());
  if (rank === RANK.boolean) return order(Number(a), Number(b));
  if (rank === RANK.objectId) return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
  return rank === RANK.binary ? compareBinaries(a as Binary, b as Binary) : 0;
}

/**
 * Strings are compared by their UTF-8 bytes. This differs from JavaScript's order only outside the Basic Multilingual
 * Plane.
 */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const bothOrNeitherSurrogate = x >= 0xd800 && x <= 0xdfff === (y >= 0xd800 && y <= 0xdfff);
    if (bothOrNeitherSurrogate) return x - y;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}

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

/** Equality as in MongoDB: 1, 1.0 and Long 1 are equal; the order of an embedded document's fields matters. */
export function equalValues(a: Maybe, b: Maybe): boolean {
  return a === b || compareValues(a, b) === 0;
}
