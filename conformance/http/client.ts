/**
 * The suite's own HTTP client over node:http: full control of method, request target (never normalised), headers
 * (duplicates too) and body. It hides nothing and follows no redirect. It repeats a request in two cases only: the idle
 * connection was dead, or the target closed while the body was being sent. In neither has the target received the whole
 * request.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex, Writable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Cause } from '../judge/outcome.ts';
import { type Headers, headerPairs } from './exchange.ts';

/** No usable answer arrived: connection refused, reset, timed out, or not HTTP. */
export class NoAnswer extends Error {
  readonly code: string;
  override readonly cause: Cause | undefined;
  constructor(message: string, code: string, cause?: Cause) {
    super(message);
    this.name = 'NoAnswer';
    this.code = code;
    this.cause = cause;
  }
}

/** What is sent, and how. */
interface WireRequest {
  baseUrl: string;
  method: string;
  target: string;
  headers: Headers;
  body?: Buffer;
  /** Send the body in chunks of this many bytes, without Content-Length. */
  chunkBytes?: number;
  /** Wait for `100 Continue` before sending the body, at most this many milliseconds. */
  expectContinueMs?: number;
  /** Open a new connection and close it afterwards. */
  freshConnection?: boolean;
  /**
   * Called once, when half of the body was sent; the other half follows when it settles, even if it fails. Such a request
   * is never repeated, so it has a new connection.
   */
  halfway?: () => Promise<unknown>;
  timeoutMs?: number;
  /** Bytes that are sent in place of all that. */
  bytes?: Buffer;
}

/** What came back; times are milliseconds of the process's monotonic clock. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  sentAtMs: number;
  receivedAtMs: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const LARGEST_ANSWER = 64 * 1024 * 1024;

const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 128 }),
  'https:': new HttpsAgent({ keepAlive: true, maxSockets: 128 }),
};

/** How many milliseconds a target that closes during bodies gets to say whether it wants one. */
const CONTINUE_MS = 1_000;

/**
 * Sends one request.
 * @throws NoAnswer
 */
export async function exchangeOverHttp(request: WireRequest): Promise<WireAnswer> {
  try {
    return await attempt(request);
  } catch (error) {
    const again = error instanceof NoAnswer ? repeated(request, error.code) : undefined;
    if (again === undefined) throw error;
    return exchangeOverHttp(again);
  }
}

const isFresh = ({ freshConnection, halfway, bytes }: WireRequest): boolean =>
  freshConnection === true || halfway !== undefined || bytes !== undefined;

/** How to repeat a request that did not reach the target as a whole; undefined if that has been tried already. */
function repeated(request: WireRequest, code: string): WireRequest | undefined {
  if (code === 'STALE_CONNECTION' && !isFresh(request)) return { ...request, freshConnection: true };
  if (code !== 'CUT_OFF' || request.expectContinueMs !== undefined || request.halfway || request.bytes)
    return undefined;
  // If a target closes without reading the rest of a body, its answer can be lost with the connection. If it is asked
  // before the body is sent, its answer can be read.
  const headers: Headers = [...request.headers, ['Expect', '100-continue']];
  return { ...request, headers, freshConnection: true, expectContinueMs: CONTINUE_MS };
}

/** The headers of the caller, with those that the connection and the body need. */
function headersFor(request: WireRequest, host: string): Headers {
  const has = (name: string) => request.headers.some(([given]) => given.toLowerCase() === name);
  const headers: Headers = [...(has('host') ? [] : [['Host', host] as Headers[number]]), ...request.headers];
  if (request.body && request.chunkBytes === undefined && !has('content-length') && !has('transfer-encoding')) {
    headers.push(['Content-Length', String(request.body.length)]);
  }
  // Without this header Node would announce a chunked body although there is none.
  const bodiless = !request.body && request.chunkBytes === undefined && !has('transfer-encoding');
  if (bodiless && /^(POST|PUT|PATCH)$/.test(request.method) && !has('content-length'))
    headers.push(['Content-Length', '0']);
  if (request.chunkBytes !== undefined) headers.push(['Transfer-Encoding', 'chunked']);
  if (isFresh(request)) headers.push(['Connection', 'close']);
  return headers;
}

/** Sends the body as the request says, and ends the request. */
function writeBody(out: ClientRequest, { body, chunkBytes, halfway }: WireRequest): void {
  if (body && halfway) {
    const half = body.length >> 1;
    out.write(body.subarray(0, half));
    void halfway()
      .catch(() => {})
      .finally(() => out.end(body.subarray(half)));
  } else if (body && chunkBytes !== undefined) {
    for (let at = 0; at < body.length; at += chunkBytes) {
      out.write(body.subarray(at, at + chunkBytes));
    }
    out.end();
  } else out.end(body);
}

/** Where a URL leads. */
function endOfWire({ protocol, hostname, port }: URL): { secure: boolean; host: string; port: number } {
  const secure = protocol === 'https:';
  return { secure, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)) };
}

/** A bare connection to where a URL leads. */
export function connected(url: string): Socket {
  const { secure, host, port } = endOfWire(new URL(url));
  return secure ? connectTls({ host, port, servername: host }) : connectTcp(port, host);
}

/** A connection on which these bytes are sent, and nothing of what Node writes. */
function sending(bytes: Buffer, url: string): Duplex {
  const socket = connected(url);
  socket.write(bytes);
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
  return Duplex.from({ readable: socket, writable: nowhere });
}

function optionsFor(request: WireRequest, url: URL): RequestOptions {
  const { secure, host, port } = endOfWire(url);
  const { baseUrl, bytes } = request;
  return {
    ...(bytes ? { createConnection: () => sending(bytes, baseUrl) } : {}),
    host,
    port,
    method: request.method,
    path: request.target,
    headers: headersFor(request, url.host).flat() as unknown as NonNullable<RequestOptions['headers']>,
    agent: bytes ? undefined : isFresh(request) ? false : secure ? agents['https:'] : agents['http:'],
    setHost: false,
  };
}

function attempt(request: WireRequest): Promise<WireAnswer> {
  const url = new URL(request.baseUrl);
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    let sentAtMs = performance.now();
    let hasAnswer = false;
    const out = (url.protocol === 'https:' ? httpsRequest : httpRequest)(optionsFor(request, url));
    const timer = setTimeout(() => out.destroy(new NoAnswer(`no answer within ${timeoutMs} ms`, 'TIMEOUT')), timeoutMs);
    const give = (error: Error & { code?: string }) => {
      clearTimeout(timer);
      if (error instanceof NoAnswer) return reject(error);
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      const isCutOff = isClosed && sent && !out.writableFinished;
      // Whoever has begun to answer has received the request.
      const stale = isClosed && out.reusedSocket && !hasAnswer ? 'STALE_CONNECTION' : undefined;
      const code = stale ?? (isCutOff ? 'CUT_OFF' : (error.code ?? 'ERROR'));
      reject(new NoAnswer(`the connection failed: ${error.message}`, code));
    };
    out.on('error', give);
    out.on('continue', () => {
      if (request.expectContinueMs !== undefined) send();
    });
    out.on('response', (answer: IncomingMessage) => {
      hasAnswer = true;
      const parts: Buffer[] = [];
      let size = 0;
      answer.on('data', (part: Buffer) => {
        size += part.length;
        if (size > LARGEST_ANSWER) out.destroy(new NoAnswer('the answer is larger than 64 MiB', 'TOO_LARGE'));
        parts.push(part);
      });
      answer.on('error', give);
      answer.on('end', () => {
        clearTimeout(timer);
        resolve({
          status: answer.statusCode ?? 0,
          headers: headerPairs(answer.rawHeaders),
          body: Buffer.concat(parts),
          sentAtMs,
          receivedAtMs: performance.now(),
        });
        if (!out.writableEnded) out.destroy();
      });
    });
    let sent = false;
    const send = () => {
      if (sent) return;
      sent = true;
      sentAtMs = performance.now();
      writeBody(out, request);
    };
    if (request.expectContinueMs === undefined) send();
    else {
      out.flushHeaders();
      setTimeout(send, request.expectContinueMs).unref();
    }
  });
}
