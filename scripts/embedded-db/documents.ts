import { Binary, BSONType, ObjectId, type OnDemand, onDemand, serialize } from 'bson';
import { DatabaseError, fail } from './errors.ts';
import { type Doc, setField, type Value } from './values.ts';

/** The largest document that is stored, as in MongoDB (manual: "MongoDB Limits and Thresholds"). */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** An answer may have a document and what is said about it. */
const MAX_ANSWER_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024;
const MAX_DEPTH = 100;

/** A view of bytes as a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readLong(integer: bigint): number {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : fail(22, 'a Long beyond 2^53 is not supported by this database');
}

function readDate(milliseconds: bigint): Date {
  const date = new Date(Number(milliseconds));
  return Number.isNaN(date.getTime()) ? fail(22, 'BSON date is out of range') : date;
}

/** Fails for a type that is not stored. */
function readValue(bytes: Buffer, [type, , , at, length]: OnDemand['BSONElement'], depth: number): Value {
  switch (type) {
    case BSONType.string:
      return bytes.toString('utf8', at + 4, at + length - 1);
    case BSONType.int:
      return bytes.readInt32LE(at);
    case BSONType.date:
      return readDate(bytes.readBigInt64LE(at));
    case BSONType.null:
      return null;
    case BSONType.bool:
      return bytes[at] !== 0;
    case BSONType.object:
      return readDoc(bytes, at, depth + 1);
    case BSONType.array:
      return Array.from(elementsOf(bytes, at, depth + 1), (item) => readValue(bytes, item, depth + 1));
    case BSONType.double:
      return bytes.readDoubleLE(at);
    case BSONType.long:
      return readLong(bytes.readBigInt64LE(at));
    case BSONType.objectId:
      return new ObjectId(Buffer.from(bytes.subarray(at, at + length)));
    case BSONType.binData:
      return new Binary(Buffer.from(bytes.subarray(at + 5, at + length)), bytes[at + 4]);
    default: {
      const name = Object.entries(BSONType).find(([, number]) => (number & 0xff) === type)?.[0];
      return fail(22, `the BSON type ${name ?? type} is not supported by this database`);
    }
  }
}

function elementsOf(bytes: Buffer, start: number, depth: number): Iterable<OnDemand['BSONElement']> {
  if (depth > MAX_DEPTH) fail(15, 'BSON document exceeds the maximum nesting depth of 100');
  return onDemand.parseToElements(bytes, start);
}

function readDoc(bytes: Buffer, start: number, depth: number, only?: ReadonlySet<string>): Doc {
  const doc: Doc = {};
  let left = only?.size;
  for (const element of elementsOf(bytes, start, depth)) {
    if (left === 0) break;
    const [, at, length] = element;
    const name = bytes.toString('utf8', at, at + length);
    if (only?.has(name) === false) continue;
    setField(doc, name, readValue(bytes, element, depth));
    if (left !== undefined) left--;
  }
  return doc;
}

/**
 * Reads a document. With `only`, reads no other top-level fields, as `deserialize` of the package would: filters and
 * index keys need only a few, and building the others is most of the cost of a scan.
 * @throws DatabaseError, or an error of the package, for damaged documents and types that are not stored
 */
export function decode(bytes: Uint8Array, only?: ReadonlySet<string>): Doc {
  return readDoc(asBuffer(bytes), 0, 1, only);
}

/** The fields of a document, each with its bytes: its type, its name and its value. */
export function* fieldsOf(document: Uint8Array): Iterable<[name: string, bytes: Buffer]> {
  const bytes = asBuffer(document);
  for (const [, at, length, start, size] of elementsOf(bytes, 0, 1))
    yield [bytes.toString('utf8', at, at + length), bytes.subarray(at - 1, start + size)];
}

/** A document of fields, each as bytes. */
export function composed(fields: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), ...fields, Buffer.alloc(1)]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}

/** Fails with 10334 for a document that is larger than MongoDB allows. */
export function checkSize(bytes: Uint8Array, most = MAX_DOCUMENT_BYTES): void {
  if (bytes.length > most) fail(10334, `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${most}`);
}

/** Writes a document as BSON. Fields that are undefined are left out. */
export function encode(doc: Doc): Buffer {
  try {
    const bytes = asBuffer(serialize(doc));
    checkSize(bytes, MAX_ANSWER_BYTES);
    return bytes;
  } catch (error) {
    // The package has a buffer of 17 MB, and does not make it larger.
    throw error instanceof RangeError ? new DatabaseError(10334, 'the document is larger than 17 MB') : error;
  }
}
