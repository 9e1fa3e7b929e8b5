/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. They are scanned in
 * portions between which other requests are served, and only then parsed, each member by itself: `JSON.parse` of a
 * hostile text of one MiB can take longer than another tenant may wait (D-33), and of 32 MiB could build 700 MB.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/operations.ts';
import type { WalkedValue } from '../../generated/validators.js';
import { failField, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { PLAIN_LIMIT_BYTES } from './body.ts';
import { isExact, markInexact } from './exact-number.ts';
import { type Member, membersIn, PORTION_BYTES, QUOTE, ScanError, scanJson, type TokenEvents } from './json-scan.ts';
import { beginningOf, RawJson } from './raw-json.ts';
import { walk } from './walk.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
const MAX_DEPTH = 64;
/** More values than a field of any operation takes. A field with more is refused and not parsed. */
const MAX_VALUES = 10_000;
/** A body with more names than this surely has a wrong one; the first 100 are enough to report that. */
const MAX_NAMES = 100;

const TOO_MUCH = `holds too much: more than ${MAX_VALUES} values or ${PLAIN_LIMIT_BYTES} bytes`;

/** A body as far as its operation knows it. */
export interface ReadBody {
  /**
   * An unknown member has no value, nor has one that is too large; an array or a scalar shows only its type. Of a text of
   * more than 64 KiB only the beginning is read, unless it stands within a field.
   */
  readonly value: WalkedValue;
  /** What is wrong whatever the schema says. */
  readonly wrong: Violation[];
}

type Reviver = Parameters<RawJson['parsed']>[0];
type BodyForm = Pick<Operation, 'bodyFields' | 'openFields' | 'bodyLimitBytes'>;

/** Whether an operation takes more than the usual 1 MiB: then elements of arrays stay {@link RawJson}. */
export const isBulk = ({ bodyLimitBytes }: Pick<Operation, 'bodyLimitBytes'>) => bodyLimitBytes > PLAIN_LIMIT_BYTES;

/**
 * Reads a body.
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8,
 *   and for a NUL or a lone surrogate in what is parsed
 */
export async function readJson(sent: Buffer, form: BodyForm, rest: Rest = setImmediate): Promise<ReadBody> {
  // One byte order mark at the beginning may be ignored (D-6a, RFC 8259 §8.1).
  const bytes = sent[0] === 0xef && sent[1] === 0xbb && sent[2] === 0xbf ? sent.subarray(3) : sent;
  const { kind, members, values, hasInexact } = await membersOf(bytes, form, rest);
  const reviver = hasInexact ? markInexact : undefined;
  const wrong: Violation[] = [];
  let value: unknown = kind === 'array' ? [] : null;
  if (kind === 'object' && !isBulk(form) && values <= MAX_VALUES) value = JSON.parse(bytes.toString('utf8'), reviver);
  else if (kind === 'object') {
    const parts: [string, unknown][] = [];
    let parsedBytes = 0;
    for (const [name, member] of members) {
      const part = member && parsedMember(bytes, member, reviver);
      parts.push([name, part]);
      if (member === undefined) continue;
      if (part === undefined) wrong.push({ field: name, description: TOO_MUCH });
      parsedBytes += member.end - member.start;
      if (parsedBytes > PORTION_BYTES) {
        parsedBytes = 0;
        await rest();
      }
    }
    // `Object.fromEntries` treats `__proto__` as an ordinary name, as `JSON.parse` does.
    value = Object.fromEntries(parts);
  }
  return { value: await walk(value, form.openFields, wrong, rest), wrong };
}

/** Whether a scalar that begins so is a number. */
const isNumber = (first = 0) => first > QUOTE && first <= 0x39;

/** Scans a body for the members that its operation knows, and for what decides how they are parsed. */
async function membersOf(bytes: Buffer, form: BodyForm, rest: Rest) {
  const { bodyFields, openFields } = form;
  const members = new Map<string, Member | undefined>();
  let [values, hasInexact] = [0, false];
  const onMember = (member: Member) => {
    const name = beginningOf(bytes, member.keyStart, member.keyEnd);
    values += member.values;
    if (bodyFields.includes(name)) members.set(name, member);
    else if (members.size < MAX_NAMES) members.set(name, undefined);
  };
  const isKnown = (start: number, end: number) => bodyFields.includes(beginningOf(bytes, start, end));
  const events = membersIn(onMember, isBulk(form) ? isKnown : undefined);
  const scalar = (start: number, end: number) => {
    hasInexact ||= openFields.length > 0 && isNumber(bytes[start]) && !isExact(bytes.toString('latin1', start, end));
    events.scalar?.(start, end);
  };
  const kind = await scanBody(bytes, { ...events, scalar }, rest);
  return { kind, members, values, hasInexact };
}

/** The value of a member; undefined if it is too large. */
function parsedMember(bytes: Buffer, { start, end, values, elements }: Member, reviver: Reviver): unknown {
  if (elements !== undefined) {
    const found: RawJson[] = [];
    for (let i = 0; i < elements.length; i += 2) found.push(new RawJson(bytes.subarray(elements[i], elements[i + 1])));
    return found;
  }
  const raw = new RawJson(bytes.subarray(start, end));
  const isTooMuch = values > MAX_VALUES || (!raw.isText && raw.sizeBytes > PLAIN_LIMIT_BYTES);
  return isTooMuch ? undefined : raw.parsed(reviver);
}

/** Scans a body. @returns the kind of its value */
async function scanBody(bytes: Buffer, events: TokenEvents, rest: Rest): Promise<'object' | 'array' | 'scalar'> {
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
