/** The one non-public address for webhooks, with a certificate: for the suite, or a person who tries out events. */
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import path from 'node:path';
import { isCertificates } from '../../../handlers/runtime/config.ts';
import { claimPort, freePort, isFree } from '../../kit/ports.ts';
import { newAuthority, newServer, pemOf } from '../../world/eds/folder.ts';

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
  /** PEM files: the receiver's certificate, its key, and the authorities that the server trusts. */
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
  /** What the environment allows beside it, as `WEBHOOK_ALLOW_NETWORKS` has it. */
  readonly others?: string | undefined;
}

/** Ports of this machine that a receiver is given. */
interface ReceiverPorts {
  /** The one that the caller asks for; 0 for a free one, undefined for the usual one if that is free. */
  readonly asked: number | undefined;
  /** Other ports; a 0 among them: all are free ones. */
  readonly taken: readonly number[];
}

/** Chooses the address, and makes the files. Addresses and an authority of the environment are allowed beside it. */
export async function ensureReceiver(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  { asked, taken }: ReceiverPorts,
  now: Date,
): Promise<WebhookReceiver | undefined> {
  if (env.NODE_ENV === 'production') return undefined;
  const mayBeUsual = asked === undefined && !taken.includes(0) && !taken.includes(PORT);
  const isUsual = mayBeUsual && (await isFree(HOST, PORT)) && (await claimPort(PORT));
  const port = asked || (isUsual ? PORT : await freePort());
  const receiver = receiverAt(dataDir, { host: HOST, port }, now);
  const ca = withAuthority(receiver.ca, env.WEBHOOK_CA_FILE);
  return { ...receiver, ca, others: env.WEBHOOK_ALLOW_NETWORKS };
}

/** A file of the own authority and another one. A file that is no authority is left to the server, which refuses it. */
function withAuthority(own: string, other: string | undefined): string {
  if (!other) return own;
  if (!isCertificates(other)) return other;
  const both = path.join(path.dirname(own), 'authorities.pem');
  writeFileSync(both, `${readFileSync(own, 'utf8')}\n${readFileSync(other, 'utf8')}`);
  return both;
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

/** The variables that allow the server to send webhooks to this non-public address, and to those beside it. */
export function receiverEnv({ host, port, ca, others }: WebhookReceiver): Record<string, string> {
  const own = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return { WEBHOOK_ALLOW_NETWORKS: others ? `${own},${others}` : own, WEBHOOK_CA_FILE: ca };
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
