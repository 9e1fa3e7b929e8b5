/** Chains of certificates, right and wrong in what RFC 5280 §6.1 judges. */
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type Identity, keyUsages, newKey } from './certificates.ts';
import {
  COMMON_NAME,
  directory,
  encoded,
  extension,
  identified,
  identifier,
  leaf,
  plain,
  rdn,
  replaced,
  sequence,
  type Tree,
  tagged,
} from './der.ts';
import {
  aroundNames,
  authority,
  type CertificateChange,
  days,
  inSubject,
  type JudgedShape,
  location,
  otherName,
  point,
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
const PERMITTED = 0;
const EXCLUDED = 1;

/** A base of name constraints, by kind. */
const mail = (address: string) => plain(1, address);
const host = (name: string) => plain(2, name);
const uri = (address: string) => plain(6, address);
const network = (...bytes: number[]) => plain(7, Uint8Array.from(bytes));

const constraints = (list: number, ...bases: Tree[]) => sequence(tagged(list, ...bases.map((base) => sequence(base))));

const SIGNER = 'Invented signer';
const EMAIL = '1.2.840.113549.1.9.1';
/** An address that need not be ASCII (RFC 8398). */
const smtp = (address: string) => otherName('1.3.6.1.5.5.7.8.9', text(TAG.utf8, address));

/** Bases, and the other names of the signer that they are tried with. */
const bases: readonly (readonly [what: string, base: Tree, names: readonly Tree[]])[] = [
  ['its name', directory(named(TAG.utf8, SIGNER)), []],
  ['its name in PrintableString', directory(named(TAG.printable, SIGNER)), []],
  ['its name in BMPString', directory(named(TAG.bmp, SIGNER)), []],
  ['its name in NumericString', directory(named(TAG.numeric, SIGNER)), []],
  ['its name in other case and blanks', directory(named(TAG.utf8, '  INVENTED   Signer ')), []],
  ['its name in other letters', directory(named(TAG.utf8, 'Ｉnvented signer')), []],
  ['another name', directory(named(TAG.utf8, 'Somebody else')), []],
  ['every name', directory(sequence()), []],
  ['its address', mail('a@b.example'), [mail('a@b.example')]],
  ['its address in other case', mail('a@B.Example'), [mail('a@b.example')]],
  ['its address with another case before the @', mail('A@b.example'), [mail('a@b.example')]],
  ['its mail host', mail('b.example'), [mail('a@b.example')]],
  ['the domain of its mail host', mail('.example'), [mail('a@b.example')]],
  ['the domain itself', mail('.b.example'), [mail('a@b.example')]],
  ['another mail host', mail('c.example'), [mail('a@b.example')]],
  ['one of two addresses', mail('b.example'), [mail('a@b.example'), mail('a@c.example')]],
  ['an address that is none', mail('b.example'), [mail('b.example')]],
  ['an address where it has none', mail('b.example'), []],
  ['the host of its international address', mail('b.example'), [smtp('ü@b.example')]],
  ['the domain of its international address', mail('.example'), [smtp('ü@b.example')]],
  ['the host of its international address in letters', mail('xn--bcher-kva.example'), [smtp('a@bücher.example')]],
  ['another host than its international address has', mail('c.example'), [smtp('ü@b.example')]],
  ['an international address', smtp('ü@b.example'), [mail('ü@b.example')]],
  ['its host', host('a.b.example'), [host('a.b.example')]],
  ['the domain of its host', host('b.example'), [host('a.b.example')]],
  ['the domain with a dot', host('.b.example'), [host('a.b.example')]],
  ['another host with the same end', host('b.example'), [host('ab.example')]],
  ['every host', host(''), [host('a.b.example')]],
  ['a host where it has none', host('b.example'), []],
  ['an address of the web', uri('b.example'), [uri('https://b.example/')]],
  ['a network', network(10, 0, 0, 0, 255, 0, 0, 0), [network(10, 0, 0, 1)]],
  ['a network where it has none', network(10, 0, 0, 0, 255, 0, 0, 0), []],
  [
    'a registered identifier',
    plain(8, encoded(identifier('1.2.3')).subarray(2)),
    [plain(8, encoded(identifier('1.2.3')).subarray(2))],
  ],
];

function* ofNames(): Generator<JudgedShape> {
  const constrained = (constraint: Tree, critical = false) =>
    authority('Invented authority', { issuer: root, others: [extension(NAME_CONSTRAINTS, constraint, critical)] });
  for (const [what, base, names] of bases) {
    for (const list of [PERMITTED, EXCLUDED]) {
      for (const critical of [true, false]) {
        const others = names.length === 0 ? [] : [extension(ALTERNATIVE_NAMES, sequence(...names))];
        const how = `${list === PERMITTED ? 'permitted' : 'excluded'}${critical ? ', critical' : ''}`;
        const make = () => below(constrained(constraints(list, base), critical), { others });
        yield { name: `names: ${what} ${how}`, make };
      }
    }
  }
  const every = directory(sequence());
  const limits: readonly [string, Tree][] = [
    ['with a minimum', sequence(tagged(PERMITTED, sequence(every, plain(0, Buffer.of(1)))))],
    ['with a maximum', sequence(tagged(PERMITTED, sequence(every, plain(1, Buffer.of(9)))))],
    ['with neither list', sequence()],
  ];
  for (const [what, value] of limits) {
    yield { name: `names: constraints ${what}`, make: () => below(constrained(value)) };
  }
  const mine = [extension(NAME_CONSTRAINTS, constraints(PERMITTED, directory(named(TAG.utf8, SIGNER))))];
  const above = authority('Invented authority', { issuer: root, others: mine });
  for (const [what, commonName] of [
    ['that is self-issued', 'Invented authority'],
    ['of another name', 'Another authority'],
  ] as const) {
    const make = () => {
      const lower = authority(commonName, { issuer: above });
      return chain(signer(lower), [lower, above]);
    };
    yield { name: `names: an authority in between ${what}`, make };
  }
  const narrow = authority('Invented root', { others: mine });
  yield { name: 'names: constraints of the anchor that are kept', make: () => chain(signer(narrow), [], narrow) };
  yield {
    name: 'names: constraints of the anchor that are not kept',
    make: () => chain(signer(narrow, { commonName: 'Another' }), [], narrow),
  };
}

const KINDS = ['utf8', 'printable', 'teletex', 'ia5', 'bmp', 'universal', 'numeric'] as const;

/** Values of attributes that are a host or an address to some readers. */
const attributeValues: readonly (readonly [what: string, type: string, value: Tree])[] = [
  [COMMON_NAME, 'b.example'] as const,
  [EMAIL, 'a@b.example'] as const,
].flatMap(([type, characters]) => {
  const of = type === EMAIL ? 'e-mail' : 'common name';
  const odd: readonly (readonly [string, Tree])[] = [
    ['with a NUL at its end', text(TAG.utf8, `${characters}\0`)],
    ['with a NUL in it', text(TAG.utf8, `a\0${characters}`)],
    ['beyond Unicode', leaf(TAG.universal, '00110000')],
    ['of half a character', leaf(TAG.universal, '0000d800')],
    ['of half a character in BMP', leaf(TAG.bmp, 'd800')],
    ['of a byte that is not ASCII', leaf(TAG.ia5, 'ff')],
    ['of no character', leaf(TAG.utf8, '')],
  ];
  const right = KINDS.map((kind) => [`as ${kind}`, text(TAG[kind], characters)] as const);
  return [...right, ...odd].map(([what, value]) => [`${of} ${what}`, type, value] as const);
});

/** Each value in a subject, under constraints of its kind and of others, and without any in an authority's. */
function* ofSubjects(): Generator<JudgedShape> {
  const limits = {
    'its host': host('b.example'),
    'another host': host('c.example'),
    'its mail host': mail('b.example'),
  };
  for (const [what, type, value] of attributeValues) {
    const change = inSubject(value, type);
    for (const [how, base] of Object.entries(limits)) {
      const others = [extension(NAME_CONSTRAINTS, constraints(EXCLUDED, base))];
      const make = () => below(authority('Invented authority', { issuer: root, others }), {}, change);
      yield { name: `subject: ${what}, ${how} excluded`, make };
    }
    const make = () => below(authority('Invented authority', { issuer: root }, change));
    yield { name: `subject: ${what}, of an authority`, make };
  }
}

const WEB = uri('http://b.example/');

/** Extensions, each with a right value. */
const extensionValues: readonly (readonly [what: string, id: string, value: Tree])[] = [
  ['unknown extension', '1.2.3.4', leaf(TAG.null, '')],
  ['key identifier', '2.5.29.14', leaf(TAG.octetString, '0102')],
  ['key usage', '2.5.29.15', leaf(TAG.bitString, '01c6')],
  ['other names', '2.5.29.17', sequence(mail('a@b.example'))],
  ['other names of the issuer', '2.5.29.18', sequence(mail('a@b.example'))],
  ['constraints', '2.5.29.19', sequence(leaf(TAG.boolean, 'ff'))],
  ['name constraints', '2.5.29.30', sequence(tagged(1, sequence(host('c.example'))))],
  ['places of lists', '2.5.29.31', point(WEB)],
  ['policies', '2.5.29.32', sequence(identified('1.2.3'))],
  ['policy mapping', '2.5.29.33', sequence(identified('1.2.3', identifier('1.2.4')))],
  ['key of the issuer', '2.5.29.35', sequence()],
  ['require explicit policy', '2.5.29.36', sequence(plain(0, Buffer.of(0)))],
  ['inhibit mapping', '2.5.29.36', sequence(plain(1, Buffer.of(0)))],
  ['purposes', '2.5.29.37', sequence(identifier('1.3.6.1.5.5.7.3.4'))],
  ['places of further lists', '2.5.29.46', point(WEB)],
  ['inhibit any policy', '2.5.29.54', leaf(TAG.integer, '00')],
  ['places of the issuer', '1.3.6.1.5.5.7.1.1', location(WEB)],
  ['addresses of networks', '1.3.6.1.5.5.7.1.7', sequence(sequence(leaf(4, '0001'), leaf(5, '')))],
  ['numbers of networks', '1.3.6.1.5.5.7.1.8', sequence(tagged(0, leaf(5, '')))],
  ['proxy', '1.3.6.1.5.5.7.1.14', sequence(identified('1.3.6.1.5.5.7.21.1'))],
  ['kind of Netscape', '2.16.840.1.113730.1.1', leaf(TAG.bitString, '00a7')],
];

/** Something of a certificate in each role in a chain. */
function* inRoles(what: string, wish: () => Wish, change?: CertificateChange): Generator<JudgedShape> {
  const middle = () => authority('Invented authority', { issuer: root, ...wish() }, change);
  const roles: Readonly<Record<string, () => Signature>> = {
    signer: () => chain(signer(root, wish(), change), []),
    authority: () => below(middle()),
    'upper authority': () => {
      const upper = middle();
      const lower = authority('Lower authority', { issuer: upper });
      return chain(signer(lower), [lower, upper]);
    },
    anchor: () => {
      const anchor = authority('Invented root', wish(), change);
      return chain(signer(anchor), [], anchor);
    },
  };
  for (const [role, make] of Object.entries(roles)) yield { name: `${role}: ${what}`, make };
}

function* ofExtensions(): Generator<JudgedShape> {
  const wishes: readonly (readonly [what: string, wish: Wish])[] = [
    ...['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36', '2.5.29.37.0'].map(
      (purpose) => [`purpose ${purpose}`, { purposes: [purpose] }] as const,
    ),
    ['same extension twice', { others: [extension('2.5.29.14', leaf(TAG.octetString, '00'))] }],
    ...Object.keys(keyUsages).map((usage) => [`usage ${usage}`, { usage: [usage] as never }] as const),
    ...[0, 1].map(
      (pathLength) => [`path length ${pathLength}`, { authority: { isAuthority: true, pathLength } }] as const,
    ),
    ['no authority', { authority: { isAuthority: false } }],
    ['no authority, path length', { authority: { isAuthority: false, pathLength: 0 } }],
    ['expired', { notBefore: new Date(0), notAfter: new Date(86_400_000) }],
    ['SHA-1', { scheme: { hash: 'sha1' } }],
  ];
  for (const [what, wish] of wishes) yield* inRoles(what, () => wish);
  for (const exponent of [1, 2, 3]) yield* inRoles(`RSA exponent ${exponent}`, () => ({ key: rsaKey(exponent) }));
  for (const [what, id, value] of extensionValues) {
    yield* inRoles(what, () => ({}), withExtension(id, value));
    yield* inRoles(`${what}, critical`, () => ({}), withExtension(id, value, true));
  }
}

/** Each choice of members that a type may leave out. */
const choices = (...members: Tree[]) =>
  members.reduce<Tree[][]>((all, member) => all.flatMap((one) => [one, [...one, member]]), [[]]);

const parts = (members: readonly Tree[]) => members.map(({ tag }) => `[${tag & 0x1f}]`).join('') || 'nothing';

/** Each kind of general name, and some of its kinds of contents. */
const generalNames: readonly (readonly [what: string, name: Tree])[] = [
  ['otherName without value', tagged(0, identifier('1.2.3'))],
  ['rfc822Name', mail('a@b.example')],
  ['dNSName', host('b.example')],
  ['x400Address without value', tagged(3)],
  ['uniformResourceIdentifier', uri('http://b.example/')],
  ['iPAddress', network(10, 0, 0, 1)],
  ['iPAddress of three bytes', network(10, 0, 0)],
  ['registeredID', plain(8, Buffer.from('2a03', 'hex'))],
  ...choices(...[0, 1, 2].map((member) => tagged(member, text(TAG.utf8, '1')))).map(
    (members) => [`ediPartyName of ${parts(members)}`, tagged(5, ...members)] as const,
  ),
  ...attributeValues.map(
    ([what, type, value]) => [`name with ${what}`, directory(sequence(rdn(value, type)))] as const,
  ),
  ['ediPartyName with tags in place', tagged(5, plain(1, '1'))],
];

/** Each general name where one may stand, and what a distribution point can hold. */
function* ofStructures(): Generator<JudgedShape> {
  const own = (what: string, id: string, value: Tree): JudgedShape => {
    const make = () => chain(signer(root, { others: [extension(id, value)] }), []);
    return { name: `structure: ${what} in ${id}`, make };
  };
  for (const [id, around] of Object.entries(aroundNames)) {
    for (const [what, name] of generalNames) yield own(what, id, around(name));
  }
  const relative = tagged(0, tagged(1, identified(COMMON_NAME, text(TAG.utf8, 'List'))));
  const [reasons, issuer] = [plain(1, Buffer.of(7, 0x80)), tagged(2, directory(named(TAG.utf8, 'Invented root')))];
  const full = tagged(0, tagged(0, WEB));
  for (const members of [
    ...choices(full, reasons, issuer),
    ...choices(reasons, issuer).map((rest) => [relative, ...rest]),
    [plain(1, Buffer.of(0))],
  ]) {
    const name = members.includes(relative) ? 'relative name' : 'full name';
    yield own(`distribution point of ${parts(members)}, ${name}`, '2.5.29.31', sequence(sequence(...members)));
  }
}

/** Issuers that look alike. */
function* ofIssuers(): Generator<JudgedShape> {
  const middle = authority('Invented authority', { issuer: root });
  const key = newKey('ec');
  const twin = authority('Invented authority', { issuer: root });
  const old = authority('Invented authority', { issuer: root, key: middle.key, ...days(-9, -1) });
  const loose = authority('Invented authority', { key: middle.key });
  const narrow = authority('Invented authority', {
    issuer: root,
    key: middle.key,
    others: [extension(NAME_CONSTRAINTS, constraints(EXCLUDED, directory(sequence())))],
  });
  const useless = authority('Invented authority', { issuer: root, key: middle.key, usage: ['cRLSign'] });
  const person = signer(middle, { key });
  const alike: readonly (readonly [string, Identity])[] = [
    ['of another key', twin],
    ['that has expired', old],
    ['that is its own issuer', loose],
    ['with constraints', narrow],
    ['that may not sign certificates', useless],
  ];
  for (const [what, other] of alike) {
    yield { name: `alike: ${what}, first`, make: () => chain(person, [other, middle]) };
    yield { name: `alike: ${what}, last`, make: () => chain(person, [middle, other]) };
  }
  yield { name: 'two levels', make: () => chain(signer(authority('Lower', { issuer: middle })), [middle]) };
  const short = { issuer: root, authority: { isAuthority: true, pathLength: 0 } };
  const lowest = authority('Invented authority', short, withExtension('2.5.29.14', leaf(TAG.octetString, '01')));
  const ofKey = extension(KEY_OF_ISSUER, sequence(plain(0, Buffer.of(1))));
  const renewed = authority('Invented authority', { issuer: lowest, others: [ofKey] });
  yield { name: 'path length 0 above a self-issued one', make: () => chain(signer(renewed), [renewed, lowest]) };
  for (const [what, commonName] of [
    ['in other case', 'INVENTED ROOT'],
    ['with blanks', ' Invented  root '],
    ['of another name', 'Invented roof'],
  ] as const) {
    yield { name: `issuer ${what}`, make: () => chain(signer(authority(commonName, { key: root.key })), []) };
  }
  const levels = [root];
  for (let i = 0; i < 7; i++) levels.push(authority(`Level ${i}`, { issuer: levels[i] as Identity }));
  for (const depth of [5, 6, 7]) {
    const chosen = levels.slice(1, depth + 1).reverse();
    yield { name: `${depth} authorities`, make: () => chain(signer(levels[depth] as Identity), chosen) };
  }
}

/** How a certificate names its issuer by key, name and number, and what that issuer has. */
function* ofReferences(): Generator<JudgedShape> {
  const referring = (what: string, own: CertificateChange, ...says: Tree[]): JudgedShape => {
    const others = [extension(KEY_OF_ISSUER, sequence(...says))];
    return {
      name: `reference: ${what}`,
      make: () => below(authority('Invented authority', { issuer: root }, own), { others }),
    };
  };
  const issuer = tagged(1, directory(named(TAG.utf8, 'Invented root')));
  // bf is 41 with the other sign; c1 has the bytes of 00c1 without its sign.
  const serials = ['41', 'bf', '00c1', 'c1'];
  for (const own of serials) {
    const numbered: CertificateChange = (old) => replaced(old, [0, 1], () => [leaf(TAG.integer, own)]);
    for (const said of serials) {
      const number = plain(2, Buffer.from(said, 'hex'));
      yield referring(`serial ${own} as ${said}`, numbered, issuer, number);
      yield referring(`serial ${own} as ${said} alone`, numbered, number);
    }
  }
  const somebody = tagged(1, directory(named(TAG.utf8, 'Somebody')));
  yield referring('another name', (old) => old, somebody);
  const keys = ['0102', '0103', ''];
  for (const own of keys) {
    const keyed = withExtension('2.5.29.14', leaf(TAG.octetString, own));
    for (const said of keys) yield referring(`key ${own} as ${said}`, keyed, plain(0, Buffer.from(said, 'hex')));
  }
}

export function* chainShapes(): Generator<JudgedShape> {
  yield* ofNames();
  yield* ofSubjects();
  yield* ofExtensions();
  yield* ofStructures();
  yield* ofIssuers();
  yield* ofReferences();
}
