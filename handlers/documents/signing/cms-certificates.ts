/** Reads certificates (RFC 5280), and looks for a chain of them that leads to a trust anchor. */
import type { KeyObject } from 'node:crypto';
import { type BaseBlock, BitString, fromBER, Integer, OctetString } from 'asn1js';
import {
  type AlgorithmIdentifier,
  BasicConstraints,
  Certificate as CertificateStructure,
  ExtKeyUsage,
  type RelativeDistinguishedNames,
} from 'pkijs';
import { publicKeyOf, type Verdict, verifySignature } from './cms-algorithms.ts';

/** Limits for what callers send. A chain of ten certificates has some 2,000 nodes; parsing a node takes some 8 µs. */
export const PARSER_LIMITS = { maxDepth: 40, maxNodes: 4_000, maxContentLength: 65_536 } as const;

const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
/** Extensions that may be critical: the three that are checked, and those that restrict nothing that is done here. */
const understood = new Set([
  ...[KEY_USAGE, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, SUBJECT_KEY_IDENTIFIER],
  // Alternative names, certificate policies, identifiers of the issuer's key, addresses of revocation lists.
  ...['2.5.29.17', '2.5.29.18', '2.5.29.32', '2.5.29.35', '2.5.29.31'],
]);

export interface Certificate {
  /** The serial number: an INTEGER in lower-case hex, without leading zero bytes. */
  readonly serial: string;
  readonly subject: RelativeDistinguishedNames;
  readonly issuer: RelativeDistinguishedNames;
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
  readonly subjectKeyIdentifier: string;
  /** Values of the subject's attribute serialNumber (2.5.4.5). */
  readonly subjectSerialNumbers: readonly string[];
  readonly hasUnknownCritical: boolean;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array };
}

/** An INTEGER in lower-case hex, without leading zero bytes. */
export function serialOf(integer: Integer): string {
  return Buffer.from(integer.valueBlock.valueHexView)
    .toString('hex')
    .replace(/^(00)+(?=..)/, '');
}

/** The octets of an OCTET STRING, also of a constructed one, which holds them in several parts (BER). */
export function octetsOf(block: OctetString): Uint8Array {
  return new Uint8Array(block.getValue());
}

/** Reads a certificate from its DER. @throws Error when the bytes are no certificate */
export function readCertificate(der: Uint8Array): Certificate {
  const { offset, result } = fromBER(der, PARSER_LIMITS);
  if (offset !== der.length) throw new Error('not one DER value');
  const parsed = new CertificateStructure({ schema: result });
  // A signature is whole bytes (RFC 5280 §4.1.1.3), so it has no unused bits; some parsers refuse one that has.
  if (parsed.signatureValue.valueBlock.unusedBits !== 0) throw new Error('a signature with unused bits');
  const extensions = parsed.extensions ?? [];
  if (new Set(extensions.map(({ extnID }) => extnID)).size !== extensions.length) throw new Error('repeated extension');
  const extension = (id: string) => extensions.find(({ extnID }) => extnID === id);
  // An extension that does not parse must not count as absent.
  const value = (id: string): BaseBlock | undefined => {
    const found = extension(id);
    if (found === undefined) return undefined;
    const inner = octetsOf(found.extnValue);
    const decoded = fromBER(inner, PARSER_LIMITS);
    if (decoded.offset !== inner.length) throw new Error('malformed extension');
    return decoded.result;
  };
  const constraints = value(BASIC_CONSTRAINTS);
  const basic = constraints === undefined ? undefined : new BasicConstraints({ schema: constraints });
  const extended = value(EXTENDED_KEY_USAGE);
  const keyIdentifier = value(SUBJECT_KEY_IDENTIFIER);
  return {
    serial: serialOf(parsed.serialNumber),
    subject: parsed.subject,
    issuer: parsed.issuer,
    notBefore: parsed.notBefore.value,
    notAfter: parsed.notAfter.value,
    key: () => publicKeyOf(parsed.subjectPublicKeyInfo),
    isAuthority: basic?.cA === true,
    pathLength: pathLengthOf(basic),
    keyUsage: keyUsageOf(value(KEY_USAGE)),
    extendedKeyUsage: extended === undefined ? undefined : new ExtKeyUsage({ schema: extended }).keyPurposes,
    subjectKeyIdentifier:
      keyIdentifier instanceof OctetString ? Buffer.from(octetsOf(keyIdentifier)).toString('hex') : '',
    subjectSerialNumbers: parsed.subject.typesAndValues
      .filter(({ type }) => type === '2.5.4.5')
      .map(({ value: { valueBlock } }) => String(valueBlock.value)),
    hasUnknownCritical: extensions.some(({ critical, extnID }) => critical && !understood.has(extnID)),
    signatureAlgorithm: parsed.signatureAlgorithm,
    signed: { bytes: parsed.tbsView, signature: new Uint8Array(parsed.signatureValue.valueBlock.valueHexView) },
  };
}

function pathLengthOf(basic: BasicConstraints | undefined): number {
  const given = basic?.pathLenConstraint;
  if (given === undefined) return Number.POSITIVE_INFINITY;
  return given instanceof Integer ? given.valueBlock.valueDec : given;
}

/** RFC 5280 §4.2.1.3: the first bit is digitalSignature, the second nonRepudiation, the sixth keyCertSign. */
function keyUsageOf(value: BaseBlock | undefined): Certificate['keyUsage'] {
  if (value === undefined) return undefined;
  if (!(value instanceof BitString)) throw new Error('malformed key usage');
  const bits = value.valueBlock.valueHexView[0] ?? 0;
  return { sign: (bits & 0b1100_0000) !== 0, certify: (bits & 0b0000_0100) !== 0 };
}

/** Whether a certificate is valid at an instant, both ends included (RFC 5280 §4.1.2.5). */
export function isValidAt({ notBefore, notAfter }: Certificate, at: Date): boolean {
  return notBefore.getTime() <= at.getTime() && at.getTime() <= notAfter.getTime();
}

/** Why a certificate cannot issue others; undefined when it can. */
export function authorityProblem(certificate: Certificate): string | undefined {
  if (!certificate.isAuthority) return 'is not a certificate authority';
  if (certificate.keyUsage?.certify === false) return 'may not sign certificates (its key usage lacks keyCertSign)';
  if (certificate.hasUnknownCritical) return 'has a critical extension that is not understood';
  return undefined;
}

/** Whether the issuer's key made the signature of the certificate. */
export function judgeIssued(issuer: Certificate, certificate: Certificate): Verdict {
  const key = issuer.key();
  return key === undefined ? 'unsupported' : verifySignature(certificate.signed, key, certificate.signatureAlgorithm);
}

/** The most authorities that may be between a signer and its anchor. */
const MOST_INTERMEDIATES = 5;

/**
 * Looks for a chain from a certificate to an anchor; the authorities between them come from `pool`. The search goes
 * level by level from the signer and uses each authority once, on the first level where it fits. There it has the
 * fewest authorities below it, so its path length constraint is easiest to meet. The search also ends when certificates
 * issue each other in a circle.
 * @returns why there is no chain, as the end of a sentence about the signature; undefined when there is one
 */
export function chainProblem(
  signer: Certificate,
  pool: readonly Certificate[],
  anchors: readonly Certificate[],
  at: Date,
): string | undefined {
  let problem = "has a certificate that does not lead to one of the tenant's trust anchors";
  /** Whether the candidate is a valid issuer of the certificate, with `below` authorities below the candidate. */
  function issues(candidate: Certificate, certificate: Certificate, below: number): boolean {
    if (!candidate.subject.isEqual(certificate.issuer)) return false;
    if (judgeIssued(candidate, certificate) !== 'right') return false;
    const wrong =
      authorityProblem(candidate) ??
      (isValidAt(candidate, at) ? undefined : 'is not valid at this time') ??
      (candidate.pathLength >= below ? undefined : 'allows fewer authorities below it (pathLenConstraint)');
    if (wrong !== undefined) problem = `has a certificate in whose chain an issuer ${wrong}`;
    return wrong === undefined;
  }
  const unvisited = new Set(pool);
  let frontier: Certificate[] = [signer];
  for (let below = 0; below <= MOST_INTERMEDIATES && frontier.length > 0; below++) {
    const next: Certificate[] = [];
    for (const certificate of frontier) {
      if (anchors.some((anchor) => issues(anchor, certificate, below))) return undefined;
      for (const candidate of unvisited) {
        if (!issues(candidate, certificate, below)) continue;
        unvisited.delete(candidate);
        next.push(candidate);
      }
    }
    frontier = next;
  }
  return problem;
}
