/**
 * Answers that end their connection: to input that never becomes a request, with the usual body (D-6), and to requests that
 * are not read to their end.
 */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, type ErrorSource, errorBody, errorHeaders, invalidFields } from '../answers/errors.ts';
import { databaseMs } from '../runtime/clock.ts';
import { publicPathRequests } from '../runtime/metrics.ts';

/** How long bytes that still arrive are discarded, so that a client that is still sending can read its answer. */
const LINGER_MS = 1_000;

/** Headers of every answer (D-8), besides the request's id. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Why there is nothing at an asterisk, at the authority of CONNECT (RFC 9112 §3.2) and at a target with a fragment. */
export const NO_PATH = 'The target of the request must be a path, or an http or https URI, without a fragment.';

let shownDate = { second: Number.NaN, text: '' };

/**
 * The Date header of an answer (RFC 9110 §6.6.1): the real time, by the database's clock like all others. Node would
 * write the machine's, which may differ.
 */
export function httpDate(): string {
  const second = Math.floor(databaseMs() / 1_000);
  if (second !== shownDate.second) shownDate = { second, text: new Date(second * 1_000).toUTCString() };
  return shownDate.text;
}

/** The error for a request that is wrong as a whole, before any of its parameters is checked. */
export function invalidRequest(description: string): ApiError {
  return invalidFields([{ field: 'request', description }]);
}

/** The error for a request that arrives too slowly; its answer is the last of the connection (RFC 9110 §15.5.9). */
export function tooSlow(description: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    ...invalidRequest(description).extras,
    httpStatus: 408,
    headers: { Connection: 'close' },
  });
}

function refusalOf(code: string): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return tooSlow('took too long to arrive');
    case 'CONNECT':
      return new ApiError('PATH_NOT_FOUND', { message: NO_PATH });
    default:
      return invalidRequest('is not valid HTTP/1.1');
  }
}

/** Writes a refusal on the bare connection and ends it. @param code the code of the parser's error, or `CONNECT` */
export function writeRefusal(socket: Socket, code: string, source: ErrorSource): void {
  const error = refusalOf(code);
  publicPathRequests.inc({ http_route: 'other', http_response_status_code: error.httpStatus });
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId, source));
  const more = { 'Content-Type': 'application/json', 'X-Request-Id': requestId, ...errorHeaders(error) };
  writeAnswer(socket, `${error.httpStatus} ${STATUS_CODES[error.httpStatus]}`, more, body);
}

/** Writes an answer on a bare connection and ends it. @param status code and reason */
export function writeAnswer(
  socket: Socket,
  status: string,
  more: Readonly<Record<string, string>>,
  body: string,
): void {
  if (!socket.writable) return void socket.destroy();
  const headers = {
    Date: httpDate(),
    'Content-Length': String(Buffer.byteLength(body)),
    ...plainHeaders,
    Connection: 'close',
    ...more,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** How long to wait for a client, in milliseconds. */
export interface Patience {
  /** Longest time without any byte. */
  readonly quietMs: number;
  /** Longest time in all, however much arrives. */
  readonly longestMs: number;
}

const PATIENCE: Patience = { quietMs: 1_000, longestMs: 10_000 };

const lingering = new WeakSet<Socket>();

/** Whether the last answer of a connection has been sent: what still arrives on it is not a request. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Makes an answer the last one of its connection, whose request is not read to its end. Call it before the head of the
 * answer is sent. A connection that is closed while bytes of its request still arrive is reset, and the reset may destroy an
 * answer that the client has not read yet. So this side ends first and discards what arrives for a while (RFC 9112 §9.6).
 */
export function lingerAfterAnswer(res: ServerResponse, patience: Patience = PATIENCE): void {
  const { req } = res;
  const { socket } = req;
  res.setHeader('Connection', 'close');
  // Node calls this after writing an answer with `Connection: close`.
  socket.destroySoon = () => {
    if (lingering.has(socket)) return;
    lingering.add(socket);
    socket.end();
    req.resume();
    const startedAt = performance.now();
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const isQuiet = socket.bytesRead === seen;
      seen = socket.bytesRead;
      if (isQuiet || performance.now() - startedAt > patience.longestMs) socket.destroy();
    }, patience.quietMs);
    socket.once('close', () => clearInterval(timer));
  };
}
