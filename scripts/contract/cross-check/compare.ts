/** Where express-openapi-validator and the service disagree, and which of these differences the contract's prose explains. */
import type { Opinion, SecondValidator } from './judge.ts';
import { statedInProse } from './prose.ts';
import type { RecordedExchange } from './recorded.ts';

type Verdict =
  | { readonly kind: 'agreement' }
  | { readonly kind: 'stated'; readonly reason: string }
  /** In words, without a value that somebody sent. */
  | { readonly kind: 'disagreement'; readonly text: string };

interface ErrorBody {
  readonly details?: readonly { readonly reason?: string; readonly field_violations?: readonly { field: string }[] }[];
}

/** Answers that are given before the shape of a request is checked; they say nothing about it. */
const EARLIER_STATUSES = new Set([401, 403, 408, 413, 429, 431]);
const EARLIER_REASONS = new Set<string | undefined>(['INTEGRATION.IDEMPOTENCY_REQUIRED']);

/** Compares one exchange; returns two verdicts if both the request and the answer can be judged. */
export async function compare(recorded: RecordedExchange, second: SecondValidator): Promise<Verdict[]> {
  if (recorded.operationId === undefined || recorded.method === 'HEAD' || !isRepeatable(recorded)) return [];
  const opinion = await second.judge(recorded);
  const refusal = refusalOf(recorded);
  const { reason } = refusal;
  const { status, isUnread = false } = recorded;
  // No operation documents these.
  const isOfOperation = reason !== 'PATH_NOT_FOUND' && reason !== 'METHOD_NOT_ALLOWED' && status !== 408;
  const isEarlier = isUnread || EARLIER_STATUSES.has(status) || EARLIER_REASONS.has(reason) || status >= 500;
  return [
    ...(isOfOperation ? [aboutAnswer(recorded, opinion.answer)] : []),
    ...(isEarlier ? [] : [aboutRequest(recorded, refusal, opinion.request, second)]),
  ];
}

/** Raw bytes, compressed bodies, repeated headers and targets that no client would write cannot be shown to the other validator unchanged. */
function isRepeatable({ wire = false, target, requestHeaders }: RecordedExchange): boolean {
  const names = requestHeaders.map(([name]) => name.toLowerCase());
  const isPlain = new Set(names).size === names.length && !names.includes('content-encoding');
  return !wire && isPlain && /^[\x21-\x7e]+$/.test(target);
}

interface Refusal {
  readonly reason: string | undefined;
  readonly fields: readonly string[];
}

function refusalOf({ status, body }: RecordedExchange): Refusal {
  if (status === 200) return { reason: undefined, fields: [] };
  const { details = [] } = JSON.parse(body.toString('utf8')) as ErrorBody;
  const fields = details.flatMap(({ field_violations = [] }) => field_violations.map(({ field }) => field));
  return { reason: details[0]?.reason, fields };
}

const disagreement = (said: string, opinion: string): Verdict => ({
  kind: 'disagreement',
  text: `about ${said}; express-openapi-validator finds ${opinion}`,
});

function aboutAnswer({ operationId, status }: RecordedExchange, wrong: Opinion['answer']): Verdict {
  if (wrong === undefined) return { kind: 'agreement' };
  return disagreement(
    `an answer of ${operationId}: the service sent it with ${status}`,
    `it wrong: ${wrong.join(', ')}`,
  );
}

const SHAPE_REASONS = new Set(['INVALID_ARGUMENT', 'PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE']);

function aboutRequest(
  recorded: RecordedExchange,
  { reason, fields }: Refusal,
  wrong: Opinion['request'],
  { shown }: SecondValidator,
): Verdict {
  const isRefused = reason !== undefined && SHAPE_REASONS.has(reason);
  if (isRefused === (wrong !== undefined)) return { kind: 'agreement' };
  const about = `a request of ${recorded.operationId}: the service`;
  if (wrong !== undefined)
    return disagreement(`${about} took it and answered ${reason ?? recorded.status}`, `it wrong: ${wrong.join(', ')}`);
  const prose = statedInProse(recorded, reason, fields);
  if (prose !== undefined) return { kind: 'stated', reason: prose };
  return disagreement(`${about} refused it with ${reason} (${fields.map(shown).join(', ')})`, 'nothing wrong');
}
