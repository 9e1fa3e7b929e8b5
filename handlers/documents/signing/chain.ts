/**
 * Judges the chain from a certificate to a trust anchor by RFC 5280 §6.1, without revocation and policies. What is not
 * implemented there is refused. The anchor is judged as the authorities below it are.
 */
import { constraintProblem, isSameName } from './certificate-names.ts';
import { authorityProblem, type Certificate, extensionProblem, isSignedBy, isValidAt } from './certificates.ts';

/** The most authorities that may be between a signer and its anchor. */
const MOST_INTERMEDIATES = 5;
const ANY_PURPOSE = '2.5.29.37.0';

/** What a chain is judged by. */
interface ChainRules {
  readonly anchors: readonly Certificate[];
  readonly at: Date;
  /** One of these purposes must be allowed by every extended key usage in the chain. */
  readonly purposes: ReadonlySet<string>;
}

/**
 * Judges the chain of a certificate; the authorities between it and its anchor come from `pool`. There is one chain and no
 * search: at each step an anchor comes first, then the first authority in the pool that may have issued the certificate,
 * as OpenSSL chooses. Another choice could be one that others refuse.
 * @returns why the chain is refused, as the end of a sentence about the signature; undefined when it is right
 */
export function chainProblem(signer: Certificate, pool: readonly Certificate[], rules: ChainRules): string | undefined {
  const chain = [signer];
  for (let last = signer; chain.length <= MOST_INTERMEDIATES + 1; chain.push(last)) {
    const found = nextIn(last, chain, pool, rules);
    if ('problem' in found) return found.problem;
    if (found.isAnchor) return problemOf([...chain, found.issuer], rules);
    last = found.issuer;
  }
  return NO_CHAIN;
}

const NO_CHAIN = "has a certificate that does not lead to one of the tenant's trust anchors";
const inChain = (problem: string) => `has a certificate in whose chain an issuer ${problem}`;

type FoundIssuer = { readonly issuer: Certificate; readonly isAnchor: boolean } | { readonly problem: string };

function nextIn(
  last: Certificate,
  chain: readonly Certificate[],
  pool: readonly Certificate[],
  { anchors, at }: ChainRules,
): FoundIssuer {
  // Verifiers take it for self-signed, without looking at the signature: the chain ends, and not at an anchor.
  if (mayHaveIssued(last, last)) return { problem: NO_CHAIN };
  const isValid = (one: Certificate) => isValidAt(one, at);
  const anchorsThatFit = anchors.filter((one) => mayHaveIssued(one, last) && isSignedBy(last, one));
  const anchor = anchorsThatFit.find(isValid) ?? anchorsThatFit[0];
  if (anchor !== undefined) return { issuer: anchor, isAnchor: true };
  const isUsed = (one: Certificate) => chain.some((used) => Buffer.compare(used.der, one.der) === 0);
  const authorities = pool.filter((one) => mayHaveIssued(one, last) && !isUsed(one));
  const issuer = authorities.find(isValid) ?? authorities[0];
  if (issuer === undefined || !isSignedBy(last, issuer)) return { problem: NO_CHAIN };
  const problem = authorityProblem(issuer);
  return problem === undefined ? { issuer, isAnchor: false } : { problem: inChain(problem) };
}

/** Whether names and key identifiers fit; whether the signature does is judged afterwards. */
function mayHaveIssued(issuer: Certificate, certificate: Certificate): boolean {
  const { keyIdentifier, serial, issuer: above } = certificate.authority;
  const isOtherKey =
    keyIdentifier !== undefined &&
    issuer.subjectKeyIdentifier !== '' &&
    keyIdentifier.toString('hex') !== issuer.subjectKeyIdentifier;
  const isOtherIssuer = above?.some((one) => one.kind === 'directoryName' && !isSameName(one.name, issuer.issuer));
  return (
    isSameName(issuer.subject, certificate.issuer) &&
    !isOtherKey &&
    !isOtherIssuer &&
    (serial === undefined || serial === issuer.serial)
  );
}

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => isSameName(subject, issuer);

/** @param chain from the signer's certificate to the anchor */
function problemOf(chain: readonly Certificate[], { at, purposes }: ChainRules): string | undefined {
  const [signer, ...authorities] = chain as [Certificate, ...Certificate[]];
  const unknown = extensionProblem(signer);
  if (unknown !== undefined) return `has a certificate that ${unknown}`;
  const below = [signer];
  let authoritiesBelow = 0;
  for (const authority of authorities) {
    const problem =
      authorityProblem(authority) ??
      (isValidAt(authority, at) ? undefined : 'is not valid at this time') ??
      (authority.pathLength >= authoritiesBelow
        ? undefined
        : 'allows fewer authorities below it (pathLenConstraint)') ??
      namesProblem(authority, below);
    if (problem !== undefined) return inChain(problem);
    below.push(authority);
    if (!isSelfIssued(authority)) authoritiesBelow++;
  }
  const allowed = [...purposes].some((purpose) =>
    chain.every(({ extendedKeyUsage: own }) => own?.some((one) => one === purpose || one === ANY_PURPOSE) ?? true),
  );
  return allowed
    ? undefined
    : 'has a certificate for another purpose: its extended key usage, or one in its chain, does not allow signing';
}

/** Names of the signer are always constrained, those of authorities only where they are not self-issued (§6.1.3). */
function namesProblem({ nameConstraints }: Certificate, below: readonly Certificate[]): string | undefined {
  if (nameConstraints === undefined) return undefined;
  for (const [i, certificate] of below.entries()) {
    if (i > 0 && isSelfIssued(certificate)) continue;
    const problem = constraintProblem(nameConstraints, certificate.names);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
