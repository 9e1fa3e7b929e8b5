/**
 * Bodies of operations that take more than the usual 1 MiB (ingest: 32 MiB). They are scanned, not parsed: the elements
 * of their arrays stay bytes, and the handler parses them one after the other. So no body takes much more memory than
 * its own bytes, and none keeps other requests waiting.
 */
import { failField } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { BACKSLASH, escapeEnd, type Member, membersIn, PORTION_BYTES, scanJson } from './json-scan.ts';
import { isUnstorable, scanBody, textIn, UNSTORABLE, withoutMark } from './plain-body.ts';

/** Of a larger text only the first bytes are read: more than any field may have. */
const TEXT_BYTES = PORTION_BYTES;

/** A JSON value that is not parsed yet: one text, known to be valid and not too deep, without white space around it. */
export class RawJson {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  get isObject(): boolean {
    return this.#bytes[0] === 0x7b;
  }

  get isText(): boolean {
    return this.#bytes[0] === 0x22;
  }

  /**
   * The parsed value; of a text larger than 64 KiB only the beginning, which is still longer than any field may be. An
   * array or an object can take twenty times the memory of its text.
   */
  parsed(): unknown {
    if (this.isText) return beginningOf(this.#bytes, 0, this.#bytes.length);
    return JSON.parse(this.#bytes.toString('utf8'));
  }

  /**
   * The wanted members of an object; empty if it is not an object. Of equal names the last one counts, as with
   * `JSON.parse`. Other members cost no memory.
   * @param wants whether a member is wanted; gets its name without escapes
   */
  async members(wants: (name: string) => boolean): Promise<Map<string, RawJson>> {
    const found = new Map<string, Member>();
    const onMember = (member: Member) => {
      const name = beginningOf(this.#bytes, member.keyStart, member.keyEnd);
      if (wants(name)) found.set(name, member);
    };
    await scanJson(this.#bytes, Number.POSITIVE_INFINITY, membersIn(onMember));
    const raw = ({ start, end }: Member) => new RawJson(this.#bytes.subarray(start, end));
    return new Map([...found].map(([name, member]) => [name, raw(member)]));
  }
}

/** A text, without its quotes; of a large one the beginning. */
function beginningOf(bytes: Buffer, start: number, end: number): string {
  return textIn(bytes, start + 1, end - start <= TEXT_BYTES ? end - 1 : cutAfter(bytes, start));
}

/** Where the text that begins there can be cut, after about {@link TEXT_BYTES}. */
function cutAfter(bytes: Buffer, start: number): number {
  let cut = start + 1;
  while (cut < start + TEXT_BYTES) cut = bytes[cut] === BACKSLASH ? (escapeEnd(bytes, cut) ?? cut + 1) : cut + 1;
  // Not within a character.
  while (((bytes[cut] as number) & 0xc0) === 0x80) cut++;
  return cut;
}

/** A body with more names than this surely has a wrong one; the first 100 are enough to report that. */
const MAX_NAMES = 100;

/**
 * Parses a body as far as the check of its shape needs. For an object, each known member is parsed, with exceptions:
 * the elements of an array, and a value of more than 64 KiB that is not a string, stay {@link RawJson}; of a string of
 * more than 64 KiB only the beginning is read. An unknown member has no value. For an array or a scalar the result
 * shows only the type.
 * @param known the names that a body may have
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8,
 *   and for a NUL or a lone surrogate in a text
 */
export async function parseBulk(sent: Buffer, known: readonly string[], rest: Rest): Promise<unknown> {
  const bytes = withoutMark(sent);
  const members = new Map<string, Member | undefined>();
  const onMember = (member: Member) => {
    const name = beginningOf(bytes, member.keyStart, member.keyEnd);
    if (known.includes(name)) members.set(name, member);
    else if (members.size < MAX_NAMES) members.set(name, undefined);
  };
  const takesElements = (start: number, end: number) => known.includes(beginningOf(bytes, start, end));
  const kind = await scanBody(bytes, membersIn(onMember, takesElements), rest);
  if (kind !== 'object') return kind === 'array' ? [] : null;
  // `Object.fromEntries` treats `__proto__` as an ordinary name, as `JSON.parse` does.
  return Object.fromEntries([...members].map(([name, member]) => [name, member && readMember(bytes, member)]));
}

function readMember(bytes: Buffer, { start, end, elements }: Member): unknown {
  if (elements !== undefined) {
    const found: RawJson[] = [];
    for (let i = 0; i < elements.length; i += 2) found.push(new RawJson(bytes.subarray(elements[i], elements[i + 1])));
    return found;
  }
  const value = new RawJson(bytes.subarray(start, end));
  if (!value.isText && value.sizeBytes > PORTION_BYTES) return value;
  const parsed = value.parsed();
  // What has only been read in part is too long for any field.
  if (typeof parsed === 'string' && value.sizeBytes <= TEXT_BYTES && isUnstorable(parsed))
    failField('body', UNSTORABLE);
  return parsed;
}
