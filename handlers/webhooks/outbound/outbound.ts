/**
 * The only place that opens connections to hosts that a tenant names (D-28): to checked addresses, over verified TLS,
 * within one deadline, without redirects or proxies. Only the status of the answer is used.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type AllowedNetwork, allowedNetwork } from '../../runtime/addresses.ts';
import type { Config } from '../../runtime/config.ts';
import type { Logger } from '../../runtime/log.ts';
import { openConnections } from './connections.ts';
import { type ExchangeError, exchange } from './exchange.ts';
import { type AddressPolicy, dnsLookup, type Lookup, resolveAllowed } from './resolve.ts';
import { checkUrl, hostOf, isSpecialName, portOf, type UrlProblem } from './url.ts';

/** Why no status was received (D-25). */
type SendError = 'dns_error' | 'address_denied' | ExchangeError;

/** The result of a request. */
export interface PostOutcome {
  /** The receiver's status code, or 0. */
  readonly status_code: number;
  /** `''` if a status was received. */
  readonly error: '' | SendError;
  readonly duration_ms: number;
}

interface OutboundRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the request; then it is unknown whether it arrived. */
  readonly signal?: AbortSignal;
}

export interface Outbound {
  /**
   * Checks whether requests may go to a URL now, including the addresses of its name.
   * @returns what is wrong with it, as the end of a sentence
   */
  problemOf(url: string): Promise<UrlProblem | undefined>;
  /**
   * Sends one POST, once. It does not reject because of the URL, DNS or the receiver.
   * @throws the signal's reason if the request was given up
   */
  post(request: OutboundRequest): Promise<PostOutcome>;
  /** Closes every connection. */
  stop(): void;
}

export interface OutboundOptions {
  /** Ports that this service listens on. */
  readonly ownPorts: () => readonly number[];
  /** Addresses that are allowed although they are not public, for tests. */
  readonly allowed?: readonly AllowedNetwork[];
  /** PEM of a certificate authority that is trusted besides the usual ones, for tests. */
  readonly authority?: string;
  readonly lookup?: Lookup;
  /** How long a request may take, in milliseconds; 10 s unless a test sets less. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;
/** How long resolving a name may take when a URL is checked for acceptance. */
const ACCEPT_MS = 2_000;

const SPECIAL_HOST = 'must name a host with two labels or more, and none that is reserved for special use';

/** Opens no connection yet; requests do. */
export function openOutbound(options: OutboundOptions): Outbound {
  const { allowed = [], lookup = dnsLookup(), deadlineMs = DEADLINE_MS } = options;
  const isOwnPort = (port: number) => options.ownPorts().includes(port);
  const policy: AddressPolicy = { allowed, isOwnPort };
  const connections = openConnections(options.authority, deadlineMs);

  async function attempt({ url: text, body, headers, signal }: OutboundRequest, endAt: number) {
    const url = checkUrl(text, isOwnPort);
    if (typeof url === 'string') return { error: 'address_denied' } as const;
    const [host, port] = [hostOf(url), portOf(url)];
    const resolved = await resolveAllowed(host, port, policy, lookup, endAt - performance.now(), signal);
    if ('error' in resolved) return resolved;
    signal?.throwIfAborted();
    const lease = connections.lease({ host, port, addresses: resolved.addresses });
    try {
      const path = url.pathname + url.search;
      return await exchange(lease, { host, port, path, body, headers }, endAt - performance.now(), signal);
    } finally {
      lease.release();
    }
  }

  return {
    async problemOf(text) {
      const url = checkUrl(text, isOwnPort);
      if (typeof url === 'string') return url;
      const resolved = await resolveAllowed(hostOf(url), portOf(url), policy, lookup, ACCEPT_MS);
      if (!('error' in resolved)) return undefined;
      if (resolved.error === 'dns_error') return 'must name a host that resolves within 2 seconds';
      const host = hostOf(url);
      if (isIP(host) === 0 && isSpecialName(host)) return SPECIAL_HOST;
      return 'must lead to public addresses only';
    },
    async post(request) {
      const startedAt = performance.now();
      request.signal?.throwIfAborted();
      const result = await attempt(request, startedAt + deadlineMs);
      request.signal?.throwIfAborted();
      const { status_code, error } = { status_code: 0, error: '' as const, ...result };
      return { status_code, error, duration_ms: Math.round(performance.now() - startedAt) };
    },
    stop: connections.stop,
  };
}

/**
 * Opens outbound requests as configured. Logs a warning for everything allowed beyond public addresses and public certificate authorities.
 * @param ownPorts the ports that this process listens on; called at each use
 */
export function configuredOutbound(config: Config, ownPorts: () => readonly number[], log: Logger): Outbound {
  const allowed = config.WEBHOOK_ALLOW_NETWORKS.flatMap((text) => allowedNetwork(text) ?? []);
  const file = config.WEBHOOK_CA_FILE;
  if (allowed.length > 0) {
    const networks = allowed.map(({ text }) => text);
    log.warn({
      event: 'webhooks_allow_networks',
      networks,
      message: 'webhooks may go to addresses that are not public',
    });
  }
  if (file !== undefined) {
    log.warn({ event: 'webhooks_ca_file', file, message: 'webhooks trust a certificate authority of their own' });
  }
  return openOutbound({ ownPorts, allowed, authority: file && readFileSync(file, 'utf8') });
}
