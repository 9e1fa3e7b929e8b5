/** The HTTP listener: limits on headers, time and connections; answers to what Node's parser refuses; graceful stop. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { counter } from '../runtime/metrics.ts';
import { isLingering } from './refusals.ts';

const droppedConnections = counter(
  'http_server_dropped_connections_total',
  'Connections that were closed unanswered because the process had MAX_CONNECTIONS of them.',
);

const MAX_HEADER_BYTES = 16 * 1024;
/** Longest silence of a client that should send or read. It does not count while the service works on an answer. */
const STILL_TIMEOUT_MS = 60_000;
/** How long requests under way may still take after the process was asked to stop. */
const DRAIN_MS = 9_000;
/** How long an idle kept-alive connection may still bring a request then; the answer says `Connection: close`. */
const LAST_REQUEST_MS = 500;

/** How to listen; times in milliseconds. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  /** How long the head of a request may take to arrive, and the whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long a connection is kept that no request uses; Node's own time if absent. */
  readonly keepAliveTimeoutMs?: number;
  /** Called when a connection was kept for that long, and no further request came. */
  readonly onIdleEnd?: () => void;
  /** For tests: another time than a minute after which a silent client's connection is closed. */
  readonly stillTimeoutMs?: number;
  /** Answers, on the bare connection, what the parser refuses; `code` is the code of its error, or `CONNECT`. */
  readonly refuse: (socket: Socket, code: string) => void;
}

/** A listener that is up. */
export interface Listener {
  readonly url: string;
  /** Accepts no more connections, gives requests under way up to 9 s to finish, then closes what is left. */
  stop(): Promise<void>;
}

type Connections = Map<Socket, WatchedConnection>;

/**
 * Listens.
 * @throws Error with code EADDRINUSE, EACCES or the like when it cannot listen on the address
 */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const server = limitedServer(options);
  const connections: Connections = new Map();
  let draining = false;

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const connection = connections.get(socket);
    // No request follows the answer that closes a connection (RFC 9112 §9.6).
    if (connection === undefined || isLingering(socket) || refused.has(socket)) return;
    connection.begun++;
    connection.latest = req;
    connection.open.add(res);
    res.once('close', () => connection.open.delete(res));
    if (draining) res.setHeader('Connection', 'close');
    req.url = originForm(req.url ?? '');
    app(req, res);
  }

  server.on('connection', (socket) => {
    connections.set(socket, { begun: 0, latest: undefined, open: new Set() });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', handle);
  // `100 Continue` is sent only after scope and Idempotency-Key are checked (D-6).
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    void refuseFault(error.code ?? '', socket, connections.get(socket), options);
  });
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuseInTurn('CONNECT', socket, connections.get(socket), options.refuse);
  });
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    if (isWorkedOn(socket, connection)) return void socket.setTimeout(server.timeout);
    if (connection?.latest?.complete && connection.open.size === 0) options.onIdleEnd?.();
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    stop() {
      draining = true;
      return drain(server, connections);
    },
  };
}

/** A server that does not listen yet, with its limits on headers, time and connections. */
function limitedServer(options: ListenOptions): Server {
  const { maxConnections, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
    // Node's own answer to a missing Host has no body; server.ts answers with ours.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;
  server.on('drop', () => droppedConnections.inc());
  server.timeout = options.stillTimeoutMs ?? STILL_TIMEOUT_MS;
  return server;
}

/** Whether the service works on an answer, and nothing is asked of the client meanwhile. */
function isWorkedOn(socket: Socket, connection: WatchedConnection | undefined): boolean {
  if (connection === undefined || connection.open.size === 0 || socket.writableLength > 0) return false;
  return connection.latest?.complete === true || isUnread(socket, connection);
}

const refused = new WeakSet<Socket>();

/** Refuses what Node's parser or its timers object to, unless a late request is not its client's fault. */
async function refuseFault(
  code: string,
  socket: Socket,
  connection: WatchedConnection | undefined,
  options: ListenOptions,
): Promise<void> {
  const isTimer = code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection !== undefined;
  if (isTimer && !(await isClientLate(socket, connection, options))) return;
  refuseInTurn(code, socket, connection, options.refuse);
}

/** Answers what is not a request, after the answers to earlier requests on the same connection. */
function refuseInTurn(
  code: string,
  socket: Socket,
  connection: WatchedConnection | undefined,
  refuse: ListenOptions['refuse'],
): void {
  // A connection that is being refused gets one refusal only.
  if (refused.has(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refused.add(socket);
  const open = [...(connection?.open ?? [])];
  const broken = open.find(({ req }) => !req.complete);
  const earlier = open.filter((res) => res !== broken);
  const finish = () => {
    if (broken?.headersSent) socket.destroySoon();
    else refuse(socket, code);
  };
  let left = earlier.length;
  if (left === 0) finish();
  for (const res of earlier) res.once('close', () => --left === 0 && finish());
}

async function drain(server: Server, connections: Connections): Promise<void> {
  // The HTTP server's own close() would cut connections on which a request is just arriving.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  for (const { open } of connections.values()) {
    for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
  }
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const [socket, { open }] of connections) {
      if (elapsed > DRAIN_MS || (elapsed > LAST_REQUEST_MS && open.size === 0)) socket.destroy();
    }
  }, 50);
  await closed;
  clearInterval(timer);
  // Only the timer that checks connections is left to stop.
  server.close();
}

/** The requests of one connection. */
interface WatchedConnection {
  /** How many requests have begun, that is, how many heads have arrived. */
  begun: number;
  /** The request that began last. */
  latest: IncomingMessage | undefined;
  /** The answers that are not finished yet, in the order of their requests. */
  readonly open: Set<ServerResponse>;
}

/** How long this side has, at least, to read what has arrived of a late request. */
const GRACE_MS = 1_000;

/**
 * Waits until a request that Node reported as late has arrived, or is late by its client's fault. Node looks at the clock
 * only: it also blames a client whose bytes wait in the socket because this process stood still, or behind earlier answers.
 * Node reports a request once, so this also watches the body of a request whose head was late. A client that had to wait for
 * this side has its whole time again.
 * @returns whether the client is to blame; false when the request has arrived or the connection is closed
 */
async function isClientLate(socket: Socket, connection: WatchedConnection, times: ListenOptions): Promise<boolean> {
  const { begun, latest } = connection;
  let hasHead = latest?.complete === false;
  const late = hasHead ? begun : begun + 1;
  let until = performance.now();
  for (;;) {
    await setTimeout(Math.min(GRACE_MS, times.headersTimeoutMs), undefined, { ref: false });
    // The event loop reads sockets between its timers and its immediates.
    await setImmediate(undefined, { ref: false });
    const hasArrived = connection.begun > late || (connection.begun === late && connection.latest?.complete === true);
    if (hasArrived || socket.destroyed) return false;
    const hasNewHead = !hasHead && connection.begun === late;
    hasHead ||= hasNewHead;
    if (hasNewHead || isUnread(socket, connection)) until = performance.now() + times.requestTimeoutMs;
    else if (performance.now() >= until) return true;
  }
}

/** Whether this side does not read now: it writes answers first, or has not come to the body yet. */
function isUnread(socket: Socket, { latest }: WatchedConnection): boolean {
  const isBodyWaiting = latest !== undefined && !latest.complete && latest.readableFlowing === null;
  return socket.isPaused() || isBodyWaiting;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
/** A host, as a name or an address, and a port. User information is an error in a request (RFC 9110 §4.2.4). */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]+)(?::\d*)?$/i;

/**
 * The origin-form of a target: of an `http` or `https` URI its path and query (RFC 9112 §3.2.2). The authority needs no
 * further look, because the service is the same under every name. Any other target comes back unchanged.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, authority = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (!AUTHORITY.test(authority)) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
