/** The structures that a verifier of signatures is tried with: changed signatures, attributes, certificates, chains. */
import { createHash } from 'node:crypto';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type HashName, type Identity, newKey, type Scheme, signed } from './certificates.ts';
import { identifier, type JudgedShape, maker, tagged, type World } from './shape-world.ts';
import {
  at,
  changed,
  encoded,
  leaf,
  type Path,
  pathsOf,
  replaced,
  sequence,
  set,
  type Tree,
  treeOf,
} from './shapes.ts';
import { makeCms } from './signatures.ts';

const UTC = leaf(TAG.utcTime, Buffer.from('260301000000Z'));
const TIME_STAMP = '1.2.840.113549.1.9.16.2.14';

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

const attribute = (type: string, ...values: Tree[]) => sequence(identifier(type), set(...values));

/** Where the parts of a SignedData with all members are. */
const DATA: Path = [1, 0];
const CERTIFICATES: Path = [...DATA, 3];
const OTHERS: Path = [...DATA, 4, 1];
const SIGNER: Path = [...DATA, 5, 0];
const ATTRIBUTES: Path = [...SIGNER, 3];
const SIGNATURE: Path = [...SIGNER, 5];

const OTHER_LIST = tagged(1, identifier('1.3.6.1.5.5.7.16.2'), leaf(TAG.null, ''));
const V5 = leaf(TAG.integer, '05');

/** A signature with every member that SignedData and SignerInfo can have; by key with a list of another format too. */
function complete(world: World, byKeyIdentifier: boolean) {
  const { authority, signer } = maker(world);
  const root = authority('Invented root');
  const middle = authority('Invented authority', { issuer: root });
  const person = signer(middle);
  const { content, at: now } = world;
  const made = treeOf(
    makeCms({ content, signers: [person], certificates: [middle.certificate], at: now, byKeyIdentifier }),
  );
  const list = revocationList(treeOf(middle.certificate));
  const crls = byKeyIdentifier ? tagged(1, list, OTHER_LIST) : tagged(1, list);
  const stamp = attribute(TIME_STAMP, sequence(identifier('1.2.3'), set()));
  const withCrls = replaced(made, CERTIFICATES, (old) => [old, crls]);
  const all = replaced(withCrls, SIGNATURE, (old) => [old, tagged(1, stamp)]);
  const tree = byKeyIdentifier ? replaced(all, [...DATA, 0], () => [V5]) : all;
  return { root, middle, person, tree };
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

function* ofSignedData(world: World): Generator<JudgedShape> {
  for (const byKey of [false, true]) {
    const { root, tree } = complete(world, byKey);
    const isLeft = (path: Path) =>
      [[...CERTIFICATES, 0], [...CERTIFICATES, 1], ATTRIBUTES].some((one) => startsWith(path, one));
    const paths = pathsOf(tree, isLeft).filter(
      (path) => !byKey || startsWith(path, SIGNER) || startsWith(path, OTHERS),
    );
    for (const shape of changed(byKey ? 'by key' : 'data', tree, paths)) yield { ...shape, anchor: root.certificate };
    // The whole value: what holds it is no part of it.
    for (const shape of changed('whole', sequence(tree), [[0]], (one) =>
      one.members?.length === 1 ? one.members[0] : undefined,
    )) {
      yield { ...shape, anchor: root.certificate };
    }
  }
}

function* ofAttributes(world: World): Generator<JudgedShape> {
  const { root, person, tree } = complete(world, false);
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
    for (const shape of changed(what, holder, [[0], ...below], finish)) yield { ...shape, anchor: root.certificate };
  }
  yield* inOtherSets(tree, person, root);
}

/** Attributes that are doubled, or in the set in which they may not be. */
function* inOtherSets(tree: Tree, person: Identity, root: Identity): Generator<JudgedShape> {
  const digest = leaf(TAG.octetString, createHash('sha256').digest());
  const values: Readonly<Record<string, Tree>> = {
    '1.2.840.113549.1.9.3': identifier('1.2.840.113549.1.7.1'),
    '1.2.840.113549.1.9.4': digest,
    '1.2.840.113549.1.9.5': UTC,
    '1.2.840.113549.1.9.6': sequence(),
    [TIME_STAMP]: sequence(),
    '1.2.840.113549.1.9.16.2.1': sequence(),
    '1.2.840.113549.1.9.16.2.12': sequence(sequence(sequence(leaf(TAG.octetString, digest.content.subarray(0, 20))))),
    '1.2.840.113549.1.9.16.2.47': sequence(sequence(sequence(digest))),
    '1.2.840.113549.1.9.52': sequence(
      sequence(identifier('2.16.840.1.101.3.4.2.3')),
      tagged(1, identifier('1.2.840.113549.1.1.1')),
    ),
    '1.2.3.4.5': leaf(TAG.null, ''),
  };
  const sorted = (members: readonly Tree[]) =>
    [...members].sort((one, other) => Buffer.compare(encoded(one), encoded(other)));
  for (const [type, value] of Object.entries(values)) {
    for (const many of [[value], [value, value]]) {
      const what = many.length === 2 ? `${type} with two values` : type;
      const inSigned = replaced(tree, ATTRIBUTES, (old) => [
        { ...old, members: sorted([...(old.members ?? []), attribute(type, ...many)]) },
      ]);
      yield { name: `${what} signed too`, der: encoded(resigned(inSigned, person, SIGNER)), anchor: root.certificate };
      const unsigned: Path = [...SIGNER, 6];
      const inUnsigned = replaced(tree, unsigned, (old) => [
        { ...old, members: [...(old.members ?? []), attribute(type, ...many)] },
      ]);
      yield { name: `${what} unsigned too`, der: encoded(inUnsigned), anchor: root.certificate };
    }
  }
}

/** Digest algorithms and hashes of signatures in every combination. */
function* ofAlgorithms(world: World): Generator<JudgedShape> {
  const { authority, signer } = maker(world);
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
          content: world.content,
          signers: [person],
          at: world.at,
          scheme: { hash: digest, pss },
          signatureHash: hash,
        });
        const tree = treeOf(made);
        const own: Path = [...DATA, 4, 0];
        const name = `${kind}${pss ? ' PSS' : ''}, digest ${digest}, signature ${hash}`;
        yield { name, der: encoded(tree), anchor: root.certificate };
        if (digest !== 'sha256' || hash !== digest || kind === 'ec') continue;
        const paths = [
          [...own, 2],
          [...own, 4],
        ].flatMap((path) => [path, ...pathsOf(at(tree, path)).map((one) => [...path, ...one])]);
        for (const shape of changed(name, tree, paths)) yield { ...shape, anchor: root.certificate };
      }
    }
  }
}

/** The tree of a certificate with a signature over its fields; undefined where parts of it are missing. */
function certified(certificate: Tree, { key }: Identity): Tree | undefined {
  const [tbs, , signature] = certificate.members ?? [];
  if (tbs === undefined || signature === undefined) return undefined;
  const value = signed(key, { hash: 'sha256' }, encoded(tbs));
  return replaced(certificate, [2], () => [leaf(TAG.bitString, Buffer.concat([Buffer.of(0), value]))]);
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

function* ofSerials(world: World): Generator<JudgedShape> {
  const { root, middle, person, tree } = complete(world, false);
  for (const [own, named = own] of serials) {
    const other = replaced(treeOf(person.certificate), [0, 1], () => [leaf(TAG.integer, own)]);
    const certificate = certified(other, middle) as Tree;
    const withIt = replaced(tree, [...CERTIFICATES, 0], () => [certificate]);
    const all = replaced(withIt, [...SIGNER, 1, 1], () => [leaf(TAG.integer, named)]);
    yield {
      name: `serial ${own.slice(0, 8)}, named ${named.slice(0, 8)}`,
      der: encoded(all),
      anchor: root.certificate,
    };
  }
}

/** Each field of the signer's certificate and of its authority's, signed again by the issuer's key. */
function* ofCertificates(world: World): Generator<JudgedShape> {
  const { root, middle, person, tree } = complete(world, true);
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
    for (const shape of changed(what, certificate, inTbs, finish)) yield { ...shape, anchor: root.certificate };
    const around = pathsOf(certificate).filter(([first]) => first !== 0);
    for (const shape of changed(what, certificate, around, put)) yield { ...shape, anchor: root.certificate };
  }
}

export function* cmsShapes(world: World): Generator<JudgedShape> {
  yield* ofAlgorithms(world);
  yield* ofSignedData(world);
  yield* ofAttributes(world);
  yield* ofSerials(world);
  yield* ofCertificates(world);
}
