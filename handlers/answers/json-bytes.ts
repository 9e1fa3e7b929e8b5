/**
 * Writes an answer as bytes of JSON, without making objects and strings for it first. Answers of many rows take this way:
 * the database sends strings as UTF-8, which JSON wants too. Small answers are objects, and `JSON.stringify` writes them.
 */

import { JsonText } from './json-text.ts';

/** Writes one member of an object, with its name, from a source; or nothing, if the source has no such member. */
export type JsonMember<Source> = (source: Source, out: JsonBytes, name: Uint8Array) => void;

/** Writes one value from a source. */
export type Write<Source> = (source: Source, out: JsonBytes) => void;

const encoder = new TextEncoder();
const DAY_MS = 86_400_000;
const LONGEST_ESCAPE = 6;
const [QUOTE, COMMA, DOT, ZERO, COLON, LETTER_Z] = [0x22, 0x2c, 0x2e, 0x30, 0x3a, 0x5a];
const [OPEN, CLOSE, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** How JSON writes each byte that it does not write as it is: control characters, `"` and `\`. */
const escapes: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const text = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  return text.length === 1 ? undefined : encoder.encode(text);
});

/** 1 for each of these bytes: looked up for every byte of an answer. */
const needsEscape = Uint8Array.from(escapes, (escaped) => (escaped === undefined ? 0 : 1));

/** A cache of the date part of instants, as `"YYYY-MM-DDT`: the rows of a page often share a few dates. */
const days = new Map<number, Uint8Array>();
const MOST_DAYS = 1_000;

function dayOf(number: number): Uint8Array {
  const known = days.get(number);
  if (known !== undefined) return known;
  if (days.size >= MOST_DAYS) days.clear();
  const text = encoder.encode(`"${new Date(number * DAY_MS).toISOString().slice(0, 'YYYY-MM-DDT'.length)}`);
  days.set(number, text);
  return text;
}

/** JSON while it is written. */
export class JsonBytes {
  #bytes: Buffer;
  #length = 0;

  /** @param capacity how many bytes can be written before the buffer grows */
  constructor(capacity = 64 * 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** Makes sure that so many bytes can be written. */
  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  /** Writes what is JSON already. */
  json(text: Uint8Array): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let to = this.#length;
    for (let at = 0; at < text.length; at++) bytes[to++] = text[at] as number;
    this.#length = to;
  }

  /** Writes the name of the next member. @param name with its quotes and its colon */
  member(name: Uint8Array): void {
    this.#reserve(1);
    if (this.#bytes[this.#length - 1] !== OPEN) this.#byte(COMMA);
    this.json(name);
  }

  /** Writes an object. @param members writes its members */
  object(members: () => void): void {
    this.#reserve(1);
    this.#byte(OPEN);
    members();
    this.#reserve(1);
    this.#byte(CLOSE);
  }

  /** Writes an array, each of its items by `write`. */
  array<Item>(items: readonly Item[], write: Write<Item>): void {
    this.#reserve(1);
    this.#byte(OPEN_ARRAY);
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.json(SEPARATOR);
      write(items[i] as Item, this);
    }
    this.#reserve(1);
    this.#byte(CLOSE_ARRAY);
  }

  /** Begins and ends a string; in between, {@link text} writes its parts. */
  quote(): void {
    this.#reserve(1);
    this.#byte(QUOTE);
  }

  /** Writes a part of a string: the UTF-8 from one offset up to another. */
  text(from: Uint8Array, begin: number, end: number): void {
    this.#reserve(LONGEST_ESCAPE * (end - begin));
    const bytes = this.#bytes;
    let to = this.#length;
    for (let at = begin; at < end; at++) {
      const byte = from[at] as number;
      if (needsEscape[byte] === 0) bytes[to++] = byte;
      else for (const each of escapes[byte] as Uint8Array) bytes[to++] = each;
    }
    this.#length = to;
  }

  /** Writes an instant as RFC 3339 text in UTC with milliseconds. @param ms since the epoch, of a year from 1 to 9999 */
  instant(ms: number): void {
    const day = Math.floor(ms / DAY_MS);
    const inDay = ms - day * DAY_MS;
    this.json(dayOf(day));
    this.#reserve('hh:mm:ss.mmmZ"'.length);
    this.#digits(Math.floor(inDay / 3_600_000), 10, COLON);
    this.#digits(Math.floor(inDay / 60_000) % 60, 10, COLON);
    this.#digits(Math.floor(inDay / 1_000) % 60, 10, DOT);
    this.#digits(inDay % 1_000, 100, LETTER_Z);
    this.#byte(QUOTE);
  }

  /** @param highest the power of ten of the first digit @param after the character after the digits */
  #digits(value: number, highest: number, after: number): void {
    for (let power = highest; power >= 1; power /= 10) this.#byte(ZERO + (Math.floor(value / power) % 10));
    this.#byte(after);
  }

  /** Forgets what is written. */
  clear(): void {
    this.#length = 0;
  }

  /** A copy of what is written. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}

const SEPARATOR = encoder.encode(',');

/** All answers are written into it: each is written in one go, and copied. */
const scratch = new JsonBytes();

/** Writes the body of an answer. */
export function jsonText<Answer extends object>(members: Members<Answer, undefined>): JsonText<Answer> {
  const write = objectOf(members);
  scratch.clear();
  write(undefined, scratch);
  return new JsonText(scratch.copy());
}

/** A member for each property of a schema. */
export type Members<Shape extends object, Source> = { readonly [Name in keyof Required<Shape>]: JsonMember<Source> };

const names = new Map<string, Uint8Array>();

/** The name of a member with its colon. There are only the names of the contract, so all are kept. */
function nameOf(property: string): Uint8Array {
  const known = names.get(property);
  if (known !== undefined) return known;
  const name = encoder.encode(`${JSON.stringify(property)}:`);
  names.set(property, name);
  return name;
}

/** Makes what writes the objects of one schema. */
export function objectOf<Shape extends object, Source>(members: Members<Shape, Source>): Write<Source> {
  const all = Object.entries<JsonMember<Source>>(members)
    .filter(([, member]) => member !== absent)
    .map(([name, member]) => ({ name: nameOf(name), member }));
  return (source, out) =>
    out.object(() => {
      for (const { name, member } of all) member(source, out, name);
    });
}

/** A member that no object has. */
export const absent: JsonMember<unknown> = () => {};

/** A member with the same value in every object. */
export function constant(value: unknown): JsonMember<unknown> {
  const json = encoder.encode(JSON.stringify(value));
  return (_, out, name) => {
    out.member(name);
    out.json(json);
  };
}

/** A member that is an array. */
export function listOf<Item>(items: readonly Item[], write: Write<Item>): JsonMember<unknown> {
  return (_, out, name) => {
    out.member(name);
    out.array(items, write);
  };
}

/** A member that is an object. */
export function objectFrom<Source>(source: Source, write: Write<Source>): JsonMember<unknown> {
  return (_, out, name) => {
    out.member(name);
    write(source, out);
  };
}
