/**
 * The rate limit (D-7): a token bucket of 20 tokens, refilled at 10 a second, kept as GCRA. One number for each key,
 * the theoretical arrival time (TAT), describes the bucket: it is full when TAT is past and empty when TAT is 2 s
 * ahead.
 */
import type { Collection } from 'mongodb';
import { unlessThere } from '../data/insert.ts';
import type { RateLimitRow } from '../data/store.ts';
import { monotonicMs } from '../process/clock.ts';

const BURST = 20;
const INTERVAL_MS = 100;
const CAPACITY_MS = BURST * INTERVAL_MS;
/** One token is left while TAT is at most this far ahead. */
const TOLERANCE_MS = CAPACITY_MS - INTERVAL_MS;
/** How long an idle bucket's row is kept: far longer than refilling takes, even if the database's clock is off. */
export const IDLE_ROW_MS = 600_000;
/** A TAT further ahead than any skew between machines explains comes from a clock that was set back. */
export const IMPOSSIBLE_MS = 60_000;

export const RATE_LIMIT_POLICY = `"key";q=${BURST};w=${CAPACITY_MS / 1000}`;

/** The decision about a request: admitted or not, tokens left, and what the headers say. */
export interface RateVerdict {
  readonly admitted: boolean;
  readonly tokensLeft: number;
  readonly untilFullMs: number;
  /** How long until the next token; 0 when admitted. */
  readonly retryAfterMs: number;
}

/** Takes one token of a key's bucket, or refuses without taking any. */
export interface RateLimiter {
  take(keyId: string): Promise<RateVerdict> | RateVerdict;
}

function verdict(admitted: boolean, tat: number, now: number): RateVerdict {
  // The clock of another process may be a little ahead; a bucket never owes more than it holds.
  const debtMs = Math.min(CAPACITY_MS, Math.max(0, tat - now));
  return {
    admitted,
    tokensLeft: Math.max(0, Math.floor((CAPACITY_MS - debtMs) / INTERVAL_MS)),
    untilFullMs: debtMs,
    retryAfterMs: admitted ? 0 : Math.max(1, debtMs - TOLERANCE_MS),
  };
}

/** The value of the `RateLimit` field: whole tokens left, whole seconds until the bucket is full (IETF draft). */
export function rateLimitField({ tokensLeft, untilFullMs }: RateVerdict): string {
  return `"key";r=${tokensLeft};t=${Math.ceil(untilFullMs / 1000)}`;
}

/** Buckets in memory, for a deployment with only one process. Full buckets are forgotten. */
export function memoryRateLimiter(now: () => number = monotonicMs): RateLimiter & { readonly size: number } {
  const tats = new RecentTats();
  return {
    take(keyId) {
      const at = now();
      const tat = Math.max(tats.get(keyId, at) ?? at, at);
      if (tat - at > TOLERANCE_MS) return verdict(false, tat, at);
      tats.set(keyId, tat + INTERVAL_MS);
      return verdict(true, tat + INTERVAL_MS, at);
    },
    get size() {
      return tats.size;
    },
  };
}

/**
 * The TAT of keys, each remembered for at least {@link CAPACITY_MS} after it was set: then its bucket is full. They are
 * forgotten all at once with the map that holds them. To delete them one by one would leave a map that is slow to walk.
 */
class RecentTats {
  /** Set since `since`. */
  #young = new Map<string, number>();
  /** Set before. */
  #old = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  get(keyId: string, at: number): number | undefined {
    const elapsed = at - this.#since;
    if (elapsed >= CAPACITY_MS) {
      this.#old = elapsed < 2 * CAPACITY_MS ? this.#young : new Map();
      this.#young = new Map();
      this.#since = at;
    }
    return this.#young.get(keyId) ?? this.#old.get(keyId);
  }

  /** Comes after a `get`. What is set long after it may be forgotten sooner: then the shared row is asked again. */
  set(keyId: string, tat: number): void {
    this.#young.set(keyId, tat);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

/**
 * Buckets of a deployment: one row for each key, changed only by conditional updates of that row, so that any number of
 * processes admit exactly what one would. TAT only grows, so a process that has seen a key exhausted refuses by itself
 * until a token is due: requests over the limit cost the database nothing. If the clocks of processes differ, that
 * shifts the bucket once by the difference; the rate stays 10 a second.
 */
export function sharedRateLimiter(rows: Collection<RateLimitRow>, now: () => number = monotonicMs): RateLimiter {
  const exhausted = new RecentTats();
  return {
    async take(keyId) {
      const at = now();
      const known = exhausted.get(keyId, at);
      if (known !== undefined && known - at > TOLERANCE_MS) return verdict(false, known, at);
      const { admitted, tat, decidedAt } = await takeShared(rows, keyId, now);
      if (tat - decidedAt > TOLERANCE_MS) exhausted.set(keyId, tat);
      return verdict(admitted, tat, decidedAt);
    },
  };
}

/**
 * A failover may lose the latest writes to a bucket. Within two seconds that no longer matters, so no request waits
 * until a majority has the write in its journal.
 */
export const FORGETTABLE = { writeConcern: { w: 1, journal: false } } as const;

/**
 * Takes a token from the shared row. While this waits for the database, later requests may move the bucket on. So a
 * refusal is judged by the time of the decision, and if a token is due by then, it is asked for again.
 */
async function takeShared(
  rows: Collection<RateLimitRow>,
  keyId: string,
  now: () => number,
): Promise<{ admitted: boolean; tat: number; decidedAt: number }> {
  const expiry = new Date(Date.now() + IDLE_ROW_MS);
  let at = now();
  for (let attempt = 0; attempt < 5; attempt++) {
    const row = await rows.findOneAndUpdate(
      { _id: keyId, tat: { $lte: at + TOLERANCE_MS } },
      [{ $set: { tat: { $add: [{ $max: ['$tat', at] }, INTERVAL_MS] }, expires_at: expiry } }],
      { returnDocument: 'after', ...FORGETTABLE },
    );
    if (row !== null) return { admitted: true, tat: row.tat, decidedAt: at };
    const present = await rows.findOne({ _id: keyId });
    at = now();
    if (present === null) {
      const fresh = { _id: keyId, tat: at + INTERVAL_MS, expires_at: expiry };
      // Another process may make it at the same moment.
      if (await unlessThere(() => rows.insertOne(fresh, FORGETTABLE)))
        return { admitted: true, tat: fresh.tat, decidedAt: at };
    } else if (present.tat - at > CAPACITY_MS + IMPOSSIBLE_MS) {
      await rows.updateOne({ _id: keyId, tat: present.tat }, { $set: { tat: at + CAPACITY_MS } }, FORGETTABLE);
    } else if (present.tat - at > TOLERANCE_MS) {
      return { admitted: false, tat: present.tat, decidedAt: at };
    }
  }
  return { admitted: false, tat: at + CAPACITY_MS, decidedAt: at };
}
