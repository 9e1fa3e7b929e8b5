import { ApiError, type DeveloperApiError, UnexpectedAnswerError } from './errors.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** Whoever is told to come back later than this decides for himself. */
export const LONGEST_ASKED_MS = 60_000;

export interface RetryRules {
  readonly maxRetries: number;
  /** Whether sending the request twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/**
 * How long to wait before a request is sent again: what the service asks for, and up to twice as long each time at
 * random (full jitter). Undefined: it is not sent again.
 */
export function retryDelayMs(error: DeveloperApiError, { maxRetries, isRepeatable, random }: RetryRules) {
  if (error.attempts > maxRetries || !mayBeRepeated(error, isRepeatable)) return undefined;
  const answered = error instanceof ApiError || error instanceof UnexpectedAnswerError;
  const askedMs = (answered ? error.retryAfterMs : undefined) ?? 0;
  if (askedMs > LONGEST_ASKED_MS) return undefined;
  return askedMs + random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (error.attempts - 1));
}

function mayBeRepeated(error: DeveloperApiError, isRepeatable: boolean): boolean {
  if (error instanceof ApiError && error.reason === 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS') return true;
  // What was refused by a limit has done nothing.
  return ('status' in error && error.status === 429) || (isRepeatable && error.isUnclear);
}
