/**
 * The algorithms of signatures that are accepted (D-21): SHA-256, SHA-384 and SHA-512, with RSA (PKCS #1 v1.5 and PSS)
 * of 2,048 bits and more, or ECDSA on P-256 and P-384. What is not named here is refused: SHA-1, MD5, DSA, GOST.
 */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ObjectIdentifier } from 'asn1js';
import { type AlgorithmIdentifier, type PublicKeyInfo, RSASSAPSSParams } from 'pkijs';

export type Hash = 'sha256' | 'sha384' | 'sha512';

/** NIST's identifiers (RFC 5754 §2). */
const hashes: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The hash that an algorithm identifier names; undefined when it is not accepted. */
export function hashOf({ algorithmId }: AlgorithmIdentifier): Hash | undefined {
  return hashes[algorithmId];
}

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const EC = '1.2.840.10045.2.1';

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

const curves = new Set(['1.2.840.10045.3.1.7', '1.3.132.0.34']);
const RSA_BITS = { least: 2_048, most: 8_192 };
/** A larger exponent has no use except to make verification slow. */
const MOST_EXPONENT = 0xffff_ffffn;

/** The key of a certificate; undefined when its kind or size is not accepted. @throws Error when it is malformed */
export function publicKeyOf(info: PublicKeyInfo): KeyObject | undefined {
  const { algorithmId, algorithmParams } = info.algorithm;
  const isEc = algorithmId === EC;
  if (isEc) {
    // Only named curves: a key that brings its own parameters could define any curve.
    const curve = algorithmParams instanceof ObjectIdentifier ? algorithmParams.valueBlock.toString() : '';
    if (!curves.has(curve)) return undefined;
  } else if (algorithmId !== RSA && algorithmId !== RSA_PSS) {
    return undefined;
  }
  const key = createPublicKey({ key: Buffer.from(info.toSchema().toBER()), format: 'der', type: 'spki' });
  if (isEc) return key;
  const { modulusLength = 0, publicExponent = MOST_EXPONENT + 1n } = key.asymmetricKeyDetails ?? {};
  const isAcceptedLength = modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most;
  return isAcceptedLength && publicExponent <= MOST_EXPONENT ? key : undefined;
}

interface Scheme {
  readonly hash: Hash;
  /** Only for RSA. */
  readonly padding?: { readonly padding: number; readonly saltLength?: number };
  readonly keyTypes: readonly string[];
}

/** RSASSA-PSS (RFC 4055 §3.1). The mask must use the same hash: everybody does so, and Node assumes it. */
function pssScheme({ algorithmParams }: AlgorithmIdentifier): Scheme | undefined {
  if (algorithmParams === undefined) return undefined;
  const params = new RSASSAPSSParams({ schema: algorithmParams });
  const hash = hashOf(params.hashAlgorithm);
  const { algorithmId, algorithmParams: maskHash } = params.maskGenAlgorithm;
  const sameHash =
    algorithmId === MGF1 &&
    maskHash?.valueBlock?.value?.[0] instanceof ObjectIdentifier &&
    maskHash.valueBlock.value[0].valueBlock.toString() === params.hashAlgorithm.algorithmId;
  const salt = params.saltLength;
  if (hash === undefined || !sameHash || params.trailerField !== 1 || !(salt >= 0 && salt <= 512)) return undefined;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
  return { hash, padding, keyTypes: ['rsa', 'rsa-pss'] };
}

function schemeOf(algorithm: AlgorithmIdentifier, digest: Hash | undefined): Scheme | undefined {
  if (algorithm.algorithmId === RSA_PSS) return pssScheme(algorithm);
  const named = signatures[algorithm.algorithmId];
  const hash = named?.hash ?? digest;
  if (named === undefined || hash === undefined) return undefined;
  if (named.family === 'ec') return { hash, keyTypes: ['ec'] };
  return { hash, padding: { padding: constants.RSA_PKCS1_PADDING }, keyTypes: ['rsa'] };
}

export type Verdict = 'right' | 'wrong' | 'unsupported';

/**
 * Verifies one signature.
 * @param digest the hash to use when the algorithm names none (plain rsaEncryption, as in old CMS)
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
  return verify(scheme.hash, signed.bytes, { key, ...scheme.padding }, signed.signature) ? 'right' : 'wrong';
}
