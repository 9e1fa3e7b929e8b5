/**
 * Reads ASN.1 (X.690) so that every other reader reads it in the same way (D-21): libraries are lenient in different ways,
 * and a signature that only some programs can read is no evidence. Bytes are taken apart into values first; each ends
 * exactly where its length says, and has contents that its type allows. Types are tables: a type reads a value only if
 * every member of it is there, in its place and of its own type, and nothing else is.
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
function checkUniversal({ tag, isConstructed, content, members }: ParsedValue): void {
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
function isUniversalDer({ tag, isConstructed, content, members }: ParsedValue): boolean {
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
function isSorted(members: readonly Asn1Value[]): boolean {
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

export interface Type<Result> {
  /** Whether a value begins as one of this type does. */
  readonly begins: (value: Asn1Value) => boolean;
  /** @param isDer whether the value has to be DER @throws MalformedDer */
  readonly read: (value: Asn1Value, isDer: boolean) => Result;
  /** Whether a sequence may leave it out. */
  readonly isOptional?: boolean;
  /** The tag that an implicit one stands for; absent for a choice. */
  readonly universal?: number;
}

type ShapeResult<One> = One extends Type<infer R> ? R : never;

/** Types of values that an identifier announces, such as attributes, by their names. */
export type IdentifiedTypes = Readonly<Record<string, readonly [id: string, type: Type<unknown>]>>;
/** The values that were there, by the names of their types. */
export type IdentifiedValues<Types extends IdentifiedTypes> = { [Name in keyof Types]?: ShapeResult<Types[Name][1]> };

const isTagged = (tagClass: number, tag: number) => (value: Asn1Value) =>
  value.tagClass === tagClass && value.tag === tag;

function primitive<R>(tag: number, read: (content: Uint8Array, value: Asn1Value) => R): Type<R> {
  return {
    universal: tag,
    begins: isTagged(UNIVERSAL, tag),
    read(value) {
      if (value.isConstructed) throw new MalformedDer('a string is in parts');
      return read(value.content, value);
    },
  };
}

export const boolean = primitive(TAG.boolean, ([byte]) => byte !== 0);
/** The bytes of an INTEGER, two's complement. */
export const integer = primitive(TAG.integer, (content) => Buffer.from(content));
export const octets = primitive(TAG.octetString, (content) => Buffer.from(content));
/** The bytes of a BIT STRING that has whole bytes only, as keys and signatures do. */
export const wholeBytes = primitive(TAG.bitString, (content) => {
  if (content[0] !== 0) throw new MalformedDer('a key or signature has unused bits');
  return Buffer.from(content.subarray(1));
});
/** The first eight bits of a BIT STRING. */
export const flags = primitive(TAG.bitString, ([, first = 0]) => first);
export const nothing = primitive(TAG.null, () => null);
/** The longest real ones hold a UUID and take some 30 bytes. */
const LONGEST_OID = 64;
/** The identifier in dotted notation. */
export const oid = primitive(TAG.oid, (content) => {
  if (content.length > LONGEST_OID) throw new MalformedDer('an identifier is too long');
  const numbers: bigint[] = [];
  let number = 0n;
  for (const byte of content) {
    number = number * 128n + BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0n;
  }
  const [first = 0n, ...others] = numbers;
  const top = first < 80n ? first / 40n : 2n;
  return [top, first - top * 40n, ...others].join('.');
});
export const any: Type<Asn1Value> = { begins: () => true, read: (value) => value };

/** A small INTEGER that is not negative. @param allowed if absent, each up to 2^31 - 1 is */
export function number(...allowed: readonly number[]): Type<number> {
  return primitive(TAG.integer, (content) => {
    const read = content.length <= 4 ? Buffer.from(content).readIntBE(0, content.length) : -1;
    if (read < 0 || (allowed.length > 0 && !allowed.includes(read))) throw new MalformedDer('a number is out of range');
    return read;
  });
}

/** A UTCTime or a GeneralizedTime in the one form that RFC 5280 §4.1.2.5 allows. */
export const time: Type<Date> = choice(
  primitive(TAG.utcTime, (content) => {
    const text = Buffer.from(content).toString('latin1');
    return dateOf(`${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`);
  }),
  primitive(TAG.generalizedTime, (content) => dateOf(Buffer.from(content).toString('latin1'))),
);

function dateOf(text: string): Date {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z');
  const date = new Date(iso);
  if (iso === text || Number.isNaN(date.getTime()) || date.toISOString() !== iso)
    throw new MalformedDer('a time is wrong');
  return date;
}

/** A SEQUENCE with these members, in this order, and nothing else. @param name for the message of a refusal */
export function sequence<Members extends Readonly<Record<string, Type<unknown>>>>(
  name: string,
  members: Members,
): Type<{ readonly [Key in keyof Members]: ShapeResult<Members[Key]> } & { readonly bytes: Uint8Array }> {
  return {
    universal: TAG.sequence,
    begins: isTagged(UNIVERSAL, TAG.sequence),
    read(value, isDer) {
      const result: Record<string, unknown> = { bytes: value.bytes };
      let at = 0;
      for (const [key, type] of Object.entries(members)) {
        const member = value.members[at];
        if (member !== undefined && type.begins(member)) {
          result[key] = within(`${name}.${key}`, () => type.read(member, isDer));
          at++;
        } else if (type.isOptional) result[key] = undefined;
        else throw new MalformedDer('it is not there, or not in its place', `${name}.${key}`);
      }
      if (at < value.members.length) throw new MalformedDer('a further or misplaced member is in it', name);
      return result as never;
    },
  };
}

/** The value as one of this type. @param place for the message of a refusal @throws MalformedDer */
export function readAs<R>(type: Type<R>, place: string, value: Asn1Value | undefined, isDer: boolean): R {
  if (value === undefined || !type.begins(value)) throw new MalformedDer('it has another type', place);
  return type.read(value, isDer);
}

/** Names the innermost place that a message is about. */
function within<R>(place: string, read: () => R): R {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedDer) || error.place !== '') throw error;
    throw new MalformedDer(error.message, place);
  }
}

function listOf<R>(tag: number, type: Type<R>, least: number): Type<R[]> {
  return {
    universal: tag,
    begins: isTagged(UNIVERSAL, tag),
    read({ members }, isDer) {
      if (members.length < least) throw new MalformedDer('a list is empty');
      if (isDer && tag === TAG.set && !isSorted(members)) throw new MalformedDer('a set is not in the order of DER');
      return members.map((member) => {
        if (!type.begins(member)) throw new MalformedDer('a list has a member of another type');
        return type.read(member, isDer);
      });
    },
  };
}

export const sequenceOf = <R>(type: Type<R>, least = 0): Type<R[]> => listOf(TAG.sequence, type, least);
export const setOf = <R>(type: Type<R>, least = 0): Type<R[]> => listOf(TAG.set, type, least);

/** The first of the types as which the value begins. */
export function choice<Types extends readonly Type<unknown>[]>(...types: Types): Type<ShapeResult<Types[number]>> {
  return {
    begins: (value) => types.some((type) => type.begins(value)),
    read(value, isDer) {
      const type = types.find(({ begins }) => begins(value));
      return type?.read(value, isDer) as ShapeResult<Types[number]>;
    },
  };
}

/** A type with the tag [n] around it. */
export function explicit<R>(tag: number, type: Type<R>): Type<R> {
  return {
    begins: isTagged(CONTEXT, tag),
    read({ isConstructed, members }, isDer) {
      const [member, ...others] = members;
      if (!isConstructed || member === undefined || others.length > 0 || !type.begins(member)) {
        throw new MalformedDer('a tag does not hold one value of its type');
      }
      return type.read(member, isDer);
    },
  };
}

/** A type with the tag [n] in place of its own. @throws MalformedDer, as form and contents are of the type behind the tag */
export function implicit<R>(tag: number, type: Type<R>): Type<R> {
  const { universal } = type;
  if (universal === undefined) throw new Error('a choice cannot be implicit');
  return {
    begins: isTagged(CONTEXT, tag),
    read(value, isDer) {
      const plain = { ...value, tagClass: UNIVERSAL, tag: universal };
      checkUniversal(plain);
      if (isDer && !isUniversalDer(plain)) throw new MalformedDer('a value is not DER');
      return type.read(plain, isDer);
    },
  };
}

export const optional = <R>(type: Type<R>): Type<R | undefined> => ({ ...type, isOptional: true });

/** A member that is left out when it has its default; in DER it must be left out then. */
export function defaulted<R>(type: Type<R>, value: R): Type<R | undefined> {
  return {
    ...type,
    isOptional: true,
    read(member, isDer) {
      const read = type.read(member, isDer);
      if (isDer && read === value) throw new MalformedDer('a default is written out');
      return read;
    },
  };
}

/** A type that is DER, whatever is around it. */
export function der<R>(type: Type<R>): Type<R> {
  return {
    ...type,
    read(value) {
      if (!value.isDer) throw new MalformedDer('it is not DER');
      return type.read(value, true);
    },
  };
}

/** The result together with the value from which it was read. */
export function kept<R>(type: Type<R>): Type<{ readonly value: Asn1Value; readonly read: R }> {
  return { ...type, read: (value, isDer) => ({ value, read: type.read(value, isDer) }) };
}
