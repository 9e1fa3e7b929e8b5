/**
 * Types of ASN.1 as tables. A type reads a value only if every member of it is there, in its place and of its own type,
 * and nothing else is: libraries skip what they do not expect, and then other programs refuse what was accepted (D-21).
 */
import {
  type Asn1Value,
  CONTEXT,
  checkUniversal,
  isSorted,
  isUniversalDer,
  MalformedDer,
  TAG,
  UNIVERSAL,
} from './asn1-form.ts';

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
