/** Where express-openapi-validator and the service disagree, and which of these differences the contract's prose explains. */
import type { SecondValidator } from './judge.ts';
import { statedInProse } from './prose.ts';
import type { RecordedExchange } from './recorded.ts';

export interface Disagreement {
  readonly kind: 'disagreement';
  readonly rule: string;
  readonly request: string;
  readonly what: string;
  readonly objections: readonly string[];
}

export type Verdict =
  | { readonly kind: 'agreement' }
  | { readonly kind: 'stated'; readonly reason: string }
  | Disagreement;

interface ErrorBody {
  readonly details?: readonly { readonly reason?: string; readonly field_violations?: readonly { field: string }[] }[];
}

/** Answers that are given before the shape of a request is checked; they say nothing about it. */
const EARLIER_STATUSES = new Set([401, 403, 408, 413, 429, 431]);
const EARLIER_REASONS = new Set<string | undefined>(['INTEGRATION.IDEMPOTENCY_REQUIRED']);

/** Compares one exchange; returns two verdicts if both the request and the answer can be judged. */
export async function compare(recorded: RecordedExchange, second: SecondValidator): Promise<Verdict[]> {
  if (recorded.operationId === undefined || recorded.method === 'HEAD' || !isRepeatable(recorded)) return [];
  const verdicts: Verdict[] = [];
  const { reason, fields } = errorOf(recorded);
  const isRouted = reason !== 'PATH_NOT_FOUND' && reason !== 'METHOD_NOT_ALLOWED';
  if (isRouted) verdicts.push(await judgeAnswer(recorded, second));
  const isEarlier = EARLIER_STATUSES.has(recorded.status) || EARLIER_REASONS.has(reason);
  if (!isEarlier && recorded.status < 500) {
    verdicts.push(await judgeRequest(recorded, second, reason, fields));
  }
  return verdicts;
}

/** Raw bytes, compressed bodies and targets that no client would write cannot be shown to the other validator unchanged. */
function isRepeatable({ wire, target, requestHeaders }: RecordedExchange): boolean {
  const coded = requestHeaders.some(([name]) => name.toLowerCase() === 'content-encoding');
  return !wire && !coded && /^[\x21-\x7e]+$/.test(target);
}

function errorOf({ status, body }: RecordedExchange): { reason: string | undefined; fields: readonly string[] } {
  if (status === 200) return { reason: undefined, fields: [] };
  const { details = [] } = JSON.parse(body.toString('utf8')) as ErrorBody;
  const fields = details.flatMap(({ field_violations = [] }) => field_violations.map(({ field }) => field));
  return { reason: details[0]?.reason, fields };
}

function disagreement(recorded: RecordedExchange, what: string, objections: readonly string[]): Disagreement {
  const request = `${recorded.method} ${recorded.target.slice(0, 200)} → ${recorded.status}`;
  return { kind: 'disagreement', rule: recorded.rule, request, what, objections };
}

async function judgeAnswer(recorded: RecordedExchange, second: SecondValidator): Promise<Verdict> {
  const opinion = await second.answer(recorded);
  if (opinion === undefined) return { kind: 'agreement' };
  return disagreement(recorded, 'express-openapi-validator finds the answer wrong:', opinion.objections);
}

const SHAPE_REASONS = new Set(['INVALID_ARGUMENT', 'PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE']);

async function judgeRequest(
  recorded: RecordedExchange,
  second: SecondValidator,
  reason: string | undefined,
  fields: readonly string[],
): Promise<Verdict> {
  const opinion = await second.request(recorded);
  const isRefused = reason !== undefined && SHAPE_REASONS.has(reason);
  if (isRefused === (opinion !== undefined)) return { kind: 'agreement' };
  if (opinion !== undefined) {
    return disagreement(
      recorded,
      'was served, but express-openapi-validator finds the request wrong:',
      opinion.objections,
    );
  }
  const prose = statedInProse(recorded, reason, fields);
  if (prose !== undefined) return { kind: 'stated', reason: prose };
  return disagreement(recorded, 'was refused, but express-openapi-validator finds the request right', fields);
}
