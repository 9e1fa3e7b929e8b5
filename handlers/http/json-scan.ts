/**
 * Scans a JSON text without building its value: finds whether it is JSON (RFC 8259) of bounded depth, and where its tokens
 * are. Parsing a hostile text of 32 MiB could build 700 MB of empty objects; scanning it costs only time, in portions
 * between which other requests are served. The tokenizer of @streamparser/json takes three to four times the processor
 * time for records, and says of what is wrong neither line nor column.
 */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/work-in-turn.ts';

/** More elements than any operation takes. Elements beyond are checked as JSON, but not reported. */
export const MAX_ELEMENTS = 20_000;

/**
 * How many bytes are scanned before other requests get their turn. This takes a fraction of a millisecond: a body that
 * arrives meanwhile is read one piece a turn, so its time is the number of its pieces times the length of a turn.
 */
export const PORTION_BYTES = 64 * 1024;

/** What a scan reports, in the order of the text. An end is the offset after the last byte. */
export interface TokenEvents {
  /** The name of a member. */
  key?(start: number, end: number): void;
  /** A text, a number, or `true`, `false` or `null`. */
  scalar?(start: number, end: number): void;
  /** The beginning of an array or object. */
  open?(bracket: number, start: number): void;
  close?(end: number): void;
}

/** Where and why a text stops being JSON. */
interface ScanFault {
  readonly isTooDeep: boolean;
  /** Offset of the first byte that is wrong; for a string or a number, of its first byte. */
  readonly offset: number;
  /** Its line, from 1, and the offset at which the line begins. */
  readonly line: number;
  readonly lineStart: number;
}

export class ScanError extends Error {
  readonly fault: ScanFault;

  constructor(fault: ScanFault) {
    super(fault.isTooDeep ? 'nested too deep' : 'not JSON');
    this.fault = fault;
  }
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const SHORT_ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const HEX = new Set([...'0123456789abcdefABCDEF'].map((character) => character.charCodeAt(0)));

/** @param start offset of the backslash @returns the offset after the escape; undefined if there is no such escape */
export function escapeEnd(bytes: Uint8Array, start: number): number | undefined {
  const kind = bytes[start + 1] ?? 0;
  if (SHORT_ESCAPES.has(kind)) return start + 2;
  const end = start + 6;
  if (kind !== 0x75 || end > bytes.length) return undefined;
  for (let i = start + 2; i < end; i++) if (!HEX.has(bytes[i] as number)) return undefined;
  return end;
}

/** @returns the offset after `true`, `false` or `null`; undefined if none of them stands there */
function wordEnd(bytes: Uint8Array, start: number): number | undefined {
  const word = WORDS.find((each) => each.every((byte, index) => bytes[start + index] === byte));
  return word && start + word.length;
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const NUMBER_BYTES = new Set([...'0123456789+-.eE'].map((character) => character.charCodeAt(0)));

/** What may come next; white space may always, but not within a string or a number. */
type Expectation =
  | 'value'
  | 'value or ]'
  | 'key'
  | 'key or }'
  | ':'
  | 'after value'
  | 'in key'
  | 'in text'
  | 'in number';

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
  events: TokenEvents = {},
  rest: Rest = setImmediate,
): Promise<'object' | 'array' | 'scalar'> {
  const scanner = new Scanner(bytes, maxDepth, events);
  for (let limit = PORTION_BYTES; ; limit += PORTION_BYTES) {
    scanner.run(Math.min(limit, bytes.length));
    if (limit >= bytes.length) return scanner.finish();
    await rest();
  }
}

class Scanner {
  readonly #bytes: Buffer;
  readonly #maxDepth: number;
  readonly #events: TokenEvents;
  /** Of each open array or object, the outermost first, whether it is an object. */
  readonly #isObject: boolean[] = [];
  #position = 0;
  /** JSON has line feeds between tokens only. */
  #line = 1;
  #lineStart = 0;
  #expected: Expectation = 'value';
  /** Where the string or number begins that is being scanned. */
  #tokenStart = 0;
  /** First byte of the whole value. */
  #outermost: number | undefined;

  constructor(bytes: Buffer, maxDepth: number, events: TokenEvents) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#events = events;
  }

  #error(isTooDeep = false): ScanError {
    const isWithin = this.#expected.startsWith('in ') && this.#position < this.#bytes.length;
    const offset = isWithin ? this.#tokenStart : this.#position;
    return new ScanError({ isTooDeep, offset, line: this.#line, lineStart: this.#lineStart });
  }

  /** Scans until the offset is reached. */
  run(limit: number): void {
    const bytes = this.#bytes;
    while (this.#position < limit) {
      if (this.#expected === 'in text' || this.#expected === 'in key') this.#text(limit);
      else if (this.#expected === 'in number') this.#digits(limit);
      else {
        this.#blanks(limit);
        if (this.#position < limit) this.#next(bytes[this.#position] as number);
      }
    }
  }

  finish(): 'object' | 'array' | 'scalar' {
    if (this.#expected === 'in number') this.#numberEnded();
    if (this.#expected !== 'after value' || this.#isObject.length > 0) throw this.#error();
    if (this.#outermost === OPEN_OBJECT) return 'object';
    return this.#outermost === OPEN_ARRAY ? 'array' : 'scalar';
  }

  #blanks(limit: number): void {
    const bytes = this.#bytes;
    let at = this.#position;
    for (; at < limit; at++) {
      const byte = bytes[at];
      if (byte === 0x0a) {
        this.#line++;
        this.#lineStart = at + 1;
      } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) break;
    }
    this.#position = at;
  }

  #next(byte: number): void {
    const expected = this.#expected;
    if (expected === 'after value') this.#afterValue(byte);
    else if (expected === ':') {
      if (byte !== COLON) throw this.#error();
      this.#position++;
      this.#expected = 'value';
    } else if (byte === CLOSE_OBJECT && expected === 'key or }') this.#close();
    else if (expected === 'key or }' || expected === 'key') {
      if (byte !== QUOTE) throw this.#error();
      this.#begin('in key');
    } else if (byte === CLOSE_ARRAY && expected === 'value or ]') this.#close();
    else this.#value(byte);
  }

  #afterValue(byte: number): void {
    const isObject = this.#isObject.at(-1);
    if (isObject === undefined) throw this.#error();
    if (byte === COMMA) {
      this.#position++;
      this.#expected = isObject ? 'key' : 'value';
    } else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#close();
    else throw this.#error();
  }

  #value(byte: number): void {
    this.#outermost ??= byte;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#isObject.length === this.#maxDepth) throw this.#error(true);
      this.#isObject.push(byte === OPEN_OBJECT);
      this.#events.open?.(byte, this.#position);
      this.#position++;
      this.#expected = byte === OPEN_OBJECT ? 'key or }' : 'value or ]';
    } else if (byte === QUOTE) this.#begin('in text');
    else if (NUMBER_BYTES.has(byte)) this.#begin('in number');
    else {
      const end = wordEnd(this.#bytes, this.#position);
      if (end === undefined) throw this.#error();
      this.#tokenStart = this.#position;
      this.#position = end;
      this.#scalarEnded();
    }
  }

  #begin(token: 'in key' | 'in text' | 'in number'): void {
    this.#tokenStart = this.#position++;
    this.#expected = token;
  }

  #text(limit: number): void {
    const bytes = this.#bytes;
    let at = this.#position;
    while (at < limit) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#position = at + 1;
        this.#textEnded();
        return;
      }
      const end = byte === BACKSLASH ? escapeEnd(bytes, at) : at + 1;
      if (byte < 0x20 || end === undefined) throw this.#error();
      at = end;
    }
    this.#position = at;
  }

  #textEnded(): void {
    if (this.#expected === 'in text') this.#scalarEnded();
    else {
      this.#events.key?.(this.#tokenStart, this.#position);
      this.#expected = ':';
    }
  }

  #digits(limit: number): void {
    while (this.#position < limit && NUMBER_BYTES.has(this.#bytes[this.#position] as number)) this.#position++;
    if (this.#position < limit) this.#numberEnded();
  }

  #numberEnded(): void {
    if (!NUMBER.test(this.#bytes.toString('latin1', this.#tokenStart, this.#position))) throw this.#error();
    this.#scalarEnded();
  }

  #scalarEnded(): void {
    this.#expected = 'after value';
    this.#events.scalar?.(this.#tokenStart, this.#position);
  }

  #close(): void {
    this.#isObject.pop();
    this.#position++;
    this.#expected = 'after value';
    this.#events.close?.(this.#position);
  }
}

/** A member of the outermost object, as byte offsets into the text; an end is the offset after the last byte. */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  /** How many values stand in its value, itself included. */
  readonly values: number;
  /** For an array whose elements were asked for: start and end of each of the first {@link MAX_ELEMENTS}, in turn. */
  readonly elements: readonly number[] | undefined;
}

/**
 * Events of a scan that finds the members of the outermost value, if it is an object.
 * @param takesElements whether a member that is an array is reported with its elements, which takes memory
 */
export function membersIn(
  onMember: (member: Member) => void,
  takesElements: (keyStart: number, keyEnd: number) => boolean = () => false,
): TokenEvents {
  let [depth, keyStart, keyEnd, memberStart, elementStart, values] = [0, 0, 0, 0, 0, 0];
  let isObject = false;
  let elements: number[] | undefined;
  const ended = (start: number, end: number) => {
    if (depth === 2 && elements && elements.length < 2 * MAX_ELEMENTS) elements.push(start, end);
    if (depth !== 1 || !isObject) return;
    onMember({ keyStart, keyEnd, start, end, values, elements });
    elements = undefined;
  };
  return {
    key(start, end) {
      if (depth !== 1) return;
      keyStart = start;
      keyEnd = end;
      values = 0;
    },
    scalar(start, end) {
      values++;
      ended(start, end);
    },
    open(bracket, start) {
      values++;
      if (depth === 0) isObject = bracket === OPEN_OBJECT;
      if (depth === 2) elementStart = start;
      if (depth === 1) {
        memberStart = start;
        if (isObject && bracket === OPEN_ARRAY && takesElements(keyStart, keyEnd)) elements = [];
      }
      depth++;
    },
    close(end) {
      depth--;
      ended(depth === 1 ? memberStart : elementStart, end);
    },
  };
}
