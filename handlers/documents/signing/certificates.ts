/** Certificates and revocation lists (RFC 5280): their types, all of them DER, and what judging a chain needs to know. */
import type { KeyObject } from 'node:crypto';
import {
  any,
  boolean,
  choice,
  defaulted,
  der,
  explicit,
  flags,
  type IdentifiedTypes,
  type IdentifiedValues,
  implicit,
  integer,
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
  wholeBytes,
} from './asn1.ts';
import {
  attributeTypeAndValue,
  constrainedNames,
  generalName,
  generalNames,
  name,
  nameConstraints,
  textOf,
  valuesOf,
} from './certificate-names.ts';
import { algorithmIdentifier, publicKeyOf, verifySignature } from './cms-algorithms.ts';

const SERIAL_NUMBER = '2.5.4.5';

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

const policy = sequence('PolicyInformation', {
  policyIdentifier: oid,
  policyQualifiers: optional(sequenceOf(sequence('PolicyQualifierInfo', { id: oid, qualifier: any }), 1)),
});

/** The extensions that are read, critical or not (RFC 5280 §4.2); netscapeCertType is of times before it. */
const known = {
  subjectKeyIdentifier: ['2.5.29.14', octets],
  keyUsage: ['2.5.29.15', flags],
  subjectAltName: ['2.5.29.17', generalNames],
  issuerAltName: ['2.5.29.18', generalNames],
  basicConstraints: [
    '2.5.29.19',
    sequence('BasicConstraints', { cA: defaulted(boolean, false), pathLenConstraint: optional(number()) }),
  ],
  nameConstraints: ['2.5.29.30', nameConstraints],
  cRLDistributionPoints: ['2.5.29.31', distributionPoints],
  certificatePolicies: ['2.5.29.32', sequenceOf(policy, 1)],
  authorityKeyIdentifier: [
    '2.5.29.35',
    sequence('AuthorityKeyIdentifier', {
      keyIdentifier: optional(implicit(0, octets)),
      authorityCertIssuer: optional(implicit(1, generalNames)),
      authorityCertSerialNumber: optional(implicit(2, integer)),
    }),
  ],
  extKeyUsage: ['2.5.29.37', sequenceOf(oid, 1)],
  freshestCRL: ['2.5.29.46', distributionPoints],
  authorityInfoAccess: [
    '1.3.6.1.5.5.7.1.1',
    sequenceOf(sequence('AccessDescription', { method: oid, location: generalName }), 1),
  ],
  netscapeCertType: ['2.16.840.1.113730.1.1', flags],
} as const satisfies IdentifiedTypes;

/** Read for their form alone: where one of them is critical, it counts as not understood. */
const neverCritical: readonly string[] = ['freshestCRL', 'authorityInfoAccess', 'netscapeCertType'];

/**
 * Extensions that change how a chain is judged in ways that are not implemented: policy mappings and constraints,
 * inhibitAnyPolicy, proxy certificates (RFC 3820), addresses and numbers of networks (RFC 3779). A chain with one of them
 * is refused, as verifiers act on them even when they are not critical.
 */
const notImplemented: readonly string[] = [
  '2.5.29.33',
  '2.5.29.36',
  '2.5.29.54',
  '1.3.6.1.5.5.7.1.14',
  '1.3.6.1.5.5.7.1.7',
  '1.3.6.1.5.5.7.1.8',
];

const extension = sequence('Extension', { id: oid, critical: defaulted(boolean, false), value: octets });
const extensions = sequenceOf(extension, 1);

const V1 = 0;
const V2 = 1;
const V3 = 2;

const tbsCertificate = sequence('TBSCertificate', {
  version: defaulted(explicit(0, number(V1, V2, V3)), V1),
  serialNumber: integer,
  signature: algorithmIdentifier,
  issuer: name,
  validity: sequence('Validity', { notBefore: time, notAfter: time }),
  subject: name,
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
function readFields(bytes: Uint8Array): CertificateFields {
  const fields = readAs(certificateInside, 'Certificate', parseValue(bytes), true);
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

/** The bytes of an INTEGER that is not negative, in lower-case hex, without leading zero bytes. */
export function serialOf(integer: Buffer): string {
  return integer.toString('hex').replace(/^(00)+(?=..)/, '');
}

type CertificateExtensions = NonNullable<CertificateFields['tbsCertificate']['extensions']>;

/** The values of all known extensions, by name. An extension that does not parse must not count as absent. */
function valuesIn(found: CertificateExtensions): IdentifiedValues<typeof known> {
  const values: Record<string, unknown> = {};
  for (const [name, [id, type]] of Object.entries(known)) {
    const own = found.find((one) => one.id === id);
    if (own !== undefined) values[name] = readAs<unknown>(der<unknown>(type), name, parseValue(own.value), true);
  }
  return values;
}

/** Whether a critical extension has to be understood, and is not. */
const isNotUnderstood = ({ critical, id }: CertificateExtensions[number]): boolean =>
  critical === true && !Object.entries(known).some(([name, [own]]) => own === id && !neverCritical.includes(name));

export type Certificate = Readonly<ReturnType<typeof readCertificate>>;

/** Reads a certificate from its DER. @throws MalformedDer when the bytes are no certificate */
export function readCertificate(der: Uint8Array) {
  const { tbsCertificate: tbs, signatureAlgorithm, signature } = readFields(der);
  const { extensions = [], subjectPublicKeyInfo, subject } = tbs;
  const ids = extensions.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) throw new MalformedDer('one is in it twice', 'TBSCertificate.extensions');
  const values = valuesIn(extensions);
  const { basicConstraints, keyUsage, authorityKeyIdentifier } = values;
  const pathLength = basicConstraints?.pathLenConstraint;
  if (pathLength !== undefined && !basicConstraints?.cA) {
    throw new MalformedDer('it is there without cA', 'BasicConstraints.pathLenConstraint');
  }
  const serial = authorityKeyIdentifier?.authorityCertSerialNumber;
  return {
    der,
    serial: serialOf(tbs.serialNumber),
    subject,
    issuer: tbs.issuer,
    notBefore: tbs.validity.notBefore,
    notAfter: tbs.validity.notAfter,
    /** Returns undefined when the kind or size of the key is not accepted. */
    key: (): KeyObject | undefined => publicKeyOf(subjectPublicKeyInfo.algorithm, subjectPublicKeyInfo.bytes),
    isAuthority: basicConstraints?.cA === true,
    /** How many other authorities may be below it in a chain. */
    pathLength: pathLength ?? Number.POSITIVE_INFINITY,
    // RFC 5280 §4.2.1.3: the first bit is digitalSignature, the second nonRepudiation, the sixth keyCertSign.
    keyUsage: keyUsage === undefined ? undefined : { sign: (keyUsage & 0xc0) !== 0, certify: (keyUsage & 0x04) !== 0 },
    /** Undefined when the certificate does not restrict it. */
    extendedKeyUsage: values.extKeyUsage,
    /** Lower-case hex; `''` when there is none. */
    subjectKeyIdentifier: values.subjectKeyIdentifier?.toString('hex') ?? '',
    /** What it says of its issuer's certificate. */
    authority: {
      keyIdentifier: authorityKeyIdentifier?.keyIdentifier,
      issuer: authorityKeyIdentifier?.authorityCertIssuer,
      serial: serial && serialOf(serial),
    },
    nameConstraints: values.nameConstraints,
    /** The names that constraints of authorities are about. */
    names: constrainedNames(subject, values.subjectAltName ?? []),
    subjectSerialNumbers: valuesOf(subject, SERIAL_NUMBER).map(textOf),
    hasUnknownCritical: extensions.some(isNotUnderstood),
    hasNotImplemented: ids.some((id) => notImplemented.includes(id)),
    signatureAlgorithm,
    signed: { bytes: tbs.bytes, signature },
  };
}

/** Whether a certificate is valid at an instant, both ends included (RFC 5280 §4.1.2.5). */
export function isValidAt({ notBefore, notAfter }: Certificate, at: Date): boolean {
  return notBefore.getTime() <= at.getTime() && at.getTime() <= notAfter.getTime();
}

/** Why a certificate cannot issue others; undefined when it can. */
export function authorityProblem(certificate: Certificate): string | undefined {
  if (!certificate.isAuthority) return 'is not a certificate authority';
  if (certificate.keyUsage?.certify === false) return 'may not sign certificates (its key usage lacks keyCertSign)';
  return extensionProblem(certificate);
}

/** Why the extensions of a certificate do not allow to judge it; undefined when they do. */
export function extensionProblem({ hasUnknownCritical, hasNotImplemented }: Certificate): string | undefined {
  if (hasUnknownCritical) return 'has a critical extension that is not understood';
  if (hasNotImplemented) return 'has an extension that is not implemented (policy constraints or mappings, proxies)';
  return undefined;
}

/** Whether the issuer's key made the signature of the certificate. */
export function isSignedBy({ signed, signatureAlgorithm }: Certificate, issuer: Certificate): boolean {
  const key = issuer.key();
  return key !== undefined && verifySignature(signed, key, signatureAlgorithm) === 'right';
}
