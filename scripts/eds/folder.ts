/** Identities on disk, each a folder with `certificate.pem` and `key.pem`, and the signers of the demonstration. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Identity, type KeyKind, type KeyUsageName, makeCertificate, newKey } from './certificates.ts';

const DAY_MS = 86_400_000;
const CERTIFICATE = 'certificate.pem';
const KEY = 'key.pem';

/** The names that people read in the certificates, so that they are not mistaken for real ones. */
const NAMES = { authority: 'TEST CA - NOT TRUSTED BY ANYBODY', signer: 'TEST SIGNER - NO REAL PERSON' } as const;

/** The DER bytes as PEM. */
export function pemOf(der: Uint8Array): string {
  return new X509Certificate(der).toString();
}

/** A new certificate authority, valid for ten years from now. */
export function newAuthority(kind: KeyKind, now: Date): Identity {
  const key = newKey(kind);
  const certificate = makeCertificate({
    commonName: NAMES.authority,
    key,
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + 3_650 * DAY_MS),
    authority: { isAuthority: true },
    usage: ['keyCertSign', 'cRLSign'],
  });
  return { key, certificate };
}

export interface SignerOptions {
  /** Twelve digits that belong to no person. */
  readonly iin: string;
  readonly kind: KeyKind;
  /** The certificate expired yesterday. */
  readonly expired?: boolean;
  readonly usage?: readonly KeyUsageName[];
}

/** A new signer with a certificate from the authority, valid for a year from now. */
export function newSigner(issuer: Identity, options: SignerOptions, now: Date): Identity {
  const key = newKey(options.kind);
  const [from, to] = options.expired ? [-366, -1] : [-1, 365];
  const certificate = makeCertificate({
    commonName: NAMES.signer,
    serialNumber: `IIN${options.iin}`,
    key,
    issuer,
    notBefore: new Date(now.getTime() + from * DAY_MS),
    notAfter: new Date(now.getTime() + to * DAY_MS),
    usage: options.usage ?? ['digitalSignature', 'nonRepudiation'],
    purposes: ['1.3.6.1.5.5.7.3.4'],
  });
  return { key, certificate };
}

/** Writes both files. @throws Error (code EEXIST) if one of them already exists: a key is never overwritten */
export async function writeIdentity(dir: string, { key, certificate }: Identity): Promise<void> {
  await mkdir(dir, { recursive: true });
  const pem = key.export({ format: 'pem', type: 'pkcs8' }) as string;
  await writeFile(path.join(dir, KEY), pem, { mode: 0o600, flag: 'wx' });
  await writeFile(path.join(dir, CERTIFICATE), pemOf(certificate), { flag: 'wx' });
}

/** Reads what {@link writeIdentity} wrote. @throws Error when the files are missing or invalid */
export async function readIdentity(dir: string): Promise<Identity> {
  const { raw } = new X509Certificate(await readFile(path.join(dir, CERTIFICATE)));
  return { key: createPrivateKey(await readFile(path.join(dir, KEY), 'utf8')), certificate: raw };
}

/**
 * Makes the signers of the demonstration in folders below `dir`, unless they already exist. `restricted` and `second`
 * have their own IINs and certificates from the authority in the folder `ca`. `foreign` has the IIN of `restricted` and
 * a certificate from an authority that is not kept. `expired` has the IIN of `restricted` and a certificate that has
 * expired.
 * @returns the authority's certificate, DER: a trust anchor for the tenant
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
  const signer = (issuer: Identity, iin: string, expired = false) =>
    newSigner(issuer, { iin, kind: 'ec', expired }, now);
  await kept('restricted', () => signer(ca, iins.restricted));
  await kept('second', () => signer(ca, iins.second));
  await kept('foreign', () => signer(newAuthority('ec', now), iins.restricted));
  await kept('expired', () => signer(ca, iins.restricted, true));
  return { ca: ca.certificate };
}
