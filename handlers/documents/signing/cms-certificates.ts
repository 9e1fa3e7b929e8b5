/** Reads certificates (RFC 5280), with all that judging a chain of them needs. */
import type { KeyObject } from 'node:crypto';
import { MalformedDer } from './asn1-form.ts';
import type { Type } from './asn1-shape.ts';
import { constrainedNames, textOf, valuesOf } from './certificate-names.ts';
import {
  type AlgorithmIdentifier,
  type DistinguishedName,
  type Extension,
  extensionTypes,
  type GeneralName,
  type NameConstraints,
  readExtension,
  readFields,
} from './certificate-types.ts';
import { publicKeyOf, type Verdict, verifySignature } from './cms-algorithms.ts';

const SERIAL_NUMBER = '2.5.4.5';

/** The extensions that are read, critical or not (RFC 5280 §4.2); netscapeCertType is of times before it. */
const known = {
  '2.5.29.14': 'subjectKeyIdentifier',
  '2.5.29.15': 'keyUsage',
  '2.5.29.17': 'subjectAltName',
  '2.5.29.18': 'issuerAltName',
  '2.5.29.19': 'basicConstraints',
  '2.5.29.30': 'nameConstraints',
  '2.5.29.31': 'cRLDistributionPoints',
  '2.5.29.32': 'certificatePolicies',
  '2.5.29.35': 'authorityKeyIdentifier',
  '2.5.29.37': 'extKeyUsage',
  '2.5.29.46': 'freshestCRL',
  '1.3.6.1.5.5.7.1.1': 'authorityInfoAccess',
  '2.16.840.1.113730.1.1': 'netscapeCertType',
} as const satisfies Readonly<Record<string, keyof typeof extensionTypes>>;

/** Those that have to be understood when they are critical, and are: nothing here depends on what the others say. */
const mayBeCritical: readonly string[] = [
  '2.5.29.14',
  '2.5.29.15',
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.19',
  '2.5.29.30',
  '2.5.29.31',
  '2.5.29.32',
  '2.5.29.35',
  '2.5.29.37',
];

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

export interface Certificate {
  readonly der: Uint8Array;
  /** The serial number: an INTEGER in lower-case hex, without leading zero bytes. */
  readonly serial: string;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Returns undefined when the kind or size of the key is not accepted. */
  readonly key: () => KeyObject | undefined;
  readonly isAuthority: boolean;
  /** How many other authorities may be below it in a chain; infinite when the certificate does not say. */
  readonly pathLength: number;
  /** Undefined when the certificate does not restrict it; the same holds for `extendedKeyUsage`. */
  readonly keyUsage: { readonly sign: boolean; readonly certify: boolean } | undefined;
  readonly extendedKeyUsage: readonly string[] | undefined;
  /** Lower-case hex; `''` when there is none. */
  readonly subjectKeyIdentifier: string;
  /** What it says of its issuer's certificate. */
  readonly authority: {
    readonly keyIdentifier: Buffer | undefined;
    readonly issuer: readonly GeneralName[] | undefined;
    readonly serial: string | undefined;
  };
  readonly nameConstraints: NameConstraints | undefined;
  /** The names that constraints of authorities are about. */
  readonly names: readonly GeneralName[];
  /** Values of the subject's attribute serialNumber (2.5.4.5). */
  readonly subjectSerialNumbers: readonly string[];
  /** Whether an extension is critical and unknown, or of those that are not implemented. */
  readonly hasUnknownCritical: boolean;
  readonly hasNotImplemented: boolean;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array };
}

/** The bytes of an INTEGER that is not negative, in lower-case hex, without leading zero bytes. */
export function serialOf(integer: Buffer): string {
  return integer.toString('hex').replace(/^(00)+(?=..)/, '');
}

/** The values of all known extensions, by name. An extension that does not parse must not count as absent. */
function valuesIn(extensions: readonly Extension[]) {
  const values: Partial<Record<keyof typeof extensionTypes, unknown>> = {};
  for (const { id, value } of extensions) {
    const name = known[id as keyof typeof known] as keyof typeof extensionTypes | undefined;
    if (name !== undefined) values[name] = readExtension(name, extensionTypes[name] as Type<unknown>, value);
  }
  type Values = { [Key in keyof typeof extensionTypes]?: ReturnType<(typeof extensionTypes)[Key]['read']> };
  return values as Values;
}

/** Reads a certificate from its DER. @throws MalformedDer when the bytes are no certificate */
export function readCertificate(der: Uint8Array): Certificate {
  const { tbsCertificate: tbs, signatureAlgorithm, signature } = readFields(der);
  const { extensions = [], subjectPublicKeyInfo } = tbs;
  const ids = extensions.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) throw new MalformedDer('one is in it twice', 'TBSCertificate.extensions');
  const values = valuesIn(extensions);
  const { basicConstraints, keyUsage, authorityKeyIdentifier } = values;
  const pathLength = basicConstraints?.pathLenConstraint;
  if (pathLength !== undefined && !basicConstraints?.cA) {
    throw new MalformedDer('it is there without cA', 'BasicConstraints.pathLenConstraint');
  }
  const serial = authorityKeyIdentifier?.authorityCertSerialNumber;
  const subject = tbs.subject.read;
  return {
    der,
    serial: serialOf(tbs.serialNumber),
    subject,
    issuer: tbs.issuer,
    notBefore: tbs.validity.notBefore,
    notAfter: tbs.validity.notAfter,
    key: () => publicKeyOf(subjectPublicKeyInfo.algorithm, subjectPublicKeyInfo.bytes),
    isAuthority: basicConstraints?.cA === true,
    pathLength: pathLength ?? Number.POSITIVE_INFINITY,
    // RFC 5280 §4.2.1.3: the first bit is digitalSignature, the second nonRepudiation, the sixth keyCertSign.
    keyUsage: keyUsage === undefined ? undefined : { sign: (keyUsage & 0xc0) !== 0, certify: (keyUsage & 0x04) !== 0 },
    extendedKeyUsage: values.extKeyUsage,
    subjectKeyIdentifier: values.subjectKeyIdentifier?.toString('hex') ?? '',
    authority: {
      keyIdentifier: authorityKeyIdentifier?.keyIdentifier,
      issuer: authorityKeyIdentifier?.authorityCertIssuer,
      serial: serial && serialOf(serial),
    },
    nameConstraints: values.nameConstraints,
    names: constrainedNames(subject, values.subjectAltName ?? []),
    subjectSerialNumbers: valuesOf(subject, SERIAL_NUMBER).map(textOf),
    hasUnknownCritical: extensions.some(({ critical, id }) => critical && !mayBeCritical.includes(id)),
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
export function judgeIssued(issuer: Certificate, certificate: Certificate): Verdict {
  const key = issuer.key();
  return key === undefined ? 'unsupported' : verifySignature(certificate.signed, key, certificate.signatureAlgorithm);
}
