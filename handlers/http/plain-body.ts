/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. They are read in one
 * pass, in portions between which other requests are served: `JSON.parse` of one MiB can take longer than another tenant
 * may wait (D-33).
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/operations.ts';
import { failField, MAX_VIOLATIONS, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { MAX_ELEMENTS, OPEN_OBJECT, PORTION_BYTES, QUOTE, ScanError, scanJson, type TokenEvents } from './json-scan.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
const MAX_DEPTH = 64;

/** A body and the numbers in it that parsing changes. */
export interface PlainBody {
  readonly value: unknown;
  readonly wrong: readonly Violation[];
}

/**
 * Parses a body to the value that `JSON.parse` makes, except that an array has at most {@link MAX_ELEMENTS} elements and an
 * object at most as many unknown names: more than any operation takes, so all that look at the value see that it has too
 * many, and none of them takes long.
 * @param shape the names of all fields, and of those whose numbers must be exact
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export async function parseJson(
  sent: Buffer,
  { bodyFields, openFields }: Pick<Operation, 'bodyFields' | 'openFields'>,
  rest: Rest = setImmediate,
): Promise<PlainBody> {
  const bytes = withoutMark(sent);
  const builder = new Builder(bytes, new Set(bodyFields), openFields);
  await scanBody(bytes, builder, rest);
  if (builder.isUnstorable) failField('body', UNSTORABLE);
  const wrong = builder.hasInexact ? openFields.flatMap((name) => inexactIn(builder.value, name, name)) : [];
  return { value: builder.value, wrong: wrong.slice(0, MAX_VIOLATIONS) };
}

/** The bytes without one byte order mark at their beginning, which a reader may ignore (D-6a, RFC 8259 §8.1). */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/**
 * Scans a body.
 * @returns the kind of its value
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export async function scanBody(bytes: Buffer, events: TokenEvents, rest: Rest): Promise<'object' | 'array' | 'scalar'> {
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  try {
    return await scanJson(bytes, MAX_DEPTH, events, rest);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    const { isTooDeep, offset, line, lineStart } = error.fault;
    if (isTooDeep) return failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
    const column = 1 + (await unitsIn(bytes.subarray(lineStart, offset), rest));
    return failField('body', `is not valid JSON at line ${line}, column ${column}`);
  }
}

/** The length of a text in UTF-16 units; a line can be as long as a body. */
async function unitsIn(bytes: Buffer, rest: Rest): Promise<number> {
  let units = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    // A byte that continues a character of UTF-8 adds nothing; one from 0xf0 begins a character of two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    if (at % PORTION_BYTES === PORTION_BYTES - 1) await rest();
  }
  return units;
}

/** The fault of a body with text that the store cannot keep. */
export const UNSTORABLE = 'contains a NUL character or a lone surrogate';

/** Whether the store cannot keep a text. In UTF-8 and JSON, only an escape can bring such a character in. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** V8 keeps short texts that it parses in a table, which a body of nothing but different texts would fill. */
const PADDING = ' '.repeat(32);

/** The text that stands between two offsets, without its quotes. */
export function textIn(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length) : raw;
}

/** A number that parsing changes, as long as it is not known whether a later member of the same name replaces it. */
class InexactNumber {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The words of JSON, by their first letters. */
const WORDS = new Map([true, false, null].map((word) => [String(word).charCodeAt(0), word]));

type Container = Record<string, unknown> | unknown[];

/** Builds a value from the tokens of its text. */
class Builder implements TokenEvents {
  readonly #bytes: Buffer;
  readonly #known: ReadonlySet<string>;
  readonly #openFields: readonly string[];
  /** The open arrays and objects, and of each the last name and how many elements or unknown names it has. */
  readonly #open: Container[] = [];
  readonly #names: string[] = [];
  readonly #counts: number[] = [];
  value: unknown;
  isUnstorable = false;
  hasInexact = false;

  constructor(bytes: Buffer, known: ReadonlySet<string>, openFields: readonly string[]) {
    this.#bytes = bytes;
    this.#known = known;
    this.#openFields = openFields;
  }

  key(start: number, end: number): void {
    this.#names[this.#open.length - 1] = this.#text(start, end);
  }

  scalar(start: number, end: number): void {
    const first = this.#bytes[start] as number;
    if (first === QUOTE) this.#put(this.#text(start, end));
    else this.#put(WORDS.has(first) ? WORDS.get(first) : this.#number(start, end));
  }

  open(bracket: number): void {
    const container: Container = bracket === OPEN_OBJECT ? {} : [];
    this.#put(container);
    this.#open.push(container);
    this.#names[this.#open.length - 1] = '';
    this.#counts[this.#open.length - 1] = 0;
  }

  close(): void {
    this.#open.pop();
  }

  #text(start: number, end: number): string {
    const text = textIn(this.#bytes, start + 1, end - 1);
    this.isUnstorable ||= isUnstorable(text);
    return text;
  }

  #number(start: number, end: number): number | InexactNumber {
    const text = this.#bytes.toString('latin1', start, end);
    if (!this.#openFields.includes(this.#names[0] ?? '') || isExact(text)) return Number(text);
    this.hasInexact = true;
    return new InexactNumber(Number(text));
  }

  #put(value: unknown): void {
    const at = this.#open.length - 1;
    const container = this.#open[at];
    if (container === undefined) this.value = value;
    else if (Array.isArray(container)) {
      if (container.length < MAX_ELEMENTS) container.push(value);
    } else this.#putMember(container, at, value);
  }

  #putMember(container: Record<string, unknown>, at: number, value: unknown): void {
    const name = this.#names[at] as string;
    if (!this.#known.has(name) && !Object.hasOwn(container, name)) {
      if (this.#counts[at] === MAX_ELEMENTS) return;
      this.#counts[at] = (this.#counts[at] as number) + 1;
    }
    // An assignment to `__proto__` would set the prototype.
    if (name !== '__proto__') container[name] = value;
    else Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

const INEXACT = 'must be a number that a 64-bit float holds as it is written';

/**
 * The numbers of a member that parsing changes (D-17): what is stored and printed would differ from what was sent. They
 * become ordinary numbers.
 * @param path how callers name the member
 */
function inexactIn(holder: unknown, name: string, path: string): Violation[] {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return [];
  const members = holder as Record<string, unknown>;
  const value = members[name];
  if (value instanceof InexactNumber) {
    members[name] = value.value;
    return [{ field: path, description: INEXACT }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.keys(value).flatMap((key) => inexactIn(value, key, isList ? `${path}[${key}]` : `${path}.${key}`));
}

/** A number of so many significant digits is always read as it is written, unless it is too small or too large. */
const SAFE_DIGITS = 15;
/** Below it, a double has fewer digits. */
const SMALLEST_SAFE = 2 ** -1_022;

/** Whether the parsed number equals the written one, in any notation: 1.50, 15e-1. */
export function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (value === 0) return !/^[0.]*[1-9]/.test(text);
  if (text.length <= SAFE_DIGITS && Math.abs(value) >= SMALLEST_SAFE) return true;
  const [written, read] = [decimalOf(text), decimalOf(String(value))];
  return written.digits === read.digits && written.exponent === read.exponent;
}

/** The digits of a number other than zero, without zeros at either end, and the power of ten of the last one. */
function decimalOf(text: string): { readonly digits: string; readonly exponent: number } {
  const e = text.search(/e/i);
  const mantissa = e < 0 ? text : text.slice(0, e);
  const point = mantissa.indexOf('.');
  const all = mantissa.replace('-', '').replace('.', '');
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  let [from, to] = [0, all.length];
  while (to > 0 && all[to - 1] === '0') to--;
  while (from < to && all[from] === '0') from++;
  const exponent = (e < 0 ? 0 : Number(text.slice(e + 1))) - fraction + all.length - to;
  return { digits: all.slice(from, to), exponent };
}
