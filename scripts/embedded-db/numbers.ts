import { Double } from 'bson';
import type { Maybe, Numeric } from './values.ts';

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
