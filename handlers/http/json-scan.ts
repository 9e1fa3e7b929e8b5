/**
 * Scans a JSON text without building its value: finds whether it is JSON (RFC 8259) of bounded depth, and where its parts
 * are. Parsing a hostile text of 32 MiB could build 700 MB of empty objects; scanning it costs only time, in portions
 * between which other requests are served. The tokenizer of @streamparser/json takes three to four times the processor
 * time for records, and says of what is wrong neither line nor column.
 */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/work-in-turn.ts';

/** More elements than any operation takes. Elements beyond are checked as JSON, but not reported. */
const MAX_ELEMENTS = 20_000;

/**
 * How many bytes are scanned before other requests get their turn. This takes a fraction of a millisecond: a body that
 * arrives meanwhile is read one piece a turn, so its time is the number of its pieces times the length of a turn.
 */
export const PORTION_BYTES = 64 * 1024;

/** Places in the text, as byte offsets: start and end of one part after the other. An end is the offset after the last byte. */
export type Places = readonly number[];

/** A member of the outermost object. */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  /** How many values stand in its value, itself included. */
  readonly values: number;
  /** For an array whose elements were asked for: the first {@link MAX_ELEMENTS} of them. */
  readonly elements: Places | undefined;
}

/** What a scan reports of an object, in the order of the text. */
export interface ScanReports {
  onMember(member: Member): void;
  /** Whether a member that is an array is reported with its elements, which takes memory. */
  readonly takesElements?: ((keyStart: number, keyEnd: number) => boolean) | undefined;
  /** Gets each name with escapes, at any depth, but for those in reported elements. */
  readonly onEscapedName?: (start: number, end: number) => void;
}

/** A text that is not JSON, or nested too deep. */
export class ScanError extends Error {
  readonly isTooDeep: boolean;
  /** Of the first byte that is wrong; for a string or a number, of its first byte. */
  readonly offset: number;

  constructor(isTooDeep: boolean, offset: number) {
    super(isTooDeep ? 'nested too deep' : 'not JSON');
    this.isTooDeep = isTooDeep;
    this.offset = offset;
  }
}

const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const bytesOf = (characters: string) => new Set(Buffer.from(characters));
const SHORT_ESCAPES = bytesOf('"\\/bfnrt');
const HEX = bytesOf('0123456789abcdefABCDEF');
const NUMBER_BYTES = bytesOf('0123456789+-.eE');
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORD = /^(?:true|false|null)/;

/** @param start offset of the backslash @returns the offset after the escape; undefined if there is no such escape */
function escapeEnd(bytes: Uint8Array, start: number): number | undefined {
  const kind = bytes[start + 1] ?? 0;
  if (SHORT_ESCAPES.has(kind)) return start + 2;
  const end = start + 6;
  if (kind !== 0x75 || end > bytes.length) return undefined;
  for (let i = start + 2; i < end; i++) if (!HEX.has(bytes[i] as number)) return undefined;
  return end;
}

/**
 * What comes next: `item` is a name in an object and a value elsewhere, which after an opening bracket need not come. White
 * space may stand before all but the rest of a token.
 */
type Expectation = 'item' | 'item or end' | ':' | 'value' | 'after value' | 'in name' | 'in text' | 'in number';

/**
 * Scans a text.
 * @param maxDepth how deep arrays and objects may be nested
 * @param rest is called between portions
 * @returns the kind of the value
 * @throws ScanError when it is not one JSON text, or is nested too deep
 */
export async function scanJson(
  bytes: Buffer,
  maxDepth: number,
  reports: ScanReports,
  rest: Rest = setImmediate,
): Promise<'object' | 'array' | 'scalar'> {
  const scanner = new Scanner(bytes, maxDepth, reports);
  for (let limit = PORTION_BYTES; ; limit += PORTION_BYTES) {
    scanner.run(Math.min(limit, bytes.length));
    if (limit >= bytes.length) return scanner.finish();
    await rest();
  }
}

class Scanner {
  readonly #bytes: Buffer;
  readonly #maxDepth: number;
  readonly #reports: ScanReports;
  /** What closes each open array or object, the outermost first. */
  readonly #closers: number[] = [];
  #at = 0;
  #expected: Expectation = 'item';
  /** Where the name, text or number begins that is being scanned, and whether it has escapes. */
  #tokenStart = 0;
  #hasEscapes = false;
  /** First byte of the whole value. */
  #outermost = 0;
  /** The present member of the outermost object. */
  #keyStart = 0;
  #keyEnd = 0;
  #start = 0;
  #values = 0;
  #elements: number[] | undefined;

  constructor(bytes: Buffer, maxDepth: number, reports: ScanReports) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#reports = reports;
  }

  #error(isTooDeep = false): ScanError {
    const isWithin = this.#expected.startsWith('in ') && this.#at < this.#bytes.length;
    return new ScanError(isTooDeep, isWithin ? this.#tokenStart : this.#at);
  }

  /** Scans until the offset is reached. */
  run(limit: number): void {
    while (this.#at < limit) {
      if (this.#expected === 'in text' || this.#expected === 'in name') this.#text(limit);
      else if (this.#expected === 'in number') this.#digits(limit);
      else this.#next(this.#bytes[this.#at] as number);
    }
  }

  finish(): 'object' | 'array' | 'scalar' {
    if (this.#expected === 'in number') this.#numberEnded();
    if (this.#expected !== 'after value' || this.#closers.length > 0) throw this.#error();
    if (this.#outermost === OPEN_OBJECT) return 'object';
    return this.#outermost === OPEN_ARRAY ? 'array' : 'scalar';
  }

  #next(byte: number): void {
    const expected = this.#expected;
    const closer = this.#closers.at(-1);
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.#at++;
    else if (byte === closer && (expected === 'item or end' || expected === 'after value')) {
      this.#at++;
      this.#closers.pop();
      this.#valueEnded();
    } else if (expected === 'after value') this.#pass(byte, closer === undefined ? undefined : COMMA, 'item');
    else if (expected === ':') this.#pass(byte, COLON, 'value');
    else if (expected === 'value' || closer !== CLOSE_OBJECT) this.#value(byte);
    else {
      if (byte !== QUOTE) throw this.#error();
      this.#begin('in name');
    }
  }

  #pass(byte: number, wanted: number | undefined, next: Expectation): void {
    if (byte !== wanted) throw this.#error();
    this.#at++;
    this.#expected = next;
  }

  #begin(token: 'in name' | 'in text' | 'in number'): void {
    this.#tokenStart = this.#at++;
    this.#hasEscapes = false;
    this.#expected = token;
  }

  #value(byte: number): void {
    const depth = this.#closers.length;
    if (depth === 0) this.#outermost = byte;
    if (depth === 1) this.#start = this.#at;
    if (depth === 2 && this.#elements && this.#elements.length < 2 * MAX_ELEMENTS) this.#elements.push(this.#at);
    this.#values++;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte);
    else if (byte === QUOTE) this.#begin('in text');
    else if (NUMBER_BYTES.has(byte)) this.#begin('in number');
    else {
      const [word] = WORD.exec(this.#bytes.toString('latin1', this.#at, this.#at + 5)) ?? [];
      if (word === undefined) throw this.#error();
      this.#at += word.length;
      this.#valueEnded();
    }
  }

  #open(bracket: number): void {
    const depth = this.#closers.length;
    if (depth === this.#maxDepth) throw this.#error(true);
    const isList = depth === 1 && bracket === OPEN_ARRAY && this.#outermost === OPEN_OBJECT;
    if (isList && this.#reports.takesElements?.(this.#keyStart, this.#keyEnd)) this.#elements = [];
    this.#closers.push(bracket === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
    this.#at++;
    this.#expected = 'item or end';
  }

  #text(limit: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < limit) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#at = at + 1;
        if (this.#expected === 'in text') this.#valueEnded();
        else this.#nameEnded();
        return;
      }
      const end = byte === BACKSLASH ? escapeEnd(bytes, at) : at + 1;
      if (byte < 0x20 || end === undefined) throw this.#error();
      if (byte === BACKSLASH) this.#hasEscapes = true;
      at = end;
    }
    this.#at = at;
  }

  #nameEnded(): void {
    this.#expected = ':';
    if (this.#hasEscapes && !this.#elements) this.#reports.onEscapedName?.(this.#tokenStart, this.#at);
    if (this.#closers.length > 1) return;
    this.#keyStart = this.#tokenStart;
    this.#keyEnd = this.#at;
    this.#values = 0;
  }

  #digits(limit: number): void {
    while (this.#at < limit && NUMBER_BYTES.has(this.#bytes[this.#at] as number)) this.#at++;
    if (this.#at < limit) this.#numberEnded();
  }

  #numberEnded(): void {
    if (!NUMBER.test(this.#bytes.toString('latin1', this.#tokenStart, this.#at))) throw this.#error();
    this.#valueEnded();
  }

  #valueEnded(): void {
    this.#expected = 'after value';
    const depth = this.#closers.length;
    const elements = this.#elements;
    if (depth === 2 && elements && elements.length % 2 === 1) elements.push(this.#at);
    if (depth !== 1 || this.#outermost !== OPEN_OBJECT) return;
    this.#elements = undefined;
    this.#reports.onMember({
      keyStart: this.#keyStart,
      keyEnd: this.#keyEnd,
      start: this.#start,
      end: this.#at,
      values: this.#values,
      elements,
    });
  }
}
