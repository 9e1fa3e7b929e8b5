import { Binary, Double, ObjectId } from 'bson';
import { fail } from './errors.ts';
import { type Doc, isDoc, isInt32, setField, type Value } from './values.ts';

/** The largest document that is stored, as in MongoDB (manual: "MongoDB Limits and Thresholds"). */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;

/** The BSON element types that are stored, see bsonspec.org. Others are refused. */
const TYPE = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  objectId: 7,
  boolean: 8,
  date: 9,
  null: 10,
  int: 16,
  long: 18,
} as const;

const FIXED_BYTES: Readonly<Record<number, number>> = {
  [TYPE.double]: 8,
  [TYPE.objectId]: 12,
  [TYPE.boolean]: 1,
  [TYPE.date]: 8,
  [TYPE.null]: 0,
  [TYPE.int]: 4,
  [TYPE.long]: 8,
};

/** A view of bytes as a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The names of the element types that a client may send and that are not stored. */
const REFUSED: Readonly<Record<number, string>> = {
  6: 'undefined',
  11: 'regex',
  12: 'dbPointer',
  13: 'javascript',
  14: 'symbol',
  15: 'javascriptWithScope',
  17: 'timestamp',
  19: 'decimal',
  127: 'maxKey',
  255: 'minKey',
};

function refuseType(type: number): never {
  return fail(22, `the BSON type ${REFUSED[type] ?? type} is not supported by this database`);
}

/** The position after the element value that begins at `at`. Fails for types that are not stored. */
function skipValue(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return at + fixed;
  if (type === TYPE.string) return at + 4 + bytes.readInt32LE(at);
  if (type === TYPE.object || type === TYPE.array) return at + bytes.readInt32LE(at);
  if (type === TYPE.binary) return at + 5 + bytes.readInt32LE(at);
  return refuseType(type);
}

/**
 * Checks the structure of a document that came over the wire, without building it. Fails with 22 (InvalidBSON) for
 * damaged documents and types that are not stored, and with 15 (Overflow) for too deep nesting.
 */
export function validateBson(bytes: Buffer, start = 0, end = bytes.length, depth = 1): void {
  if (depth > MAX_DEPTH) fail(15, 'BSON document exceeds the maximum nesting depth of 100');
  if (end - start < 5 || end > bytes.length || bytes.readInt32LE(start) !== end - start || bytes[end - 1] !== 0) {
    fail(22, 'BSON document has a wrong length');
  }
  let at = start + 4;
  while (at < end - 1) {
    const type = bytes[at] as number;
    const value = bytes.indexOf(0, at + 1) + 1;
    if (value === 0 || value > end - 1) fail(22, 'BSON field name is not terminated');
    const length = type === TYPE.string || type === TYPE.object || type === TYPE.array || type === TYPE.binary;
    if (length && (value + 4 > end || bytes.readInt32LE(value) < 0)) fail(22, 'BSON value has a wrong length');
    const next = skipValue(bytes, type, value);
    if (next <= at || next > end - 1) fail(22, 'BSON value exceeds its document');
    if (type === TYPE.string && (next < value + 5 || bytes[next - 1] !== 0)) fail(22, 'BSON string is not terminated');
    if (type === TYPE.object || type === TYPE.array) validateBson(bytes, value, next, depth + 1);
    if (type === TYPE.date) readDate(bytes, value);
    at = next;
  }
  if (at !== end - 1) fail(22, 'BSON document has a wrong length');
}

function readDate(bytes: Buffer, at: number): Date {
  const date = new Date(bytes.readInt32LE(at + 4) * 4_294_967_296 + bytes.readUInt32LE(at));
  return Number.isNaN(date.getTime()) ? fail(22, 'BSON date is out of range') : date;
}

function readDouble(bytes: Buffer, at: number): number | Double {
  const number = bytes.readDoubleLE(at);
  return isInt32(number) ? new Double(number) : number;
}

function readBinary(bytes: Buffer, at: number): Binary {
  const length = bytes.readInt32LE(at);
  return new Binary(Buffer.from(bytes.subarray(at + 5, at + 5 + length)), bytes[at + 4]);
}

function readValue(bytes: Buffer, type: number, at: number): Value {
  switch (type) {
    case TYPE.string:
      return bytes.toString('utf8', at + 4, at + 3 + bytes.readInt32LE(at));
    case TYPE.int:
      return bytes.readInt32LE(at);
    case TYPE.date:
      return readDate(bytes, at);
    case TYPE.null:
      return null;
    case TYPE.boolean:
      return bytes[at] !== 0;
    case TYPE.object:
      return readDoc(bytes, at);
    case TYPE.array:
      return readArray(bytes, at);
    case TYPE.double:
      return readDouble(bytes, at);
    case TYPE.long:
      return bytes.readBigInt64LE(at);
    case TYPE.objectId:
      return new ObjectId(Buffer.from(bytes.subarray(at, at + 12)));
    case TYPE.binary:
      return readBinary(bytes, at);
    default:
      return refuseType(type);
  }
}

function readArray(bytes: Buffer, start: number): Value[] {
  const result: Value[] = [];
  const end = start + bytes.readInt32LE(start) - 1;
  let at = start + 4;
  while (at < end) {
    const type = bytes[at] as number;
    const value = bytes.indexOf(0, at + 1) + 1;
    result.push(readValue(bytes, type, value));
    at = skipValue(bytes, type, value);
  }
  return result;
}

function readDoc(bytes: Buffer, start: number, only?: ReadonlySet<string>): Doc {
  const doc: Doc = {};
  const end = start + bytes.readInt32LE(start) - 1;
  let wanted = only?.size ?? Number.POSITIVE_INFINITY;
  let at = start + 4;
  while (at < end && wanted > 0) {
    const type = bytes[at] as number;
    let nameEnd = at + 1;
    while (bytes[nameEnd] !== 0) nameEnd++;
    const name = bytes.toString('utf8', at + 1, nameEnd);
    // Only broken clients send two fields with the same name. Then the first counts, as in MongoDB.
    if ((only === undefined || only.has(name)) && !Object.hasOwn(doc, name)) {
      setField(doc, name, readValue(bytes, type, nameEnd + 1));
      wanted--;
    }
    at = skipValue(bytes, type, nameEnd + 1);
  }
  return doc;
}

/**
 * Reads a stored or validated document. With `only`, reads no other top-level fields: filters and index keys need only
 * a few, and building the others is most of the cost of a scan.
 */
export function decode(bytes: Uint8Array, only?: ReadonlySet<string>): Doc {
  return readDoc(asBuffer(bytes), 0, only);
}

/** A buffer that grows to the size of the largest document written. */
let out = Buffer.allocUnsafe(64 * 1024);

function reserve(at: number, length: number): void {
  if (at + length <= out.length) return;
  const larger = Buffer.allocUnsafe(Math.max(out.length * 2, at + length));
  out.copy(larger, 0, 0, at);
  out = larger;
}

function writeName(type: number, name: string, at: number): number {
  if (name.includes('\0')) fail(2, 'a field name cannot contain a null byte');
  reserve(at, name.length * 3 + 2);
  out[at] = type;
  const end = at + 1 + out.write(name, at + 1);
  out[end] = 0;
  return end + 1;
}

function writeNumber(name: string, number: number, at: number): number {
  if (isInt32(number)) return out.writeInt32LE(number, reserved(writeName(TYPE.int, name, at), 4));
  return out.writeDoubleLE(number, reserved(writeName(TYPE.double, name, at), 8));
}

function reserved(at: number, length: number): number {
  reserve(at, length);
  return at;
}

function writeString(name: string, value: string, at: number): number {
  const start = writeName(TYPE.string, name, at);
  reserve(start, value.length * 3 + 5);
  const length = out.write(value, start + 4);
  out.writeInt32LE(length + 1, start);
  out[start + 4 + length] = 0;
  return start + 5 + length;
}

function writeBytes(bytes: Uint8Array, at: number): number {
  reserve(at, bytes.length);
  out.set(bytes, at);
  return at + bytes.length;
}

function writeBinary(name: string, value: Binary, at: number): number {
  const start = reserved(writeName(TYPE.binary, name, at), 5);
  out.writeInt32LE(value.position, start);
  out[start + 4] = value.sub_type;
  return writeBytes(value.buffer.subarray(0, value.position), start + 5);
}

function writeValue(name: string, value: Value, at: number): number {
  if (typeof value === 'string') return writeString(name, value, at);
  if (typeof value === 'number') return writeNumber(name, value, at);
  if (value === null) return writeName(TYPE.null, name, at);
  if (typeof value === 'boolean') {
    const start = reserved(writeName(TYPE.boolean, name, at), 1);
    out[start] = value ? 1 : 0;
    return start + 1;
  }
  if (typeof value === 'bigint') return out.writeBigInt64LE(value, reserved(writeName(TYPE.long, name, at), 8));
  if (Array.isArray(value)) return writeArray(value, writeName(TYPE.array, name, at));
  if (isDoc(value)) return writeDoc(value, writeName(TYPE.object, name, at));
  if (value instanceof Date) {
    return out.writeBigInt64LE(BigInt(value.getTime()), reserved(writeName(TYPE.date, name, at), 8));
  }
  if (value instanceof ObjectId) return writeBytes(value.id, writeName(TYPE.objectId, name, at));
  if (value instanceof Double) {
    return out.writeDoubleLE(value.value, reserved(writeName(TYPE.double, name, at), 8));
  }
  return writeBinary(name, value, at);
}

function finish(start: number, at: number): number {
  reserve(at, 1);
  out[at] = 0;
  out.writeInt32LE(at + 1 - start, start);
  return at + 1;
}

function writeArray(items: readonly Value[], start: number): number {
  let at = reserved(start, 5) + 4;
  for (let i = 0; i < items.length; i++) at = writeValue(String(i), items[i] as Value, at);
  return finish(start, at);
}

function writeDoc(doc: Doc, start: number): number {
  let at = reserved(start, 5) + 4;
  for (const name of Object.keys(doc)) {
    const value = doc[name];
    if (value !== undefined) at = writeValue(name, value, at);
  }
  return finish(start, at);
}

/** Writes a document as BSON. Fields that are undefined are left out. The result is a separate copy. */
export function encode(doc: Doc): Buffer {
  const length = writeDoc(doc, 0);
  const result = Buffer.from(out.subarray(0, length));
  if (out.length > 4 * MAX_DOCUMENT_BYTES) out = Buffer.allocUnsafe(64 * 1024);
  return result;
}
