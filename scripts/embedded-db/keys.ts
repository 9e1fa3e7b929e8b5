import { Binary, BSONRegExp, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { type Maybe, type Numeric, RANK, rankOf, type Value } from './values.ts';

/**
 * Order-preserving keys: the bytes of two keys compare exactly as their values do in MongoDB's order (manual:
 * "Comparison/Sort Order"). No key is a prefix of another, so keys can be joined into a compound key, and a key with
 * all its bits inverted sorts in descending order.
 */
export const TAG = {
  minKey: 0x0a,
  /** An empty array, which sorts below null. */
  empty: 0x10,
  null: 0x18,
  nan: 0x20,
  negative: 0x21,
  zero: 0x22,
  positive: 0x23,
  string: 0x30,
  object: 0x40,
  array: 0x48,
  binary: 0x50,
  objectId: 0x58,
  boolean: 0x60,
  date: 0x68,
  timestamp: 0x70,
  regex: 0x78,
  maxKey: 0xf0,
} as const;

/**
 * The first tag of each bracket and the tag after its last. Brackets are needed because `{$gt: 5}` matches only
 * numbers.
 */
export const BRACKETS: Readonly<Record<number, readonly [from: number, to: number]>> = {
  [RANK.minKey]: [TAG.minKey, TAG.minKey + 1],
  [RANK.null]: [TAG.null, TAG.null + 1],
  [RANK.number]: [TAG.negative, TAG.positive + 1],
  [RANK.string]: [TAG.string, TAG.string + 1],
  [RANK.object]: [TAG.object, TAG.object + 1],
  [RANK.array]: [TAG.array, TAG.array + 1],
  [RANK.binary]: [TAG.binary, TAG.binary + 1],
  [RANK.objectId]: [TAG.objectId, TAG.objectId + 1],
  [RANK.boolean]: [TAG.boolean, TAG.boolean + 1],
  [RANK.date]: [TAG.date, TAG.date + 1],
  [RANK.timestamp]: [TAG.timestamp, TAG.timestamp + 1],
  [RANK.regex]: [TAG.regex, TAG.regex + 1],
  [RANK.maxKey]: [TAG.maxKey, TAG.maxKey + 1],
};

let out = Buffer.allocUnsafe(4096);

function reserve(at: number, length: number): void {
  if (at + length <= out.length) return;
  const larger = Buffer.allocUnsafe(Math.max(out.length * 2, at + length));
  out.copy(larger, 0, 0, at);
  out = larger;
}

/** Text ends with 0; the bytes 0 and 1 inside it are escaped. */
function writeText(text: string, at: number): number {
  reserve(at, text.length * 6 + 1);
  let end = at + out.write(text, at);
  for (let i = at; i < end; i++) {
    const byte = out[i] as number;
    if (byte > 1) continue;
    out.copyWithin(i + 2, i + 1, end++);
    out[i++] = 1;
    out[i] = byte + 1;
  }
  out[end] = 0;
  return end + 1;
}

function invert(from: number, to: number): void {
  for (let i = from; i < to; i++) out[i] = ~(out[i] as number);
}

const MAX_DOUBLE = exactDouble(Number.MAX_VALUE);

/** A finite double as a coefficient times a power of ten, exactly. */
function exactDouble(value: number): { coefficient: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xfffffffffffffn) | (biased === 0 ? 0n : 1n << 52n);
  const power = (biased === 0 ? 1 : biased) - 1075;
  if (power >= 0) return { coefficient: mantissa << BigInt(power), exponent: 0 };
  return { coefficient: mantissa * 5n ** BigInt(-power), exponent: power };
}

/** For a positive double, the next double toward zero. */
function previousDouble(value: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigUint64(0, bits.getBigUint64(0) - 1n);
  return bits.getFloat64(0);
}

/**
 * The magnitude of a Long or Decimal128 that is equal to no double: the next double toward zero, then the rest as a
 * decimal (exponent of the first digit, digits, 0).
 */
function writeExact(coefficient: bigint, exponent: number, at: number): number {
  let below = Number(`${coefficient}E${exponent}`);
  let limit = Number.isFinite(below) ? exactDouble(below) : MAX_DOUBLE;
  if (!Number.isFinite(below)) below = Number.MAX_VALUE;
  let rest = difference({ coefficient, exponent }, limit);
  if (rest.coefficient < 0n) {
    below = previousDouble(below);
    limit = exactDouble(below);
    rest = difference({ coefficient, exponent }, limit);
  }
  out.writeDoubleBE(below, at);
  if (rest.coefficient === 0n) {
    out[at + 8] = 0;
    return at + 9;
  }
  const digits = rest.coefficient.toString();
  out[at + 8] = 1;
  out.writeUInt16BE(rest.exponent + digits.length + 20_000, at + 9);
  return writeText(digits.replace(/0+$/, ''), at + 11);
}

function difference(
  a: { coefficient: bigint; exponent: number },
  b: { coefficient: bigint; exponent: number },
): { coefficient: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.coefficient * 10n ** BigInt(a.exponent - exponent);
  const right = b.coefficient * 10n ** BigInt(b.exponent - exponent);
  return { coefficient: left - right, exponent };
}

function writeNumber(value: Numeric, at: number): number {
  reserve(at, 16);
  if (value instanceof Decimal128) return writeDecimal(value, at);
  const number = typeof value === 'object' ? value.value : Number(value);
  if (number === 0 || Number.isNaN(number)) {
    out[at] = number === 0 ? TAG.zero : TAG.nan;
    return at + 1;
  }
  if (typeof value === 'bigint' && !(value >= -9007199254740992n && value <= 9007199254740992n)) {
    return writeSigned(value < 0n, value < 0n ? -value : value, 0, at);
  }
  out[at] = number < 0 ? TAG.negative : TAG.positive;
  out.writeDoubleBE(Math.abs(number), at + 1);
  out[at + 9] = 0;
  if (number < 0) invert(at + 1, at + 10);
  return at + 10;
}

function writeSigned(negative: boolean, coefficient: bigint, exponent: number, at: number): number {
  reserve(at, 2048);
  out[at] = negative ? TAG.negative : TAG.positive;
  const end = writeExact(coefficient, exponent, at + 1);
  if (negative) invert(at + 1, end);
  return end;
}

function writeDecimal(value: Decimal128, at: number): number {
  const decimal = parseDecimal(value);
  if (decimal === undefined) return writeNumber(Number(value.toString()), at);
  if (decimal.coefficient === 0n) return writeNumber(0, at);
  const negative = decimal.coefficient < 0n;
  return writeSigned(negative, negative ? -decimal.coefficient : decimal.coefficient, decimal.exponent, at);
}

/** A finite decimal as coefficient and exponent; undefined for NaN and infinities. */
function parseDecimal(value: Decimal128): { coefficient: bigint; exponent: number } | undefined {
  const match = /^(-?\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(value.toString());
  if (match === null) return undefined;
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The tag for a value's whole bracket, used inside embedded documents, where the bracket is compared first. */
function bracketTag(value: Value): number {
  return (BRACKETS[rankOf(value)] as readonly [number, number])[0];
}

function writeKey(value: Maybe, start: number): number {
  const at = start;
  reserve(at, 32);
  if (typeof value === 'string') {
    out[at] = TAG.string;
    return writeText(value, at + 1);
  }
  if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(value, at);
  if (value === null || value === undefined) {
    out[at] = TAG.null;
    return at + 1;
  }
  if (typeof value === 'boolean') {
    out[at] = TAG.boolean;
    out[at + 1] = value ? 1 : 0;
    return at + 2;
  }
  if (value instanceof Date) {
    out[at] = TAG.date;
    out.writeBigInt64BE(BigInt(value.getTime()), at + 1);
    out[at + 1] = (out[at + 1] as number) ^ 0x80;
    return at + 9;
  }
  if (value instanceof ObjectId) {
    out[at] = TAG.objectId;
    out.set(value.id, at + 1);
    return at + 13;
  }
  if (value instanceof Double || value instanceof Decimal128) return writeNumber(value, at);
  return writeComplexKey(value, at);
}

function writeComplexKey(value: object, start: number): number {
  let at = start;
  if (Array.isArray(value)) {
    out[at++] = TAG.array;
    for (const item of value) at = writeKey(item, at);
    reserve(at, 1);
    out[at] = 0;
    return at + 1;
  }
  if (value instanceof Binary) {
    reserve(at, value.position + 6);
    out[at] = TAG.binary;
    out.writeUInt32BE(value.position, at + 1);
    out[at + 5] = value.sub_type;
    out.set(value.buffer.subarray(0, value.position), at + 6);
    return at + 6 + value.position;
  }
  if (value instanceof Timestamp) {
    out[at] = TAG.timestamp;
    out.writeUInt32BE(value.high >>> 0, at + 1);
    out.writeUInt32BE(value.low >>> 0, at + 5);
    return at + 9;
  }
  if (value instanceof BSONRegExp) {
    out[at] = TAG.regex;
    return writeText(value.options, writeText(value.pattern, at + 1));
  }
  const rank = rankOf(value as Value);
  if (rank !== RANK.object) {
    out[at] = rank === RANK.minKey ? TAG.minKey : TAG.maxKey;
    return at + 1;
  }
  out[at++] = TAG.object;
  for (const [name, item] of Object.entries(value as Record<string, Value>)) {
    reserve(at, 1);
    out[at] = bracketTag(item);
    at = writeKey(item, writeText(name, at + 1));
  }
  reserve(at, 1);
  out[at] = 0;
  return at + 1;
}

/** Represents an empty array in an index or a sort. */
export const EMPTY_ARRAY: unique symbol = Symbol('empty array');
export type KeyValue = Maybe | typeof EMPTY_ARRAY;

/** The key of one value. Missing counts as null. */
export function encodeKey(value: KeyValue): Buffer {
  if (value === EMPTY_ARRAY) return Buffer.from([TAG.empty]);
  return Buffer.from(out.subarray(0, writeKey(value, 0)));
}

/** The key of several values, each ascending (1) or descending (-1). */
export function encodeCompoundKey(values: readonly KeyValue[], directions: readonly number[]): Buffer {
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    let end: number;
    if (value === EMPTY_ARRAY) {
      reserve(at, 1);
      out[at] = TAG.empty;
      end = at + 1;
    } else end = writeKey(value, at);
    if (directions[i] === -1) invert(at, end);
    at = end;
  }
  return Buffer.from(out.subarray(0, at));
}
