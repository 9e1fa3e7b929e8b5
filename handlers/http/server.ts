/**
 * The Express application: headers of every answer, admission, the generated routes, and the one place where errors
 * become answers. It knows the operations only as rows of the generated table.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import { type OperationId, operations, prefix } from '../../generated/contract.ts';
import type { Caller } from '../access/caller.ts';
import {
  ApiError,
  type ErrorSource,
  errorBody,
  errorHeaders,
  fail,
  failMethod,
  unavailableError,
} from '../answers/errors.ts';
import { JsonText } from '../answers/json-text.ts';
import { causeOfAbsence, isStoreAway } from '../data/database-unavailable.ts';
import { logFailure, noteRefusal } from '../data/outages.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { beginTrace, inTrace, parseTraceparent, type SpanEnd, type Trace } from '../runtime/tracing.ts';
import { admit } from './admit.ts';
import { announcesBody } from './body.ts';
import { countError, countRequest, isUnderPrefix, methodLabel } from './call-metrics.ts';
import { type Resources, runnerOf } from './dispatch.ts';
import { exchanges } from './exchanges.ts';
import type { BodyCheck, BodyChecks, Handler, Handlers } from './handler.ts';
import { httpDate, invalidRequest, lingerAfterAnswer, NO_PATH, plainHeaders } from './refusals.ts';

/** The parts of the application. */
export interface ServerParts extends Resources {
  readonly handlers: Handlers;
  readonly checks: BodyChecks;
  readonly errorSource: ErrorSource;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
  /** Whether the operations are served, which is the default; otherwise only the public paths are. */
  readonly servesApi?: boolean;
  /** Mounted outside the prefix, without a key: health, docs, contract. */
  readonly publicPaths: Router;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const MAX_HEADER_LINES = 200;
const ODD_TARGET = 'has a target that is neither a path nor an http or https URI without user information';

/** Builds the application. */
export function createServer(parts: ServerParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', parts.trustedProxies.length > 0 ? parts.trustedProxies : false);
  app.use((req, res, next) => {
    inTrace(begin(req, res, parts), () => {
      checkHead(req);
      next();
    });
  });
  if (parts.servesApi !== false) app.use(api(parts));
  app.use(parts.publicPaths);
  app.use(() => fail('PATH_NOT_FOUND'));
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    try {
      answerError(error, req, res, parts);
    } catch (failure) {
      // Express' own error answer would show a stack trace.
      parts.log.error({ request_id: res.locals.requestId, error: describeError(failure) });
      res.destroy();
    }
  });
  return app;
}

/**
 * Sets the headers of every answer (D-8); at the end writes the request's one log line, its measurement and its span.
 * @returns its trace: the caller's, or a new one if what the caller sent is not valid
 */
function begin(req: Request, res: Response, { log, servesApi = true }: ServerParts): Trace {
  const given = req.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.locals.requestId = requestId;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Date', httpDate());
  for (const name in plainHeaders) res.setHeader(name, plainHeaders[name] as string);
  const method = methodLabel(req.method);
  const span = { name: method, kind: 'server', attributes: { 'http.request.method': method } } as const;
  // Probes would hide the calls.
  const isSilent = !isUnderPrefix(req.url.split('?', 1)[0] as string);
  const trace = beginTrace(span, parseTraceparent(req.headers.traceparent), isSilent);
  const startedAt = performance.now();
  const counted = countRequest(req, res, servesApi);
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const { operationId = 'none', keyId, tenantId, errorName } = res.locals;
    counted(durationMs / 1000);
    trace.span?.end(endOf(res, method));
    log.info({
      request_id: requestId,
      trace_id: trace.traceId,
      span_id: trace.spanId,
      operation_id: operationId,
      status: res.statusCode,
      duration_ms: Math.round(durationMs * 10) / 10,
      error_name: errorName,
      key_id: keyId,
      tenant_id: tenantId,
      aborted: res.writableFinished ? undefined : true,
    });
  });
  return trace;
}

/** What a span says of a request at its end: never its path or query, which may hold anything. */
function endOf({ statusCode, locals }: Response, method: string): SpanEnd {
  const operationId: OperationId | undefined = locals.operationId;
  const route = operationId === undefined ? undefined : operations[operationId].path;
  return {
    name: route && `${method} ${route}`,
    attributes: {
      'http.response.status_code': statusCode,
      ...(route !== undefined && { 'http.route': route, operation_id: operationId as string }),
      ...(locals.tenantId !== undefined && { tenant_id: locals.tenantId as string }),
    },
    errorType: statusCode >= 500 ? ((locals.errorName as string | undefined) ?? String(statusCode)) : undefined,
  };
}

/**
 * Refuses heads that Node's parser accepts, or would refuse without our error body. This comes before every other check
 * (D-6).
 */
function checkHead(req: Request): void {
  if (req.rawHeaders.length > 2 * MAX_HEADER_LINES) fail('HEADERS_TOO_LARGE');
  const hosts = req.headersDistinct.host?.length ?? 0;
  // RFC 9112 §3.2
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) throw invalidRequest('needs exactly one Host header');
  // Only chunked is decoded here (RFC 9112 §6.1). Node accepts other codings too, as long as chunked comes last.
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw invalidRequest('has a Transfer-Encoding other than chunked');
  }
  if (req.url.includes('://') && !req.url.startsWith('/')) throw invalidRequest(ODD_TARGET);
  if (!/^\/[^#]*$/.test(req.url)) fail('PATH_NOT_FOUND', { message: NO_PATH });
}

/** Everything under the prefix: admission, then the routes of the generated table, then 405 and 404. */
function api(parts: ServerParts): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  const methods = new Map<string, string[]>();
  for (const operation of Object.values(operations)) {
    const { operationId } = operation;
    const handler = parts.handlers[operationId] as Handler<OperationId>;
    const run = runnerOf(operation, handler, parts, parts.checks[operationId] as BodyCheck<OperationId>);
    routes[operation.method](operation.route, async (req, res) => {
      res.locals.operationId = operationId;
      sendJson(res, 200, await run(req, res, res.locals.caller as Caller));
    });
    const allowed = methods.get(operation.route) ?? [];
    const also = operation.method === 'get' ? ['HEAD'] : [];
    methods.set(operation.route, [...allowed, operation.method.toUpperCase(), ...also]);
  }
  for (const [route, allowed] of methods) routes.all(route, () => failMethod(allowed));

  const gated = Router({ caseSensitive: true, strict: true });
  gated.use(async (req, res, next) => {
    const path = req.originalUrl.split('?', 1)[0] as string;
    if (!isUnderPrefix(path)) return next('router');
    res.locals.cameWhole = await isWhole(req);
    res.locals.caller = await admit(parts.gate, req, res);
    if (!isPlainPath(path)) fail('PATH_NOT_FOUND');
    next();
  });
  gated.use(prefix, routes);
  return gated;
}

/** Whether a request is there with all of its body before its key is read. */
async function isWhole(req: Request): Promise<boolean> {
  if (!announcesBody(req)) return true;
  // A body that comes with its head is complete only now.
  await setImmediate();
  return req.complete;
}

/** False for a trailing, doubled or encoded slash, and for text that is not percent-encoded UTF-8 (D-6a). */
function isPlainPath(path: string): boolean {
  if (path.endsWith('/') || path.includes('//') || /%(?:2f|5c|00)/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const LARGEST_UNREAD_BYTES = 64 * 1024;

/** Whether so much of the request is still to come that closing the connection is better than reading it. */
function hasMuchUnread(req: Request): boolean {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = req.headers;
  return !req.complete && (coding !== undefined || Number(length) > LARGEST_UNREAD_BYTES);
}

function sendJson(res: Response, status: number, body: object): void {
  const text = body instanceof JsonText ? body.bytes : JSON.stringify(body);
  res.statusCode = status;
  if (hasMuchUnread(res.req)) lingerAfterAnswer(res);
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
  if (exchanges.hasSubscribers) exchanges.publish({ res, answer: text });
}

function answerError(error: unknown, req: Request, res: Response, parts: ServerParts): void {
  const { errorSource, gate, log } = parts;
  const refusal = asApiError(error);
  res.locals.errorName = refusal.errorName;
  countError(refusal, res);
  if (refusal !== error) logFailure(log, 'error', { request_id: res.locals.requestId }, error);
  noteRefusal(refusal);
  const { keyId, tenantId, operationId, requestId } = res.locals;
  if (keyId !== undefined) gate.refused({ keyId, tenantId, operationId, requestId, refusal });
  // A request whose body was read is marked destroyed too; only its connection shows whether the client is still there.
  if (res.headersSent || req.socket.destroyed) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(errorHeaders(refusal))) res.setHeader(name, value);
  sendJson(res, refusal.httpStatus, errorBody(refusal, res.locals.requestId as string, errorSource));
}

/** Any error other than an ApiError means that the store is away (503) or a bug (500); the caller learns no more. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isStoreAway(error)) return new ApiError('INTERNAL');
  return unavailableError(causeOfAbsence(error), { retryAfterMs: 1000 });
}
