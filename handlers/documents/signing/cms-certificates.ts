/** What a certificate says (RFC 5280), and whether a chain of them leads to a trust anchor. */
import type { KeyObject } from 'node:crypto';
import { type BaseBlock, BitString, fromBER, Integer, OctetString } from 'asn1js';
import {
  type AlgorithmIdentifier,
  BasicConstraints,
  Certificate as CertificateStructure,
  ExtKeyUsage,
  type RelativeDistinguishedNames,
} from 'pkijs';
import { judge, publicKeyOf, type Verdict } from './cms-algorithms.ts';

/** Bounds for what callers send. A chain of ten certificates has some 2,000 nodes; a node costs some 8 µs to parse. */
export const PARSER_LIMITS = { maxDepth: 40, maxNodes: 4_000, maxContentLength: 65_536 } as const;

const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
/** Those that may be critical: the three that are checked, and those that forbid nothing that is done here. */
const understood = new Set([
  ...[KEY_USAGE, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, SUBJECT_KEY_IDENTIFIER],
  // Alternative names, certificate policies, key identifiers, places of revocation lists.
  ...['2.5.29.17', '2.5.29.18', '2.5.29.32', '2.5.29.35', '2.5.29.31'],
]);

export interface Certificate {
  /** Of the INTEGER without leading zeros, lower-case hex. */
  readonly serial: string;
  readonly subject: RelativeDistinguishedNames;
  readonly issuer: RelativeDistinguishedNames;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Nothing where the kind or size of the key is not accepted. */
  readonly key: () => KeyObject | undefined;
  readonly isAuthority: boolean;
  /** How many authorities may stand below it. */
  readonly pathLength: number;
  /** Nothing where the certificate does not restrict it. */
  readonly keyUsage: { readonly sign: boolean; readonly certify: boolean } | undefined;
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly subjectKeyIdentifier: string;
  /** Values of the subject's attribute serialNumber (2.5.4.5). */
  readonly subjectSerialNumbers: readonly string[];
  readonly hasUnknownCritical: boolean;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array };
}

/** Lower-case hex of an INTEGER without leading zeros. */
export function serialOf(integer: Integer): string {
  return Buffer.from(integer.valueBlock.valueHexView)
    .toString('hex')
    .replace(/^(00)+(?=..)/, '');
}

/** The octets of an OCTET STRING, also of one in pieces (BER). */
export function octetsOf(block: OctetString): Uint8Array {
  return new Uint8Array(block.getValue());
}

/** Reads a certificate from its DER. @throws Error for anything that is none */
export function readCertificate(der: Uint8Array): Certificate {
  const { offset, result } = fromBER(der, PARSER_LIMITS);
  if (offset !== der.length) throw new Error('not one DER value');
  const parsed = new CertificateStructure({ schema: result });
  // A signature has no bits to spare (RFC 5280 §4.1.1.3 with whole bytes), and some readers refuse one that does.
  if (parsed.signatureValue.valueBlock.unusedBits !== 0) throw new Error('a signature with unused bits');
  const extensions = parsed.extensions ?? [];
  if (new Set(extensions.map(({ extnID }) => extnID)).size !== extensions.length) throw new Error('repeated extension');
  const extension = (id: string) => extensions.find(({ extnID }) => extnID === id);
  // An extension that is there and does not parse must not count as absent.
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

/** Why a certificate cannot issue others; nothing for one that can. */
export function authorityProblem(certificate: Certificate): string | undefined {
  if (!certificate.isAuthority) return 'is not a certificate authority';
  if (certificate.keyUsage?.certify === false) return 'may not sign certificates (its key usage lacks keyCertSign)';
  if (certificate.hasUnknownCritical) return 'has a critical extension that is not understood';
  return undefined;
}

/** Whether the one's key made the signature on the other. */
export function judgeIssued(issuer: Certificate, certificate: Certificate): Verdict {
  const key = issuer.key();
  return key === undefined ? 'unsupported' : judge(certificate.signed, key, certificate.signatureAlgorithm);
}

/** Most authorities between a signer and its anchor. */
const MOST_INTERMEDIATES = 5;

/**
 * Looks for a chain from a certificate to an anchor, authorities in between taken from `pool`. Each of these is
 * visited once, where it stands nearest to the signer, which is where the length of the path binds it least; so
 * certificates that issue each other in a circle end the search like others.
 * @returns why there is none, as the end of a sentence about the signature; nothing where there is one
 */
export function chainProblem(
  signer: Certificate,
  pool: readonly Certificate[],
  anchors: readonly Certificate[],
  at: Date,
): string | undefined {
  let problem = "has a certificate that does not lead to one of the tenant's trust anchors";
  /** Whether the candidate may stand there, with `below` authorities under it. */
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
