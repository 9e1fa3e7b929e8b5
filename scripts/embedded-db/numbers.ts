import { Decimal128, Double } from 'bson';
import type { Maybe, Numeric } from './values.ts';

const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

type Kind = 'int' | 'long' | 'double' | 'decimal';

export function isNumeric(value: Maybe): value is Numeric {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Decimal128
  );
}

/** The type with which a number is stored, see Value. */
export function kindOf(value: Numeric): Kind {
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Decimal128) return 'decimal';
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
export function makeInteger(value: bigint, atLeast: 'int' | 'long'): number | bigint | undefined {
  if (atLeast === 'int' && value >= BigInt(INT32_MIN) && value <= BigInt(INT32_MAX)) return Number(value);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/** The nearest JavaScript number. */
export function toNumber(value: Numeric): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double) return value.value;
  return Number(value.toString());
}

/** An integer as a bigint; undefined for fractions, NaN and infinities. */
export function toInteger(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Decimal128) {
    const decimal = parseDecimal(value);
    if (decimal === undefined) return undefined;
    if (decimal.exponent >= 0) return decimal.coefficient * 10n ** BigInt(decimal.exponent);
    const scale = 10n ** BigInt(-decimal.exponent);
    return decimal.coefficient % scale === 0n ? decimal.coefficient / scale : undefined;
  }
  const number = toNumber(value);
  return Number.isInteger(number) ? BigInt(number) : undefined;
}

/** Rounds toward zero to 64 bits, as the server does where it needs an integer; undefined if that is impossible. */
export function truncate(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Decimal128) {
    const decimal = parseDecimal(value);
    if (decimal === undefined || decimal.exponent > 40) return undefined;
    const integer =
      decimal.exponent >= 0
        ? decimal.coefficient * 10n ** BigInt(decimal.exponent)
        : decimal.coefficient / 10n ** BigInt(-decimal.exponent);
    return makeInteger(integer, 'long') === undefined ? undefined : integer;
  }
  const number = Math.trunc(toNumber(value));
  if (!Number.isFinite(number)) return undefined;
  const integer = BigInt(number);
  return makeInteger(integer, 'long') === undefined ? undefined : integer;
}

export interface Decimal {
  coefficient: bigint;
  exponent: number;
}

/** A finite decimal as coefficient and exponent; undefined for NaN and infinities. */
export function parseDecimal(value: Decimal128): Decimal | undefined {
  const match = /^(-?\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(value.toString());
  if (match === null) return undefined;
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function decimalOf(value: Numeric): Decimal128 {
  if (value instanceof Decimal128) return value;
  // A double becomes a decimal with 15 significant digits, as on the server.
  if (kindOf(value) === 'double') return toDecimal(toNumber(value));
  return Decimal128.fromString(value.toString());
}

/** Converts a double as the server does, to 15 significant digits. */
export function toDecimal(number: number): Decimal128 {
  if (Number.isNaN(number)) return Decimal128.fromString('NaN');
  if (!Number.isFinite(number)) return Decimal128.fromString(number > 0 ? 'Infinity' : '-Infinity');
  const digits = Number.isInteger(number) && Math.abs(number) < 1e15 ? String(number) : number.toPrecision(15);
  return Decimal128.fromString(digits.toUpperCase());
}

type Operation = 'add' | 'subtract' | 'multiply';

function decimalArithmetic(operation: Operation, a: Decimal128, b: Decimal128): Decimal128 {
  const x = parseDecimal(a);
  const y = parseDecimal(b);
  if (x === undefined || y === undefined) {
    // If NaN or an infinity is among them, arithmetic with doubles gives the same result.
    return toDecimal(doubleArithmetic(operation, toNumber(a), toNumber(b)));
  }
  let result: Decimal;
  if (operation === 'multiply') {
    result = { coefficient: x.coefficient * y.coefficient, exponent: x.exponent + y.exponent };
  } else {
    const exponent = Math.min(x.exponent, y.exponent);
    const left = x.coefficient * 10n ** BigInt(x.exponent - exponent);
    const right = y.coefficient * 10n ** BigInt(y.exponent - exponent);
    result = { coefficient: operation === 'add' ? left + right : left - right, exponent };
  }
  return Decimal128.fromStringWithRounding(`${result.coefficient}E${result.exponent}`);
}

function doubleArithmetic(operation: Operation, a: number, b: number): number {
  return operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
}

/**
 * Adds, subtracts or multiplies, and keeps the wider of the two types. An Int32 that overflows becomes a Long.
 * Undefined if a Long overflows: `$inc` refuses that, expressions continue with a Double.
 */
export function arithmetic(operation: Operation, a: Numeric, b: Numeric): Numeric | undefined {
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('decimal')) return decimalArithmetic(operation, decimalOf(a), decimalOf(b));
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
