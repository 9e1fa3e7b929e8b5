/** Whether the store serves requests now, for /readyz. */
import type { Store } from '../data/store.ts';
import { monotonicMs } from '../process/clock.ts';
import { takeTokens } from './shared-bucket.ts';

/** How long a result counts, in milliseconds: /readyz needs no key, so calls of it cause one write in this time. */
const COUNTS_MS = 1_000;
/** A bucket beside those of keys; whether it has tokens does not matter. */
const ROW = 'readyz';
const BUCKET = { intervalMs: 1_000, capacityMs: 1_000 };

/**
 * Makes the write that every request makes to take a token of its limit. That the store answers is not enough: on a full
 * disk it reads and takes no write, so every request is refused.
 * @returns a function that says whether the store took such a write, within the last second
 */
export function storeReadiness({ rate_limits }: Pick<Store, 'rate_limits'>): () => Promise<boolean> {
  let askedMs = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve(false);
  return () => {
    if (monotonicMs() - askedMs < COUNTS_MS) return last;
    askedMs = monotonicMs();
    last = takeTokens(rate_limits, ROW, 1, BUCKET).then(
      () => true,
      () => false,
    );
    return last;
  };
}
