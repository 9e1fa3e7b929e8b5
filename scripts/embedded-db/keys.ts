import { ObjectId } from 'bson';
import { fail } from './errors.ts';
import { type Maybe, RANK, type Value } from './values.ts';

/**
 * Order-preserving keys: the bytes of two keys compare exactly as their values do in MongoDB's order (manual:
 * "Comparison/Sort Order"). No key is a prefix of another, so keys can be joined into a compound key, and a key with
 * all its bits inverted sorts in descending order.
 */
export const TAG = {
  /** An empty array, which sorts below null. */
  empty: 0x10,
  null: 0x18,
  nan: 0x20,
  negative: 0x21,
  zero: 0x22,
  positive: 0x23,
  string: 0x30,
  objectId: 0x58,
  boolean: 0x60,
  date: 0x68,
} as const;

/**
 * The first tag of each bracket and the tag after its last. Brackets are needed because `{$gt: 5}` matches only
 * numbers.
 */
export const BRACKETS: Readonly<Record<number, readonly [from: number, to: number]>> = {
  [RANK.null]: [TAG.null, TAG.null + 1],
  [RANK.number]: [TAG.negative, TAG.positive + 1],
  [RANK.string]: [TAG.string, TAG.string + 1],
  [RANK.objectId]: [TAG.objectId, TAG.objectId + 1],
  [RANK.boolean]: [TAG.boolean, TAG.boolean + 1],
  [RANK.date]: [TAG.date, TAG.date + 1],
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

/** The length of the key of a number that is neither 0 nor NaN: its sign, its magnitude, and a zero, as in stored data. */
export const NUMBER_LENGTH = 10;

function writeNumber(value: number, at: number): number {
  reserve(at, NUMBER_LENGTH);
  if (value === 0 || Number.isNaN(value)) {
    out[at] = value === 0 ? TAG.zero : TAG.nan;
    return at + 1;
  }
  out[at] = value < 0 ? TAG.negative : TAG.positive;
  out.writeDoubleBE(Math.abs(value), at + 1);
  out[at + NUMBER_LENGTH - 1] = 0;
  const end = at + NUMBER_LENGTH;
  if (value < 0) invert(at + 1, end);
  return end;
}

function writeKey(value: Maybe, at: number): number {
  reserve(at, 32);
  if (typeof value === 'string') {
    out[at] = TAG.string;
    return writeText(value, at + 1);
  }
  if (typeof value === 'number') return writeNumber(value, at);
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
  return fail(115, 'documents, arrays and binary data have no keys: no index, sort or group here can hold them');
}

/** Represents an empty array in an index or a sort. */
export const EMPTY_ARRAY: unique symbol = Symbol('empty array');
export type KeyValue = Maybe | typeof EMPTY_ARRAY;

/** The key of one value. Missing counts as null. */
export function encodeKey(value: Maybe): Buffer {
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

/** The values without repetition, by MongoDB's equality, in the order of their first appearance. */
export function distinctValues(values: Iterable<Value>): Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) {
    const key = encodeKey(value).toString('latin1');
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}
