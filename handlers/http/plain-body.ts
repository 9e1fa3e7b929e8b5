/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep. Nothing here takes
 * longer than in proportion to the body, and a large one is read in parts (D-33).
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../generated/operations.ts';
import { failField, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/thread-time.ts';
import { inexactNumbers } from './exact-numbers.ts';
import { type Member, ScanError, type ScanEvents } from './json-events.ts';
import { parseInParts } from './json-parts.ts';
import { PORTION_BYTES, scanJson } from './json-scan.ts';
import { BACKSLASH } from './json-tokens.ts';

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
    if (error.isTooDeep) return failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
    const column = 1 + (await unitsIn(bytes.subarray(error.lineStart, error.offset), rest));
    return failField('body', `is not valid JSON at line ${error.line}, column ${column}`);
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
