/**
 * Rows as the database sent them, as BSON (bsonspec.org, version 1.1). Most fields of a list go into the answer as they
 * are: they are copied to JSON (`answers/json-bytes.ts`), and only what a handler computes with is decoded.
 */
import { Long } from 'bson';
import { isCalendarDay, isShownInstant } from '../../generated/validators.js';
import type { JsonBytes, JsonMember } from '../answers/json-bytes.ts';
import { unshowable } from '../answers/shown-times.ts';
import { isOutOfTime, isStoreAway } from './database-unavailable.ts';
import type { Collection, Filter, FindOptions, Store } from './store.ts';

/** BSON's types of the values that these rows have, and that surround them in the answer of a `find`. */
const STRING = 0x02;
const OBJECT = 0x03;
const ARRAY = 0x04;
const DATE = 0x09;
const INT64 = 0x12;
/** A document and a string begin with their length, in so many bytes. A string ends with a zero byte, which counts. */
const LENGTH_BYTES = 4;
const DATE_BYTES = 8;
const INT64_BYTES = 8;

/** The fields of a collection that a query returns as {@link RawRow}: strings and instants, and always `_id`. */
export class Layout<Field extends string> {
  /** The options of a query that make it return these fields as BSON. */
  readonly options: { readonly projection: Readonly<Record<string, 1>>; readonly raw: true };
  readonly #places: ReadonlyMap<string, number>;
  /** With the zero byte that ends a name in BSON. */
  readonly #names: readonly Uint8Array[];

  /** @param fields best in the order in which rows have them: so they are found fastest */
  constructor(fields: readonly Field[]) {
    const all = ['_id', ...fields];
    this.options = { projection: Object.fromEntries(all.map((field) => [field, 1])), raw: true };
    this.#places = new Map(all.map((field, place) => [field, place]));
    this.#names = all.map((field) => new TextEncoder().encode(`${field}\0`));
  }

  /** @param document a document that a query with {@link options} returned */
  row(document: unknown): RawRow<Field> {
    const offsets = new Int32Array(this.#names.length);
    this.#note(document as Buffer, 0, offsets, 0);
    return new RawRow(this, document as Buffer, offsets, 0);
  }

  /** The rows of the answer of a `find`, without a copy of their bytes. @param cursor the field `cursor`, as BSON */
  answer(cursor: Buffer): { readonly rows: RawRow<Field>[]; readonly cursorId: bigint } {
    const { firstBatch, id } = partsOf(cursor);
    if (firstBatch === undefined || id === undefined) throw new Error('the answer of a find has no rows or no cursor');
    const begins: number[] = [];
    // Each element is: its type, its place in the array as text, a zero byte, the row.
    for (let at = firstBatch + LENGTH_BYTES; cursor[at] !== 0; ) {
      const begin = cursor.indexOf(0, at) + 1;
      begins.push(begin);
      at = begin + cursor.readInt32LE(begin);
    }
    const count = this.#names.length;
    const offsets = new Int32Array(begins.length * count);
    const rows = begins.map((begin, nth) => {
      this.#note(cursor, begin, offsets, nth * count);
      return new RawRow(this, cursor, offsets, nth * count);
    });
    return { rows, cursorId: cursor.readBigInt64LE(id) };
  }

  place(field: Field | '_id'): number {
    return this.#places.get(field) as number;
  }

  /** Writes a string of the row as it is. */
  text(field: Field | '_id'): JsonMember<RawRow<Field>> {
    return (row, out, name) => {
      out.member(name);
      out.quote();
      row.copyText(field, out);
      out.quote();
    };
  }

  /** Writes a day of the row, as `dayText` does for rows that are objects. */
  day(field: Field): JsonMember<RawRow<Field>> {
    const write = this.text(field);
    return (row, out, name) => {
      if (row.hasShownDay(field)) write(row, out, name);
      else writeUnshowable(row, field, out, name);
    };
  }

  /** Writes an instant of the row, as `shownTime` does. */
  instant(field: Field): JsonMember<RawRow<Field>> {
    return (row, out, name) => {
      const ms = row.instant(field);
      if (!isShownInstant(ms)) return writeUnshowable(row, field, out, name);
      out.member(name);
      out.instant(ms);
    };
  }

  /** Notes where the value of each field of a document begins; 0 for a field that it does not have. */
  #note(bytes: Buffer, begin: number, offsets: Int32Array, first: number): void {
    let expected = 0;
    for (let at = begin + LENGTH_BYTES; bytes[at] !== 0; ) {
      const type = bytes[at];
      const place = this.#placeOf(bytes, at + 1, expected);
      const value = at + 1 + (this.#names[place] as Uint8Array).length;
      if (type !== STRING && type !== DATE) throw new Error(`a field of a raw row has the BSON type ${type}`);
      offsets[first + place] = value;
      at = value + (type === DATE ? DATE_BYTES : LENGTH_BYTES + bytes.readInt32LE(value));
      expected = place + 1;
    }
  }

  /** Which field has the name that begins at an offset. @param expected the place that is tried first */
  #placeOf(bytes: Buffer, at: number, expected: number): number {
    const count = this.#names.length;
    for (let tried = 0; tried < count; tried++) {
      const place = (expected + tried) % count;
      const name = this.#names[place] as Uint8Array;
      let same = 0;
      while (same < name.length && name[same] === bytes[at + same]) same++;
      if (same === name.length) return place;
    }
    throw new Error('a raw row has a field that the query did not name');
  }
}

function writeUnshowable(row: RawRow<string>, field: string, out: JsonBytes, name: Uint8Array): void {
  unshowable(field, row._id);
  out.member(name);
  out.quote();
  out.quote();
}

export type LayoutField<Of> = Of extends Layout<infer Field> ? Field : never;

/** Where the values of the fields of a `find`'s answer begin that tell its rows, and whether there are more. */
function partsOf(cursor: Buffer): { readonly firstBatch?: number; readonly id?: number } {
  const parts: { firstBatch?: number; id?: number } = {};
  for (let at = LENGTH_BYTES; cursor[at] !== 0; ) {
    const type = cursor[at] as number;
    const end = cursor.indexOf(0, at + 1);
    const name = cursor.toString('latin1', at + 1, end);
    const value = end + 1;
    if (name === 'firstBatch' && type === ARRAY) parts.firstBatch = value;
    if (name === 'id' && type === INT64) parts.id = value;
    if (type === STRING) at = value + LENGTH_BYTES + cursor.readInt32LE(value);
    else if (type === OBJECT || type === ARRAY) at = value + cursor.readInt32LE(value);
    else if (type === INT64) at = value + INT64_BYTES;
    // What comes after a value of unknown size cannot be read.
    else return parts;
  }
  return parts;
}

const [DASH, ZERO] = [0x2d, 0x30];

/** The number of so many digits; NaN if another character is among them. */
function numberAt(bytes: Uint8Array, begin: number, length: number): number {
  let number = 0;
  for (let at = begin; at < begin + length; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}

/** A row that is decoded field by field. A field that it does not have is empty. */
export class RawRow<Field extends string> {
  readonly #layout: Layout<Field>;
  readonly #bytes: Buffer;
  readonly #offsets: Int32Array;
  readonly #first: number;

  /** @param first where the offsets of this row begin: rows that came together share one array */
  constructor(layout: Layout<Field>, bytes: Buffer, offsets: Int32Array, first: number) {
    this.#layout = layout;
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#first = first;
  }

  get _id(): string {
    return this.text('_id');
  }

  /** Of rows whose layout has it: when the row was made. */
  get create_time(): Date {
    return new Date(this.instant('create_time' as Field));
  }

  text(field: Field | '_id'): string {
    const [begin, end] = this.#rangeOf(this.#layout.place(field));
    return this.#bytes.toString('utf8', begin, end);
  }

  isEmpty(field: Field): boolean {
    const [begin, end] = this.#rangeOf(this.#layout.place(field));
    return begin === end;
  }

  /** Whether a text is empty, or a day that can be shown. It is read as bytes: a list asks this several times for each row. */
  hasShownDay(field: Field): boolean {
    const bytes = this.#bytes;
    const [begin, end] = this.#rangeOf(this.#layout.place(field));
    if (begin === end) return true;
    if (end - begin !== 10 || bytes[begin + 4] !== DASH || bytes[begin + 7] !== DASH) return false;
    return isCalendarDay(numberAt(bytes, begin, 4), numberAt(bytes, begin + 5, 2), numberAt(bytes, begin + 8, 2));
  }

  /** Writes a string of the row as a part of a string. */
  copyText(field: Field | '_id', out: JsonBytes): void {
    const [begin, end] = this.#rangeOf(this.#layout.place(field));
    out.text(this.#bytes, begin, end);
  }

  instant(field: Field): number {
    const at = this.#offsets[this.#first + this.#layout.place(field)] as number;
    // Two halves: a big integer would cost more, and 53 bits are enough for any year of four digits.
    return this.#bytes.readUInt32LE(at) + this.#bytes.readInt32LE(at + 4) * 2 ** 32;
  }

  #rangeOf(place: number): [begin: number, end: number] {
    const value = this.#offsets[this.#first + place] as number;
    if (value === 0) return [0, 0];
    const begin = value + LENGTH_BYTES;
    return [begin, begin + this.#bytes.readInt32LE(value) - 1];
  }
}

export type RawFindOptions = Pick<
  FindOptions,
  'sort' | 'limit' | 'batchSize' | 'maxTimeMS' | 'hint' | 'session' | 'readConcern'
>;

/**
 * The rows that match, with the fields of the layout. The driver's cursor makes two objects for each row before it
 * hands out its bytes, which costs more than to write the row as JSON. So the answer is taken in one piece.
 * @param options `batchSize` is best larger than the number of rows: then they come in one answer
 */
export async function findRaw<Row extends object, Field extends string>(
  db: Store['db'],
  collection: Collection<Row>,
  layout: Layout<Field>,
  filter: Filter<Row>,
  { session, hint, ...more }: RawFindOptions,
): Promise<RawRow<Field>[]> {
  const { projection } = layout.options;
  const options = hint === undefined ? more : { ...more, hint };
  const command = { find: collection.collectionName, filter, projection, readConcern: { level: 'local' }, ...options };
  try {
    const { cursor } = await db.command(command, { raw: true, session });
    const { rows, cursorId } = layout.answer(cursor as Buffer);
    if (cursorId === 0n) return rows;
    // The rows are more than one answer can hold (16 MB).
    await db.command({ killCursors: collection.collectionName, cursors: [Long.fromBigInt(cursorId)] });
  } catch (error) {
    // The driver repeats a find after a failure, but no command that it does not know.
    if (!isStoreAway(error) || isOutOfTime(error)) throw error;
  }
  const found = await collection.find(filter, { ...layout.options, ...options, session }).toArray();
  return found.map((row) => layout.row(row));
}
