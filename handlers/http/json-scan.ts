/**
 * Scans a JSON text without building its value: finds whether it is JSON (RFC 8259) of bounded depth, and where the
 * members of its outermost object are. Parsing a hostile text of 32 MiB could build 700 MB of empty objects; scanning
 * it costs only time, in portions between which other requests are served.
 */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/thread-time.ts';

/** What is wrong with a text. */
export class ScanError extends Error {
  readonly isTooDeep: boolean;
  /** Offset of the first wrong byte. */
  offset = 0;

  constructor(isTooDeep: boolean) {
    super(isTooDeep ? 'nested too deep' : 'not JSON');
    this.isTooDeep = isTooDeep;
  }
}

/** A member of the outermost object, as byte offsets into the text; an end is the offset after the last byte. */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  /** For an array: start and end of each of the first {@link MAX_ELEMENTS} elements in turn; otherwise undefined. */
  readonly elements: readonly number[] | undefined;
}

/** More elements than any operation takes. Elements beyond are checked as JSON, but not reported. */
export const MAX_ELEMENTS = 20_000;

/**
 * How many bytes are scanned before other requests get their turn. This takes a fraction of a millisecond: a body that
 * arrives meanwhile is read one piece a turn, so its time is the number of its pieces times the length of a turn.
 */
const PORTION_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;

/** What may come next; white space may always. */
type Expectation = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'after value';

/**
 * Scans a text.
 * @param maxDepth how deep arrays and objects may be nested
 * @param onMember is called for each member of the outermost object, in order; never if the value is not an object
 * @param rest is called between portions
 * @returns the kind of the value
 * @throws ScanError when it is not one JSON text, or is nested too deep
 */
export async function scanJson(
  bytes: Uint8Array,
  maxDepth: number,
  onMember: (member: Member) => void = () => {},
  rest: Rest = setImmediate,
): Promise<'object' | 'array' | 'scalar'> {
  const scanner = new Scanner(bytes, maxDepth, onMember);
  try {
    for (let limit = PORTION_BYTES; ; limit += PORTION_BYTES) {
      scanner.run(Math.min(limit, bytes.length));
      if (limit >= bytes.length) return scanner.finish();
      await rest();
    }
  } catch (error) {
    if (error instanceof ScanError) error.offset = scanner.position;
    throw error;
  }
}

/** The byte offset at which a text stops being valid JSON; its length if the text is only cut off. */
export function whereBroken(bytes: Uint8Array): number {
  const scanner = new Scanner(bytes, Number.POSITIVE_INFINITY, () => {});
  try {
    scanner.run(bytes.length);
    scanner.finish();
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
  return scanner.position;
}

class Scanner {
  readonly #bytes: Uint8Array;
  readonly #onMember: (member: Member) => void;
  /** Whether each open container is an object; the outermost first. */
  readonly #isObject: boolean[] = [];
  readonly #maxDepth: number;
  #position = 0;
  #expected: Expectation = 'value';
  /** First byte of the whole value. */
  #outermost = 0;
  #keyStart = 0;
  #keyEnd = 0;
  #memberStart = 0;
  #elementStart = 0;
  #elements: number[] | undefined;

  constructor(bytes: Uint8Array, maxDepth: number, onMember: (member: Member) => void) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#onMember = onMember;
  }

  get position(): number {
    return this.#position;
  }

  /** Scans until the offset is reached. A string, number or word that has begun is scanned to its end. */
  run(limit: number): void {
    const bytes = this.#bytes;
    while (this.#position < limit) {
      const byte = bytes[this.#position] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        this.#position++;
        continue;
      }
      switch (this.#expected) {
        case 'after value':
          this.#afterValue(byte);
          break;
        case 'key or }':
          if (byte === CLOSE_OBJECT) this.#close();
          else this.#key(byte);
          break;
        case 'key':
          this.#key(byte);
          break;
        case ':':
          if (byte !== COLON) throw new ScanError(false);
          this.#position++;
          this.#expected = 'value';
          break;
        case 'value or ]':
          if (byte === CLOSE_ARRAY) this.#close();
          else this.#value(byte);
          break;
        case 'value':
          this.#value(byte);
      }
    }
  }

  finish(): 'object' | 'array' | 'scalar' {
    if (this.#expected !== 'after value' || this.#isObject.length > 0) throw new ScanError(false);
    if (this.#outermost === OPEN_OBJECT) return 'object';
    return this.#outermost === OPEN_ARRAY ? 'array' : 'scalar';
  }

  #afterValue(byte: number): void {
    const isObject = this.#isObject.at(-1);
    if (isObject === undefined) throw new ScanError(false);
    if (byte === COMMA) {
      this.#position++;
      this.#expected = isObject ? 'key' : 'value';
    } else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#close();
    else throw new ScanError(false);
  }

  #key(byte: number): void {
    if (byte !== QUOTE) throw new ScanError(false);
    const start = this.#position;
    this.#position = stringEnd(this.#bytes, start);
    if (this.#isObject.length === 1) {
      this.#keyStart = start;
      this.#keyEnd = this.#position;
    }
    this.#expected = ':';
  }

  #value(byte: number): void {
    const depth = this.#isObject.length;
    if (depth === 1) {
      this.#memberStart = this.#position;
      this.#elements = byte === OPEN_ARRAY ? [] : undefined;
    } else if (depth === 2) this.#elementStart = this.#position;
    else if (depth === 0) this.#outermost = byte;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === this.#maxDepth) throw new ScanError(true);
      this.#isObject.push(byte === OPEN_OBJECT);
      this.#position++;
      this.#expected = byte === OPEN_OBJECT ? 'key or }' : 'value or ]';
      return;
    }
    this.#position = scalarEnd(this.#bytes, this.#position, byte);
    this.#ended();
  }

  #close(): void {
    this.#isObject.pop();
    this.#position++;
    this.#ended();
  }

  /** A value has ended. */
  #ended(): void {
    this.#expected = 'after value';
    const depth = this.#isObject.length;
    if (depth === 2) {
      const elements = this.#elements;
      if (elements && elements.length < 2 * MAX_ELEMENTS) elements.push(this.#elementStart, this.#position);
    } else if (depth === 1 && this.#isObject[0]) {
      this.#onMember({
        keyStart: this.#keyStart,
        keyEnd: this.#keyEnd,
        start: this.#memberStart,
        end: this.#position,
        elements: this.#elements,
      });
    }
  }
}

/** @param start offset of the opening quote @returns the offset after the closing quote */
function stringEnd(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let i = start + 1; i < length; ) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) return i + 1;
    if (byte < 0x20) break;
    i = byte === BACKSLASH ? escapeEnd(bytes, i) : i + 1;
  }
  throw new ScanError(false);
}

const SHORT_ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));

function escapeEnd(bytes: Uint8Array, start: number): number {
  const kind = bytes[start + 1] ?? 0;
  if (SHORT_ESCAPES.has(kind)) return start + 2;
  const end = start + 6;
  if (kind !== 0x75 || end > bytes.length) throw new ScanError(false);
  for (let i = start + 2; i < end; i++) if (!isHex(bytes[i] as number)) throw new ScanError(false);
  return end;
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** @returns the offset after a string, number, `true`, `false` or `null` */
function scalarEnd(bytes: Uint8Array, start: number, first: number): number {
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === MINUS || isDigit(first)) return numberEnd(bytes, start);
  const word = WORDS.find((each) => each.every((byte, index) => bytes[start + index] === byte));
  if (word === undefined) throw new ScanError(false);
  return start + word.length;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && isDigit(bytes[end] as number)) end++;
  if (end === start) throw new ScanError(false);
  return end;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  const whole = bytes[start] === MINUS ? start + 1 : start;
  let end = bytes[whole] === 0x30 ? whole + 1 : digitsEnd(bytes, whole);
  if (bytes[end] === 0x2e) end = digitsEnd(bytes, end + 1);
  if (bytes[end] === 0x65 || bytes[end] === 0x45) {
    const sign = bytes[end + 1];
    end = digitsEnd(bytes, sign === 0x2b || sign === MINUS ? end + 2 : end + 1);
  }
  return end;
}
