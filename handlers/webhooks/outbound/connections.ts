/**
 * TLS connections to checked addresses, kept alive between requests. A pool belongs to one host with one set of checked
 * addresses: a connection is reused only if the latest check has given the same addresses again.
 */
import type { LookupAddress } from 'node:dns';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { Pool } from 'undici';

type FailureClass = 'connect_error' | 'tls_error' | 'timeout';

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

/** The pool of a target. */
export interface Lease {
  readonly pool: Pool;
  /** Whether the target has a TCP connection without a TLS session yet. */
  isGreeting(): boolean;
  /** Call when the request is over; then the pool may be closed to make room for another one. */
  release(): void;
}

export interface Connections {
  lease(target: Target): Lease;
  stop(): void;
}

const KEEP_ALIVE_MS = 4_000;
const LONGEST_KEEP_ALIVE_MS = 30_000;
/** How long one of several addresses may take to answer before the next one is tried. */
const NEXT_ADDRESS_MS = 1_500;
const MAX_HEAD_BYTES = 16_384;
/** The number of pools above which an unused one is closed. */
const MOST_IDLE_POOLS = 256;

/**
 * @param authority PEM of a certificate authority that is trusted besides the usual ones
 * @param connectMs how long connecting may take, TLS included, in milliseconds
 */
export function openConnections(authority: string | undefined, connectMs: number): Connections {
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authority !== undefined && { ca: [...getCACertificates('default'), authority] }),
  });
  /** Pools in the order of their last use. */
  const pools = new Map<string, { pool: Pool; users: number; sockets: Set<TLSSocket> }>();

  function evict(): void {
    if (pools.size <= MOST_IDLE_POOLS) return;
    for (const [key, { pool, users }] of pools) {
      if (users > 0) continue;
      pools.delete(key);
      void pool.destroy();
      return;
    }
  }

  return {
    lease(target) {
      const key = JSON.stringify([target.host, target.port, target.addresses]);
      const entry = pools.get(key) ?? openPool(target, secureContext, connectMs);
      pools.delete(key);
      pools.set(key, entry);
      entry.users++;
      evict();
      return {
        pool: entry.pool,
        isGreeting: () => [...entry.sockets].some(({ connecting }) => !connecting),
        release: () => void entry.users--,
      };
    },
    stop() {
      for (const { pool, sockets } of pools.values()) {
        void pool.destroy();
        for (const socket of sockets) socket.destroy();
      }
      pools.clear();
    },
  };
}

function openPool(target: Target, secureContext: SecureContext, connectMs: number) {
  const { host, port } = target;
  /** Connections that have no TLS session yet. */
  const sockets = new Set<TLSSocket>();
  const pool = new Pool(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, {
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MAX_HEAD_BYTES,
    // One deadline applies to the whole attempt; see exchange.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
    connect: (_options, callback) => {
      const socket = dial(target, secureContext);
      sockets.add(socket);
      let reached = false;
      let settled = false;
      const settle = (failure?: ConnectionFailure) => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        sockets.delete(socket);
        if (failure === undefined) return callback(null, socket);
        socket.destroy();
        callback(failure, null);
      };
      const fail = () => settle(new ConnectionFailure(reached ? 'tls_error' : 'connect_error'));
      // The attempt's own deadline gives the same classes; on a busy machine either of the two may come first.
      const giveUp = () => settle(new ConnectionFailure(reached ? 'timeout' : 'connect_error'));
      const timer = setTimeout(giveUp, connectMs);
      socket.once('connect', () => {
        reached = true;
      });
      socket.once('secureConnect', () => settle());
      socket.on('error', fail);
      socket.once('close', fail);
    },
  });
  return { pool, users: 0, sockets };
}

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
    ALPNProtocols: ['http/1.1'],
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_name, { all }, callback) => {
      if (all) callback(null, checked);
      else callback(null, only, isIP(only));
    },
  };
  const socket = connect(options);
  socket.setKeepAlive(true, 60_000);
  return socket.setNoDelay(true);
}
