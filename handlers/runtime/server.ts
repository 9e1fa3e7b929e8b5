/**
 * The Express application: headers of every answer, the gate, the generated routes, and one place where errors become
 * answers. It knows the operations only as rows of the generated table.
 */
import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import { MongoAPIError, MongoError, MongoNotConnectedError, MongoServerError } from 'mongodb';
import { type OperationId, operations, prefix } from '../../generated/operations.ts';
import { admission, type Gate } from './admit.ts';
import type { Caller } from './caller.ts';
import { type Run, runnerOf } from './dispatch.ts';
import { ApiError, errorBody, errorHeaders, fail } from './errors.ts';
import type { Handler, Handlers } from './handler.ts';
import { describeError, type Logger } from './log.ts';
import { errorsTotal, requestDuration } from './metrics.ts';

/** What the application is made of. */
export interface ServerParts {
  readonly gate: Gate;
  readonly handlers: Handlers;
  readonly errorDomain: string;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
  /** Mounted outside the prefix, without a key: health, docs, contract. */
  readonly pages: Router;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

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
    begin(req, res, parts.log);
    next();
  });
  app.use(api(parts));
  app.use(parts.pages);
  app.use(() => fail('PATH_NOT_FOUND'));
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    answerError(error, req, res, parts);
  });
  return app;
}

/** Headers of every answer (D-8), and the one log line and measurement that a request leaves. */
function begin(req: Request, res: Response, log: Logger): void {
  const given = req.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.locals.requestId = requestId;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  const startedAt = performance.now();
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const { operationId = 'none', keyId, tenantId, errorName } = res.locals;
    requestDuration.observe({ operation_id: operationId, status: res.statusCode }, durationMs / 1000);
    log.info({
      request_id: requestId,
      operation_id: operationId,
      status: res.statusCode,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...(errorName === undefined ? {} : { error_name: errorName }),
      ...(keyId === undefined ? {} : { key_id: keyId, tenant_id: tenantId }),
      ...(res.writableFinished ? {} : { aborted: true }),
    });
  });
}

/** Everything under the prefix: the gate, then the routes of the generated table, then 405 and 404. */
function api(parts: ServerParts): Router {
  const admit = admission(parts.gate);
  const routes = Router({ caseSensitive: true, strict: true });
  const methods = new Map<string, string[]>();
  for (const operation of Object.values(operations)) {
    const run = runnerOf(operation, parts.handlers[operation.operationId] as Handler<OperationId>);
    routes[operation.method](operation.route, answerWith(operation.operationId, run));
    const allowed = methods.get(operation.route) ?? [];
    const also = operation.method === 'get' ? ['HEAD'] : [];
    methods.set(operation.route, [...allowed, operation.method.toUpperCase(), ...also]);
  }
  for (const [route, allowed] of methods) {
    routes.all(route, () => fail('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } }));
  }

  const gated = Router({ caseSensitive: true, strict: true });
  gated.use(async (req, res, next) => {
    const path = req.originalUrl.split('?', 1)[0] as string;
    // Express compares its mount path without regard to case; the contract's paths are case-sensitive (D-6a).
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next('router');
    const caller = await admit(req, res);
    res.locals.caller = caller;
    res.locals.keyId = caller.keyId;
    res.locals.tenantId = caller.tenant.id;
    if (!isPlainPath(path)) fail('PATH_NOT_FOUND');
    next();
  });
  gated.use(prefix, routes);
  return gated;
}

/** A trailing, doubled or encoded slash, or text that is not percent-encoded UTF-8, names no path (D-6a). */
function isPlainPath(path: string): boolean {
  if (path.endsWith('/') || path.includes('//') || /%(?:2f|5c|00)/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function answerWith(operationId: OperationId, run: Run) {
  return async (req: Request, res: Response): Promise<void> => {
    res.locals.operationId = operationId;
    sendJson(res, 200, await run(req, res, res.locals.caller as Caller));
  };
}

function sendJson(res: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

function answerError(error: unknown, req: Request, res: Response, { errorDomain, log }: ServerParts): void {
  const refusal = asApiError(error);
  res.locals.errorName = refusal.errorName;
  errorsTotal.inc({ error_name: refusal.errorName });
  if (refusal.errorName === 'INTERNAL' || refusal.errorName === 'UNAVAILABLE') {
    log.error({ request_id: res.locals.requestId, error: describeError(error) });
  }
  if (res.headersSent || req.destroyed) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(errorHeaders(refusal))) res.setHeader(name, value);
  sendJson(res, refusal.httpStatus, errorBody(refusal, res.locals.requestId as string, errorDomain));
}

/** Server codes that say "not now" rather than "wrong": time limit, interrupted, not primary, no space, read-only. */
const PASSING_CODES = new Set([50, 89, 91, 112, 133, 189, 262, 11600, 11602, 10107, 13435, 13436, 14031, 9001]);

/** What is not a refusal of ours is the store being away (503) or a fault of ours (500); the caller learns no more. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof MongoServerError) {
    const passing = typeof error.code === 'number' && PASSING_CODES.has(error.code);
    return passing ? new ApiError('UNAVAILABLE', { retryAfterMs: 1000 }) : new ApiError('INTERNAL');
  }
  const misuse = error instanceof MongoAPIError && !(error instanceof MongoNotConnectedError);
  if (error instanceof MongoError && !misuse) return new ApiError('UNAVAILABLE', { retryAfterMs: 1000 });
  return new ApiError('INTERNAL');
}
