/** JSON that is not parsed: a part of a body, of which only what is asked for is ever built. */
import { BACKSLASH, escapeEnd, type Member, membersIn, PORTION_BYTES, scanJson } from './json-scan.ts';

/** Of a larger text only the first bytes are read: more than any field of a body or of a record may have. */
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

  /** Whether it may have names with escapes, which V8 may take for those of objects that others sent. */
  get hasEscapes(): boolean {
    return this.#bytes.includes(BACKSLASH);
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

/** V8 keeps short texts that it parses in a table, which a body of nothing but different texts would fill. */
const PADDING = ' '.repeat(32);

/** A text, without its quotes; of a large one the beginning. */
export function beginningOf(bytes: Buffer, start: number, end: number): string {
  const isWhole = end - start <= TEXT_BYTES;
  const raw = bytes.toString('utf8', start + 1, isWhole ? end - 1 : cutAfter(bytes, start));
  const text = raw.includes('\\') ? (JSON.parse(`"${PADDING}${raw}"`) as string).slice(PADDING.length) : raw;
  // A pair of surrogates may be cut.
  return isWhole ? text : text.toWellFormed();
}

/** Where the text that begins there can be cut, after about {@link TEXT_BYTES}. */
function cutAfter(bytes: Buffer, start: number): number {
  let cut = start + 1;
  while (cut < start + TEXT_BYTES) cut = bytes[cut] === BACKSLASH ? (escapeEnd(bytes, cut) ?? cut + 1) : cut + 1;
  // Not within a character.
  while (((bytes[cut] as number) & 0xc0) === 0x80) cut++;
  return cut;
}
