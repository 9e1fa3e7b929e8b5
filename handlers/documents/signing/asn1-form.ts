/**
 * Takes bytes apart into ASN.1 values (X.690), so that every reader takes them apart in the same way (D-21): each value
 * ends exactly where its length says, and has contents that its type allows. Parsers are lenient in different ways, and a
 * signature that only some of them can read is no evidence.
 */
import { isUtf8 } from 'node:buffer';

const MAX_DEPTH = 50;

export const UNIVERSAL = 0;
export const CONTEXT = 2;
/** Numbers of the universal types. */
export const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  enumerated: 10,
  utf8: 12,
  sequence: 16,
  set: 17,
  numeric: 18,
  printable: 19,
  teletex: 20,
  ia5: 22,
  utcTime: 23,
  generalizedTime: 24,
  universal: 28,
  bmp: 30,
} as const;
const CONSTRUCTED: readonly number[] = [TAG.sequence, TAG.set, 8, 11];

/** The bytes are not what they should be. Neither the message nor the place holds anything of them. */
export class MalformedDer extends Error {
  /** The type and member in which it was found, such as `SignerInfo.version`; `''` where none is known. */
  readonly place: string;

  constructor(message: string, place = '') {
    super(message);
    this.place = place;
  }
}

/** A value with the values in it. */
export interface Asn1Value {
  readonly tagClass: number;
  readonly tag: number;
  readonly isConstructed: boolean;
  /** The whole value. */
  readonly bytes: Uint8Array;
  /** Without its header, and without the end marker of an indefinite length. */
  readonly content: Uint8Array;
  /** The values in a constructed value; none in a primitive one. */
  readonly members: readonly Asn1Value[];
  /** Whether this value and everything in it is DER, as far as that can be told without knowing the implicit types. */
  readonly isDer: boolean;
}

interface Header extends Pick<Asn1Value, 'tagClass' | 'tag' | 'isConstructed'> {
  /** Position of the first byte of the contents. */
  readonly start: number;
  /** Position after the last byte of the contents; undefined when the length is indefinite. */
  readonly end: number | undefined;
  /** Whether the length is written in the fewest bytes. */
  readonly isShortest: boolean;
}

/** The one value in BER that the bytes are. @throws MalformedDer */
export function parseValue(bytes: Uint8Array): Asn1Value {
  const value = valueAt(bytes, 0, bytes.length, 0);
  if (value.bytes.length !== bytes.length) throw new MalformedDer('there are bytes behind it');
  return value;
}

function valueAt(bytes: Uint8Array, start: number, limit: number, depth: number): Asn1Value {
  if (depth > MAX_DEPTH) throw new MalformedDer('its values are nested too deep');
  const header = headerAt(bytes, start, limit);
  const { tagClass, tag, isConstructed, end } = header;
  if (!isConstructed && end === undefined) throw new MalformedDer('a primitive value has no length');
  const { members, after, contentEnd } = isConstructed
    ? membersOf(bytes, header, limit, depth)
    : { members: [], after: end as number, contentEnd: end as number };
  const content = bytes.subarray(header.start, contentEnd);
  const value = { tagClass, tag, isConstructed, bytes: bytes.subarray(start, after), content, members };
  if (tagClass === UNIVERSAL) checkUniversal(value);
  const isDer = header.isShortest && members.every((member) => member.isDer);
  return { ...value, isDer: isDer && (tagClass !== UNIVERSAL || isUniversalDer(value)) };
}

function membersOf(bytes: Uint8Array, { start, end }: Header, limit: number, depth: number) {
  const members: Asn1Value[] = [];
  for (let at = start; ; ) {
    if (at === end) return { members, after: at, contentEnd: at };
    if (end === undefined && bytes[at] === 0 && bytes[at + 1] === 0 && at + 2 <= limit) {
      return { members, after: at + 2, contentEnd: at };
    }
    const member = valueAt(bytes, at, end ?? limit, depth + 1);
    members.push(member);
    at += member.bytes.length;
  }
}

function headerAt(bytes: Uint8Array, start: number, limit: number): Header {
  const ends = (): never => {
    throw new MalformedDer('a value ends too early');
  };
  const byteAt = (at: number): number => (at < limit ? (bytes[at] as number) : ends());
  const first = byteAt(start);
  let at = start + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    tag = 0;
    for (let more = true; more; at++) {
      const byte = byteAt(at);
      if (at - start > 4 || (tag === 0 && byte === 0x80)) throw new MalformedDer('a tag is not well-formed');
      tag = tag * 128 + (byte & 0x7f);
      more = (byte & 0x80) !== 0;
    }
    if (tag < 0x1f) throw new MalformedDer('a tag is longer than needed');
  }
  const length = byteAt(at++);
  const common = { tagClass: first >> 6, tag, isConstructed: (first & 0x20) !== 0 };
  if (length === 0x80) return { ...common, start: at, end: undefined, isShortest: false };
  let size = length;
  let isShortest = true;
  if (length > 0x80) {
    const bytesOfLength = length - 0x80;
    if (bytesOfLength > 4) throw new MalformedDer('a length is not well-formed');
    size = 0;
    for (let i = 0; i < bytesOfLength; i++) size = size * 256 + byteAt(at++);
    isShortest = size >= (bytesOfLength === 1 ? 0x80 : 256 ** (bytesOfLength - 1));
    // OpenSSL expects a byte behind such a length, even of an empty value.
    if (size === 0) throw new MalformedDer('the length of an empty value is longer than needed');
  }
  return at + size <= limit ? { ...common, start: at, end: at + size, isShortest } : ends();
}

type ParsedValue = Omit<Asn1Value, 'isDer'>;

/**
 * Checks form and contents by the universal type. Of the types that may be in parts, octet strings alone are read so:
 * signing programs write long contents so, and nothing else.
 */
export function checkUniversal({ tag, isConstructed, content, members }: ParsedValue): void {
  const isInParts = isConstructed && tag === TAG.octetString && members.every(isPartOfOctets);
  if (tag === 0 || (CONSTRUCTED.includes(tag) ? !isConstructed : isConstructed && !isInParts)) {
    throw new MalformedDer('a value has a form that its type does not have');
  }
  if (!isConstructed && !isRightContent(tag, content))
    throw new MalformedDer('a value has contents that its type forbids');
}

const isPartOfOctets = ({ tagClass, tag, isConstructed }: Asn1Value): boolean =>
  tagClass === UNIVERSAL && tag === TAG.octetString && !isConstructed;

/** Whether a value of a universal type is DER, apart from the values in it. */
export function isUniversalDer({ tag, isConstructed, content, members }: ParsedValue): boolean {
  switch (tag) {
    case TAG.boolean:
      return content[0] === 0 || content[0] === 0xff;
    case TAG.octetString:
      return !isConstructed;
    case TAG.bitString: {
      const unused = content[0] ?? 0;
      return ((content.at(-1) ?? 0) & ((1 << unused) - 1)) === 0 || content.length === 1;
    }
    case TAG.set:
      return isSorted(members);
    default:
      return true;
  }
}

/** Whether the members of a SET OF are in the order of DER (X.690 §11.6). */
export function isSorted(members: readonly Asn1Value[]): boolean {
  return members.every(
    (member, i) => i === 0 || Buffer.compare((members[i - 1] as Asn1Value).bytes, member.bytes) <= 0,
  );
}

function isRightContent(tag: number, content: Uint8Array): boolean {
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
