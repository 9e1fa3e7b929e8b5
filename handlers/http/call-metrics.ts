/** What the metrics count of requests. Calls are what is under the prefix; probes and documents are counted apart. */
import type { Request, Response } from 'express';
import { type OperationId, operations, prefix } from '../../generated/contract.ts';
import { type ApiError, unavailableCauses } from '../answers/errors.ts';
import { counter, gauge, HTTP_SECONDS, histogram, publicPathRequests } from '../runtime/metrics.ts';

const requestDuration = histogram(
  'http_server_request_duration_seconds',
  'Time of calls, from the head of the request to the end of the answer; operation_id and http_route are none for a call of no operation.',
  HTTP_SECONDS,
  'operation_id',
  'http_request_method',
  'http_route',
  'http_response_status_code',
);

const callsTotal = counter(
  'http_server_calls_total',
  'Calls by outcome: failed if they were answered with 5xx, else served. Both series are there from the start.',
  'outcome',
);
for (const outcome of ['served', 'failed']) callsTotal.inc({ outcome }, 0);

const activeRequests = gauge('http_server_active_requests', 'Calls that this process is answering.');

const errorsTotal = counter(
  'api_errors_total',
  'Calls answered with an error, by its name in the contract (error_type).',
  'operation_id',
  'error_type',
);

const unavailableTotal = counter('api_unavailable_total', 'Calls answered with UNAVAILABLE, by cause.', 'cause');

/** Whether a path is one of the interface. @param path without a query */
export const isUnderPrefix = (path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** Methods that a label may show (RFC 9110, RFC 5789); of others, which a caller could invent, there is one series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The method of a request as a label. */
export const methodLabel = (method = ''): string => (METHODS.has(method) ? method : '_OTHER');

/** Counts a request from here on. @returns what to call at its end, with its time in seconds */
export function countRequest(req: Request, res: Response, servesApi: boolean): (seconds: number) => void {
  if (!servesApi || !isUnderPrefix(req.url.split('?', 1)[0] as string)) {
    const path = () => (typeof req.route?.path === 'string' ? req.route.path : 'other');
    return () => publicPathRequests.inc({ http_route: path(), http_response_status_code: res.statusCode });
  }
  res.locals.isCall = true;
  activeRequests.inc();
  return (seconds) => {
    activeRequests.dec();
    const operationId: OperationId | undefined = res.locals.operationId;
    const labels = {
      operation_id: operationId ?? 'none',
      http_request_method: methodLabel(req.method),
      http_route: operationId === undefined ? 'none' : operations[operationId].path,
      http_response_status_code: res.statusCode,
    };
    requestDuration.observe(labels, seconds);
    callsTotal.inc({ outcome: res.statusCode >= 500 ? 'failed' : 'served' });
  };
}

for (const cause of unavailableCauses) unavailableTotal.inc({ cause }, 0);

/** Counts the error of a call. */
export function countError({ errorName, extras }: ApiError, res: Response): void {
  const { isCall, operationId = 'none' } = res.locals;
  if (isCall !== true) return;
  errorsTotal.inc({ operation_id: operationId, error_type: errorName });
  if (extras.cause !== undefined) unavailableTotal.inc({ cause: extras.cause });
}
