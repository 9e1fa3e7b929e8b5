/** The one non-public address for webhooks, with a certificate: for the suite, or a person who tries out events. */
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import path from 'node:path';
import { claimPort, freePort, isFree } from '../../../conformance/processes/ports.ts';
import { newAuthority, newServer, pemOf } from '../../testbed/eds/folder.ts';

const HOST = '127.0.0.1';
/** The port that the documentation names. */
const PORT = 8_443;
const DAY_MS = 86_400_000;
const VALID_DAYS = 365;
const RENEWED_DAYS_AHEAD = 30;

/** Where a receiver must listen, and the files that it needs. */
export interface WebhookReceiver {
  readonly host: string;
  readonly port: number;
  /** PEM files: the receiver's certificate, its key, and the authority that the server trusts. */
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
}

/** Chooses the address, and makes the files. @param taken other ports; a 0 among them: all are free ones */
export async function ensureReceiver(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  taken: readonly number[],
  now: Date,
): Promise<WebhookReceiver | undefined> {
  if (env.WEBHOOK_ALLOW_NETWORKS || env.WEBHOOK_CA_FILE || env.NODE_ENV === 'production') return undefined;
  const isUsual = !taken.includes(0) && !taken.includes(PORT) && (await isFree(HOST, PORT)) && (await claimPort(PORT));
  return receiverAt(dataDir, { host: HOST, port: isUsual ? PORT : await freePort() }, now);
}

export const webhooksDir = (folder: string) => path.join(path.resolve(folder), 'webhooks');

/** Makes the files for a receiver at a given address, below the folder, unless good ones are there. */
export function receiverAt(
  folder: string,
  { host, port }: Pick<WebhookReceiver, 'host' | 'port'>,
  now: Date,
): WebhookReceiver {
  const file = (name: string) => path.join(webhooksDir(folder), name);
  const files = { certificate: file('receiver.pem'), key: file('receiver-key.pem'), ca: file('ca.pem') };
  if (!isGood(files, host, now)) writeFiles(files, host, now);
  return { host, port, ...files };
}

/** The variables that allow the server to send webhooks to this non-public address, and to no other. */
export function receiverEnv({ host, port, ca }: WebhookReceiver): Record<string, string> {
  return { WEBHOOK_ALLOW_NETWORKS: `${isIPv6(host) ? `[${host}]` : host}:${port}`, WEBHOOK_CA_FILE: ca };
}

type Files = Pick<WebhookReceiver, 'certificate' | 'key' | 'ca'>;

function isGood({ certificate, key, ca }: Files, host: string, now: Date): boolean {
  if (![certificate, key, ca].every((one) => existsSync(one))) return false;
  try {
    const [own, issuer] = [certificate, ca].map((one) => new X509Certificate(readFileSync(one)));
    const isLasting = Date.parse(own?.validTo ?? '') > now.getTime() + RENEWED_DAYS_AHEAD * DAY_MS;
    const isForHost = (isIP(host) ? own?.checkIP(host) : own?.checkHost(host)) !== undefined;
    return isLasting && isForHost && issuer !== undefined && own?.verify(issuer.publicKey) === true;
  } catch {
    return false;
  }
}

/** The authority's key is not stored: it signs only this one certificate. */
function writeFiles({ certificate, key, ca }: Files, host: string, now: Date): void {
  const issuer = newAuthority('ec', now);
  const own = newServer(issuer, [host, 'localhost'], [-1, VALID_DAYS], now);
  mkdirSync(path.dirname(ca), { recursive: true });
  writeFileSync(key, own.key, { mode: 0o600 });
  writeFileSync(certificate, own.cert);
  writeFileSync(ca, pemOf(issuer.certificate));
}
