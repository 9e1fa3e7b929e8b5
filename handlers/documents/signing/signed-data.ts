/** Reads a CMS SignedData (RFC 5652 §5), detached and over id-data, without verifying it. Signed attributes are DER. */
import { createHash } from 'node:crypto';
import {
  any,
  choice,
  der,
  explicit,
  type IdentifiedTypes,
  type IdentifiedValues,
  implicit,
  integer,
  kept,
  MalformedDer,
  number,
  octets,
  oid,
  optional,
  parseValue,
  readAs,
  sequence,
  sequenceOf,
  setOf,
  time,
} from './asn1.ts';
import { generalNames, isSameName, name } from './certificate-names.ts';
import { type Certificate, certificateInside, certificateList, serialOf } from './certificates.ts';
import { type AlgorithmIdentifier, algorithmIdentifier, hashOf } from './cms-algorithms.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const ID_DATA = '1.2.840.113549.1.7.1';

const attribute = sequence('Attribute', { type: oid, values: setOf(any, 1) });
const attributes = setOf(attribute, 1);

const issuerAndSerialNumber = sequence('IssuerAndSerialNumber', { issuer: name, serialNumber: integer });

const signerInfo = sequence('SignerInfo', {
  version: number(1, 3),
  sid: choice(issuerAndSerialNumber, implicit(0, octets)),
  digestAlgorithm: algorithmIdentifier,
  signedAttrs: optional(kept(implicit(0, der(attributes)))),
  signatureAlgorithm: algorithmIdentifier,
  signature: octets,
  unsignedAttrs: optional(implicit(1, attributes)),
});
type SignerFields = ReturnType<(typeof signerInfo)['read']>;

const otherRevocationInfo = sequence('OtherRevocationInfoFormat', { format: oid, info: any });

const signedData = sequence('SignedData', {
  version: number(1, 3, 4, 5),
  digestAlgorithms: setOf(algorithmIdentifier),
  encapContentInfo: sequence('EncapsulatedContentInfo', { eContentType: oid, eContent: optional(explicit(0, any)) }),
  certificates: optional(implicit(0, setOf(certificateInside))),
  crls: optional(implicit(1, setOf(choice(certificateList, implicit(1, otherRevocationInfo))))),
  signerInfos: setOf(signerInfo),
});
type SignedDataFields = ReturnType<(typeof signedData)['read']>;

const contentInfo = sequence('ContentInfo', { contentType: oid, content: explicit(0, any) });

/** @throws MalformedDer when the value is no SignedData with the versions that its members demand (RFC 5652 §5.1, §5.3) */
function readSignedData(bytes: Uint8Array): SignedDataFields {
  const { contentType, content } = readAs(contentInfo, 'ContentInfo', parseValue(bytes), false);
  if (contentType !== SIGNED_DATA) throw new MalformedDer('it is not id-signedData', 'ContentInfo.contentType');
  const data = readAs(signedData, 'SignedData', content, false);
  if (data.encapContentInfo.eContentType !== ID_DATA) {
    throw new MalformedDer('it is not id-data', 'EncapsulatedContentInfo.eContentType');
  }
  for (const { version, sid } of data.signerInfos) {
    if (version !== ('serialNumber' in sid ? 1 : 3))
      throw new MalformedDer('it does not fit its sid', 'SignerInfo.version');
  }
  if (data.version !== versionOf(data)) throw new MalformedDer('it does not fit its members', 'SignedData.version');
  return data;
}

/** The version of SignedData over id-data with certificates of X.509 alone. */
function versionOf({ crls = [], signerInfos }: SignedDataFields): number {
  if (crls.some((list) => 'format' in list)) return 5;
  return signerInfos.some(({ version }) => version === 3) ? 3 : 1;
}

/** ESSCertID and ESSCertIDv2 (RFC 5035 §4, RFC 2634 §5.4). Without a hash algorithm it is SHA-1 and SHA-256. */
const certificateId = sequence('ESSCertID', {
  hashAlgorithm: optional(algorithmIdentifier),
  certHash: octets,
  issuerSerial: optional(sequence('IssuerSerial', { issuer: generalNames, serialNumber: integer })),
});
const signingCertificate = sequence('SigningCertificate', {
  certs: sequenceOf(certificateId, 1),
  policies: optional(sequenceOf(any, 1)),
});
type CertificateId = ReturnType<(typeof certificateId)['read']>;

/** The values of the signed attributes that are read; each has exactly one (RFC 5652 §11, RFC 5035, RFC 6211). */
const signedTypes = {
  contentType: ['1.2.840.113549.1.9.3', oid],
  messageDigest: ['1.2.840.113549.1.9.4', octets],
  signingTime: ['1.2.840.113549.1.9.5', time],
  receiptRequest: ['1.2.840.113549.1.9.16.2.1', any],
  signingCertificate: ['1.2.840.113549.1.9.16.2.12', signingCertificate],
  signingCertificateV2: ['1.2.840.113549.1.9.16.2.47', signingCertificate],
  algorithmProtection: [
    '1.2.840.113549.1.9.52',
    sequence('CMSAlgorithmProtection', {
      digestAlgorithm: algorithmIdentifier,
      signatureAlgorithm: implicit(1, algorithmIdentifier),
    }),
  ],
} as const satisfies IdentifiedTypes;

/**
 * Others that are signed and never unsigned: ESS security label, history, content hints, identifier and reference,
 * equivalent labels (RFC 2634), S/MIME preferred key and capabilities (RFC 8551), and the CAdES policy, commitment,
 * location, attributes, and content time stamp (RFC 5126). Of the last there may be several.
 */
const CONTENT_TIME_STAMP = '1.2.840.113549.1.9.16.2.20';
const otherSigned: readonly string[] = [
  ...[2, 3, 4, 7, 9, 10, 11, 15, 16, 17, 18].map((last) => `1.2.840.113549.1.9.16.2.${last}`),
  '1.2.840.113549.1.9.15',
  CONTENT_TIME_STAMP,
];
/**
 * Those that are unsigned and never signed: countersignatures, time stamps of the signature, and references, values and
 * time stamps for long-term validity (RFC 5652 §11.4, RFC 3161, RFC 5126).
 */
const unsignedOnly: readonly string[] = [
  '1.2.840.113549.1.9.6',
  ...[14, 21, 22, 23, 24, 25, 26, 27, 48].map((last) => `1.2.840.113549.1.9.16.2.${last}`),
];
const signedOnly: readonly string[] = [...Object.values(signedTypes).map(([id]) => id), ...otherSigned];

/** The values of the known signed attributes. @throws MalformedDer when an attribute is in the wrong set, or twice */
function readAttributes({ signedAttrs, unsignedAttrs = [] }: SignerFields): IdentifiedValues<typeof signedTypes> {
  const signed = signedAttrs?.read ?? [];
  const ids = signed.map(({ type }) => type).filter((id) => id !== CONTENT_TIME_STAMP);
  if (ids.some((id) => unsignedOnly.includes(id)) || new Set(ids).size !== ids.length) {
    throw new MalformedDer('an attribute is in it twice, or has to be unsigned', 'SignerInfo.signedAttrs');
  }
  if (unsignedAttrs.some(({ type }) => signedOnly.includes(type))) {
    throw new MalformedDer('an attribute in it has to be signed', 'SignerInfo.unsignedAttrs');
  }
  const values: Record<string, unknown> = {};
  for (const [name, [id, type]] of Object.entries(signedTypes)) {
    const found = signed.find((one) => one.type === id);
    if (found === undefined) continue;
    const [value, ...others] = found.values;
    if (others.length > 0 || value === undefined || !type.begins(value)) {
      throw new MalformedDer('it has not one value of its type', name);
    }
    values[name] = type.read(value, true);
  }
  return values;
}

/** @throws MalformedDer when the bytes are no CMS SignedData */
export function parseCms(bytes: Uint8Array) {
  const data = readSignedData(bytes);
  const signers = data.signerInfos.map((signer) => ({ ...signer, signed: readAttributes(signer) }));
  return { ...data, signers };
}
export type Cms = ReturnType<typeof parseCms>;
export type Signer = Cms['signers'][number];

/** Whether a certificate is the one that the signer names. */
export function isNamed({ sid }: Signer, certificate: Certificate): boolean {
  if (!('serialNumber' in sid)) return sid.length > 0 && sid.toString('hex') === certificate.subjectKeyIdentifier;
  const [first = 0] = sid.serialNumber;
  const isSameSerial = first < 0x80 && serialOf(sid.serialNumber) === certificate.serial;
  return isSameSerial && isSameName(sid.issuer, certificate.issuer);
}

/** The SET OF in DER that the signature covers (RFC 5652 §5.4), in whose place an implicit tag stands. */
export function signedBytes(attributes: NonNullable<Signer['signedAttrs']>): Uint8Array {
  const bytes = Buffer.from(attributes.value.bytes);
  bytes[0] = 0x31;
  return bytes;
}

/** Whether the signed attributes name this certificate, or none (RFC 5035 §5.4). */
export function attributesName({ signed }: Signer, certificate: Certificate): boolean {
  const [first] = signed.signingCertificate?.certs ?? [];
  const [second] = signed.signingCertificateV2?.certs ?? [];
  return (!first || isIdOf(first, 'sha1', certificate)) && (!second || isIdOf(second, 'sha256', certificate));
}

/** Whether the signed attributes protect other algorithms than those of the signer (RFC 6211). */
export function protectOthers({ signed, digestAlgorithm, signatureAlgorithm }: Signer): boolean {
  const { algorithmProtection: own } = signed;
  if (own === undefined) return false;
  const isSame = isSameAlgorithm(own.digestAlgorithm, digestAlgorithm);
  return !isSame || !isSameAlgorithm(own.signatureAlgorithm, signatureAlgorithm);
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
