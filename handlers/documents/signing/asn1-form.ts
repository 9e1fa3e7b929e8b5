/**
 * Checks that bytes are one ASN.1 value which every parser reads in the same way (D-21, X.690): each value ends exactly
 * where its length says, and has contents that its type allows. Parsers are lenient in different ways, and a signature
 * that only some of them can read is no evidence.
 */
import { isUtf8 } from 'node:buffer';

const MAX_DEPTH = 50;

const UNIVERSAL = 0;
const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  enumerated: 10,
  utf8: 12,
  bmp: 30,
  universal: 28,
};
const SEQUENCE = 16;
const SET = 17;
const EXTERNAL_OR_PDV = [8, 11];

interface Element {
  readonly tagClass: number;
  readonly tag: number;
  readonly isConstructed: boolean;
  /** Position of the first byte of the contents. */
  readonly start: number;
  /** Position after the last byte of the contents; undefined when the length is indefinite. */
  readonly end: number | undefined;
}

/** @returns whether the bytes are exactly one value in BER; DER is a subset of BER */
export function isOneValue(bytes: Uint8Array): boolean {
  return after(bytes, 0, bytes.length, 0) === bytes.length;
}

/** Position after the value that begins at `start`; undefined when no valid value begins there. */
function after(bytes: Uint8Array, start: number, limit: number, depth: number): number | undefined {
  const element = header(bytes, start, limit);
  if (element === undefined || depth > MAX_DEPTH) return undefined;
  if (!isRightForm(element)) return undefined;
  if (!element.isConstructed) {
    const { end } = element;
    return end !== undefined && isRightContent(bytes, element, end) ? end : undefined;
  }
  return afterMembers(bytes, element, limit, depth);
}

function afterMembers(bytes: Uint8Array, element: Element, limit: number, depth: number): number | undefined {
  const { end } = element;
  let at = element.start;
  while (at < (end ?? limit)) {
    const isEnd = bytes[at] === 0 && bytes[at + 1] === 0;
    if (isEnd && end === undefined) return at + 2;
    const next = after(bytes, at, end ?? limit, depth + 1);
    if (next === undefined) return undefined;
    at = next;
  }
  return at === end ? end : undefined;
}

function header(bytes: Uint8Array, start: number, limit: number): Element | undefined {
  const first = bytes[start];
  if (first === undefined || start >= limit) return undefined;
  let at = start + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    tag = 0;
    for (let more = true; more; at++) {
      const byte = bytes[at];
      if (byte === undefined || at - start > 4 || (tag === 0 && byte === 0x80)) return undefined;
      tag = tag * 128 + (byte & 0x7f);
      more = (byte & 0x80) !== 0;
    }
    // A tag number below 31 must be written in one byte.
    if (tag < 0x1f) return undefined;
  }
  const length = bytes[at++];
  if (length === undefined) return undefined;
  const common = { tagClass: first >> 6, tag, isConstructed: (first & 0x20) !== 0 };
  if (length === 0x80) return { ...common, start: at, end: undefined };
  let size = length;
  if (length > 0x80) {
    const bytesOfLength = length - 0x80;
    if (bytesOfLength > 4 || at + bytesOfLength > limit) return undefined;
    size = 0;
    for (const byte of bytes.subarray(at, at + bytesOfLength)) size = size * 256 + byte;
    at += bytesOfLength;
  }
  return at + size <= limit ? { ...common, start: at, end: at + size } : undefined;
}

/** Whether the type may have this form, primitive or constructed. Of universal types, only strings may have both. */
function isRightForm({ tagClass, tag, isConstructed }: Element): boolean {
  if (tagClass !== UNIVERSAL) return true;
  if (tag === 0) return false;
  if (tag === SEQUENCE || tag === SET || EXTERNAL_OR_PDV.includes(tag)) return isConstructed;
  const isPlain = [TAG.boolean, TAG.integer, TAG.null, TAG.oid, TAG.enumerated].includes(tag);
  return !(isPlain && isConstructed);
}

function isRightContent(bytes: Uint8Array, { tagClass, tag, start }: Element, end: number): boolean {
  if (tagClass !== UNIVERSAL) return true;
  const content = bytes.subarray(start, end);
  const [first = 0, second = 0] = content;
  switch (tag) {
    case TAG.boolean:
      return content.length === 1;
    case TAG.null:
      return content.length === 0;
    case TAG.integer:
    case TAG.enumerated:
      return (
        content.length > 0 && !(content.length > 1 && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80))
      );
    case TAG.bitString:
      return content.length > 0 && first <= 7 && (content.length > 1 || first === 0);
    case TAG.oid:
      return isRightOid(content);
    case TAG.utf8:
      return isUtf8(content);
    case TAG.bmp:
      return content.length % 2 === 0;
    case TAG.universal:
      return content.length % 4 === 0;
    default:
      return true;
  }
}

function isRightOid(content: Uint8Array): boolean {
  let isStart = true;
  for (const byte of content) {
    if (isStart && byte === 0x80) return false;
    isStart = byte < 0x80;
  }
  return content.length > 0 && isStart;
}
