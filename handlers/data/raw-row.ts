/**
 * Rows as the database sent them, as BSON (bsonspec.org, version 1.1). A list answers many rows, and most of their
 * fields go into the answer as they are: they are copied from BSON to JSON (`http/json-bytes.ts`), and only what a
 * handler computes with is decoded.
 */
import type { JsonBytes, Member } from '../http/json-bytes.ts';

/** BSON's types of the values that these rows have. */
const STRING = 0x02;
const DATE = 0x09;
/** A document and a string begin with their length, in so many bytes. A string ends with a zero byte, which counts. */
const LENGTH_BYTES = 4;
const DATE_BYTES = 8;

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
    const bytes = document as Buffer;
    return new RawRow(this, bytes, this.#offsets(bytes));
  }

  /** The position of a field among the fields. */
  place(field: Field | '_id'): number {
    return this.#places.get(field) as number;
  }

  /** Writes a string of the row as it is. */
  text(field: Field | '_id'): Member<RawRow<Field>> {
    return (row, out, name) => {
      out.member(name);
      out.quote();
      row.copyText(field, out);
      out.quote();
    };
  }

  /** Writes an instant of the row. */
  instant(field: Field): Member<RawRow<Field>> {
    return (row, out, name) => {
      out.member(name);
      out.instant(row.instant(field));
    };
  }

  /** Where the value of each field begins in a document; 0 for a field that it does not have. */
  #offsets(bytes: Buffer): number[] {
    const offsets: number[] = this.#names.map(() => 0);
    let expected = 0;
    for (let at = LENGTH_BYTES; bytes[at] !== 0; ) {
      const type = bytes[at];
      const place = this.#placeOf(bytes, at + 1, expected);
      const value = at + 1 + (this.#names[place] as Uint8Array).length;
      if (type !== STRING && type !== DATE) throw new Error(`a field of a raw row has the BSON type ${type}`);
      offsets[place] = value;
      at = value + (type === DATE ? DATE_BYTES : LENGTH_BYTES + bytes.readInt32LE(value));
      expected = place + 1;
    }
    return offsets;
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

/** A row that is decoded field by field. A field that it does not have is empty. */
export class RawRow<Field extends string> {
  readonly #layout: Layout<Field>;
  readonly #bytes: Buffer;
  readonly #offsets: readonly number[];

  constructor(layout: Layout<Field>, bytes: Buffer, offsets: readonly number[]) {
    this.#layout = layout;
    this.#bytes = bytes;
    this.#offsets = offsets;
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

  /** Writes a string of the row as a part of a string. */
  copyText(field: Field | '_id', out: JsonBytes): void {
    const [begin, end] = this.#rangeOf(this.#layout.place(field));
    out.text(this.#bytes, begin, end);
  }

  /** In milliseconds since the epoch. */
  instant(field: Field): number {
    const at = this.#offsets[this.#layout.place(field)] as number;
    // Two halves: a big integer would cost more, and 53 bits are enough for any year of four digits.
    return this.#bytes.readUInt32LE(at) + this.#bytes.readInt32LE(at + 4) * 2 ** 32;
  }

  #rangeOf(place: number): [begin: number, end: number] {
    const value = this.#offsets[place] as number;
    if (value === 0) return [0, 0];
    const begin = value + LENGTH_BYTES;
    return [begin, begin + this.#bytes.readInt32LE(value) - 1];
  }
}
