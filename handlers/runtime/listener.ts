/** The HTTP listener: limits on headers, time and connections, answers to what Node's parser refuses, graceful stop. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { ApiError, errorBody, errorHeaders } from './errors.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How long requests under way may take once the process was asked to stop. */
const DRAIN_MS = 9_000;

/** A listener that is up. */
export interface Listener {
  readonly url: string;
  /** Takes no new connection, lets requests under way finish for up to 9 s, then closes what is left. */
  stop(): Promise<void>;
}

/**
 * Listens.
 * @throws Error with code EADDRINUSE or EACCES when the port cannot be had
 */
export async function listen(
  app: Express,
  {
    host,
    port,
    maxConnections,
    errorDomain,
  }: { host: string; port: number; maxConnections: number; errorDomain: string },
): Promise<Listener> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: true,
    },
    app,
  );
  server.maxConnections = maxConnections;
  // The body is invited only once scope and Idempotency-Key are known (D-6).
  server.on('checkContinue', (req, res) => server.emit('request', req, res));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, errorDomain));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${shown}:${address.port}`, stop: () => drain(server) };
}

const REFUSALS: Readonly<Record<string, [status: string, error: () => ApiError]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', () => new ApiError('HEADERS_TOO_LARGE')],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', () => invalidRequest('took too long to arrive')],
};

function invalidRequest(description: string): ApiError {
  const violations = [{ field: 'request', description }];
  return new ApiError('INVALID_ARGUMENT', { message: `Invalid request: ${description}`, violations });
}

/** What Node's parser refuses gets the same body as everything else (D-6). */
function refuse(error: NodeJS.ErrnoException, socket: Socket, domain: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, make] = REFUSALS[error.code ?? ''] ?? [
    '400 Bad Request',
    () => invalidRequest('is not valid HTTP/1.1'),
  ];
  const requestId = randomUUID();
  const refusal = make();
  const body = JSON.stringify(errorBody(refusal, requestId, domain));
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...errorHeaders(refusal),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.on('request', (_req, res: ServerResponse) => res.setHeader('Connection', 'close'));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const last = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(last);
}
