/** What is said of the certificate at an address: of the terminator, of the storage, of a member of the database. */
import { isIP } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { machineMs } from '../runtime/clock.ts';
import { LATE, reasonOf } from '../runtime/outage-reasons.ts';
import { checkHost } from '../webhooks/outbound/connections.ts';
import { doubtful, fine, type Judgement, reasonFor, skipped, wrong } from './finding.ts';

/** Less than this until a certificate ends is little: renewals begin before it. */
const EXPIRES_DAYS = 30;
const DAY_MS = 86_400_000;
const CONNECT_MS = 5_000;

type SeenCertificate =
  | { readonly untrusted: string | undefined; readonly validTo: string }
  | { readonly failure: string };

/** Opens a TLS connection, whoever answers. @param place where to, and whom to trust */
export function seenAt(place: ConnectionOptions, signal: AbortSignal): Promise<SeenCertificate> {
  const options = { ...place, rejectUnauthorized: false, checkServerIdentity: checkHost, timeout: CONNECT_MS };
  return new Promise((resolve) => {
    const socket = connect(options, () => {
      // Its type says Error, its value is a code.
      const error = socket.authorizationError as unknown as string | Error | undefined;
      const untrusted = error instanceof Error ? reasonFor(error) : error && reasonOf(error);
      resolve({ untrusted: socket.authorized ? undefined : untrusted, validTo: socket.getPeerCertificate().valid_to });
      socket.destroy();
    });
    socket.once('timeout', () => {
      resolve({ failure: LATE });
      socket.destroy();
    });
    socket.once('error', (error) => resolve({ failure: reasonFor(error) }));
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
  });
}

/** @param isJudged whether something else tells that it is not reached, or not trusted: then only its time counts */
export async function certificateAt(url: URL, signal: AbortSignal, isJudged = false): Promise<Judgement> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { host, port: Number(url.port || 443), ...(isIP(host) === 0 && { servername: host }) };
  const seen = await seenAt(place, signal);
  if ('failure' in seen) {
    if (isJudged) return skipped('is not reached');
    return wrong(
      `no TLS connection to ${url.host} opens: ${seen.failure}`,
      'See the address, and that TLS 1.2 or later is on.',
    );
  }
  const days = Math.floor((Date.parse(seen.validTo) - machineMs()) / DAY_MS);
  if (days < 0) return wrong(`that of ${url.host} ended on ${seen.validTo}`, 'Renew it.');
  if (seen.untrusted !== undefined && !isJudged) {
    return wrong(
      `is not trusted: ${seen.untrusted}`,
      'Send the whole chain, of a certificate with this name in its subjectAltName; for an authority of your own, name it in NODE_EXTRA_CA_CERTS here and at clients.',
    );
  }
  return days < EXPIRES_DAYS
    ? doubtful(`that of ${url.host} ends in ${days} days`, 'Renew it, and see why that did not happen.')
    : fine(`is valid, for ${days} more days`);
}
