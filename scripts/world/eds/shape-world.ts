/** The people, authorities and names that structures to try a verifier with are made of. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CertificateWish, type Identity, makeCertificate, newKey, signed } from './certificates.ts';
import {
  at,
  bitString,
  encoded,
  extension,
  identifier,
  rdn,
  replaced,
  sequence,
  type Tree,
  treeOf,
  withMembers,
} from './der.ts';
import { validity } from './folder.ts';

/** What is signed, by whom and when. */
export const world = {
  content: Buffer.from('%PDF-1.7\nThe bytes that are signed.\n%%EOF\n'),
  iin: '850101300120',
  at: new Date('2026-05-01T12:00:00Z'),
};

/** A signature, and the anchor under which it is judged. */
export interface Signature {
  readonly der: Buffer;
  readonly anchor: Uint8Array;
}

/** Where the extensions of a certificate are that was made here. */
const EXTENSIONS = [0, 7, 0];

export type Wish = Partial<CertificateWish>;
/** Changes the tree of a certificate. */
export type CertificateChange = (certificate: Tree) => Tree;

/** Puts an extension in the place of the one with the same identifier. */
export function withExtension(id: string, value: Tree, isCritical = false): CertificateChange {
  const own = extension(id, value, isCritical);
  const type = identifier(id).content;
  return (certificate) =>
    replaced(certificate, EXTENSIONS, ({ members = [], ...list }) => [
      { ...list, members: [...members.filter((one) => !at(one, [0]).content.equals(type)), own] },
    ]);
}

/** Puts an attribute at the end of the name of the subject. */
export const inSubject = (value: Tree, type?: string): CertificateChange => {
  return (certificate) => replaced(certificate, [0, 5], (name) => [withMembers(name, rdn(value, type))]);
};

/** The tree of a certificate with a signature over its fields; undefined where parts of it are missing. */
export function certified(certificate: Tree, { key }: Identity): Tree | undefined {
  const [tbs, , signature] = certificate.members ?? [];
  if (tbs === undefined || signature === undefined) return undefined;
  const value = signed(key, { hash: 'sha256' }, encoded(tbs));
  return replaced(certificate, [2], () => [bitString(value)]);
}

function identityOf(wish: CertificateWish, change?: CertificateChange): Identity {
  const made = { key: wish.key, certificate: makeCertificate(wish) };
  if (change === undefined) return made;
  const again = certified(change(treeOf(made.certificate)), wish.issuer ?? made);
  return { ...made, certificate: encoded(again ?? sequence()) };
}

/** An RSA key with this public exponent. With 1, anybody can make its signatures. */
export function rsaKey(exponent: number): KeyObject {
  if (exponent >= 3) return generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent: exponent }).privateKey;
  // No program makes such a key. 1 is the private exponent for 1; a key for 2 is only read.
  const e = Buffer.of(exponent).toString('base64url');
  const key = { ...newKey('rsa').export({ format: 'jwk' }), e, d: 'AQ', dp: 'AQ', dq: 'AQ' };
  return createPrivateKey({ key, format: 'jwk' });
}

/** When a certificate is valid. */
export const days = (from: number, to: number) => validity([from, to], world.at);

/** An invented authority. @param change of its certificate */
export function authority(commonName: string, more: Wish = {}, change?: CertificateChange): Identity {
  const fields = { authority: { isAuthority: true }, usage: ['keyCertSign', 'cRLSign'] as const, ...days(-10, 400) };
  return identityOf({ commonName, ...fields, ...more, key: more.key ?? newKey('ec') }, change);
}

/** An invented person. */
export function signer(issuer: Identity, more: Wish = {}, change?: CertificateChange): Identity {
  const usage = ['digitalSignature', 'nonRepudiation'] as const;
  const fields = { commonName: 'Invented signer', serialNumber: `IIN${world.iin}`, usage, ...days(-5, 300) };
  return identityOf({ ...fields, issuer, ...more, key: more.key ?? newKey('ec') }, change);
}
