/**
 * Names of certificates: their types (RFC 5280 §4.1.2.4, §4.2.1.6), how they are compared (§7), and how name constraints
 * judge them (§4.2.1.10).
 */
import { onceForEach } from '../../data/batched-reads.ts';
import {
  type Asn1Value,
  any,
  CONTEXT,
  choice,
  defaulted,
  explicit,
  implicit,
  MalformedDer,
  number,
  octets,
  oid,
  optional,
  sequence,
  sequenceOf,
  setOf,
  TAG,
  type Type,
  UNIVERSAL,
} from './asn1.ts';

/** What OpenSSL reads as a value of a name; DirectoryString and a few more. */
const TEXTS: readonly number[] = [TAG.utf8, TAG.numeric, TAG.printable, TAG.teletex, TAG.ia5, TAG.universal, TAG.bmp];
const text: Type<Asn1Value> = {
  begins: ({ tagClass, tag }) => tagClass === UNIVERSAL && TEXTS.includes(tag),
  read(value) {
    if (value.isConstructed) throw new MalformedDer('a string is in parts');
    return value;
  },
};
export const attributeTypeAndValue = sequence('AttributeTypeAndValue', { type: oid, value: text });
export const name = sequenceOf(setOf(attributeTypeAndValue, 1));
type DistinguishedName = ReturnType<(typeof name)['read']>;

/** A string of ASCII under the tag of a GeneralName. */
const ascii = (kind: 'rfc822Name' | 'dNSName' | 'uniformResourceIdentifier', tag: number) =>
  generalNameOf(kind, tag, (value) => {
    if (value.isConstructed) throw new MalformedDer('a string is in parts');
    return Buffer.from(value.content).toString('latin1');
  });

function generalNameOf<Kind extends string, R>(kind: Kind, tag: number, read: (value: Asn1Value, isDer: boolean) => R) {
  return {
    begins: (value: Asn1Value) => value.tagClass === CONTEXT && value.tag === tag,
    read: (value: Asn1Value, isDer: boolean) => ({ kind, name: read(value, isDer) }),
  };
}

const otherName = sequence('OtherName', { type: oid, value: explicit(0, any) });
export const generalName = choice(
  generalNameOf('otherName', 0, implicit(0, otherName).read),
  ascii('rfc822Name', 1),
  ascii('dNSName', 2),
  generalNameOf('x400Address', 3, implicit(3, sequenceOf(any)).read),
  generalNameOf('directoryName', 4, explicit(4, name).read),
  generalNameOf('ediPartyName', 5, implicit(5, sequenceOf(any)).read),
  ascii('uniformResourceIdentifier', 6),
  generalNameOf('iPAddress', 7, implicit(7, octets).read),
  generalNameOf('registeredID', 8, implicit(8, oid).read),
);
type GeneralName = ReturnType<(typeof generalName)['read']>;
export const generalNames = sequenceOf(generalName, 1);

const subtrees = sequenceOf(
  sequence('GeneralSubtree', {
    base: generalName,
    minimum: defaulted(implicit(0, number()), 0),
    maximum: optional(implicit(1, number())),
  }),
  1,
);
export const nameConstraints = sequence('NameConstraints', {
  permitted: optional(implicit(0, subtrees)),
  excluded: optional(implicit(1, subtrees)),
});
type NameConstraints = ReturnType<(typeof nameConstraints)['read']>;

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1';
const COMMON_NAME = '2.5.4.3';

/** The characters of a string in a name. */
export function textOf({ tag, content }: Asn1Value): string {
  const bytes = Buffer.from(content);
  if (tag === TAG.utf8) return bytes.toString('utf8');
  if (tag === TAG.bmp) return bytes.swap16().toString('utf16le');
  if (tag === TAG.universal) {
    const points = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
    return points.map((point) => (point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point))).join('');
  }
  return bytes.toString('latin1');
}

/** Values of one type of attribute in a name. */
export const valuesOf = (name: DistinguishedName, type: string): Asn1Value[] =>
  name.flat().flatMap((one) => (one.type === type ? [one.value] : []));

type Fold = (text: string) => string;
const foldAscii: Fold = (text) => text.replace(/[A-Z]+/g, (some) => some.toLowerCase());
const foldAll: Fold = (text) => text.normalize('NFKC').toLowerCase();

type Comparable = (part: DistinguishedName[number]) => string;

/**
 * A part of a name in a form in which equal ones are the same: blanks and the case of letters do not count, nor does the
 * kind of string. OpenSSL compares so; NumericString it compares as it is. It is made once for each part, which is compared
 * with many others, and a caller decides how long it is.
 */
const comparableBy = (fold: Fold): Comparable =>
  onceForEach((part) => {
    const texts = part.map(({ type, value }) => {
      const isPlain = value.tag === TAG.numeric;
      const text = isPlain ? Buffer.from(value.content).toString('latin1') : fold(textOf(value));
      return JSON.stringify([type, isPlain, isPlain ? text : text.replace(/[\t-\r ]+/g, ' ').replace(/^ | $/g, '')]);
    });
    return texts.sort().join();
  });
const [byAscii, byAll] = [comparableBy(foldAscii), comparableBy(foldAll)];

function begins(name: DistinguishedName, base: DistinguishedName, comparable: Comparable): boolean {
  return base.every((part, i) => {
    const own = name[i];
    return own !== undefined && comparable(own) === comparable(part);
  });
}

export const isSameName = (one: DistinguishedName, other: DistinguishedName): boolean =>
  one.length === other.length && begins(one, other, byAscii);

/** The names of a certificate that constraints are about. @param hasCommonName whether a host may be the common name */
export function constrainedNames(
  subject: DistinguishedName,
  alternatives: readonly GeneralName[],
): readonly GeneralName[] {
  const addresses = valuesOf(subject, EMAIL_ADDRESS).map(textOf);
  // Clients take the common name for a host where no other name is one (RFC 6125 §6.4.4).
  const hosts = alternatives.some(({ kind }) => kind === 'dNSName') ? [] : valuesOf(subject, COMMON_NAME).map(textOf);
  return [
    ...(subject.length > 0 ? [{ kind: 'directoryName' as const, name: subject }] : []),
    ...alternatives,
    ...addresses.map((name) => ({ kind: 'rfc822Name' as const, name })),
    ...hosts
      .filter((name) => /^[\w-]+(\.[\w-]+)+[.\0]*$/.test(name))
      .map((name) => ({ kind: 'dNSName' as const, name })),
  ];
}

const NOT_IMPLEMENTED = 'has name constraints of a kind that is not implemented';
/** More would take too long; no certificate has nearly so many. */
const MOST_COMPARISONS = 10_000;

/** Why a certificate with these names may not be below these constraints; undefined when it may. */
export function constraintProblem(constraints: NameConstraints, names: readonly GeneralName[]): string | undefined {
  const { permitted = [], excluded = [] } = constraints;
  const all = [...permitted, ...excluded];
  // RFC 5280 §4.2.1.10 uses neither.
  if (all.some(({ minimum = 0, maximum }) => minimum !== 0 || maximum !== undefined)) return NOT_IMPLEMENTED;
  if (all.length * names.length > MOST_COMPARISONS) return 'has too many name constraints';
  for (const name of names) {
    const ofKind = ({ base }: (typeof all)[number]) => base.kind === name.kind;
    const allowing = permitted.filter(ofKind);
    const forbidding = excluded.filter(ofKind);
    if (allowing.length + forbidding.length === 0) continue;
    const isAddress = name.kind !== 'rfc822Name' || name.name.includes('@');
    if (!isAddress || ![name, ...[...allowing, ...forbidding].map(({ base }) => base)].every(isImplemented)) {
      return NOT_IMPLEMENTED;
    }
    const isAllowed = allowing.length === 0 || allowing.some(({ base }) => isWithin(name, base, byAscii));
    // A name is forbidden even if only some readers take it for the excluded one.
    if (!isAllowed || forbidding.some(({ base }) => isWithin(name, base, byAll))) {
      return 'has name constraints that a certificate below it does not keep';
    }
  }
  return undefined;
}

/** Addresses and hosts only in ASCII, as IA5String has them, and with at most one @. */
function isImplemented({ kind, name }: GeneralName): boolean {
  if (kind === 'directoryName') return true;
  return (kind === 'rfc822Name' || kind === 'dNSName') && /^[!-~]*$/.test(name) && name.split('@').length <= 2;
}

function isWithin(one: GeneralName, base: GeneralName, comparable: Comparable): boolean {
  if (one.kind === 'directoryName' && base.kind === 'directoryName') return begins(one.name, base.name, comparable);
  if (one.kind === 'rfc822Name' && base.kind === 'rfc822Name') return isMailWithin(one.name, base.name);
  return one.kind === 'dNSName' && base.kind === 'dNSName' && isHostWithin(one.name, base.name);
}

/** A base is an address, a host, or a domain that begins with a dot and does not hold itself. */
function isMailWithin(address: string, base: string): boolean {
  const [local = '', host] = address.split('@') as [string, string?];
  if (host === undefined) return false;
  const [own, of] = base.includes('@') ? (base.split('@') as [string, string]) : [undefined, base];
  if (own !== undefined && own !== '' && own !== local) return false;
  const [lower, within] = [foldAscii(host), foldAscii(of)];
  return own === undefined && within.startsWith('.') ? lower.endsWith(within) && lower !== within : lower === within;
}

function isHostWithin(host: string, base: string): boolean {
  const [lower, within] = [foldAscii(host), foldAscii(base)];
  return within === '' || lower === within || lower.endsWith(within.startsWith('.') ? within : `.${within}`);
}
