/** The structures that a verifier of signatures is tried with: changed signatures, attributes, certificates, chains. */
import { createHash } from 'node:crypto';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type HashName, type Identity, newKey, type Scheme, signed } from './certificates.ts';
import {
  at,
  attribute,
  byEncoding,
  directory,
  encoded,
  identified,
  identifier,
  leaf,
  type Path,
  rdn,
  replaced,
  sequence,
  set,
  type Tree,
  tagged,
  treeOf,
  utcTime,
  withMembers,
} from './der.ts';
import {
  aroundNames,
  authority,
  type CertificateChange,
  certified,
  inSubject,
  type JudgedShape,
  otherName,
  signer,
  withExtension,
  world,
} from './shape-world.ts';
import { anyValues, changed, pathsOf, type Shape } from './shapes.ts';
import { makeCms } from './signatures.ts';

const UTC = utcTime(new Date('2026-03-01T00:00:00Z'));
const TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47';

/** A revocation list whose signature is none: nobody here verifies it. */
function revocationList(certificate: Tree): Tree {
  const [tbs, algorithm, signature] = certificate.members as [Tree, Tree, Tree];
  const issuer = tbs.members?.[3] as Tree;
  const entry = sequence(leaf(TAG.integer, '10'), UTC);
  return sequence(
    sequence(leaf(TAG.integer, '01'), algorithm, issuer, UTC, UTC, sequence(entry)),
    algorithm,
    signature,
  );
}

/** Where the parts of a SignedData with all members are. */
const DATA: Path = [1, 0];
const CERTIFICATES: Path = [...DATA, 3];
const LISTS: Path = [...DATA, 4];
const OTHERS: Path = [...LISTS, 1];
const SIGNER: Path = [...DATA, 5, 0];
const ATTRIBUTES: Path = [...SIGNER, 3];
const SIGNATURE: Path = [...SIGNER, 5];
const UNSIGNED: Path = [...SIGNER, 6];

const UNKNOWN = '1.2.3.4.5';

/** With a list of another format that holds this value; the version says that there is one. */
function withOtherList(tree: Tree, value: Tree): Tree {
  const other = tagged(1, identifier('1.3.6.1.5.5.7.16.2'), value);
  const all = replaced(tree, LISTS, (old) => [withMembers(old, other)]);
  return replaced(all, [...DATA, 0], () => [leaf(TAG.integer, '05')]);
}

/** A signature with every member that SignedData and SignerInfo can have; by key with a list of another format too. */
function complete(byKeyIdentifier: boolean) {
  const root = authority('Invented root');
  const middle = authority('Invented authority', { issuer: root });
  const person = signer(middle);
  const made = treeOf(makeCms({ ...world, signers: [person], certificates: [middle.certificate], byKeyIdentifier }));
  const list = revocationList(treeOf(middle.certificate));
  const stamp = attribute(TIME_STAMP, identified('1.2.3', set()));
  const withCrls = replaced(made, CERTIFICATES, (old) => [old, tagged(1, list)]);
  const all = replaced(withCrls, SIGNATURE, (old) => [old, tagged(1, stamp)]);
  const tree = byKeyIdentifier ? withOtherList(all, leaf(TAG.null, '')) : all;
  return { root, middle, person, tree };
}

/** The shapes as they are judged under an anchor. */
function* under({ certificate: anchor }: Identity, shapes: Iterable<Shape>): Generator<JudgedShape> {
  for (const { name, make } of shapes) {
    yield {
      name,
      make: () => {
        const made = make();
        return made && { der: encoded(made), anchor };
      },
    };
  }
}

const startsWith = (path: Path, start: Path) => start.every((one, i) => path[i] === one);

/** The tree with a signature over its signed attributes, as they are. @param signer where the SignerInfo is */
function resigned(tree: Tree, { key }: Identity, signer: Path, scheme: Scheme = { hash: 'sha256' }): Tree {
  const bytes = encoded(at(tree, [...signer, 3]));
  bytes[0] = 0x31;
  return replaced(tree, [...signer, 5], () => [leaf(TAG.octetString, signed(key, scheme, bytes))]);
}

/** A signature whose signed attributes have a longer length than DER allows, and are signed as they are. */
export function withLooseAttributes(cms: Uint8Array, person: Identity, scheme: Scheme): Buffer {
  const signer: Path = [...DATA, 4, 0];
  const loose = replaced(treeOf(cms), [...signer, 3], (old) => [{ ...old, length: 1 }]);
  return encoded(resigned(loose, person, signer, scheme));
}

function* ofSignedData(): Generator<JudgedShape> {
  for (const byKey of [false, true]) {
    const { root, tree } = complete(byKey);
    const isLeft = (path: Path) =>
      [[...CERTIFICATES, 0], [...CERTIFICATES, 1], ATTRIBUTES].some((one) => startsWith(path, one));
    const paths = pathsOf(tree, isLeft).filter(
      (path) => !byKey || startsWith(path, SIGNER) || startsWith(path, OTHERS),
    );
    yield* under(root, changed(byKey ? 'by key' : 'data', tree, paths));
    // The whole value: what holds it is no part of it.
    const inside = ({ members }: Tree) => (members?.length === 1 ? members[0] : undefined);
    yield* under(root, changed('whole', sequence(tree), [[0]], inside));
  }
}

function* ofAttributes(): Generator<JudgedShape> {
  const { root, person, tree } = complete(false);
  const below = pathsOf(at(tree, ATTRIBUTES)).map((path) => [0, ...path]);
  const holder = sequence(at(tree, ATTRIBUTES));
  for (const isResigned of [true, false]) {
    const finish = ({ members = [] }: Tree): Tree | undefined => {
      const [attributes, ...others] = members;
      if (attributes === undefined || others.length > 0) return undefined;
      const changedTree = replaced(tree, ATTRIBUTES, () => [attributes]);
      return isResigned ? resigned(changedTree, person, SIGNER) : changedTree;
    };
    const what = isResigned ? 'signed attributes' : 'signed attributes, signature as before';
    yield* under(root, changed(what, holder, [[0], ...below], finish));
  }
  yield* under(root, inOtherSets(tree, person));
}

/** With a further signed attribute. */
function withSigned(tree: Tree, person: Identity, more: Tree): Tree {
  const all = replaced(tree, ATTRIBUTES, (old) => [
    { ...old, members: [...(old.members ?? []), more].sort(byEncoding) },
  ]);
  return resigned(all, person, SIGNER);
}

const withUnsigned = (tree: Tree, more: Tree) => replaced(tree, UNSIGNED, (old) => [withMembers(old, more)]);

/** Attributes that are doubled, or in the set in which they may not be. */
function* inOtherSets(tree: Tree, person: Identity): Generator<Shape> {
  const digest = leaf(TAG.octetString, createHash('sha256').digest());
  const values: Readonly<Record<string, Tree>> = {
    '1.2.840.113549.1.9.3': identifier('1.2.840.113549.1.7.1'),
    '1.2.840.113549.1.9.4': digest,
    '1.2.840.113549.1.9.5': UTC,
    '1.2.840.113549.1.9.6': sequence(),
    [TIME_STAMP]: sequence(),
    '1.2.840.113549.1.9.16.2.1': sequence(),
    '1.2.840.113549.1.9.16.2.12': sequence(sequence(sequence(leaf(TAG.octetString, digest.content.subarray(0, 20))))),
    [SIGNING_CERTIFICATE]: sequence(sequence(sequence(digest))),
    '1.2.840.113549.1.9.52': sequence(
      identified('2.16.840.1.101.3.4.2.3'),
      tagged(1, identifier('1.2.840.113549.1.1.1')),
    ),
    [UNKNOWN]: leaf(TAG.null, ''),
  };
  for (const [type, value] of Object.entries(values)) {
    for (const many of [[value], [value, value]]) {
      const what = many.length === 2 ? `${type} with two values` : type;
      const own = attribute(type, ...many);
      yield { name: `${what} signed too`, make: () => withSigned(tree, person, own) };
      yield { name: `${what} unsigned too`, make: () => withUnsigned(tree, own) };
    }
  }
}

/** Digest algorithms and hashes of signatures in every combination. */
function* ofAlgorithms(): Generator<JudgedShape> {
  const root = authority('Invented root');
  const hashes: readonly HashName[] = ['sha256', 'sha384', 'sha512'];
  for (const [kind, pss] of [
    ['ec', false],
    ['rsa', false],
    ['rsa', true],
  ] as const) {
    const person = signer(root, { key: newKey(kind) });
    for (const digest of hashes) {
      for (const hash of hashes) {
        const made = makeCms({
          ...world,
          signers: [person],
          scheme: { hash: digest, pss },
          signatureHash: hash,
        });
        const tree = treeOf(made);
        const own: Path = [...DATA, 4, 0];
        const name = `${kind}${pss ? ' PSS' : ''}, digest ${digest}, signature ${hash}`;
        yield* under(root, [{ name, make: () => tree }]);
        if (digest !== 'sha256' || hash !== digest || kind === 'ec') continue;
        const paths = [
          [...own, 2],
          [...own, 4],
        ].flatMap((path) => [path, ...pathsOf(at(tree, path)).map((one) => [...path, ...one])]);
        yield* under(root, changed(name, tree, paths));
      }
    }
  }
}

/** Serial numbers of the certificate, and of the same in the signer's reference to it. */
const serials = [
  ['00c1', '00c1'],
  ['00c1', 'c1'],
  ['c1', 'c1'],
  ['c1', '00c1'],
  ['41', '41'],
  ['41', '0041'],
  ['41', 'bf'],
  ['00', '00'],
  ['ff', '01'],
  [`7f${'11'.repeat(19)}`],
  [`00${'ff'.repeat(20)}`],
  [`7f${'11'.repeat(20)}`],
] as const;

function* ofSerials(): Generator<JudgedShape> {
  const { root, middle, person, tree } = complete(false);
  for (const [own, named = own] of serials) {
    const make = () => {
      const certificate = certified(
        replaced(treeOf(person.certificate), [0, 1], () => [leaf(TAG.integer, own)]),
        middle,
      );
      const withIt = certificate && replaced(tree, [...CERTIFICATES, 0], () => [certificate]);
      return withIt && replaced(withIt, [...SIGNER, 1, 1], () => [leaf(TAG.integer, named)]);
    };
    yield* under(root, [{ name: `serial ${own.slice(0, 8)}, named ${named.slice(0, 8)}`, make }]);
  }
}

/** Each field of the signer's certificate and of its authority's, signed again by the issuer's key. */
function* ofCertificates(): Generator<JudgedShape> {
  const { root, middle, person, tree } = complete(true);
  for (const [nth, what, own, issuer] of [
    [0, 'certificate', person, middle],
    [1, 'authority', middle, root],
  ] as const) {
    const certificate = treeOf(own.certificate, true);
    const put = (one: Tree) => replaced(tree, [...CERTIFICATES, nth], () => [one]);
    const finish = (one: Tree): Tree | undefined => {
      const again = certified(one, issuer);
      return again && put(again);
    };
    const inTbs = pathsOf(certificate).filter(([first]) => first === 0);
    yield* under(root, changed(what, certificate, inTbs, finish));
    const around = pathsOf(certificate).filter(([first]) => first !== 0);
    yield* under(root, changed(what, certificate, around, put));
  }
}

/** With these parameters of the algorithms at the paths. */
const withParameters = (tree: Tree, value: Tree, ...paths: Path[]): Tree =>
  paths.reduce((one, path) => replaced(one, path, ({ members: [type = value] = [] }) => [sequence(type, value)]), tree);

/** Of the extensions of RFC 5280, those that OpenSSL or the service reads while it judges a chain. */
const EXTENSIONS = [14, 15, 17, 18, 19, 30, 31, 32, 35, 37].map((last) => `2.5.29.${last}`);

/** The places where any value may stand, each with how one comes there; the certificate of `other` is in no chain. */
function placesOf(
  { middle, person, tree }: ReturnType<typeof complete>,
  other: Identity,
): Readonly<Record<string, (value: Tree) => Tree | undefined>> {
  const ids = sequence(sequence(leaf(TAG.octetString, createHash('sha256').update(person.certificate).digest())));
  const list: Path = [...LISTS, 0, 0];
  const withOther = replaced(tree, CERTIFICATES, (old) => [withMembers(old, treeOf(other.certificate))]);
  const inCertificate = (nth: number, own: Identity, issuer: Identity, change: CertificateChange) => {
    const again = certified(change(treeOf(own.certificate)), issuer);
    return again && replaced(withOther, [...CERTIFICATES, nth], () => [again]);
  };
  const inSigner = (change: CertificateChange) => inCertificate(0, person, middle, change);
  const inOther = (change: CertificateChange) => inCertificate(2, other, other, change);
  const inNames = (name: Tree) => inSigner(withExtension('2.5.29.17', sequence(name)));
  const qualified = (value: Tree) => identified('1.2.3', sequence(identified('1.3.6.1.5.5.7.2.1', value)));
  const inEach = (what: string, all: readonly (readonly [id: string, around: (value: Tree) => Tree])[]) =>
    all.map(([id, around]) => [`${what} ${id}`, (value: Tree) => inSigner(withExtension(id, around(value)))] as const);
  return {
    'signed attribute': (value) => withSigned(tree, person, attribute(UNKNOWN, value)),
    'unsigned attribute': (value) => withUnsigned(tree, attribute(UNKNOWN, value)),
    'list of another format': (value) => withOtherList(tree, value),
    'policy of the signing certificate': (value) =>
      withSigned(tree, person, attribute(SIGNING_CERTIFICATE, sequence(ids, sequence(value)))),
    'parameters of a digest': (value) => withParameters(tree, value, [...DATA, 1, 0]),
    "parameters of the signer's digest": (value) => withParameters(tree, value, [...SIGNER, 2]),
    'parameters of the signature': (value) => withParameters(tree, value, [...SIGNER, 4]),
    'parameters of a list': (value) => withParameters(tree, value, [...list, 1], [...LISTS, 0, 1]),
    'parameters of a key': (value) => inOther((old) => withParameters(old, value, [0, 6, 0])),
    'parameters of a certificate': (value) => inOther((old) => withParameters(old, value, [0, 2], [1])),
    'name of a list': (value) => replaced(tree, [...list, 2], () => [sequence(rdn(value))]),
    subject: (value) => inSigner(inSubject(value)),
    'subject of another': (value) => inOther(inSubject(value)),
    x400Address: (value) => inNames(tagged(3, value)),
    ediPartyName: (value) => inNames(tagged(5, tagged(1, value))),
    directoryName: (value) => inNames(directory(sequence(rdn(value)))),
    'qualifier of a policy': (value) => inSigner(withExtension('2.5.29.32', sequence(qualified(value)))),
    ...Object.fromEntries([
      ...inEach(
        'extension',
        EXTENSIONS.map((id) => [id, (value) => value]),
      ),
      ...inEach(
        'otherName in',
        Object.entries(aroundNames).map(([id, around]) => [id, (value) => around(otherName('1.2.3', value))]),
      ),
    ]),
  };
}

/** A value of each tag in each form, in each place where any may stand. */
export function* valueShapes(): Generator<JudgedShape> {
  const full = complete(false);
  for (const [where, put] of Object.entries(placesOf(full, authority('Invented other')))) {
    for (const [what, value] of anyValues) {
      yield* under(full.root, [{ name: `${where}: ${what}`, make: () => put(value) }]);
    }
  }
}

export function* cmsShapes(): Generator<JudgedShape> {
  yield* ofAlgorithms();
  yield* ofSignedData();
  yield* ofAttributes();
  yield* ofSerials();
  yield* ofCertificates();
}
