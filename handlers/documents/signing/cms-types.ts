/** The types of RFC 5652 that a detached CMS SignedData is made of. Only signed attributes and certificates are DER. */
import { type Asn1Value, MalformedDer } from './asn1-form.ts';
import {
  any,
  choice,
  der,
  explicit,
  implicit,
  integer,
  kept,
  number,
  octets,
  oid,
  optional,
  sequence,
  sequenceOf,
  setOf,
  type Type,
  time,
} from './asn1-shape.ts';
import { algorithmIdentifier, certificateInside, certificateList, generalNames, name } from './certificate-types.ts';

export const SIGNED_DATA = '1.2.840.113549.1.7.2';
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
export type SignerFields = ReturnType<(typeof signerInfo)['read']>;

const otherRevocationInfo = sequence('OtherRevocationInfoFormat', { format: oid, info: any });

const signedData = sequence('SignedData', {
  version: number(1, 3, 4, 5),
  digestAlgorithms: setOf(algorithmIdentifier),
  encapContentInfo: sequence('EncapsulatedContentInfo', { eContentType: oid, eContent: optional(explicit(0, any)) }),
  certificates: optional(implicit(0, setOf(certificateInside))),
  crls: optional(implicit(1, setOf(choice(kept(certificateList), implicit(1, kept(otherRevocationInfo)))))),
  signerInfos: setOf(signerInfo),
});
type SignedDataFields = ReturnType<(typeof signedData)['read']>;

const contentInfo = sequence('ContentInfo', { contentType: oid, content: explicit(0, any) });

/** @throws MalformedDer when the value is no SignedData with the versions that its members demand (RFC 5652 §5.1, §5.3) */
export function readSignedData(value: Asn1Value): SignedDataFields {
  const { contentType, content } = readAs(contentInfo, 'ContentInfo', value);
  if (contentType !== SIGNED_DATA) throw new MalformedDer('it is not id-signedData', 'ContentInfo.contentType');
  const data = readAs(signedData, 'SignedData', content);
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

function readAs<R>(type: Type<R>, place: string, value: Asn1Value): R {
  if (!type.begins(value)) throw new MalformedDer('it is not there', place);
  return type.read(value, false);
}

/** The version of SignedData over id-data with certificates of X.509 alone. */
function versionOf({ crls = [], signerInfos }: SignedDataFields): number {
  if (crls.some(({ read }) => 'format' in read)) return 5;
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
export type CertificateId = ReturnType<(typeof certificateId)['read']>;

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
} as const satisfies Readonly<Record<string, readonly [id: string, type: Type<unknown>]>>;

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

type SignedValues = { [Key in keyof typeof signedTypes]?: ReturnType<(typeof signedTypes)[Key][1]['read']> };

/** The values of the known signed attributes. @throws MalformedDer when an attribute is in the wrong set, or twice */
export function readAttributes({ signedAttrs, unsignedAttrs = [] }: SignerFields): SignedValues {
  const signed = signedAttrs?.read ?? [];
  const ids = signed.map(({ type }) => type).filter((id) => id !== CONTENT_TIME_STAMP);
  if (ids.some((id) => unsignedOnly.includes(id)) || new Set(ids).size !== ids.length) {
    throw new MalformedDer('an attribute is in it twice, or has to be unsigned', 'SignerInfo.signedAttrs');
  }
  if (unsignedAttrs.some(({ type }) => signedOnly.includes(type))) {
    throw new MalformedDer('an attribute in it has to be signed', 'SignerInfo.unsignedAttrs');
  }
  const read = (name: string, [id, type]: readonly [string, Type<unknown>]) => {
    const found = signed.find((one) => one.type === id);
    if (found === undefined) return undefined;
    const [value, ...others] = found.values;
    if (value === undefined || others.length > 0 || !type.begins(value)) {
      throw new MalformedDer('it has not one value of its type', name);
    }
    return type.read(value, true);
  };
  const entries = Object.entries(signedTypes).map(([name, entry]) => [name, read(name, entry)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as SignedValues;
}
