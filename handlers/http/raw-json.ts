/** JSON that is not parsed: a part of a body, of which only what is asked for is ever built. */
import { BACKSLASH, type Member, PORTION_BYTES, scanJson } from './json-scan.ts';

/** What is larger is not parsed as a whole: an array or an object can take twenty times the memory of its text. */
const LARGE_BYTES = PORTION_BYTES;
/** Other scalars than texts are parsed up to this length: a record whose id is a number can then be named by it. */
const NUMBER_BYTES = 32;

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

  /** A text; of a large one the beginning, which is still longer than any field may be. */
  get text(): string {
    return textAt(this.#bytes, 0, this.#bytes.length);
  }

  /** The value, if it is a text that is not large, a short number, or a word. */
  get #scalar(): unknown {
    if (this.isText) return this.sizeBytes > LARGE_BYTES ? this : this.text;
    const isScalar = this.sizeBytes <= NUMBER_BYTES && !this.isObject && this.#bytes[0] !== 0x5b;
    return isScalar ? JSON.parse(this.#bytes.toString('latin1')) : this;
  }

  /**
   * Names and values of an object, at least of the wanted members. Of equal names the last one counts, as with `JSON.parse`.
   * Of a large object only scalars that are not large are parsed, and other members cost no memory. So it is of one with
   * escapes, since V8 may take names with escapes for those of objects that others sent.
   * @param wants whether a member is wanted; gets its name without escapes
   */
  async members(wants: (name: string) => boolean): Promise<Iterable<readonly [string, unknown]>> {
    if (this.sizeBytes <= LARGE_BYTES && !this.#bytes.includes(BACKSLASH))
      return Object.entries(JSON.parse(this.#bytes.toString('utf8')));
    const found = new Map<string, RawJson>();
    const onMember = ({ keyStart, keyEnd, start, end }: Member) => {
      const name = textAt(this.#bytes, keyStart, keyEnd);
      if (wants(name)) found.set(name, new RawJson(this.#bytes.subarray(start, end)));
    };
    await scanJson(this.#bytes, Number.POSITIVE_INFINITY, { onMember });
    return [...found].map(([name, value]) => [name, value.#scalar]);
  }
}

/** V8 keeps short texts that it parses in a table, which a body of nothing but different texts would fill. */
const PADDING = ' '.repeat(32);
/** All characters but one whose escape is cut. */
const WHOLE_CHARACTERS = /^(?:[^\\]+|\\u.{4}|\\[^u])*/s;

/** The text that stands there, without its quotes; of a large one the beginning. */
export function textAt(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start + 1, Math.min(end - 1, start + LARGE_BYTES));
  if (!raw.includes('\\')) return raw;
  const [whole = ''] = WHOLE_CHARACTERS.exec(raw) ?? [];
  const text = (JSON.parse(`"${PADDING}${whole}"`) as string).slice(PADDING.length);
  // A pair of surrogates may be cut.
  return end - start > LARGE_BYTES ? text.toWellFormed() : text;
}
