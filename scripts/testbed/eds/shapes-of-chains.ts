/** Chains of certificates, right and wrong in what RFC 5280 §6.1 judges. */
import { CONTEXT, TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type CertificateWish, type Identity, keyIdentifier, keyUsages, newKey } from './certificates.ts';
import { identifier, type JudgedShape, maker, tagged, type World } from './shape-world.ts';
import { encoded, leaf, sequence, set, type Tree } from './shapes.ts';
import { makeCms } from './signatures.ts';

type Extensions = NonNullable<CertificateWish['others']>;
type Wish = Partial<CertificateWish>;

const plain = (number: number, content: Uint8Array | string) =>
  leaf((CONTEXT << 6) | number, typeof content === 'string' ? Buffer.from(content) : content);
const extension = (id: string, value: Tree, critical = false): Extensions => [{ id, critical, value: encoded(value) }];
const text = (tag: number, characters: string) =>
  leaf(tag, Buffer.from(characters, tag === TAG.bmp ? 'utf16le' : 'utf8'));
const named = (tag: number, commonName: string) =>
  sequence(set(sequence(identifier('2.5.4.3'), tag === TAG.bmp ? bmp(commonName) : text(tag, commonName))));
const bmp = (characters: string) => leaf(TAG.bmp, Buffer.from(characters, 'utf16le').swap16());

const NAME_CONSTRAINTS = '2.5.29.30';
const ALTERNATIVE_NAMES = '2.5.29.17';
const [PERMITTED, EXCLUDED] = [0, 1];

/** A base of name constraints, by kind. */
const directory = (name: Tree) => tagged(4, name);
const mail = (address: string) => plain(1, address);
const host = (name: string) => plain(2, name);
const uri = (address: string) => plain(6, address);
const network = (...bytes: number[]) => plain(7, Uint8Array.from(bytes));

const constraints = (list: number, ...bases: Tree[]) => sequence(tagged(list, ...bases.map((base) => sequence(base))));

const SIGNER = 'Invented signer';

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

function* ofNames({ root, chain, signer, authority }: Kit): Generator<JudgedShape> {
  for (const [what, base, names] of bases) {
    for (const list of [PERMITTED, EXCLUDED]) {
      for (const critical of [true, false]) {
        const middle = authority('Invented authority', {
          issuer: root,
          others: extension(NAME_CONSTRAINTS, constraints(list as number, base), critical),
        });
        const others = names.length === 0 ? [] : extension(ALTERNATIVE_NAMES, sequence(...names));
        const how = `${list === PERMITTED ? 'permitted' : 'excluded'}${critical ? ', critical' : ''}`;
        yield chain(`names: ${what} ${how}`, signer(middle, { others }), [middle]);
      }
    }
  }
  const limits: readonly [string, Tree][] = [
    ['with a minimum', sequence(tagged(PERMITTED as number, sequence(directory(sequence()), plain(0, Buffer.of(1)))))],
    ['with a maximum', sequence(tagged(PERMITTED as number, sequence(directory(sequence()), plain(1, Buffer.of(9)))))],
    ['with neither list', sequence()],
  ];
  for (const [what, value] of limits) {
    const middle = authority('Invented authority', { issuer: root, others: extension(NAME_CONSTRAINTS, value) });
    yield chain(`names: constraints ${what}`, signer(middle), [middle]);
  }
  const mine = extension(NAME_CONSTRAINTS, constraints(PERMITTED as number, directory(named(TAG.utf8, SIGNER))));
  const above = authority('Invented authority', { issuer: root, others: mine });
  const same = authority('Invented authority', { issuer: above });
  const other = authority('Another authority', { issuer: above });
  yield chain('names: an authority in between that is self-issued', signer(same), [same, above]);
  yield chain('names: an authority in between of another name', signer(other), [other, above]);
  const narrow = authority('Invented root', { others: mine });
  yield chain('names: constraints of the anchor that are kept', signer(narrow), [], narrow);
  yield chain(
    'names: constraints of the anchor that are not kept',
    signer(narrow, { commonName: 'Another' }),
    [],
    narrow,
  );
}

function* ofExtensions({ root, chain, signer, authority }: Kit): Generator<JudgedShape> {
  const wishes: readonly (readonly [what: string, wish: Wish])[] = [
    ...['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36', '2.5.29.37.0'].map(
      (purpose) => [`purpose ${purpose}`, { purposes: [purpose] }] as const,
    ),
    ['critical extension', { criticalExtension: '1.2.3.4' }],
    ['unknown extension', { others: extension('1.2.3.4', leaf(TAG.null, '')) }],
    ['require explicit policy', { others: extension('2.5.29.36', sequence(plain(0, Buffer.of(0)))) }],
    ['inhibit mapping', { others: extension('2.5.29.36', sequence(plain(1, Buffer.of(0))), true) }],
    ['inhibit any policy', { others: extension('2.5.29.54', leaf(TAG.integer, '00'), true) }],
    [
      'policy mapping',
      { others: extension('2.5.29.33', sequence(sequence(identifier('1.2.3'), identifier('1.2.4')))) },
    ],
    ['policies', { others: extension('2.5.29.32', sequence(sequence(identifier('1.2.3'))), true) }],
    ['proxy', { others: extension('1.3.6.1.5.5.7.1.14', sequence(sequence(identifier('1.3.6.1.5.5.7.21.1'))), true) }],
    [
      'addresses of networks',
      { others: extension('1.3.6.1.5.5.7.1.7', sequence(sequence(leaf(4, '0001'), leaf(5, '')))) },
    ],
    ['numbers of networks', { others: extension('1.3.6.1.5.5.7.1.8', sequence(tagged(0, leaf(5, '')))) }],
    ['same extension twice', { others: extension('2.5.29.14', leaf(TAG.octetString, '00')) }],
    ...Object.keys(keyUsages).map((usage) => [`usage ${usage}`, { usage: [usage] as never }] as const),
    ...[0, 1].map(
      (pathLength) => [`path length ${pathLength}`, { authority: { isAuthority: true, pathLength } }] as const,
    ),
    ['no authority', { authority: { isAuthority: false } }],
    ['no authority, path length', { authority: { isAuthority: false, pathLength: 0 } }],
    ['expired', { notBefore: new Date(0), notAfter: new Date(86_400_000) }],
    ['SHA-1', { scheme: { hash: 'sha1' } }],
  ];
  for (const [what, wish] of wishes) {
    yield chain(`signer: ${what}`, signer(root, wish), []);
    const middle = authority('Invented authority', { issuer: root, ...wish });
    yield chain(`authority: ${what}`, signer(middle), [middle]);
    const lower = authority('Lower authority', { issuer: middle });
    yield chain(`upper authority: ${what}`, signer(lower), [lower, middle]);
    const anchor = authority('Invented root', wish);
    yield chain(`anchor: ${what}`, signer(anchor), [], anchor);
  }
}

/** What certificates say of their issuers, and issuers that look alike. */
function* ofIssuers({ root, chain, signer, authority, days }: Kit): Generator<JudgedShape> {
  const middle = authority('Invented authority', { issuer: root });
  const key = newKey('ec');
  const own = keyIdentifier(middle.key);
  const says: readonly (readonly [string, Tree])[] = [
    ['its key', sequence(plain(0, own))],
    ['another key', sequence(plain(0, Buffer.alloc(20, 7)))],
    ['another serial number', sequence(tagged(1, directory(named(TAG.utf8, 'Invented root'))), plain(2, Buffer.of(9)))],
    ['another name', sequence(tagged(1, directory(named(TAG.utf8, 'Somebody'))), plain(2, Buffer.of(9)))],
    ['nothing', sequence()],
  ];
  for (const [what, value] of says) {
    yield chain(`issuer: ${what}`, signer(middle, { others: extension('2.5.29.35', value) }), [middle]);
  }
  const twin = authority('Invented authority', { issuer: root });
  const old = authority('Invented authority', { issuer: root, key: middle.key, ...days(-9, -1) });
  const loose = authority('Invented authority', { key: middle.key });
  const narrow = authority('Invented authority', {
    issuer: root,
    key: middle.key,
    others: extension(NAME_CONSTRAINTS, constraints(EXCLUDED as number, directory(sequence()))),
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
    yield chain(`alike: ${what}, first`, person, [other, middle]);
    yield chain(`alike: ${what}, last`, person, [middle, other]);
  }
  yield chain('two levels', signer(authority('Lower', { issuer: middle })), [middle]);
  for (const [what, commonName] of [
    ['in other case', 'INVENTED ROOT'],
    ['with blanks', ' Invented  root '],
    ['of another name', 'Invented roof'],
  ] as const) {
    const other = authority(commonName, { key: root.key });
    yield chain(`issuer ${what}`, signer(other), []);
  }
  const levels = [root];
  for (let i = 0; i < 7; i++) levels.push(authority(`Level ${i}`, { issuer: levels[i] as Identity }));
  for (const depth of [5, 6, 7]) {
    yield chain(`${depth} authorities`, signer(levels[depth] as Identity), levels.slice(1, depth + 1).reverse());
  }
}

interface Kit extends ReturnType<typeof maker> {
  readonly root: Identity;
  /** The signature of a person with these authorities beside the certificate, in this order. */
  readonly chain: (name: string, person: Identity, authorities: readonly Identity[], anchor?: Identity) => JudgedShape;
}

export function* chainShapes(world: World): Generator<JudgedShape> {
  const made = maker(world);
  const root = made.authority('Invented root');
  const chain: Kit['chain'] = (name, person, authorities, anchor = root) => ({
    name,
    anchor: anchor.certificate,
    der: Buffer.from(
      makeCms({
        content: world.content,
        at: world.at,
        signers: [person],
        certificates: authorities.map(({ certificate }) => certificate),
      }),
    ),
  });
  const kit = { ...made, root, chain };
  yield* ofNames(kit);
  yield* ofExtensions(kit);
  yield* ofIssuers(kit);
}
