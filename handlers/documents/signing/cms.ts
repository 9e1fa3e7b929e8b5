/**
 * Verifies a detached CMS SignedData over a document's PDF (D-21, RFC 5652): that it is a signature of this person,
 * over these bytes, with a certificate that is valid now. Revocation is not checked. A refusal repeats nothing from a
 * certificate. OpenSSL judges last, where it is there.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { ApiError, failField } from '../../answers/errors.ts';
import type { JudgedSignature } from '../../runtime/openssl.ts';
import { MalformedDer } from './asn1.ts';
import { type Certificate, isValidAt, readCertificate } from './certificates.ts';
import { chainProblem } from './chain.ts';
import { ACCEPTED_KEYS, type Hash, hashOf, verifySignature } from './cms-algorithms.ts';
import { bytesOfSignature } from './signature-text.ts';
import {
  attributesName,
  type Cms,
  ID_DATA,
  isNamed,
  parseCms,
  protectOthers,
  type Signer,
  signedBytes,
} from './signed-data.ts';

const MAX_CERTIFICATES = 10;

/** What was signed. */
export interface SignedContent {
  /** Lower-case hex. */
  readonly sha256: string;
  /** The bytes, for a digest other than SHA-256. They are read at most once, as a stream, and never held in memory. */
  read(): Promise<AsyncIterable<Uint8Array>>;
}

interface Requirements {
  /** DER of the authorities whose signers are accepted. */
  readonly anchors: readonly Uint8Array[];
  /** National identification number of the person who has to sign: 12 digits. */
  readonly iin: string;
  readonly at: Date;
  /** Asked last, for what is right up to there; absent where the machine has no other verifier. */
  readonly judge?: ((signature: JudgedSignature) => Promise<boolean>) | undefined;
}

interface VerifiedCms {
  readonly der: Uint8Array;
  /** Serial number of the signer's certificate, lower-case hex. */
  readonly certificateSerial: string;
  /** Identifies the signature value, the same for each way to write it: SHA-256, lower-case hex. */
  readonly identity: string;
}

/** One of these is enough: e-mail protection, client authentication, document signing (RFC 9336). */
const purposes = new Set(['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.36']);

const refuse = (description: string): never => failField('signature.value', description);

/** Runs code that reads the caller's bytes. Any error in it means that the bytes are wrong, so it becomes a refusal. */
function reading<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (!(error instanceof MalformedDer)) return refuse(what);
    return refuse(`${what}: ${error.place === '' ? '' : `${error.place}: `}${error.message}`);
  }
}

/**
 * Verifies a signature. The content is read only after all other checks.
 * @param value the CMS as text, see {@link bytesOfSignature}
 * @throws ApiError INVALID_ARGUMENT on `signature.value`, saying which check failed
 */
export async function verifyCms(
  value: string,
  content: SignedContent,
  requirements: Requirements,
): Promise<VerifiedCms> {
  const anchors = requirements.anchors.flatMap(readAnchor);
  const der = bytesOfSignature(value);
  const cms = reading('must be a CMS SignedData (RFC 5652)', () => parseCms(der));
  const signer = onlySigner(cms);
  const { hash, messageDigest, certificate } = reading('must hold well-formed certificates and attributes', () => {
    const certificates = certificatesOf(cms);
    const found = certificates.find((one) => isNamed(signer, one)) ?? refuse("must hold the signer's certificate");
    const checked = checkSignature(signer, found);
    checkCertificate(found, certificates, { ...requirements, anchors });
    return { ...checked, certificate: found };
  });
  if (!messageDigest.equals(await digestOf(content, hash))) {
    refuse("is over other bytes: its message digest is not that of the document's PDF");
  }
  const { at, judge } = requirements;
  const judged = { der, anchors: anchors.map((anchor) => anchor.der), certificate: certificate.der, at };
  if (judge !== undefined && !(await judge(judged))) {
    refuse('is refused by OpenSSL (openssl cms -verify), which judges after this service: sign with another program');
  }
  return { der, certificateSerial: certificate.serial, identity: identityOf(signer.signature) };
}

/** An anchor that cannot be read leads to nobody. It was added when certificates were read less strictly. */
function readAnchor(der: Uint8Array): Certificate[] {
  try {
    new X509Certificate(der);
    return [readCertificate(der)];
  } catch {
    return [];
  }
}

/**
 * The identity of a signature value. Of an ECDSA value, a sequence of two integers, only the first integer counts:
 * exactly one other valid value has the same first integer, and anybody can compute it from the given one. Of other
 * values, all bytes count.
 */
export function identityOf(signature: Uint8Array): string {
  const [sequence, length, integer, size = 0] = signature;
  const isEcdsa = sequence === 0x30 && length === signature.length - 2 && integer === 0x02;
  const telling = isEcdsa ? signature.subarray(4, 4 + size) : signature;
  return createHash('sha256').update(telling).digest('hex');
}

function onlySigner(cms: Cms): Signer {
  if (cms.encapContentInfo.eContent !== undefined) refuse('must be detached: it must not hold the content itself');
  const [signer, ...others] = cms.signers;
  if (signer === undefined || others.length > 0) return refuse('must have exactly one signer');
  // RFC 5652 §5.1 lets a parser fail when the signer's algorithm is not in this list. Some do, and some also fail when
  // the list has an algorithm that they do not know.
  const named = cms.digestAlgorithms.map(hashOf);
  if (named.includes(undefined) || !named.includes(hashOf(signer.digestAlgorithm))) {
    refuse("must name its signer's digest algorithm among its own, and none but SHA-256, SHA-384 or SHA-512");
  }
  return signer;
}

function certificatesOf({ certificates = [] }: Cms): Certificate[] {
  if (certificates.length > MAX_CERTIFICATES) refuse(`must hold at most ${MAX_CERTIFICATES} certificates`);
  // A second parser, the OpenSSL in Node, must accept each of them too, even those that the chain does not need.
  for (const { bytes } of certificates) new X509Certificate(bytes);
  return certificates.map(({ bytes }) => readCertificate(bytes));
}

/**
 * Checks the signature over the signed attributes. These are optional in RFC 5652 and required here, as in every
 * profile for electronic signatures (CAdES), so that the signed bytes can never be mistaken for something else.
 */
function checkSignature(signer: Signer, certificate: Certificate): { hash: Hash; messageDigest: Buffer } {
  const { signedAttrs, signed, signature, signatureAlgorithm } = signer;
  const hash = hashOf(signer.digestAlgorithm) ?? refuse('must use SHA-256, SHA-384 or SHA-512 as digest algorithm');
  if (signedAttrs === undefined) return refuse('must have signed attributes (content type and message digest)');
  const { contentType, messageDigest } = signed;
  if (contentType !== ID_DATA) refuse('must have one signed attribute content-type that names id-data');
  if (messageDigest === undefined) return refuse('must have one signed attribute message-digest');
  if (protectOthers(signer)) refuse('has signed attributes that name other algorithms than it uses');
  if (!attributesName(signer, certificate))
    refuse("has signed attributes that name another certificate than its signer's");
  const key = certificate.key() ?? refuse(`must be by a key of ${ACCEPTED_KEYS}`);
  const verdict = verifySignature({ bytes: signedBytes(signedAttrs), signature }, key, signatureAlgorithm, hash);
  if (verdict === 'unsupported') refuse('must use RSA (PKCS #1 v1.5 or PSS) or ECDSA with SHA-256, SHA-384 or SHA-512');
  if (verdict === 'other digest') refuse('names another digest algorithm than its signature has');
  if (verdict === 'wrong') refuse("is not right: it was not made by the key of its signer's certificate");
  return { hash, messageDigest };
}

interface WantedSignature {
  readonly anchors: readonly Certificate[];
  readonly iin: string;
  readonly at: Date;
}

function checkCertificate(certificate: Certificate, all: readonly Certificate[], wanted: WantedSignature): void {
  const { keyUsage } = certificate;
  if (wanted.at.getTime() < certificate.notBefore.getTime()) refuse('has a certificate that is not valid yet');
  if (!isValidAt(certificate, wanted.at)) refuse('has a certificate that has expired');
  if (keyUsage?.sign !== true) {
    refuse('has a certificate that is not for signing (key usage digitalSignature or nonRepudiation)');
  }
  const problem = chainProblem(certificate, all, { anchors: wanted.anchors, at: wanted.at, purposes });
  if (problem !== undefined) refuse(problem);
  const [serialNumber, ...others] = certificate.subjectSerialNumbers;
  if (others.length > 0 || (serialNumber !== wanted.iin && serialNumber !== `IIN${wanted.iin}`)) {
    refuse('is by another person: the serialNumber of its certificate is not the IIN of the participant');
  }
}

async function digestOf(content: SignedContent, hash: Hash): Promise<Buffer> {
  if (hash === 'sha256') return Buffer.from(content.sha256, 'hex');
  const digest = createHash(hash);
  for await (const piece of await content.read()) digest.update(piece);
  return digest.digest();
}
