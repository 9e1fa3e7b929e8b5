/** Calls the target from k6. Each call is counted under its operation and checked against the contract. */
import { check } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Counter } from 'k6/metrics';
import { type ErrorName, type OperationId, operations } from '../generated/contract.ts';
import { errorProblem, expectedError, jsonOf, successProblem } from './checks.ts';
import type { Plan } from './plan.ts';

/** The runner looks for lines with this prefix in k6's output. */
export const PROBLEM = 'PROBLEM ';

const unexpected429 = new Counter('unexpected_429');

/** Keys come in an environment variable, so that they appear in no file and in no list of processes. */
export const ring = JSON.parse(__ENV.LOAD_KEYS ?? '{"paced":[]}') as {
  readonly paced: readonly string[];
  readonly load?: string;
  readonly no_scope?: string;
};

export interface Request {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** As it stands in the address. */
  readonly query?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The expected error; without it a success is expected. */
  readonly fails?: ErrorName;
}

type Answer = RefinedResponse<'text'>;

/** One check for each kind of answer, so that the report has a line for each. The first problems are reported. */
export function judge(what: string, problem: string): boolean {
  if (problem !== '') console.warn(`${PROBLEM}${what}: ${problem}`);
  return check(null, { [what]: () => problem === '' });
}

/** URL and parameters of a call, for callers that send it themselves. */
export function prepared(plan: Plan, key: string, operation: OperationId, request: Request) {
  const { method, path } = operations[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? ''));
  const headers: Record<string, string> = { 'X-API-Key': key };
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  if (request.idempotencyKey !== undefined) headers['Idempotency-Key'] = request.idempotencyKey;
  const expected = request.fails ? expectedError(request.fails, plan.errors).status : { min: 200, max: 299 };
  return {
    method: method.toUpperCase(),
    url: `${plan.baseUrl}${filled}${request.query === undefined ? '' : `?${request.query}`}`,
    body: request.body === undefined ? null : JSON.stringify(request.body),
    params: {
      headers,
      tags: { name: operation },
      timeout: '30s',
      responseType: 'text' as const,
      responseCallback: http.expectedStatuses(expected),
    },
  };
}

/** Calls an operation and checks the answer. @returns its JSON, or undefined if the answer was wrong */
export function call(plan: Plan, key: string, operation: OperationId, request: Request = {}): unknown {
  const { method, url, body, params } = prepared(plan, key, operation, request);
  const answer = http.request(method, url, body, params) as Answer;
  if (answer.status === 429) unexpected429.add(1);
  return judged(plan, operation, request, answer) ? jsonOf(answer.body) : undefined;
}

function judged(plan: Plan, operation: OperationId, { fails }: Request, answer: Answer): boolean {
  if (answer.status === 0) return judge(`${operation} is answered`, answer.error);
  return fails
    ? judge(`${operation} fails with ${fails}`, errorProblem(answer.status, answer.body, fails, plan.errors))
    : judge(`${operation} succeeds`, successProblem(answer.status, answer.body, plan.errors));
}
