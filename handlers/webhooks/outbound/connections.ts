/**
 * TLS connections to checked addresses, kept alive between requests. A pool belongs to one host with one set of checked
 * addresses: a connection is reused only if the latest check has given the same addresses again.
 */
import type { LookupAddress } from 'node:dns';
import { Agent } from 'node:https';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';

/** Why there is no connection. */
export type FailureClass = 'connect_error' | 'tls_error' | 'timeout';

/** A connection failed; the class says at which stage. */
export class ConnectionFailure extends Error {
  readonly error: FailureClass;

  constructor(error: FailureClass) {
    super(error);
    this.name = 'ConnectionFailure';
    this.error = error;
  }
}

/** Where a connection goes. */
export interface Target {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Its checked addresses; at least one. */
  readonly addresses: readonly string[];
}

/** The connections of a target. */
export interface ConnectionLease {
  /** Gives each request a connection of its own: one that is kept, or a new one. */
  readonly agent: Agent;
  /** Whether the target has a TCP connection without a TLS session yet. */
  isGreeting(): boolean;
  /** Closes the connections that are kept, so that the next request gets a new one. */
  dropKept(): void;
  /** Call when the request is over; then the connections may be closed to make room for those of another target. */
  release(): void;
}

interface OutboundConnections {
  lease(target: Target): ConnectionLease;
  stop(): void;
}

/** How long an unused connection is kept; shorter if the receiver says so (`Keep-Alive: timeout=`). */
const KEEP_ALIVE_MS = 4_000;
/** After how long TCP asks whether a silent receiver is still there (keep-alive of TCP). */
const PROBE_MS = 60_000;
/** How long one of several addresses may take to answer before the next one is tried. */
const NEXT_ADDRESS_MS = 1_500;
/** The number of pools above which an unused one is closed. */
const MOST_IDLE_POOLS = 256;

/**
 * @param authority PEM of a certificate authority that is trusted besides the usual ones
 * @param connectMs how long connecting may take, TLS included, in milliseconds
 */
export function openConnections(authority: string | undefined, connectMs: number): OutboundConnections {
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ca: authority && [...getCACertificates('default'), authority],
  });
  /** Pools in the order of their last use. */
  const pools = new Map<string, { pool: ConnectionPool; users: number }>();

  function evict(): void {
    if (pools.size <= MOST_IDLE_POOLS) return;
    for (const [key, { pool, users }] of pools) {
      if (users > 0) continue;
      pools.delete(key);
      pool.destroy();
      return;
    }
  }

  return {
    lease(target) {
      const key = JSON.stringify([target.host, target.port, target.addresses]);
      const entry = pools.get(key) ?? { pool: new ConnectionPool(target, secureContext, connectMs), users: 0 };
      pools.delete(key);
      pools.set(key, entry);
      entry.users++;
      evict();
      return {
        agent: entry.pool,
        isGreeting: () => entry.pool.isGreeting(),
        dropKept: () => entry.pool.dropKept(),
        release: () => void entry.users--,
      };
    },
    stop() {
      for (const { pool } of pools.values()) pool.destroy();
      pools.clear();
    },
  };
}

class ConnectionPool extends Agent {
  readonly #target: Target;
  readonly #secureContext: SecureContext;
  readonly #connectMs: number;
  /** Connections that have no TLS session yet. */
  readonly #greeting = new Set<TLSSocket>();

  constructor(target: Target, secureContext: SecureContext, connectMs: number) {
    super({ keepAlive: true, keepAliveMsecs: PROBE_MS, timeout: KEEP_ALIVE_MS });
    this.#target = target;
    this.#secureContext = secureContext;
    this.#connectMs = connectMs;
  }

  isGreeting(): boolean {
    return [...this.#greeting].some(({ connecting }) => !connecting);
  }

  dropKept(): void {
    for (const socket of Object.values(this.freeSockets).flatMap((kept) => kept ?? [])) socket.destroy();
  }

  override destroy(): void {
    super.destroy();
    for (const socket of this.#greeting) socket.destroy();
  }

  /** Whatever the request names: the connection goes to the checked addresses. It is given once its TLS session stands. */
  override createConnection(_options: unknown, callback?: (error: Error | null, socket: Duplex) => void): undefined {
    const socket = dial(this.#target, this.#secureContext);
    this.#greeting.add(socket);
    let reached = false;
    let settled = false;
    const settle = (failure: ConnectionFailure | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      this.#greeting.delete(socket);
      if (failure !== null) socket.destroy();
      callback?.(failure, socket);
    };
    const fail = () => settle(new ConnectionFailure(reached ? 'tls_error' : 'connect_error'));
    // The attempt's own deadline gives the same classes; on a busy machine either of the two may come first.
    const giveUp = () => settle(new ConnectionFailure(reached ? 'timeout' : 'connect_error'));
    const timer = setTimeout(giveUp, this.#connectMs);
    socket.once('connect', () => {
      reached = true;
    });
    socket.once('secureConnect', () => settle(null));
    socket.on('error', fail);
    socket.once('close', fail);
  }
}

/**
 * Whether a certificate is for a host, by its subject alternative names only (RFC 9110 §4.3.4). Node's own check takes its
 * common name where these hold no name.
 */
export const checkHost: typeof checkServerIdentity = (host, certificate) =>
  checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });

/** Connects only to one of the checked addresses: no name is looked up again. */
function dial({ host, port, addresses }: Target, secureContext: SecureContext): TLSSocket {
  const [only = ''] = addresses;
  const checked: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  const name = host.replace(/\.$/, '');
  const options: ConnectionOptions & TcpNetConnectOpts = {
    host: addresses.length === 1 ? only : name,
    port,
    secureContext,
    rejectUnauthorized: true,
    // The certificate is verified against this name. An address is not a server name (RFC 6066 §3): `host` is verified.
    servername: isIP(host) === 0 ? name : '',
    checkServerIdentity: checkHost,
    ALPNProtocols: ['http/1.1'],
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_name, { all }, callback) => {
      if (all) callback(null, checked);
      else callback(null, only, isIP(only));
    },
  };
  const socket = connect(options);
  socket.setKeepAlive(true, PROBE_MS);
  return socket.setNoDelay(true);
}
