/** What is wrong with answers that clients saw while something was disturbed. */
import type { SeenAnswer } from '../actors/ledger.ts';

export const isRefused = ({ status }: SeenAnswer): boolean => status === 503;
/** The rate limit is not the fault of what was disturbed. */
export const isFailed = ({ status }: SeenAnswer): boolean => status !== 200 && status !== 429;

/** Milliseconds. */
const tookMs = ({ fromMs, toMs }: SeenAnswer): number => Math.round(toMs - fromMs);

export const slowestRefusalMs = (seen: readonly SeenAnswer[]): number =>
  Math.max(0, ...seen.filter(isRefused).map(tookMs));

/** What is wrong with answers: each kind, if any of them is of it, with the first of them. */
export function wrongAnswers(
  seen: readonly SeenAnswer[],
  kinds: Readonly<Record<string, (one: SeenAnswer) => boolean>>,
): string[] {
  return Object.entries(kinds).flatMap(([kind, isOfIt]) => {
    const those = seen.filter(isOfIt);
    const [first] = those;
    if (first === undefined) return [];
    return [`${kind}: ${those.length} times, first ${first.what} with ${first.status} in ${tookMs(first)} ms`];
  });
}

/** The kinds of refusals that no outage excuses. @param mostMs how long a refusal may take */
export const wrongRefusals = (mostMs: number) => ({
  'refused without Retry-After': (one: SeenAnswer) => isRefused(one) && !one.hasRetryAfter,
  'refused late': (one: SeenAnswer) => isRefused(one) && tookMs(one) > mostMs,
});
