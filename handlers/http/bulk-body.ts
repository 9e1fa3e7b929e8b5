/**
 * Bodies of operations that take more than the usual 1 MiB (ingest: 32 MiB). They are scanned, not parsed: the elements
 * of their arrays stay bytes, and the handler parses them one after the other. So no body takes much more memory than
 * its own bytes, and none keeps other requests waiting.
 */
import { isUtf8 } from 'node:buffer';
import type { Rest } from '../fairness/thread-time.ts';
import { PLAIN_LIMIT_BYTES } from './body.ts';
import { failField } from './errors.ts';
import { type Member, ScanError, scanJson } from './json-scan.ts';
import { hasUnstorableText, MAX_DEPTH, notJson, UNSTORABLE } from './plain-body.ts';

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

  /** The parsed value. An array or an object can take twenty times the memory of its text. */
  parsed(): unknown {
    return JSON.parse(this.#bytes.toString('utf8'));
  }

  /**
   * The wanted members of an object; empty if it is not an object. Of equal names the last one counts, as with
   * `JSON.parse`. Other members cost no memory.
   * @param wants whether a member is wanted; gets its name without escapes
   */
  async members(wants: (name: string) => boolean): Promise<Map<string, RawJson>> {
    const found = new Map<string, Member>();
    await scanMembers(this.#bytes, Number.POSITIVE_INFINITY, (name, member) => {
      if (wants(name)) found.set(name, member);
    });
    const raw = ({ start, end }: Member) => new RawJson(this.#bytes.subarray(start, end));
    return new Map([...found].map(([name, member]) => [name, raw(member)]));
  }
}

function scanMembers(bytes: Buffer, maxDepth: number, onMember: (name: string, member: Member) => void, rest?: Rest) {
  const onRawMember = (member: Member) => {
    onMember(JSON.parse(bytes.toString('utf8', member.keyStart, member.keyEnd)), member);
  };
  return scanJson(bytes, maxDepth, onRawMember, rest);
}

/** A body with more names than this surely has a wrong one; the first 100 are enough to report that. */
const MAX_NAMES = 100;

/**
 * Parses a body as far as the check of its shape needs. For an object, each member is parsed, with two exceptions that
 * stay {@link RawJson}: the elements of an array, and a value that is larger than an ordinary body and not a string.
 * For an array or a scalar the result shows only the type.
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8,
 *   and for a NUL or a lone surrogate outside what stays raw
 */
export async function parseBulk(bytes: Buffer, rest: Rest): Promise<unknown> {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) failField('body', 'begins with a byte order mark');
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  const members = new Map<string, Member>();
  const note = (name: string, member: Member) => {
    if (members.size < MAX_NAMES || members.has(name)) members.set(name, member);
  };
  const kind = await scanMembers(bytes, MAX_DEPTH, note, rest).catch((error) => {
    if (!(error instanceof ScanError)) throw error;
    return failField(
      'body',
      error.isTooDeep ? `is nested deeper than ${MAX_DEPTH} levels` : notJson(bytes, error.offset),
    );
  });
  if (kind !== 'object') return kind === 'array' ? [] : null;
  const fields = [...members].map(([name, member]) => [name, readMember(bytes, member)] as const);
  // `Object.fromEntries` treats `__proto__` as an ordinary name, as `JSON.parse` does.
  const body = Object.fromEntries(fields);
  if (hasUnstorableText(body)) failField('body', UNSTORABLE);
  return body;
}

function readMember(bytes: Buffer, { start, end, elements }: Member): unknown {
  if (elements !== undefined) {
    const found: RawJson[] = [];
    for (let i = 0; i < elements.length; i += 2) found.push(new RawJson(bytes.subarray(elements[i], elements[i + 1])));
    return found;
  }
  const value = new RawJson(bytes.subarray(start, end));
  return value.isText || value.sizeBytes <= PLAIN_LIMIT_BYTES ? value.parsed() : value;
}
