/** The HTTP listener: limits on headers, time and connections; answers to what Node's parser refuses; graceful stop. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { isLingering } from './linger.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Longest silence on a connection while a request or its answer is under way. */
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
  /** Answers, on the bare connection, what the parser refuses; `code` is the code of its error, or `CONNECT`. */
  readonly refuse: (socket: Socket, code: string) => void;
}

/** A listener that is up. */
export interface Listener {
  readonly url: string;
  /** Accepts no more connections, gives requests under way up to 9 s to finish, then closes what is left. */
  stop(): Promise<void>;
}

/** The answers that are not finished yet, by connection, in the order of their requests. */
type Exchanges = Map<Socket, Set<ServerResponse>>;

/**
 * Listens.
 * @throws Error with code EADDRINUSE, EACCES or the like when it cannot listen on the address
 */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const { host, port, maxConnections, headersTimeoutMs, requestTimeoutMs, refuse } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
    // Node's own answer to a missing Host has no body; server.ts answers with ours.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;
  server.timeout = STILL_TIMEOUT_MS;
  const exchanges: Exchanges = new Map();
  let draining = false;

  function handle(req: IncomingMessage, res: ServerResponse): void {
    // No request follows the answer that closes a connection (RFC 9112 §9.6).
    if (isLingering(req.socket)) return;
    const open = exchanges.get(req.socket);
    open?.add(res);
    res.once('close', () => open?.delete(res));
    if (draining) res.setHeader('Connection', 'close');
    app(req, res);
  }

  server.on('connection', (socket) => {
    exchanges.set(socket, new Set());
    socket.once('close', () => exchanges.delete(socket));
  });
  server.on('request', handle);
  // `100 Continue` is sent only after scope and Idempotency-Key are checked (D-6).
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseInTurn(error.code ?? '', socket, exchanges, refuse);
  });
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuseInTurn('CONNECT', socket, exchanges, refuse);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    stop() {
      draining = true;
      return drain(server, exchanges);
    },
  };
}

const refused = new WeakSet<Socket>();

/** Answers what is not a request, after the answers to earlier requests on the same connection. */
function refuseInTurn(code: string, socket: Socket, exchanges: Exchanges, refuse: ListenOptions['refuse']): void {
  // A connection that is being refused gets one refusal only.
  if (refused.has(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refused.add(socket);
  const open = [...(exchanges.get(socket) ?? [])];
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

async function drain(server: Server, exchanges: Exchanges): Promise<void> {
  // The HTTP server's own close() would cut connections on which a request is just arriving.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  for (const open of exchanges.values()) {
    for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
  }
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const [socket, open] of exchanges) {
      if (elapsed > DRAIN_MS || (elapsed > LAST_REQUEST_MS && open.size === 0)) socket.destroy();
    }
  }, 50);
  await closed;
  clearInterval(timer);
  // Only the timer that checks connections is left to stop.
  server.close();
}
