/** Identities on disk, each a folder with `certificate.pem` and `key.pem`, and the signers of the demonstration. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type CertificateWish,
  type Identity,
  type KeyKind,
  type KeyUsageName,
  makeCertificate,
  newKey,
} from './certificates.ts';
import { directory, extension, sequence, tagged } from './der.ts';

const DAY_MS = 86_400_000;
const CERTIFICATE = 'certificate.pem';
const KEY = 'key.pem';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const SERVERS = '1.3.6.1.5.5.7.3.1';
/** Name constraints that exclude every directory name, not critical. */
const EXCLUDES_ALL = extension('2.5.29.30', sequence(tagged(1, sequence(directory(sequence())))));

/** The names that people read in the certificates, so that they are not mistaken for real ones. */
const NAMES = {
  authority: 'TEST CA - NOT TRUSTED BY ANYBODY',
  intermediate: 'TEST CA BELOW - NOT TRUSTED BY ANYBODY',
  lower: 'TEST CA FURTHER BELOW - NOT TRUSTED BY ANYBODY',
  signer: 'TEST SIGNER - NO REAL PERSON',
} as const;

export function pemOf(der: Uint8Array): string {
  return new X509Certificate(der).toString();
}

/** A new certificate authority, valid for ten years from now. */
export function newAuthority(kind: KeyKind, now: Date): Identity {
  return authority(NAMES.authority, kind, [-1, 3_650], now);
}

function newIntermediate(issuer: Identity, days: Days, now: Date, more: Partial<CertificateWish> = {}): Identity {
  const chain = issuer.chain ? [issuer.certificate, ...issuer.chain] : [];
  return { ...authority(NAMES.intermediate, 'ec', days, now, { issuer, ...more }), chain };
}

/** From when to when a certificate is valid, in days from now. */
type Days = readonly [from: number, to: number];

function authority(
  commonName: string,
  kind: KeyKind,
  days: Days,
  now: Date,
  more: Partial<CertificateWish> = {},
): Identity {
  const key = newKey(kind);
  const certificate = makeCertificate({
    commonName,
    key,
    ...validity(days, now),
    authority: { isAuthority: true },
    usage: ['keyCertSign', 'cRLSign'],
    ...more,
  });
  return { key, certificate };
}

export function validity([from, to]: Days, now: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(now.getTime() + from * DAY_MS), notAfter: new Date(now.getTime() + to * DAY_MS) };
}

interface SignerOptions {
  /** Twelve digits that belong to no person. */
  readonly iin: string;
  readonly kind: KeyKind;
  readonly expired?: boolean;
  /** Signing and non-repudiation, if absent; 'none' leaves the extension out. */
  readonly usage?: readonly KeyUsageName[] | 'none';
  /** Object identifiers of its extended key usage: e-mail protection, if absent. */
  readonly purposes?: readonly string[];
}

/** A new signer with a certificate from the authority, valid for a year from now. */
export function newSigner(issuer: Identity, options: SignerOptions, now: Date): Identity {
  const key = newKey(options.kind);
  const { usage = ['digitalSignature', 'nonRepudiation'] } = options;
  const certificate = makeCertificate({
    commonName: NAMES.signer,
    serialNumber: `IIN${options.iin}`,
    key,
    issuer,
    ...validity(options.expired ? [-366, -1] : [-1, 365], now),
    ...(usage !== 'none' && { usage }),
    purposes: options.purposes ?? ['1.3.6.1.5.5.7.3.4'],
  });
  return { key, certificate, ...(issuer.chain && { chain: [issuer.certificate, ...issuer.chain] }) };
}

/** Key and certificate of a server, PEM. @param issuer absent: it is its own @param days valid from and to */
export function newServer(
  issuer: Identity | undefined,
  hosts: readonly string[],
  days: Days,
  now: Date,
  commonName = 'TEST RECEIVER OF WEBHOOKS',
): { readonly key: string; readonly cert: string } {
  const key = newKey('ec');
  const wish = { commonName, key, hosts, ...validity(days, now) };
  const certificate = makeCertificate({ ...wish, ...(issuer && { issuer }) });
  return { key: pemOfKey(key), cert: pemOf(certificate) };
}

const pemOfKey = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }) as string;

/** Writes both files. @throws Error (code EEXIST) if one of them already exists: a key is never overwritten */
export async function writeIdentity(dir: string, { key, certificate, chain = [] }: Identity): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, KEY), pemOfKey(key), { mode: 0o600, flag: 'wx' });
  await writeFile(path.join(dir, CERTIFICATE), [certificate, ...chain].map(pemOf).join(''), { flag: 'wx' });
}

/** Reads what {@link writeIdentity} wrote. @throws Error when the files are missing or invalid */
export async function readIdentity(dir: string): Promise<Identity> {
  const text = await readFile(path.join(dir, CERTIFICATE), 'utf8');
  const pems = text.split(/(?=-----BEGIN )/);
  const [certificate, ...chain] = pems.map((pem) => new X509Certificate(pem).raw);
  if (certificate === undefined) throw new Error('there is no certificate in it');
  const key = createPrivateKey(await readFile(path.join(dir, KEY), 'utf8'));
  return { key, certificate, ...(chain.length > 0 && { chain }) };
}

/**
 * Makes the signers of the demonstration in folders below `dir`, unless they exist: all but `second` have the IIN of
 * `restricted`, and each is right or wrong as its name says. The authority of `foreign` is not kept.
 * @returns the certificate of the authority in the folder `ca`, DER: a trust anchor for the tenant
 */
export async function writeTestSigners(
  dir: string,
  iins: { readonly restricted: string; readonly second: string },
  now: Date,
): Promise<{ readonly ca: Uint8Array }> {
  const kept = async (name: string, make: () => Identity): Promise<Identity> => {
    const folder = path.join(dir, name);
    const found = await readIdentity(folder).catch(() => undefined);
    if (found !== undefined) return found;
    const made = make();
    await writeIdentity(folder, made);
    return made;
  };
  const ca = await kept('ca', () => newAuthority('ec', now));
  const signer = (issuer: Identity, iin: string, more: Partial<SignerOptions> = {}) =>
    newSigner(issuer, { iin, kind: 'ec', ...more }, now);
  const restricted = (name: string, more: Partial<SignerOptions>, issuer = () => ca) =>
    kept(name, () => signer(issuer(), iins.restricted, more));
  await kept('restricted', () => signer(ca, iins.restricted));
  await kept('second', () => signer(ca, iins.second));
  await kept('foreign', () => signer(newAuthority('ec', now), iins.restricted));
  await restricted('expired', { expired: true });
  await restricted('restricted_rsa', { kind: 'rsa' });
  await restricted('small_rsa', { kind: 'rsa-1024' });
  await restricted('restricted_p384', { kind: 'ec-384' });
  await restricted('below', {}, () => newIntermediate(ca, [-1, 365], now));
  await restricted('below_expired', {}, () => newIntermediate(ca, [-366, -1], now));
  await restricted('below_constrained', {}, () => newIntermediate(ca, [-1, 365], now, { others: [EXCLUDES_ALL] }));
  await restricted('below_servers', {}, () => newIntermediate(ca, [-1, 365], now, { purposes: [SERVERS] }));
  const last = newIntermediate(ca, [-1, 365], now, { authority: { isAuthority: true, pathLength: 0 } });
  await restricted('below_last', {}, () => last);
  await restricted('below_beyond', {}, () => newIntermediate(last, [-1, 365], now, { commonName: NAMES.lower }));
  await restricted('digital_signature', { usage: ['digitalSignature'] });
  await restricted('non_repudiation', { usage: ['nonRepudiation'] });
  await restricted('wrong_usage', { usage: ['keyEncipherment'] });
  await restricted('no_usage', { usage: 'none' });
  await restricted('wrong_purpose', { purposes: [CODE_SIGNING] });
  return { ca: ca.certificate };
}
