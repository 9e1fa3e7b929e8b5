/**
 * Signatures that are right, or other than a right one in one place, by what that place has. What is signed is signed again,
 * so that the structure alone can be wrong.
 */
import { createHash } from 'node:crypto';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type HashName, type Identity, type KeyKind, newKey } from './certificates.ts';
import {
  at,
  attribute,
  branch,
  byEncoding,
  CONSTRUCTED,
  encoded,
  identified,
  identifier,
  leaf,
  NULL,
  type Path,
  replaced,
  sequence,
  set,
  type Tree,
  tagged,
  treeOf,
  utcTime,
  withMembers,
} from './der.ts';
import { authority, type CertificateChange, certified, type Signature, signer, world } from './shape-world.ts';
import { makeCms, resigned } from './signatures.ts';

const UTC = utcTime(new Date('2026-03-01T00:00:00Z'));

/** A revocation list whose signature is none: nobody here verifies it. */
function revocationList(certificate: Tree): Tree {
  const [tbs, algorithm, signature] = certificate.members as [Tree, Tree, Tree];
  const issuer = at(tbs, [3]);
  const entry = sequence(leaf(TAG.integer, '10'), UTC);
  return sequence(
    sequence(leaf(TAG.integer, '01'), algorithm, issuer, UTC, UTC, sequence(entry)),
    algorithm,
    signature,
  );
}

/** Where the parts of a SignedData with all members are. */
const DATA: Path = [1, 0];
const VERSION: Path = [...DATA, 0];
const CERTIFICATES: Path = [...DATA, 3];
const LISTS: Path = [...DATA, 4];
const SIGNER: Path = [...DATA, 5, 0];
const ATTRIBUTES: Path = [...SIGNER, 3];
const ALGORITHM: Path = [...SIGNER, 4];
const SIGNATURE: Path = [...SIGNER, 5];
const UNSIGNED: Path = [...SIGNER, 6];

/** A signature with every member that SignedData and SignerInfo can have; by key with a list of another format too. */
function complete(byKeyIdentifier: boolean) {
  const root = authority('Invented root');
  const middle = authority('Invented authority', { issuer: root });
  const person = signer(middle);
  const made = treeOf(makeCms({ ...world, signers: [person], certificates: [middle.certificate], byKeyIdentifier }));
  const list = revocationList(treeOf(middle.certificate));
  const stamp = attribute('1.2.840.113549.1.9.16.2.14', identified('1.2.3', set()));
  const withCrls = replaced(made, CERTIFICATES, (old) => [old, tagged(1, list)]);
  const all = replaced(withCrls, SIGNATURE, (old) => [old, tagged(1, stamp)]);
  return { root, middle, person, tree: byKeyIdentifier ? withOtherList(all) : all };
}

/** With a list of another format; the version says that there is one. */
function withOtherList(tree: Tree): Tree {
  const other = tagged(1, identifier('1.3.6.1.5.5.7.16.2'), NULL);
  const all = replaced(tree, LISTS, (old) => [withMembers(old, other)]);
  return replaced(all, VERSION, () => [leaf(TAG.integer, '05')]);
}

const full = complete(false);
const byKey = complete(true);

type Change = (old: Tree) => readonly Tree[];

const leftOut: Change = () => [];
const empty: Change = (old) => [{ ...old, members: [] }];
const doubled: Change = (old) => [old, old];
/** In more bytes than DER has. */
const longer =
  (length: NonNullable<Tree['length']> = 1): Change =>
  (old) => [{ ...old, length }];
const withNull: Change = (old) => [withMembers(old, NULL)];
const withOtherEnd: Change = ({ tag, content }) => [
  leaf(tag, Buffer.concat([content.subarray(0, -1), Buffer.of((content.at(-1) ?? 0) ^ 1)])),
];
const become =
  (tag: number, content: string): Change =>
  () => [leaf(tag, content)];
const inParts: Change = ({ tag, content }) => [
  branch(tag | CONSTRUCTED, ...[content.subarray(0, 4), content.subarray(4)].map((part) => leaf(tag, part))),
];
const ofPrimitiveForm: Change = ({ tag }) => [leaf(tag & ~CONSTRUCTED, '0500')];

type Signatures = Readonly<Record<string, () => Signature | undefined>>;

const under = ({ certificate: anchor }: Identity, tree: Tree): Signature => ({ der: encoded(tree), anchor });

/** Changed outside of what is signed. */
const outside =
  (path: Path, change: Change, { root, tree } = full) =>
  () =>
    under(root, replaced(tree, path, change));

const ofSignedData: Signatures = {
  'every member that there can be': () => under(full.root, full.tree),
  'a signer by key, and a list of another format': () => under(byKey.root, byKey.tree),
  'bytes behind it': () => ({ der: Buffer.concat([encoded(full.tree), Buffer.of(0)]), anchor: full.root.certificate }),
  'another type than SignedData': outside([0], withOtherEnd),
  'a digest algorithm that the list has not': outside([...DATA, 1, 0, 0], withOtherEnd),
  'another type of content': outside([...DATA, 2, 0], withOtherEnd),
  'no certificates': outside(CERTIFICATES, leftOut),
  'the certificates last': outside(DATA, ({ members = [], ...old }) => [
    { ...old, members: [...members.toSpliced(3, 1), ...members.slice(3, 4)] },
  ]),
  'a certificate of another format': outside(CERTIFICATES, (old) => [withMembers(old, tagged(1, NULL))]),
  'no signer': outside([...DATA, 5], empty),
  'the signer twice': outside(SIGNER, doubled),
  'another issuer of the signer': outside([...SIGNER, 1, 0, 0, 0, 1], withOtherEnd),
  'another key of the signer': outside([...SIGNER, 1], withOtherEnd, byKey),
  'no signed attributes': outside(ATTRIBUTES, leftOut),
  'a number of five bytes as the version': outside(VERSION, become(TAG.integer, '0100000001')),
  'the version of a signer by key': outside(VERSION, become(TAG.integer, '03')),
  'the version of the signer as by key': outside([...SIGNER, 0], become(TAG.integer, '03')),
  'a NULL behind the parameters of the digest': outside([...SIGNER, 2], withNull),
  'NULL for the parameters of ECDSA': outside(ALGORITHM, withNull),
  'indefinite lengths': outside(DATA, longer('indefinite')),
  'a signature whose length has four bytes': outside(SIGNATURE, longer(3)),
  'the empty parameters in a longer length': outside([...SIGNER, 2, 1], longer()),
  'the key of the signer in a longer length': outside([...SIGNER, 1], longer(), byKey),
  'the key of the signer in two parts': outside([...SIGNER, 1], inParts, byKey),
  'a set that is primitive': outside([...DATA, 1], ofPrimitiveForm),
  'an empty identifier': outside([0], become(TAG.oid, '')),
  'no unsigned attribute in their set': outside(UNSIGNED, empty),
};

/** With other signed attributes, which the signature covers. */
const attributes = (change: Change) => () =>
  under(full.root, resigned(replaced(full.tree, ATTRIBUTES, change), full.person, SIGNER, { hash: 'sha256' }));
const attributeAt = (nth: number, change: Change) => attributes((old) => [replaced(old, [nth], change)]);
/** With one more signed attribute, or one more unsigned. */
const signedToo = (type: string, ...values: Tree[]) =>
  attributes((old) => [{ ...old, members: [...(old.members ?? []), attribute(type, ...values)].sort(byEncoding) }]);
const unsignedToo = (type: string, value: Tree) =>
  outside(UNSIGNED, (old) => [withMembers(old, attribute(type, value))]);

const digest = leaf(TAG.octetString, createHash('sha256').digest());

/** The content type, the signing time and the message digest are there in this order. */
const ofAttributes: Signatures = {
  'no content type': attributeAt(0, leftOut),
  'no message digest': attributeAt(2, leftOut),
  'an attribute in a longer length': attributeAt(0, longer()),
  'an attribute of an indefinite length': attributeAt(0, longer('indefinite')),
  'attributes in reverse': attributes(({ members = [], ...old }) => [{ ...old, members: members.toReversed() }]),
  'a second signing time': signedToo('1.2.840.113549.1.9.5', UTC),
  'a signing time on no day': attributeAt(1, (old) => [
    replaced(old, [1, 0], become(TAG.utcTime, Buffer.from('260231000000Z').toString('hex'))),
  ]),
  'two values of the signing time': attributeAt(1, (old) => [replaced(old, [1, 0], doubled)]),
  'a countersignature that is signed': signedToo('1.2.840.113549.1.9.6', sequence()),
  'a message digest that is unsigned': unsignedToo('1.2.840.113549.1.9.4', digest),
  'the digest of another certificate': signedToo('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(digest)))),
  'other algorithms to be protected': signedToo(
    '1.2.840.113549.1.9.52',
    sequence(identified('2.16.840.1.101.3.4.2.3'), tagged(1, identifier('1.2.840.113549.1.1.1'))),
  ),
  'an unknown attribute that is signed': signedToo('1.2.3.4.5', NULL),
  'an unknown attribute that is unsigned': unsignedToo('1.2.3.4.5', NULL),
};

/** With another certificate of the signer, signed by its authority, and with another serial number in its name. */
const ofSigner = (change: CertificateChange, named?: string) => (): Signature | undefined => {
  const certificate = certified(change(treeOf(full.person.certificate)), full.middle);
  const inside = certificate && replaced(full.tree, [...CERTIFICATES, 0], () => [certificate]);
  if (inside === undefined || named === undefined) return inside && under(full.root, inside);
  return under(full.root, replaced(inside, [...SIGNER, 1, 1], become(TAG.integer, named)));
};
const numbered = (own: string): CertificateChange => {
  return (old) => replaced(old, [0, 1], become(TAG.integer, own));
};

const ofCertificates: Signatures = {
  'the serial number 00c1, named so': ofSigner(numbered('00c1'), '00c1'),
  'the serial number 00c1, named c1': ofSigner(numbered('00c1'), 'c1'),
  'a negative serial number': ofSigner(numbered('c1'), 'c1'),
  'a serial number of 21 bytes': ofSigner(numbered(`7f${'11'.repeat(20)}`), `7f${'11'.repeat(20)}`),
  'another algorithm inside': ofSigner((old) => replaced(old, [0, 2, 0], withOtherEnd)),
  'a key with an unused bit': ofSigner((old) =>
    replaced(old, [0, 6, 1], ({ tag, content }) => [
      leaf(tag, Buffer.concat([Buffer.of(1), content.subarray(1, -1), Buffer.of(0)])),
    ]),
  ),
};

const signedWith = (kind: KeyKind, pss: boolean, hash: HashName, signatureHash: HashName) => () => {
  const root = authority('Invented root');
  const signers = [signer(root, { key: newKey(kind) })];
  return { der: makeCms({ ...world, signers, scheme: { hash, pss }, signatureHash }), anchor: root.certificate };
};

/** Signatures by what is special about them. */
export const structures: Signatures = {
  ...ofSignedData,
  ...ofAttributes,
  ...ofCertificates,
  'a digest by SHA-512 under ECDSA with it': signedWith('ec', false, 'sha512', 'sha512'),
  'a digest by SHA-256 under PSS with SHA-512': signedWith('rsa', true, 'sha256', 'sha512'),
};
