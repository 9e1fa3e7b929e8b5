/**
 * The algorithms of signatures that are accepted (D-21): SHA-256, SHA-384 and SHA-512, with RSA (PKCS #1 v1.5 and PSS)
 * of 2,048 bits and more and an exponent of 3 and more, or ECDSA on P-256, P-384 and P-521. What is not named here is
 * refused: SHA-1, MD5, DSA, GOST.
 */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { any, explicit, MalformedDer, nothing, number, oid, optional, readAs, sequence } from './asn1.ts';

export const algorithmIdentifier = sequence('AlgorithmIdentifier', { algorithm: oid, parameters: optional(any) });
export type AlgorithmIdentifier = ReturnType<(typeof algorithmIdentifier)['read']>;

/** The keys that are accepted, in words. */
export const ACCEPTED_KEYS = 'RSA (2,048 to 8,192 bits, an exponent of 3 or more) or ECDSA (P-256, P-384, P-521)';

export type Hash = 'sha256' | 'sha384' | 'sha512';

/** NIST's identifiers (RFC 5754 §2). */
const hashes: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Whether an algorithm has no parameters, which some write as NULL. */
function hasNoParameters({ parameters }: AlgorithmIdentifier, mayBeNull = true): boolean {
  return parameters === undefined || (mayBeNull && nothing.begins(parameters));
}

/** The hash that an algorithm identifier names; undefined when it is not accepted. */
export function hashOf(algorithm: AlgorithmIdentifier): Hash | undefined {
  return hasNoParameters(algorithm) ? hashes[algorithm.algorithm] : undefined;
}

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const EC = '1.2.840.10045.2.1';
const DEFAULT_SALT = 20;
const MOST_SALT = 512;

/** RFC 5754 §3: the family of each algorithm, and its hash when the identifier names one. */
const signatures: Readonly<Record<string, { readonly family: 'rsa' | 'ec'; readonly hash?: Hash }>> = {
  [RSA]: { family: 'rsa' },
  '1.2.840.113549.1.1.11': { family: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { family: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { family: 'rsa', hash: 'sha512' },
  '1.2.840.10045.4.3.2': { family: 'ec', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { family: 'ec', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { family: 'ec', hash: 'sha512' },
};

/** P-256, P-384 and P-521 (RFC 5480 §2.1.1.1). */
const curves = new Set(['1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35']);
const RSA_BITS = { least: 2_048, most: 8_192 };
/** With 1, anybody can make the signatures of a key. A large one has no use except to make verification slow. */
const RSA_EXPONENT = { least: 3n, most: 0xffff_ffffn };

/**
 * The key of a certificate.
 * @param bytes its SubjectPublicKeyInfo
 * @returns undefined when its kind or size is not accepted
 * @throws Error when it is malformed
 */
export function publicKeyOf({ algorithm, parameters }: AlgorithmIdentifier, bytes: Uint8Array): KeyObject | undefined {
  const isEc = algorithm === EC;
  if (isEc) {
    // Only named curves: a key that brings its own parameters could define any curve.
    if (parameters === undefined || !oid.begins(parameters) || !curves.has(oid.read(parameters, true)))
      return undefined;
  } else if (algorithm !== RSA && algorithm !== RSA_PSS) {
    return undefined;
  }
  const key = createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' });
  if (isEc) return key;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const isAcceptedLength = modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most;
  const isAcceptedExponent = publicExponent >= RSA_EXPONENT.least && publicExponent <= RSA_EXPONENT.most;
  return isAcceptedLength && isAcceptedExponent ? key : undefined;
}

/** RFC 4055 §3.1. */
const pssParameters = sequence('RSASSA-PSS-params', {
  hashAlgorithm: optional(explicit(0, algorithmIdentifier)),
  maskGenAlgorithm: optional(
    explicit(1, sequence('MaskGenAlgorithm', { algorithm: oid, parameters: algorithmIdentifier })),
  ),
  saltLength: optional(explicit(2, number())),
  trailerField: optional(explicit(3, number(1))),
});

interface Scheme {
  readonly hash: Hash;
  /** Only for RSA. */
  readonly padding?: { readonly padding: number; readonly saltLength?: number };
  readonly keyTypes: readonly string[];
}

/** RSASSA-PSS. The mask must use the same hash: everybody does so, and Node assumes it. */
function pssScheme({ parameters }: AlgorithmIdentifier): Scheme | undefined {
  const read = readAs(pssParameters, 'RSASSA-PSS', parameters, parameters?.isDer === true);
  const { hashAlgorithm, maskGenAlgorithm: mask, saltLength = DEFAULT_SALT } = read;
  const hash = hashAlgorithm && hashOf(hashAlgorithm);
  const isSameHash = mask?.algorithm === MGF1 && hashOf(mask.parameters) === hash;
  if (hash === undefined || !isSameHash || saltLength > MOST_SALT) return undefined;
  return { hash, padding: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, keyTypes: ['rsa', 'rsa-pss'] };
}

/** @throws MalformedDer when the parameters are not those of the algorithm */
function schemeOf(algorithm: AlgorithmIdentifier, digest: Hash | undefined): Scheme | undefined {
  if (algorithm.algorithm === RSA_PSS) return pssScheme(algorithm);
  const named = signatures[algorithm.algorithm];
  const hash = named?.hash ?? digest;
  if (named === undefined || hash === undefined) return undefined;
  if (!hasNoParameters(algorithm, named.family === 'rsa')) {
    throw new MalformedDer('its parameters are not those of the algorithm', 'AlgorithmIdentifier.parameters');
  }
  if (named.family === 'ec') return { hash, keyTypes: ['ec'] };
  return { hash, padding: { padding: constants.RSA_PKCS1_PADDING }, keyTypes: ['rsa'] };
}

export type Verdict = 'right' | 'wrong' | 'unsupported' | 'other digest';

/**
 * Verifies one signature.
 * @param digest the hash that a CMS names beside the algorithm. It must be the algorithm's, or is used where the algorithm
 *   names none (plain rsaEncryption, as in old CMS).
 * @throws Error when the parameters are malformed
 */
export function verifySignature(
  signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array },
  key: KeyObject,
  algorithm: AlgorithmIdentifier,
  digest?: Hash,
): Verdict {
  const scheme = schemeOf(algorithm, digest);
  if (scheme === undefined || !scheme.keyTypes.includes(key.asymmetricKeyType ?? '')) return 'unsupported';
  if (digest !== undefined && scheme.hash !== digest) return 'other digest';
  return verify(scheme.hash, signed.bytes, { key, ...scheme.padding }, signed.signature) ? 'right' : 'wrong';
}
