/**
 * Scans a JSON text without building its value: finds whether it is JSON (RFC 8259) of bounded depth, and where the
 * members of its outermost object, its large parts and its numbers are. Parsing a hostile text of 32 MiB could build
 * 700 MB of empty objects; scanning it costs only time, in portions between which other requests are served. The tokens of a
 * streaming parser (@streamparser/json) cost 1.2 to 4 times the processor time, and do not keep the digits of a number.
 */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/thread-time.ts';
import { type JsonPath, ScanError, type ScanEvents } from './json-events.ts';
import {
  afterInNumber,
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  escapeEnd,
  isCompleteNumber,
  NOT_IN_NUMBER,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  startOfNumber,
  wordEnd,
} from './json-tokens.ts';

/** More elements than any operation takes. Elements beyond are checked as JSON, but not reported. */
export const MAX_ELEMENTS = 20_000;

/**
 * How many bytes are scanned before other requests get their turn. This takes a fraction of a millisecond: a body that
 * arrives meanwhile is read one piece a turn, so its time is the number of its pieces times the length of a turn.
 */
export const PORTION_BYTES = 64 * 1024;

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
  events: ScanEvents = {},
  rest: Rest = setImmediate,
): Promise<'object' | 'array' | 'scalar'> {
  const scanner = new Scanner(bytes, maxDepth, events);
  try {
    for (let limit = PORTION_BYTES; ; limit += PORTION_BYTES) {
      scanner.run(Math.min(limit, bytes.length));
      if (limit >= bytes.length) return scanner.finish();
      await rest();
    }
  } catch (error) {
    if (error instanceof ScanError) Object.assign(error, scanner.wrong);
    throw error;
  }
}

class Scanner {
  readonly #bytes: Buffer;
  readonly #maxDepth: number;
  readonly #events: ScanEvents;
  #depth = 0;
  // Of each open array or object, the outermost first.
  readonly #isObject: boolean[] = [];
  readonly #starts: number[] = [];
  readonly #keyStarts: number[] = [];
  readonly #keyEnds: number[] = [];
  readonly #places: number[] = [];
  readonly #names: { readonly start: number; readonly name: string }[] = [];
  #position = 0;
  /** JSON has line feeds between tokens only. */
  #line = 1;
  #lineStart = 0;
  #expected: Expectation = 'value';
  /** Where the string or number begins that is being scanned. */
  #tokenStart = 0;
  #numberState = NOT_IN_NUMBER;
  /** First byte of the whole value. */
  #outermost = 0;
  #memberStart = 0;
  #elementStart = 0;
  #elements: number[] | undefined;

  constructor(bytes: Buffer, maxDepth: number, events: ScanEvents) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#events = events;
  }

  /** Where the text stops being JSON, once it has turned out to be none. */
  get wrong(): { readonly offset: number; readonly line: number; readonly lineStart: number } {
    const isWithin = this.#expected.startsWith('in ') && this.#position < this.#bytes.length;
    return { offset: isWithin ? this.#tokenStart : this.#position, line: this.#line, lineStart: this.#lineStart };
  }

  /** Scans until the offset is reached. */
  run(limit: number): void {
    const bytes = this.#bytes;
    while (this.#position < limit) {
      if (this.#expected === 'in text' || this.#expected === 'in key') this.#text(limit);
      else if (this.#expected === 'in number') this.#number(limit);
      else {
        this.#blanks(limit);
        if (this.#position < limit) this.#next(bytes[this.#position] as number);
      }
    }
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
      if (byte !== COLON) throw new ScanError(false);
      this.#position++;
      this.#expected = 'value';
    } else if (byte === CLOSE_OBJECT && expected === 'key or }') this.#close();
    else if (expected === 'key or }' || expected === 'key') this.#key(byte);
    else if (byte === CLOSE_ARRAY && expected === 'value or ]') this.#close();
    else this.#value(byte);
  }

  finish(): 'object' | 'array' | 'scalar' {
    if (this.#expected === 'in number') this.#numberEnded();
    if (this.#expected !== 'after value' || this.#depth > 0) throw new ScanError(false);
    if (this.#outermost === OPEN_OBJECT) return 'object';
    return this.#outermost === OPEN_ARRAY ? 'array' : 'scalar';
  }

  #afterValue(byte: number): void {
    if (this.#depth === 0) throw new ScanError(false);
    const at = this.#depth - 1;
    const isObject = this.#isObject[at];
    if (byte === COMMA) {
      this.#position++;
      this.#places[at] = (this.#places[at] as number) + 1;
      this.#expected = isObject ? 'key' : 'value';
    } else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#close();
    else throw new ScanError(false);
  }

  #key(byte: number): void {
    if (byte !== QUOTE) throw new ScanError(false);
    this.#keyStarts[this.#depth - 1] = this.#position;
    this.#begin('in key');
  }

  #value(byte: number): void {
    const depth = this.#depth;
    if (depth === 1) {
      this.#memberStart = this.#position;
      this.#elements = byte === OPEN_ARRAY && this.#takesElements() ? [] : undefined;
    } else if (depth === 2) this.#elementStart = this.#position;
    else if (depth === 0) this.#outermost = byte;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === this.#maxDepth) throw new ScanError(true);
      this.#isObject[depth] = byte === OPEN_OBJECT;
      this.#starts[depth] = this.#position;
      this.#places[depth] = 0;
      this.#depth++;
      this.#position++;
      this.#expected = byte === OPEN_OBJECT ? 'key or }' : 'value or ]';
    } else if (byte === QUOTE) this.#begin('in text');
    else {
      this.#numberState = startOfNumber(byte);
      if (this.#numberState !== NOT_IN_NUMBER) this.#begin('in number');
      else {
        const end = wordEnd(this.#bytes, this.#position);
        if (end === undefined) throw new ScanError(false);
        this.#position = end;
        this.#ended();
      }
    }
  }

  #takesElements(): boolean {
    if (!this.#isObject[0] || this.#events.takesElements === undefined) return false;
    return this.#events.takesElements(this.#keyStarts[0] as number, this.#keyEnds[0] as number);
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
      if (byte < 0x20 || end === undefined) throw new ScanError(false);
      at = end;
    }
    this.#position = at;
  }

  #textEnded(): void {
    if (this.#expected === 'in text') this.#ended();
    else {
      this.#keyEnds[this.#depth - 1] = this.#position;
      this.#expected = ':';
    }
  }

  #number(limit: number): void {
    for (; this.#position < limit; this.#position++) {
      const state = afterInNumber(this.#numberState, this.#bytes[this.#position] as number);
      if (state === NOT_IN_NUMBER) {
        this.#numberEnded();
        return;
      }
      this.#numberState = state;
    }
  }

  #numberEnded(): void {
    if (!isCompleteNumber(this.#numberState)) throw new ScanError(false);
    this.#events.onNumber?.(this.#tokenStart, this.#position, this.#path);
    this.#ended();
  }

  #close(): void {
    this.#depth--;
    this.#position++;
    const start = this.#starts[this.#depth] as number;
    if (this.#position - start > PORTION_BYTES) this.#events.onLarge?.(start, this.#position);
    this.#ended();
  }

  /** A value has ended. */
  #ended(): void {
    this.#expected = 'after value';
    if (this.#depth === 2) {
      const elements = this.#elements;
      if (elements && elements.length < 2 * MAX_ELEMENTS) elements.push(this.#elementStart, this.#position);
    } else if (this.#depth === 1 && this.#isObject[0]) {
      this.#events.onMember?.({
        keyStart: this.#keyStarts[0] as number,
        keyEnd: this.#keyEnds[0] as number,
        start: this.#memberStart,
        end: this.#position,
        elements: this.#elements,
      });
    }
  }

  readonly #path = (): JsonPath =>
    this.#places.slice(0, this.#depth).map((place, at) => (this.#isObject[at] ? this.#nameAt(at) : place));

  /** A name is read once, however many numbers stand below it. */
  #nameAt(at: number): string {
    const start = this.#keyStarts[at] as number;
    const known = this.#names[at];
    if (known?.start === start) return known.name;
    const name: string = JSON.parse(this.#bytes.toString('utf8', start, this.#keyEnds[at]));
    this.#names[at] = { start, name };
    return name;
  }
}
