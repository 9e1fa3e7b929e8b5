import { Binary, ObjectId } from 'bson';
import { fail } from './errors.ts';
import { type Doc, isDoc, type Maybe, type Value } from './values.ts';

/**
 * Order-preserving keys: the bytes of two keys compare exactly as their values do in MongoDB's order (manual:
 * "Comparison/Sort Order"). No key is a prefix of another, so keys can be joined into a compound key, and a key with
 * all its bits inverted sorts in descending order. The tags of one bracket of that order differ in the last three bits.
 */
export const TAG = {
  /** An empty array in an index, which sorts below null. */
  empty: 0x10,
  null: 0x18,
  nan: 0x20,
  negative: 0x21,
  zero: 0x22,
  positive: 0x23,
  string: 0x30,
  object: 0x38,
  array: 0x40,
  binary: 0x48,
  objectId: 0x58,
  boolean: 0x60,
  date: 0x68,
} as const;

/** The first tag of a tag's bracket. */
export const bracketOf = (tag: number): number => tag & 0xf8;

/** Whether indexes hold values of this tag: documents, arrays and binary data they do not. */
export const isIndexed = (tag: number): boolean => tag < TAG.object || tag > TAG.binary;

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
  if (value instanceof Binary) return writeBinary(value, at);
  return isDoc(value) ? writeDoc(value, at) : writeArray(value, at);
}

/** By the length, the subtype and the bytes. */
function writeBinary(value: Binary, at: number): number {
  reserve(at, 6 + value.position);
  out[at] = TAG.binary;
  out.writeUInt32BE(value.position, at + 1);
  out[at + 5] = value.sub_type;
  out.set(value.value(), at + 6);
  return at + 6 + value.position;
}

/** Field by field, each by the bracket of its value, its name and its value. */
function writeDoc(doc: Doc, at: number): number {
  out[at] = TAG.object;
  let end = at + 1;
  for (const [name, value] of Object.entries(doc)) {
    reserve(end, 1);
    const start = writeText(name, end + 1);
    const next = writeKey(value, start);
    out[end] = bracketOf(out[start] as number);
    end = next;
  }
  return writeEnd(end);
}

function writeArray(items: readonly Value[], at: number): number {
  out[at] = TAG.array;
  return writeEnd(items.reduce<number>((end, item) => writeKey(item, end), at + 1));
}

/** The end of a document or an array, below everything that might follow. */
function writeEnd(at: number): number {
  reserve(at, 1);
  out[at] = 0;
  return at + 1;
}

/** Represents an empty array in an index or a sort. */
export const EMPTY_ARRAY: unique symbol = Symbol('empty array');
export type KeyValue = Maybe | typeof EMPTY_ARRAY;

/** The key of one value. Missing counts as null. */
export function encodeKey(value: Maybe): Buffer {
  return Buffer.from(out.subarray(0, writeKey(value, 0)));
}

/**
 * Compares two values in MongoDB's order. Null and missing are different here; callers for which they are the same must
 * handle that themselves.
 */
export function compareValues(a: Maybe, b: Maybe): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return Buffer.compare(encodeKey(a), encodeKey(b));
}

/** Equality as in MongoDB: the order of an embedded document's fields matters. */
export const equalValues = (a: Maybe, b: Maybe): boolean => compareValues(a, b) === 0;

/** The key of several values, each ascending (1) or descending (-1), as an index holds it and a sort compares it. */
export function encodeCompoundKey(values: readonly KeyValue[], directions: readonly number[]): Buffer {
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    let end: number;
    if (value === EMPTY_ARRAY) {
      reserve(at, 1);
      out[at] = TAG.empty;
      end = at + 1;
    } else {
      end = writeKey(value, at);
      if (!isIndexed(out[at] as number))
        fail(115, 'documents, arrays and binary data are in no index or sort of this database');
    }
    if (directions[i] === -1) invert(at, end);
    at = end;
  }
  return Buffer.from(out.subarray(0, at));
}

/** Makes a function that says whether a value has not been given to it yet, by MongoDB's equality. */
export function distinctness(): (value: Value) => boolean {
  const seen = new Set<string>();
  return (value) => {
    const before = seen.size;
    return seen.add(encodeKey(value).toString('latin1')).size > before;
  };
}
