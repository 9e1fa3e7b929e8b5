/** Makes keys and X.509 certificates for tests and demonstrations. Nobody trusts this certificate authority. */
import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import {
  at,
  bitString,
  COMMON_NAME,
  encoded,
  extension,
  identified,
  identifier,
  leaf,
  NULL,
  plain,
  rdn,
  sequence,
  type Tree,
  tagged,
  treeOf,
  utcTime,
} from './der.ts';

export interface Identity {
  readonly key: KeyObject;
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER of the authorities between it and its anchor, the nearest first; absent in an anchor and below one. */
  readonly chain?: readonly Uint8Array[];
}

export type KeyKind = 'rsa' | 'rsa-1024' | 'ec' | 'ec-384';

/** A new private key: RSA of 2,048 bits or, too few to be accepted, of 1,024; or ECDSA on P-256 or P-384. */
export function newKey(kind: KeyKind): KeyObject {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  if (kind === 'rsa-1024') return generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
  return generateKeyPairSync('ec', { namedCurve: kind === 'ec' ? 'P-256' : 'P-384' }).privateKey;
}

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Identifiers of each hash, and of signatures with it. */
const IDS: Readonly<Record<HashName, readonly [hash: string, rsa: string, ecdsa: string]>> = {
  sha1: ['1.3.14.3.2.26', '1.2.840.113549.1.1.5', '1.2.840.10045.4.1'],
  sha256: ['2.16.840.1.101.3.4.2.1', '1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2'],
  sha384: ['2.16.840.1.101.3.4.2.2', '1.2.840.113549.1.1.12', '1.2.840.10045.4.3.3'],
  sha512: ['2.16.840.1.101.3.4.2.3', '1.2.840.113549.1.1.13', '1.2.840.10045.4.3.4'],
};
const PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const PSS_SALT = 32;

/** How something is signed; `pss` applies only to RSA keys. */
export interface Scheme {
  readonly hash: HashName;
  readonly pss?: boolean;
}

/** The identifier of a hash, as CMS and PSS name it. */
export const hashIdentifier = (hash: HashName): Tree => identified(IDS[hash][0], NULL);

export function signatureIdentifier(key: KeyObject, { hash, pss }: Scheme): Tree {
  const [, rsa, ecdsa] = IDS[hash];
  if (key.asymmetricKeyType === 'ec') return identified(ecdsa);
  if (!pss) return identified(rsa, NULL);
  const own = hashIdentifier(hash);
  // DER leaves a default out.
  const hashes = hash === 'sha1' ? [] : [tagged(0, own), tagged(1, identified(MGF1, own))];
  return identified(PSS, sequence(...hashes, tagged(2, leaf(TAG.integer, Buffer.of(PSS_SALT)))));
}

/** Signs bytes; an ECDSA signature is encoded as DER. */
export function signed(key: KeyObject, { hash, pss }: Scheme, bytes: Uint8Array): Uint8Array {
  const padding = pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT };
  return signBytes(hash, bytes, { key, ...padding });
}

/** Key usages by name, each with its bit (RFC 5280 §4.2.1.3). */
export const keyUsages = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyEncipherment: 0x20,
  keyCertSign: 0x04,
  cRLSign: 0x02,
} as const;
export type KeyUsageName = keyof typeof keyUsages;

export interface CertificateWish {
  /** Never the name of a real person. */
  readonly commonName: string;
  /** The subject's serialNumber, such as `IIN` and twelve digits, or several of them. */
  readonly serialNumber?: string | readonly string[];
  readonly key: KeyObject;
  /** If absent, the certificate is signed by its own key. */
  readonly issuer?: Identity;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly authority?: { readonly isAuthority: boolean; readonly pathLength?: number };
  readonly usage?: readonly KeyUsageName[];
  /** Object identifiers; if absent, there is no extended key usage. */
  readonly purposes?: readonly string[];
  /** Names and IPv4 addresses of a server (subject alternative names); if absent or empty, there are none. */
  readonly hosts?: readonly string[];
  /** Further extensions. */
  readonly others?: readonly Tree[];
  readonly scheme?: Scheme;
}

/** Makes a certificate. @returns DER */
export function makeCertificate(wish: CertificateWish): Uint8Array {
  const { issuer, key, notBefore, notAfter, scheme = { hash: 'sha256' } } = wish;
  const signer = issuer?.key ?? key;
  const algorithm = signatureIdentifier(signer, scheme);
  const subject = subjectOf(wish);
  const fields = sequence(
    tagged(0, leaf(TAG.integer, '02')),
    leaf(TAG.integer, serialNumber()),
    algorithm,
    issuer === undefined ? subject : fieldsOf(issuer.certificate).subject,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    subject,
    treeOf(publicBytes(key)),
    tagged(3, sequence(...extensions(wish))),
  );
  return encoded(sequence(fields, algorithm, bitString(signed(signer, scheme, encoded(fields)))));
}

/** By what others refer to a certificate. */
export function fieldsOf(certificate: Uint8Array) {
  const tree = treeOf(certificate);
  return { serialNumber: at(tree, [0, 1]), issuer: at(tree, [0, 3]), subject: at(tree, [0, 5]) };
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}

/** The subject key identifier in certificates that are made here. @param key the private key */
export function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash('sha256').update(publicBytes(key)).digest().subarray(0, 20);
}

/** It is positive, and has no leading zero. */
function serialNumber(): Buffer {
  const [first = 0, ...others] = randomBytes(16);
  return Buffer.of(0x40 | (first & 0x3f), ...others);
}

/** Each attribute is in its own part of the name, as certificate authorities do it. */
function subjectOf({ commonName, serialNumber = [] }: CertificateWish): Tree {
  const numbers = [serialNumber].flat().map((value) => rdn(leaf(TAG.printable, Buffer.from(value)), '2.5.4.5'));
  return sequence(rdn(leaf(TAG.utf8, Buffer.from(commonName)), COMMON_NAME), ...numbers);
}

function extensions({ authority, usage, purposes, hosts = [], others = [], key }: CertificateWish): Tree[] {
  const made = [extension('2.5.29.14', leaf(TAG.octetString, keyIdentifier(key)))];
  if (authority !== undefined) {
    const { isAuthority, pathLength } = authority;
    const constraints = isAuthority ? [leaf(TAG.boolean, 'ff')] : [];
    if (pathLength !== undefined) constraints.push(leaf(TAG.integer, Buffer.of(pathLength)));
    made.push(extension('2.5.29.19', sequence(...constraints), true));
  }
  if (usage !== undefined) made.push(extension('2.5.29.15', usageBits(usage), true));
  if (purposes !== undefined) made.push(extension('2.5.29.37', sequence(...purposes.map(identifier))));
  if (hosts.length > 0) made.push(extension('2.5.29.17', sequence(...hosts.map(hostName))));
  return [...made, ...others];
}

const hostName = (host: string): Tree =>
  isIPv4(host) ? plain(7, Buffer.from(host.split('.').map(Number))) : plain(2, host);

/** DER does not allow zero bits at the end of named bits. */
function usageBits(usage: readonly KeyUsageName[]): Tree {
  const bits = usage.reduce((sum, one) => sum | keyUsages[one], 0);
  const unusedBits = bits === 0 ? 0 : 31 - Math.clz32(bits & -bits);
  return leaf(TAG.bitString, Buffer.of(unusedBits, bits));
}
