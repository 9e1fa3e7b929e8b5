/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. Nothing here takes
 * longer than in proportion to the body, and a large one is read in parts (D-33).
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/operations.ts';
import { failField, MAX_VIOLATIONS, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  type JsonPath,
  MAX_ELEMENTS,
  type Member,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PORTION_BYTES,
  QUOTE,
  ScanError,
  type ScanEvents,
  scanJson,
} from './json-scan.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
export const MAX_DEPTH = 64;

/** A body and the numbers in it that parsing changes. */
export interface PlainBody {
  readonly value: unknown;
  readonly wrong: readonly Violation[];
}

/**
 * Parses a body.
 * @param shape the names of all fields, and of those whose numbers must be exact
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export async function parseJson(
  sent: Buffer,
  { bodyFields, openFields }: Pick<Operation, 'bodyFields' | 'openFields'>,
  rest: Rest = setImmediate,
): Promise<PlainBody> {
  const bytes = withoutMark(sent);
  const large = new Map<number, number>();
  const open = new Map<string, Member>();
  const onMember = (member: Member) => {
    const name = openFields.find((each) => isNamed(bytes, member, each));
    if (name !== undefined) open.set(name, member);
  };
  const onLarge = (start: number, end: number) => void large.set(start, end);
  await scanBody(bytes, openFields.length === 0 ? { onLarge } : { onLarge, onMember }, rest);
  if (await hasUnstorableText(bytes, rest)) failField('body', UNSTORABLE);
  const value = await parseInParts(bytes, large, bodyFields, rest);
  const wrong: Violation[] = [];
  for (const [name, { start, end }] of open) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    wrong.push(...(await inexactNumbers(bytes.subarray(start, end), part, name, rest)));
  }
  return { value, wrong };
}

/** The bytes without one byte order mark at their beginning, which a reader may ignore (D-6a, RFC 8259 §8.1). */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Whether a member has that name. A name that is far longer than it could be is not read. */
function isNamed(bytes: Buffer, { keyStart, keyEnd }: Member, name: string): boolean {
  const longest = 6 * name.length + 2;
  return keyEnd - keyStart <= longest && JSON.parse(bytes.toString('utf8', keyStart, keyEnd)) === name;
}

/**
 * Scans a body.
 * @returns the kind of its value
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export async function scanBody(bytes: Buffer, events: ScanEvents, rest: Rest): Promise<'object' | 'array' | 'scalar'> {
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

/**
 * Whether a JSON text, known to be valid, writes a NUL or a lone surrogate, which UTF-8 cannot hold. UTF-8 and JSON
 * forbid such characters in raw form; only an escape can bring them in.
 */
export async function hasUnstorableText(bytes: Buffer, rest: Rest): Promise<boolean> {
  /** Where the other half of a surrogate pair must stand. */
  let low = -1;
  let at = bytes.indexOf(BACKSLASH);
  let portionEnd = at + PORTION_BYTES;
  while (at >= 0 && at < bytes.length) {
    if (at >= portionEnd) {
      portionEnd = at + PORTION_BYTES;
      await rest();
    }
    const isEscape = bytes[at] === BACKSLASH;
    if (isEscape || at === low) {
      const isUnicode = isEscape && bytes[at + 1] === LETTER_U;
      const unit = isUnicode ? unitAt(bytes, at + 2) : ORDINARY;
      const isLow = unit >= 0xdc00 && unit <= 0xdfff;
      if (unit === 0 || isLow !== (at === low)) return true;
      at += isUnicode ? 6 : isEscape ? 2 : 1;
      low = unit >= 0xd800 && unit < 0xdc00 ? at : -1;
    } else at++;
  }
  return false;
}

const LETTER_U = 0x75;
/** Stands for any character that makes no difference. */
const ORDINARY = 0x20;

/** The number that four hexadecimal digits write. */
function unitAt(bytes: Buffer, start: number): number {
  let unit = 0;
  for (let at = start; at < start + 4; at++) {
    const byte = bytes[at] as number;
    unit = 16 * unit + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57);
  }
  return unit;
}

/**
 * Builds the value in parts, between which other requests are served: `JSON.parse` of one MiB can take longer than another
 * tenant may wait (D-33).
 * @returns the value that `JSON.parse` makes of the text, except that a large array has at most {@link MAX_ELEMENTS} elements and
 * a large object at most as many unknown names: more than any operation takes, so all that look at the value see that it
 * has too many, and none of them takes long.
 * @param bytes one JSON text, known to be valid
 * @param known names that are never left out
 * @param large start and end of each array and object that is larger than {@link PORTION_BYTES}, in the order of their
 * ends
 */
async function parseInParts(
  bytes: Buffer,
  large: ReadonlyMap<number, number>,
  known: readonly string[],
  rest: Rest,
): Promise<unknown> {
  const outermost = [...large.keys()].at(-1);
  if (outermost === undefined) return JSON.parse(bytes.toString('utf8'));
  return new Parts(bytes, large, new Set(known), rest).build(outermost);
}

class Parts {
  readonly #bytes: Buffer;
  readonly #large: ReadonlyMap<number, number>;
  readonly #known: ReadonlySet<string>;
  readonly #rest: Rest;

  constructor(bytes: Buffer, large: ReadonlyMap<number, number>, known: ReadonlySet<string>, rest: Rest) {
    this.#bytes = bytes;
    this.#large = large;
    this.#known = known;
    this.#rest = rest;
  }

  /** The large array or object that begins there: its small children are parsed together, each large one by itself. */
  async build(start: number): Promise<object> {
    const whole = this.#bytes[start] === OPEN_OBJECT ? new ObjectParts(this.#known) : new ArrayParts();
    const end = (this.#large.get(start) as number) - 1;
    let from = start + 1;
    while (from < end) {
      const { upTo, child } = this.#run(from, end);
      whole.add(this.#bytes.toString('utf8', from, upTo));
      from = upTo + 1;
      if (child !== undefined) {
        const name = this.#bytes.toString('utf8', upTo + 1, child);
        whole.addChild(name, await this.build(child));
        from = this.#nextComma(this.#large.get(child) as number, end) + 1;
      }
      await this.#rest();
    }
    return whole.value;
  }

  /**
   * How far small children are parsed together: to the comma after about {@link PORTION_BYTES}, or to the comma before
   * the next large child, where that is `child`.
   */
  #run(from: number, end: number): { readonly upTo: number; readonly child?: number } {
    let depth = 0;
    let comma = from - 1;
    for (let at = from; at < end; at++) {
      const byte = this.#bytes[at] as number;
      if (byte === QUOTE) at = this.#textEnd(at);
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (depth === 0 && this.#large.has(at)) return { upTo: comma, child: at };
        depth++;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      else if (byte === COMMA && depth === 0) {
        if (at - from > PORTION_BYTES) return { upTo: at };
        comma = at;
      }
    }
    return { upTo: end };
  }

  /** The offset of the closing quote. */
  #textEnd(start: number): number {
    let at = start + 1;
    for (; this.#bytes[at] !== QUOTE; at++) if (this.#bytes[at] === BACKSLASH) at++;
    return at;
  }

  #nextComma(from: number, end: number): number {
    const comma = this.#bytes.indexOf(COMMA, from);
    return comma < 0 || comma > end ? end : comma;
  }
}

class ArrayParts {
  readonly value: unknown[] = [];

  /** @param text elements, with commas between them */
  add(text: string): void {
    if (this.value.length < MAX_ELEMENTS) for (const element of JSON.parse(`[${text}]`)) this.addChild('', element);
  }

  addChild(_: string, child: object): void {
    if (this.value.length < MAX_ELEMENTS) this.value.push(child);
  }
}

class ObjectParts {
  readonly value: Record<string, unknown> = {};
  readonly #known: ReadonlySet<string>;
  readonly #unknown = new Set<string>();

  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /** @param text members, with commas between them */
  add(text: string): void {
    for (const [name, value] of Object.entries(JSON.parse(`{${text}}`))) this.#set(name, value);
  }

  /** @param name of the child, as a JSON text with a colon */
  addChild(name: string, child: object): void {
    this.#set(JSON.parse(name.slice(0, name.lastIndexOf(':'))), child);
  }

  #set(name: string, value: unknown): void {
    if (!this.#known.has(name) && !this.#unknown.has(name)) {
      if (this.#unknown.size === MAX_ELEMENTS) return;
      this.#unknown.add(name);
    }
    // An assignment to `__proto__` would set the prototype.
    if (name !== '__proto__') this.value[name] = value;
    else Object.defineProperty(this.value, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** Numbers that are printed as they were sent must survive their reading (D-17). */
const INEXACT = 'must be a number that a 64-bit float holds as it is written';
/** A number of so many significant digits is always read as it is written, unless it is too small or too large. */
const SAFE_DIGITS = 15;
/** Below it, a double has fewer digits. */
const SMALLEST_SAFE = 2 ** -1_022;

/**
 * The numbers of a value that parsing changes, so that what is stored and printed would differ from what was sent; at
 * most as many as an answer names.
 * @param bytes the text of the value, known to be valid
 * @param value what it was parsed to: of two members with one name, the first does not count
 * @param field how callers name the value
 */
async function inexactNumbers(bytes: Buffer, value: unknown, field: string, rest: Rest): Promise<Violation[]> {
  const found = new Set<string>();
  const onNumber = (start: number, end: number, path: () => JsonPath) => {
    if (found.size === MAX_VIOLATIONS) return;
    const text = bytes.toString('latin1', start, end);
    if (isExact(text)) return;
    const steps = path();
    if (Object.is(steps.reduce(childOf, value), Number(text))) found.add(nameOf(field, steps));
  };
  await scanJson(bytes, Number.POSITIVE_INFINITY, { onNumber }, rest);
  return [...found].map((name) => ({ field: name, description: INEXACT }));
}

function childOf(value: unknown, step: string | number): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  return isThere ? (value as Readonly<Record<string | number, unknown>>)[step] : undefined;
}

const nameOf = (field: string, steps: JsonPath) =>
  field + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

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
