/** Chains of certificates, right and wrong in what RFC 5280 §6.1 judges, by what is special about them. */
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import type { Identity } from './certificates.ts';
import {
  directory,
  encoded,
  extension,
  identified,
  leaf,
  plain,
  rdn,
  replaced,
  sequence,
  type Tree,
  tagged,
} from './der.ts';
import {
  authority,
  type CertificateChange,
  days,
  inSubject,
  rsaKey,
  type Signature,
  signer,
  type Wish,
  withExtension,
  world,
} from './shape-world.ts';
import { makeCms } from './signatures.ts';

function text(tag: number, characters: string): Tree {
  if (tag === TAG.bmp) return leaf(tag, Buffer.from(characters, 'utf16le').swap16());
  if (tag !== TAG.universal) return leaf(tag, Buffer.from(characters));
  return leaf(tag, Buffer.concat(Array.from(characters, (one) => Buffer.of(0, 0, 0, one.charCodeAt(0)))));
}
const named = (tag: number, commonName: string) => sequence(rdn(text(tag, commonName)));

const root = authority('Invented root');

/** The signature of a person with these authorities beside the certificate, in this order. */
function chain(person: Identity, authorities: readonly Identity[], { certificate: anchor } = root): Signature {
  const certificates = authorities.map(({ certificate }) => certificate);
  return { anchor, der: makeCms({ ...world, signers: [person], certificates }) };
}

/** The signature of a person right below an authority. */
const below = (issuer: Identity, more?: Wish, change?: CertificateChange): Signature =>
  chain(signer(issuer, more, change), [issuer]);

const NAME_CONSTRAINTS = '2.5.29.30';
const ALTERNATIVE_NAMES = '2.5.29.17';
const KEY_OF_ISSUER = '2.5.29.35';
const LISTS = { permitted: 0, excluded: 1 };

/** A base of name constraints, by kind. */
const mail = (address: string) => plain(1, address);
const host = (name: string) => plain(2, name);
const network = (...bytes: number[]) => plain(7, Uint8Array.from(bytes));

const constraints = (list: number, base: Tree) => sequence(tagged(list, sequence(base)));
const constrained = (constraint: Tree) =>
  authority('Invented authority', { issuer: root, others: [extension(NAME_CONSTRAINTS, constraint, true)] });

const SIGNER = 'Invented signer';

/** Bases, and the other names of the signer that they are tried with. */
const bases: readonly (readonly [what: string, base: Tree, names: readonly Tree[]])[] = [
  ['its name', directory(named(TAG.utf8, SIGNER)), []],
  ['its name in PrintableString', directory(named(TAG.printable, SIGNER)), []],
  ['its name in BMPString', directory(named(TAG.bmp, SIGNER)), []],
  ['its name in UniversalString', directory(named(TAG.universal, SIGNER)), []],
  ['its name in NumericString', directory(named(TAG.numeric, SIGNER)), []],
  ['its name in other case and blanks', directory(named(TAG.utf8, '  INVENTED   Signer ')), []],
  ['its name in other letters', directory(named(TAG.utf8, 'Ｉnvented signer')), []],
  ['another name', directory(named(TAG.utf8, 'Somebody else')), []],
  ['every name', directory(sequence()), []],
  ['its address in other case', mail('a@B.Example'), [mail('a@b.example')]],
  ['its address with another case before the @', mail('A@b.example'), [mail('a@b.example')]],
  ['its mail host', mail('b.example'), [mail('a@b.example')]],
  ['the domain of its mail host', mail('.example'), [mail('a@b.example')]],
  ['the domain itself', mail('.b.example'), [mail('a@b.example')]],
  ['one of two addresses', mail('b.example'), [mail('a@b.example'), mail('a@c.example')]],
  ['an address that is none', mail('b.example'), [mail('b.example')]],
  ['an address where it has none', mail('b.example'), []],
  ['the domain of its host', host('b.example'), [host('a.b.example')]],
  ['the domain with a dot', host('.b.example'), [host('a.b.example')]],
  ['another host with the same end', host('b.example'), [host('ab.example')]],
  ['every host', host(''), [host('a.b.example')]],
  ['a network', network(10, 0, 0, 0, 255, 0, 0, 0), [network(10, 0, 0, 1)]],
  ['a network where it has none', network(10, 0, 0, 0, 255, 0, 0, 0), []],
];

type Chains = readonly (readonly [name: string, make: () => Signature])[];

const ofNames: Chains = bases.flatMap(([what, base, names]) =>
  Object.entries(LISTS).map(([how, list]) => {
    const others = names.length === 0 ? [] : [extension(ALTERNATIVE_NAMES, sequence(...names))];
    return [`names: ${what} ${how}`, () => below(constrained(constraints(list, base)), { others })] as const;
  }),
);

const mine = constraints(LISTS.permitted, directory(named(TAG.utf8, SIGNER)));
const narrow = authority('Invented root', { others: [extension(NAME_CONSTRAINTS, mine)] });
const withMinimum = sequence(tagged(LISTS.permitted, sequence(directory(sequence()), plain(0, Buffer.of(1)))));

const ofConstraints: Chains = [
  ['names: constraints with a minimum', () => below(constrained(withMinimum))],
  ['names: an empty list of constraints', () => below(constrained(sequence(tagged(LISTS.permitted))))],
  [
    'names: an authority in between of another name',
    () => {
      const above = constrained(mine);
      const lower = authority('Another authority', { issuer: above });
      return chain(signer(lower), [lower, above]);
    },
  ],
  ['names: constraints of the anchor that are kept', () => chain(signer(narrow), [], narrow)],
  [
    'names: constraints of the anchor that are not kept',
    () => chain(signer(narrow, { commonName: 'Another' }), [], narrow),
  ],
  [
    'names: the host in its common name excluded',
    () =>
      below(constrained(constraints(LISTS.excluded, host('b.example'))), {}, inSubject(text(TAG.utf8, 'b.example'))),
  ],
  [
    'names: the host of the address in its subject excluded',
    () =>
      below(
        constrained(constraints(LISTS.excluded, mail('b.example'))),
        {},
        inSubject(text(TAG.ia5, 'a@b.example'), '1.2.840.113549.1.9.1'),
      ),
  ],
];

/** Something of a certificate in each role in a chain. */
function inRoles(what: string, wish: () => Wish, change?: CertificateChange): Chains {
  const middle = () => authority('Invented authority', { issuer: root, ...wish() }, change);
  return [
    [`signer: ${what}`, () => chain(signer(root, wish(), change), [])],
    [`authority: ${what}`, () => below(middle())],
    [
      `upper authority: ${what}`,
      () => {
        const upper = middle();
        const lower = authority('Lower authority', { issuer: upper });
        return chain(signer(lower), [lower, upper]);
      },
    ],
    [
      `anchor: ${what}`,
      () => {
        const anchor = authority('Invented root', wish(), change);
        return chain(signer(anchor), [], anchor);
      },
    ],
  ];
}

const WEB = plain(6, 'http://b.example/');
const policies = sequence(identified('1.2.3'));

/** Extensions, each with a right value. */
const extensionValues: readonly (readonly [what: string, id: string, value: Tree])[] = [
  ['unknown extension', '1.2.3.4', leaf(TAG.null, '')],
  ['places of lists', '2.5.29.31', sequence(sequence(tagged(0, tagged(0, WEB))))],
  ['places of the issuer', '1.3.6.1.5.5.7.1.1', sequence(identified('1.3.6.1.5.5.7.48.1', WEB))],
  ['policies', '2.5.29.32', policies],
  ['require explicit policy', '2.5.29.36', sequence(plain(0, Buffer.of(0)))],
  ['addresses of networks', '1.3.6.1.5.5.7.1.7', sequence(sequence(leaf(4, '0001'), leaf(5, '')))],
  ['proxy', '1.3.6.1.5.5.7.1.14', sequence(identified('1.3.6.1.5.5.7.21.1'))],
];

const bytesBehind = leaf(TAG.octetString, Buffer.concat([encoded(policies), Buffer.of(0)]));

const wishes: readonly (readonly [what: string, wish: Wish])[] = [
  ...['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '2.5.29.37.0'].map(
    (purpose) => [`purpose ${purpose}`, { purposes: [purpose] }] as const,
  ),
  ['same extension twice', { others: [extension('2.5.29.14', leaf(TAG.octetString, '00'))] }],
  ['extension of another type', { others: [extension('2.5.29.32', leaf(TAG.null, ''))] }],
  ['extension with bytes behind its value', { others: [identified('2.5.29.32', bytesBehind)] }],
  [
    'critical that is written out',
    { others: [identified('1.2.3.4', leaf(TAG.boolean, '00'), leaf(TAG.octetString, '0500'))] },
  ],
  ['usage cRLSign', { usage: ['cRLSign'] }],
  ['path length 0', { authority: { isAuthority: true, pathLength: 0 } }],
  ['path length without an authority', { authority: { isAuthority: false, pathLength: 0 } }],
  ['no authority', { authority: { isAuthority: false } }],
  ['expired', { notBefore: new Date(0), notAfter: new Date(86_400_000) }],
  ['SHA-1', { scheme: { hash: 'sha1' } }],
];

const ofRoles: Chains = [
  ...wishes.flatMap(([what, wish]) => inRoles(what, () => wish)),
  ...[1, 2, 3].flatMap((exponent) => inRoles(`RSA exponent ${exponent}`, () => ({ key: rsaKey(exponent) }))),
  ...extensionValues.flatMap(([what, id, value]) => [
    ...inRoles(what, () => ({}), withExtension(id, value)),
    ...inRoles(`${what}, critical`, () => ({}), withExtension(id, value, true)),
  ]),
];

/** Issuers that look alike. */
function ofIssuers(): Chains {
  const middle = authority('Invented authority', { issuer: root });
  const twin = authority('Invented authority', { issuer: root });
  const old = authority('Invented authority', { issuer: root, key: middle.key, ...days(-9, -1) });
  const loose = authority('Invented authority', { key: middle.key });
  const others = [extension(NAME_CONSTRAINTS, constraints(LISTS.excluded, directory(sequence())))];
  const strict = authority('Invented authority', { issuer: root, key: middle.key, others });
  const person = signer(middle);
  const short = { issuer: root, authority: { isAuthority: true, pathLength: 0 } };
  const lowest = authority('Invented authority', short, withExtension('2.5.29.14', leaf(TAG.octetString, '01')));
  const ofKey = extension(KEY_OF_ISSUER, sequence(plain(0, Buffer.of(1))));
  const renewed = authority('Invented authority', { issuer: lowest, others: [ofKey] });
  const levels = [root];
  for (let i = 0; i < 6; i++) levels.push(authority(`Level ${i}`, { issuer: levels[i] as Identity }));
  const deep = (depth: number) => () => chain(signer(levels[depth] as Identity), levels.slice(1, depth + 1).reverse());
  return [
    ['alike: of another key, first', () => chain(person, [twin, middle])],
    ['alike: of another key, last', () => chain(person, [middle, twin])],
    ['alike: that has expired, first', () => chain(person, [old, middle])],
    ['alike: that is its own issuer, first', () => chain(person, [loose, middle])],
    ['alike: with constraints, first', () => chain(person, [strict, middle])],
    ['two levels', () => chain(signer(authority('Lower', { issuer: middle })), [middle])],
    ['path length 0 above a self-issued one', () => chain(signer(renewed), [renewed, lowest])],
    ['issuer in other case', () => chain(signer(authority('INVENTED ROOT', { key: root.key })), [])],
    ['issuer of another name', () => chain(signer(authority('Invented roof', { key: root.key })), [])],
    ['5 authorities', deep(5)],
    ['6 authorities', deep(6)],
  ];
}

/** How a certificate names its issuer by key, name and number, and what that issuer has. */
function referring(what: string, own: CertificateChange, ...says: Tree[]): Chains[number] {
  const others = [extension(KEY_OF_ISSUER, sequence(...says))];
  return [`reference: ${what}`, () => below(authority('Invented authority', { issuer: root }, own), { others })];
}

const issuerNamed = (name: string) => tagged(1, directory(named(TAG.utf8, name)));
const numbered: CertificateChange = (old) => replaced(old, [0, 1], () => [leaf(TAG.integer, '41')]);
const keyed = withExtension('2.5.29.14', leaf(TAG.octetString, '0102'));
const numberOf = (digits: string) => plain(2, Buffer.from(digits, 'hex'));
const keyOf = (digits: string) => plain(0, Buffer.from(digits, 'hex'));

/** Chains by what is special about them. */
export const chains: ReadonlyMap<string, () => Signature> = new Map([
  ...ofNames,
  ...ofConstraints,
  ...ofRoles,
  ...ofIssuers(),
  referring('serial 41 as 41', numbered, issuerNamed('Invented root'), numberOf('41')),
  referring('serial 41 as 00c1', numbered, issuerNamed('Invented root'), numberOf('00c1')),
  referring('another name', (old) => old, issuerNamed('Somebody')),
  referring('key 0102 as 0102', keyed, keyOf('0102')),
  referring('key 0102 as 0103', keyed, keyOf('0103')),
]);
