/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. They are scanned in
 * portions between which other requests are served, and parsed only if they hold few values: `JSON.parse` of a hostile
 * text of one MiB can take longer than another tenant may wait (D-33), and of 32 MiB could build 700 MB.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/operations.ts';
import type { WalkedValue } from '../../generated/validators.js';
import { failField, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { PLAIN_LIMIT_BYTES } from './body.ts';
import { isExact, markInexact } from './exact-number.ts';
import {
  BACKSLASH,
  type Member,
  membersIn,
  PORTION_BYTES,
  QUOTE,
  ScanError,
  scanJson,
  type TokenEvents,
} from './json-scan.ts';
import { beginningOf, RawJson } from './raw-json.ts';
import { walk } from './walk.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
const MAX_DEPTH = 64;
/** Twice as many values as the body of any operation can have. */
const MAX_VALUES = 10_000;
const TOO_MUCH = `brings the body to more than ${MAX_VALUES} values, or ${PLAIN_LIMIT_BYTES} bytes besides its lists of records`;

/** A body, and what is wrong with it whatever its schema says. */
export interface ReadBody {
  readonly value: WalkedValue;
  readonly wrong: Violation[];
}

type BodyForm = Pick<Operation, 'bodyFields' | 'openFields' | 'bodyLimitBytes'>;

/** Whether an operation takes more than the usual 1 MiB: then the elements of its lists stay {@link RawJson}. */
export const isBulk = ({ bodyLimitBytes }: Pick<Operation, 'bodyLimitBytes'>) => bodyLimitBytes > PLAIN_LIMIT_BYTES;

/**
 * Reads a body. Of an array or a scalar the value shows only the type.
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8, and
 *   for a NUL or a lone surrogate in what is parsed; on a field of it for what no operation takes
 */
export async function readJson(sent: Buffer, form: BodyForm, rest: Rest = setImmediate): Promise<ReadBody> {
  // One byte order mark at the beginning may be ignored (D-6a, RFC 8259 §8.1).
  const bytes = sent[0] === 0xef && sent[1] === 0xbb && sent[2] === 0xbf ? sent.subarray(3) : sent;
  const outline = new Outline(bytes, form);
  const kind = await scanBody(bytes, outline.events, rest);
  const wrong: Violation[] = [];
  const value = kind === 'object' ? outline.parsed() : kind === 'array' ? [] : null;
  return { value: await walk(value, form.openFields, wrong, rest), wrong };
}

/** What of a body is parsed: all but the elements of lists that may be long. */
class Outline {
  readonly #bytes: Buffer;
  readonly #mustBeExact: boolean;
  readonly #takesLists: boolean;
  readonly #texts: string[] = [];
  /** Where names with escapes begin and end. */
  readonly #escaped: number[] = [];
  /** Of each list the places of its elements. */
  readonly #lists = new Map<string, readonly number[]>();
  #values = 0;
  #size = 0;
  #hasInexact = false;
  readonly events: TokenEvents;

  constructor(bytes: Buffer, form: BodyForm) {
    this.#bytes = bytes;
    this.#mustBeExact = form.openFields.length > 0;
    this.#takesLists = isBulk(form);
    const isKnown = (start: number, end: number) => form.bodyFields.includes(beginningOf(bytes, start, end));
    const events = membersIn((member) => this.#add(member), this.#takesLists ? isKnown : undefined);
    const mayEscape = !this.#takesLists && bytes.includes(BACKSLASH);
    this.events = {
      ...events,
      key: (start, end) => {
        if (mayEscape && bytes.subarray(start, end).includes(BACKSLASH)) this.#escaped.push(start, end);
        events.key?.(start, end);
      },
      scalar: (start, end) => {
        if (this.#mustBeExact)
          this.#hasInexact ||= isNumber(bytes[start]) && !isExact(bytes.toString('latin1', start, end));
        events.scalar?.(start, end);
      },
    };
  }

  #add({ keyStart, keyEnd, start, end, values, elements }: Member): void {
    const bytes = this.#bytes;
    this.#values += elements ? 1 : values;
    this.#size += elements ? 0 : end - keyStart;
    const isTooMuch = this.#values > MAX_VALUES || this.#size > PLAIN_LIMIT_BYTES;
    if (isTooMuch) failField(beginningOf(bytes, keyStart, keyEnd), TOO_MUCH);
    if (!this.#takesLists) return;
    const name = beginningOf(bytes, keyStart, keyEnd);
    // Of equal names the last counts.
    this.#lists.delete(name);
    if (elements) this.#lists.set(name, elements);
    const text = elements ? '[]' : bytes.toString('utf8', start, end);
    this.#texts.push(`${JSON.stringify(name)}:${text}`);
  }

  /**
   * The text with its names as they are meant. V8 can take a name with escapes for one of the same length that an earlier
   * object had, whose characters are those of the escape: `{"\\u0041b":1}` would be read by what others have sent. So are
   * names that still need an escape, but no field has such a name.
   */
  #withoutEscapedNames(): string {
    const bytes = this.#bytes;
    let [text, from] = ['', 0];
    for (let nth = 0; nth < this.#escaped.length; nth += 2) {
      const [start = 0, end = 0] = this.#escaped.slice(nth, nth + 2);
      text += bytes.toString('utf8', from, start) + JSON.stringify(JSON.parse(bytes.toString('utf8', start, end)));
      from = end;
    }
    return text + bytes.toString('utf8', from);
  }

  parsed(): unknown {
    const bytes = this.#bytes;
    const text = this.#takesLists ? `{${this.#texts.join()}}` : this.#withoutEscapedNames();
    const value = JSON.parse(text, this.#hasInexact ? markInexact : undefined);
    for (const [name, places] of this.#lists) {
      const elements: RawJson[] = [];
      for (let i = 0; i < places.length; i += 2) elements.push(new RawJson(bytes.subarray(places[i], places[i + 1])));
      value[name] = elements;
    }
    return value;
  }
}

/** Whether a scalar that begins so is a number. */
const isNumber = (first = 0) => first > QUOTE && first <= 0x39;

/** Scans a body. @returns the kind of its value */
async function scanBody(bytes: Buffer, events: TokenEvents, rest: Rest): Promise<'object' | 'array' | 'scalar'> {
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  try {
    return await scanJson(bytes, MAX_DEPTH, events, rest);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    const { isTooDeep, offset, line, lineStart } = error.fault;
    if (isTooDeep) return failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
    // A line can be as long as a body.
    const decoder = new TextDecoder();
    let column = 1;
    for (let at = lineStart; at < offset; at += PORTION_BYTES) {
      const part = bytes.subarray(at, Math.min(offset, at + PORTION_BYTES));
      column += decoder.decode(part, { stream: true }).length;
      await rest();
    }
    return failField('body', `is not valid JSON at line ${line}, column ${column}`);
  }
}
