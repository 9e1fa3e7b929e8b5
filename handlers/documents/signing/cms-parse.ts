/** Reads a CMS SignedData (RFC 5652 §5) without verifying it. */
import { createHash } from 'node:crypto';
import { MalformedDer, parseValue } from './asn1-form.ts';
import { isSameName } from './certificate-names.ts';
import type { AlgorithmIdentifier } from './certificate-types.ts';
import { hashOf } from './cms-algorithms.ts';
import type { Certificate } from './cms-certificates.ts';
import { serialOf } from './cms-certificates.ts';
import { type CertificateId, readAttributes, readSignedData, type SignerFields } from './cms-types.ts';

export interface Signer {
  /** Whether a certificate is the one that the signer names. */
  readonly named: (certificate: Certificate) => boolean;
  readonly digestAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  /** Undefined when the signer has none. */
  readonly attributes: SignedAttributes | undefined;
}

export interface SignedAttributes {
  /** The SET OF in DER that the signature covers (RFC 5652 §5.4). */
  readonly bytes: Uint8Array;
  /** Undefined when the attribute is absent. */
  readonly contentType: string | undefined;
  readonly messageDigest: Uint8Array | undefined;
  /** Whether a certificate is the one that the attributes name; true when they name none (RFC 5035 §5.4). */
  readonly name: (certificate: Certificate) => boolean;
  /** Whether the attributes protect other algorithms than those of the signer (RFC 6211). */
  readonly protectOthers: boolean;
}

export interface Cms {
  readonly isDetached: boolean;
  /** The list in SignedData itself, for all signers. */
  readonly digestAlgorithms: readonly AlgorithmIdentifier[];
  /** DER of each certificate that was sent. */
  readonly certificates: readonly Uint8Array[];
  readonly signers: readonly Signer[];
}

/** @throws MalformedDer when the bytes are no CMS SignedData */
export function parseCms(bytes: Uint8Array): Cms {
  const data = readSignedData(parseValue(bytes));
  return {
    isDetached: data.encapContentInfo.eContent === undefined,
    digestAlgorithms: data.digestAlgorithms,
    certificates: (data.certificates ?? []).map((certificate) => certificate.bytes),
    signers: data.signerInfos.map(signerOf),
  };
}

function signerOf(fields: SignerFields): Signer {
  const { sid, digestAlgorithm, signatureAlgorithm, signature, signedAttrs } = fields;
  return {
    named: (certificate) => isNamed(sid, certificate),
    digestAlgorithm,
    signatureAlgorithm,
    signature,
    attributes: attributesOf(fields, signedAttrs?.value.bytes),
  };
}

function isNamed(sid: SignerFields['sid'], certificate: Certificate): boolean {
  if (!('serialNumber' in sid)) return sid.length > 0 && sid.toString('hex') === certificate.subjectKeyIdentifier;
  const [first = 0] = sid.serialNumber;
  const isSameSerial = first < 0x80 && serialOf(sid.serialNumber) === certificate.serial;
  return isSameSerial && isSameName(sid.issuer, certificate.issuer);
}

/** @param sent the signed attributes with the implicit tag that stands in the place of SET OF */
function attributesOf(fields: SignerFields, sent: Uint8Array | undefined): SignedAttributes | undefined {
  const values = readAttributes(fields);
  if (sent === undefined) return undefined;
  const bytes = Buffer.from(sent);
  bytes[0] = 0x31;
  const ids = [
    ...(values.signingCertificate?.certs.slice(0, 1) ?? []).map((id) => ({ id, byDefault: 'sha1' })),
    ...(values.signingCertificateV2?.certs.slice(0, 1) ?? []).map((id) => ({ id, byDefault: 'sha256' })),
  ];
  const { algorithmProtection: protects } = values;
  return {
    bytes,
    contentType: values.contentType,
    messageDigest: values.messageDigest,
    name: (certificate) => ids.every(({ id, byDefault }) => isIdOf(id, byDefault, certificate)),
    protectOthers:
      protects !== undefined &&
      !(
        isSameAlgorithm(protects.digestAlgorithm, fields.digestAlgorithm) &&
        isSameAlgorithm(protects.signatureAlgorithm, fields.signatureAlgorithm)
      ),
  };
}

/** Absent parameters and NULL are the same (RFC 5754 §2). */
function isSameAlgorithm(one: AlgorithmIdentifier, other: AlgorithmIdentifier): boolean {
  const parameters = ({ parameters }: AlgorithmIdentifier) => Buffer.from(parameters?.bytes ?? [5, 0]);
  return one.algorithm === other.algorithm && parameters(one).equals(parameters(other));
}

function isIdOf({ hashAlgorithm, certHash, issuerSerial }: CertificateId, byDefault: string, certificate: Certificate) {
  const hash = hashAlgorithm === undefined ? byDefault : hashOf(hashAlgorithm);
  if (hash === undefined) throw new MalformedDer('its hash is not one of SHA-256, SHA-384, SHA-512', 'ESSCertID');
  const isSame = createHash(hash).update(certificate.der).digest().equals(certHash);
  if (!isSame || issuerSerial === undefined) return isSame;
  const [issuer] = issuerSerial.issuer;
  const isSameIssuer = issuer?.kind === 'directoryName' && isSameName(issuer.name, certificate.issuer);
  return isSameIssuer && serialOf(issuerSerial.serialNumber) === certificate.serial;
}
