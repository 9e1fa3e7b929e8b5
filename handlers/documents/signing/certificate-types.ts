/** The types of RFC 5280: certificates, their extensions, and revocation lists. All are DER. */
import { type Asn1Value, CONTEXT, MalformedDer, parseValue, TAG, UNIVERSAL } from './asn1-form.ts';
import {
  any,
  boolean,
  choice,
  defaulted,
  der,
  explicit,
  flags,
  implicit,
  integer,
  kept,
  nothing,
  number,
  octets,
  oid,
  optional,
  sequence,
  sequenceOf,
  setOf,
  type Type,
  time,
  wholeBytes,
} from './asn1-shape.ts';

export const algorithmIdentifier = sequence('AlgorithmIdentifier', { algorithm: oid, parameters: optional(any) });
export type AlgorithmIdentifier = ReturnType<(typeof algorithmIdentifier)['read']>;

/** What OpenSSL reads as a value of a name; DirectoryString and a few more. */
const TEXTS: readonly number[] = [TAG.utf8, TAG.numeric, TAG.printable, TAG.teletex, TAG.ia5, TAG.universal, TAG.bmp];
const text: Type<Asn1Value> = {
  begins: ({ tagClass, tag }) => tagClass === UNIVERSAL && TEXTS.includes(tag),
  read(value) {
    if (value.isConstructed) throw new MalformedDer('a string is in parts');
    return value;
  },
};
const attributeTypeAndValue = sequence('AttributeTypeAndValue', { type: oid, value: text });
export const name = sequenceOf(setOf(attributeTypeAndValue, 1));
export type DistinguishedName = ReturnType<(typeof name)['read']>;

/** A string of ASCII under the tag of a GeneralName. */
const ascii = (kind: 'rfc822Name' | 'dNSName' | 'uniformResourceIdentifier', tag: number) =>
  generalNameOf(kind, tag, (value) => {
    if (value.isConstructed) throw new MalformedDer('a string is in parts');
    return Buffer.from(value.content).toString('latin1');
  });

function generalNameOf<Kind extends string, R>(kind: Kind, tag: number, read: (value: Asn1Value, isDer: boolean) => R) {
  return {
    begins: (value: Asn1Value) => value.tagClass === CONTEXT && value.tag === tag,
    read: (value: Asn1Value, isDer: boolean) => ({ kind, name: read(value, isDer) }),
  };
}

const otherName = sequence('OtherName', { type: oid, value: explicit(0, any) });
const generalName = choice(
  generalNameOf('otherName', 0, implicit(0, otherName).read),
  ascii('rfc822Name', 1),
  ascii('dNSName', 2),
  generalNameOf('x400Address', 3, implicit(3, sequenceOf(any)).read),
  generalNameOf('directoryName', 4, explicit(4, name).read),
  generalNameOf('ediPartyName', 5, implicit(5, sequenceOf(any)).read),
  ascii('uniformResourceIdentifier', 6),
  generalNameOf('iPAddress', 7, implicit(7, octets).read),
  generalNameOf('registeredID', 8, implicit(8, oid).read),
);
export type GeneralName = ReturnType<(typeof generalName)['read']>;
export const generalNames = sequenceOf(generalName, 1);

const subtrees = sequenceOf(
  sequence('GeneralSubtree', {
    base: generalName,
    minimum: defaulted(implicit(0, number()), 0),
    maximum: optional(implicit(1, number())),
  }),
  1,
);
export const nameConstraints = sequence('NameConstraints', {
  permitted: optional(implicit(0, subtrees)),
  excluded: optional(implicit(1, subtrees)),
});
export type NameConstraints = ReturnType<(typeof nameConstraints)['read']>;

const distributionPoints = sequenceOf(
  sequence('DistributionPoint', {
    distributionPoint: optional(
      explicit(0, choice(implicit(0, generalNames), implicit(1, setOf(attributeTypeAndValue, 1)))),
    ),
    reasons: optional(implicit(1, flags)),
    cRLIssuer: optional(implicit(2, generalNames)),
  }),
  1,
);

export const extensionTypes = {
  subjectKeyIdentifier: octets,
  keyUsage: flags,
  subjectAltName: generalNames,
  issuerAltName: generalNames,
  basicConstraints: sequence('BasicConstraints', {
    cA: defaulted(boolean, false),
    pathLenConstraint: optional(number()),
  }),
  nameConstraints,
  cRLDistributionPoints: distributionPoints,
  certificatePolicies: sequenceOf(
    sequence('PolicyInformation', {
      policyIdentifier: oid,
      policyQualifiers: optional(sequenceOf(sequence('PolicyQualifierInfo', { id: oid, qualifier: any }), 1)),
    }),
    1,
  ),
  authorityKeyIdentifier: sequence('AuthorityKeyIdentifier', {
    keyIdentifier: optional(implicit(0, octets)),
    authorityCertIssuer: optional(implicit(1, generalNames)),
    authorityCertSerialNumber: optional(implicit(2, integer)),
  }),
  extKeyUsage: sequenceOf(oid, 1),
  freshestCRL: distributionPoints,
  authorityInfoAccess: sequenceOf(sequence('AccessDescription', { method: oid, location: generalName }), 1),
  netscapeCertType: flags,
} as const;

const extension = sequence('Extension', { id: oid, critical: defaulted(boolean, false), value: octets });
const extensions = sequenceOf(extension, 1);
export type Extension = ReturnType<(typeof extension)['read']>;

const V1 = 0;
const V2 = 1;
const V3 = 2;

const tbsCertificate = sequence('TBSCertificate', {
  version: defaulted(explicit(0, number(V1, V2, V3)), V1),
  serialNumber: integer,
  signature: algorithmIdentifier,
  issuer: name,
  validity: sequence('Validity', { notBefore: time, notAfter: time }),
  subject: kept(name),
  subjectPublicKeyInfo: sequence('SubjectPublicKeyInfo', {
    algorithm: algorithmIdentifier,
    subjectPublicKey: wholeBytes,
  }),
  issuerUniqueID: optional(implicit(1, flags)),
  subjectUniqueID: optional(implicit(2, flags)),
  extensions: optional(explicit(3, extensions)),
});
const certificate = sequence('Certificate', {
  tbsCertificate,
  signatureAlgorithm: algorithmIdentifier,
  signature: wholeBytes,
});
type CertificateFields = ReturnType<(typeof certificate)['read']>;

/** A certificate as it stands in other structures, with its bytes. */
export const certificateInside = der(certificate);

/** In bytes, beside the zero that keeps a number positive (RFC 5280 §4.1.2.2). */
const LONGEST_SERIAL = 20;

/** The fields of a certificate, as RFC 5280 §4.1 demands them. @throws MalformedDer */
export function readFields(bytes: Uint8Array): CertificateFields {
  const fields = certificateInside.read(certificateValue(bytes), true);
  const { version = V1, serialNumber, signature, issuerUniqueID, subjectUniqueID, ...tbs } = fields.tbsCertificate;
  if (!Buffer.from(signature.bytes).equals(fields.signatureAlgorithm.bytes)) {
    throw new MalformedDer('its algorithm is another one than that around it', 'TBSCertificate.signature');
  }
  const [first = 0] = serialNumber;
  if (first >= 0x80 || serialNumber.length > LONGEST_SERIAL + (first === 0 ? 1 : 0)) {
    throw new MalformedDer('it is negative or has more than 20 bytes', 'TBSCertificate.serialNumber');
  }
  const hasUniqueIds = issuerUniqueID !== undefined || subjectUniqueID !== undefined;
  if ((tbs.extensions !== undefined && version !== V3) || (hasUniqueIds && version === V1)) {
    throw new MalformedDer('it is lower than the fields demand', 'TBSCertificate.version');
  }
  if (tbs.issuer.length === 0) throw new MalformedDer('it is empty', 'TBSCertificate.issuer');
  return fields;
}

function certificateValue(bytes: Uint8Array): Asn1Value {
  const value = parseValue(bytes);
  if (!certificateInside.begins(value)) throw new MalformedDer('it is no sequence', 'Certificate');
  return value;
}

/** The value of an extension. @throws MalformedDer */
export function readExtension<R>(name: string, type: Type<R>, bytes: Uint8Array): R {
  const value = parseValue(bytes);
  if (!type.begins(value)) throw new MalformedDer('it has another type', name);
  return der(type).read(value, true);
}

/** RFC 5280 §5.1. Revocation is not judged; a list only has to be one. */
export const certificateList = der(
  sequence('CertificateList', {
    tbsCertList: sequence('TBSCertList', {
      version: optional(number(V2)),
      signature: algorithmIdentifier,
      issuer: name,
      thisUpdate: time,
      nextUpdate: optional(time),
      revokedCertificates: optional(
        sequenceOf(
          sequence('RevokedCertificate', {
            userCertificate: integer,
            revocationDate: time,
            crlEntryExtensions: optional(extensions),
          }),
        ),
      ),
      crlExtensions: optional(explicit(0, extensions)),
    }),
    signatureAlgorithm: algorithmIdentifier,
    signature: wholeBytes,
  }),
);

const pssParameters = sequence('RSASSA-PSS-params', {
  hashAlgorithm: optional(explicit(0, algorithmIdentifier)),
  maskGenAlgorithm: optional(
    explicit(1, sequence('MaskGenAlgorithm', { algorithm: oid, parameters: algorithmIdentifier })),
  ),
  saltLength: optional(explicit(2, number())),
  trailerField: optional(explicit(3, number(1))),
});

/** The parameters of RSASSA-PSS (RFC 4055 §3.1). @throws MalformedDer */
export function readPssParameters({ parameters }: AlgorithmIdentifier): ReturnType<(typeof pssParameters)['read']> {
  if (parameters === undefined || !pssParameters.begins(parameters)) {
    throw new MalformedDer('it has no parameters', 'RSASSA-PSS');
  }
  return pssParameters.read(parameters, parameters.isDer);
}

/** Whether an algorithm has no parameters, which some write as NULL. */
export function hasNoParameters({ parameters }: AlgorithmIdentifier, mayBeNull = true): boolean {
  return parameters === undefined || (mayBeNull && nothing.begins(parameters));
}
