/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. They are scanned in
 * portions between which other requests are served, and parsed only if they hold few values: `JSON.parse` of a hostile
 * text of one MiB can take longer than another tenant may wait (D-33), and of 32 MiB could build 700 MB.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/contract.ts';
import type { WalkedValue } from '../../generated/validators.js';
import { failField, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { PLAIN_LIMIT_BYTES } from './body.ts';
import { markInexact } from './exact-number.ts';
import { type Member, type Places, PORTION_BYTES, ScanError, type ScanReports, scanJson } from './json-scan.ts';
import { RawJson, textAt } from './raw-json.ts';
import { walk } from './walk.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
const MAX_DEPTH = 64;
/** Twice as many values as the body of any operation can have. */
const MAX_VALUES = 10_000;
const TOO_MUCH = `brings the body to more than ${MAX_VALUES} values, or ${PLAIN_LIMIT_BYTES} bytes besides its lists of records`;

const LINE_FEED = 0x0a;

/** What a text has in which parsing may change a number: -0, an exponent, more than 15 digits. */
const MAY_CHANGE = /[[:,\s](?:-0|-?[\d.]+[eE]|-?[\d.]{16})/;

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
  const kind = await scanBody(bytes, outline, rest);
  const wrong: Violation[] = [];
  const value = kind === 'object' ? outline.parsed(form.openFields.length > 0) : kind === 'array' ? [] : null;
  return { value: walk(value, form.openFields, wrong), wrong };
}

/** What of a body is parsed: all but the elements of lists that may be long. */
class Outline implements ScanReports {
  readonly #bytes: Buffer;
  /** What is parsed as another text: the inside of lists, and names with escapes. */
  readonly #replaced: (readonly [start: number, end: number])[] = [];
  readonly #lists = new Map<string, Places>();
  #values = 0;
  #size = 0;
  readonly takesElements;

  constructor(bytes: Buffer, form: BodyForm) {
    this.#bytes = bytes;
    const isKnown = (start: number, end: number) => form.bodyFields.includes(textAt(bytes, start, end));
    this.takesElements = isBulk(form) ? isKnown : undefined;
  }

  onEscapedName(start: number, end: number): void {
    // With more names than values are taken, the body will be refused.
    if (this.#replaced.length < MAX_VALUES) this.#replaced.push([start, end]);
  }

  onMember({ keyStart, keyEnd, start, end, values, elements }: Member): void {
    this.#values += elements ? 1 : values;
    this.#size += elements ? 0 : end - keyStart;
    const isTooMuch = this.#values > MAX_VALUES || this.#size > PLAIN_LIMIT_BYTES;
    if (isTooMuch) failField(textAt(this.#bytes, keyStart, keyEnd), TOO_MUCH);
    if (!this.takesElements) return;
    const name = textAt(this.#bytes, keyStart, keyEnd);
    // Of equal names the last counts.
    this.#lists.delete(name);
    if (!elements) return;
    this.#lists.set(name, elements);
    this.#replaced.push([start, end]);
  }

  /**
   * The value. It is parsed from a text with its names as they are meant: V8 can take a name with escapes for one of the
   * same length that an earlier object had, whose characters are those of the escape. `{"\\u0041b":1}` would be read by
   * what others have sent. So are names that still need an escape, but no field has such a name.
   */
  parsed(mustBeExact: boolean): unknown {
    const bytes = this.#bytes;
    let [text, from] = ['', 0];
    for (const [start, end] of this.#replaced) {
      const isList = bytes[start] === 0x5b;
      text += bytes.toString('utf8', from, start);
      text += isList ? '[]' : JSON.stringify(JSON.parse(bytes.toString('utf8', start, end)));
      from = end;
    }
    text += bytes.toString('utf8', from);
    const value = JSON.parse(text, mustBeExact && MAY_CHANGE.test(text) ? markInexact : undefined);
    for (const [name, places] of this.#lists) {
      const elements: RawJson[] = [];
      for (let i = 0; i < places.length; i += 2) elements.push(new RawJson(bytes.subarray(places[i], places[i + 1])));
      value[name] = elements;
    }
    return value;
  }
}

/** Scans a body. @returns the kind of its value */
async function scanBody(bytes: Buffer, outline: Outline, rest: Rest): Promise<'object' | 'array' | 'scalar'> {
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  try {
    return await scanJson(bytes, MAX_DEPTH, outline, rest);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    if (error.isTooDeep) return failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
    // JSON has line feeds between tokens only. A line can be as long as a body, and a body can be lines without end.
    let [line, column, decoder] = [1, 1, new TextDecoder()];
    for (let at = 0; at < error.offset; at += PORTION_BYTES) {
      const part = bytes.subarray(at, Math.min(error.offset, at + PORTION_BYTES));
      for (const byte of part) if (byte === LINE_FEED) line++;
      const start = part.lastIndexOf(LINE_FEED) + 1;
      if (start > 0) [column, decoder] = [1, new TextDecoder()];
      column += decoder.decode(part.subarray(start), { stream: true }).length;
      await rest();
    }
    return failField('body', `is not valid JSON at line ${line}, column ${column}`);
  }
}
