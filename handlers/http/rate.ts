/**
 * The rate limit (D-7): a token bucket, kept as GCRA. One number for each key, the theoretical arrival time (TAT), describes
 * the bucket: it is full when TAT is past and empty when TAT is as far ahead as it takes to fill.
 */
import type { Collection } from 'mongodb';
import { rateLimit } from '../../generated/contract.ts';
import type { RateLimitRow } from '../data/collections/rate_limits.ts';
import { isThere } from '../data/writes.ts';
import { databaseMs, monotonicMs } from '../runtime/clock.ts';

const BURST = rateLimit.burst;
const INTERVAL_MS = 1000 / rateLimit.perSecond;
const CAPACITY_MS = BURST * INTERVAL_MS;
const BUCKET: Bucket = { intervalMs: INTERVAL_MS, capacityMs: CAPACITY_MS };
/** One token is left while TAT is at most this far ahead. */
const TOLERANCE_MS = CAPACITY_MS - INTERVAL_MS;

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
  // A bucket never owes more than it holds, even if the clock has stepped back.
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
 * Buckets of a deployment, which its processes share. TAT only grows, so a process that has seen a
 * key exhausted refuses by itself until a token is due: requests over the limit cost the database nothing.
 * @param now the process's monotonic clock
 * @param databaseNow the database's clock as this process carries it on
 */
export function sharedRateLimiter(
  rows: Collection<RateLimitRow>,
  now: () => number = monotonicMs,
  databaseNow: () => number = databaseMs,
): RateLimiter {
  /** By the process's monotonic clock. */
  const exhausted = new RecentTats();
  return {
    async take(keyId) {
      const askedAt = now();
      const known = exhausted.get(keyId, askedAt);
      if (known !== undefined && known - askedAt > TOLERANCE_MS) return verdict(false, known, askedAt);
      const { granted, tat, at } = await takeTokens(rows, keyId, 1, BUCKET);
      if (tat - at > TOLERANCE_MS) {
        const answeredAt = now();
        // It was decided between asking and the answer, even if this process is mistaken about the database's clock.
        const decidedAt = Math.min(answeredAt, Math.max(askedAt, answeredAt - (databaseNow() - at)));
        exhausted.set(keyId, decidedAt + (tat - at));
      }
      return verdict(granted === 1, tat, at);
    },
  };
}

/** How long an idle bucket's row is kept: far longer than refilling takes. */
export const IDLE_ROW_MS = 600_000;
/**
 * `$$NOW` is when a command arrived. On a busy database it may wait until others, which arrived later, have changed the
 * row. No later than this, it counts as one that arrived last; what is later stands for a clock that was set back.
 */
const LATE_MS = 5_000;

/**
 * A failover may lose the latest writes to a bucket. Within two seconds that no longer matters, so no request waits
 * until a majority has the write in its journal.
 */
const FORGETTABLE = { writeConcern: { w: 1, journal: false } } as const;

/** A bucket: in what time one token comes back, and in what time an empty bucket is full. */
export interface Bucket {
  readonly intervalMs: number;
  readonly capacityMs: number;
}

/** The decision; times in milliseconds since the epoch, by the database's clock. */
interface TakenTokens {
  /** How many tokens there were, at most as many as were wanted. */
  readonly granted: number;
  readonly tat: number;
  /** When it was decided: never before an earlier decision, unless the clock was set back. */
  readonly at: number;
}

/**
 * Takes up to as many tokens as wanted from a bucket that all processes share. The database decides, by its own clock
 * (`$$NOW`) and in one update of the row: any number of processes grant what one would, whatever their clocks say, and a
 * request that waited for the database is judged by the time at which it is decided.
 */
export async function takeTokens(
  rows: Collection<RateLimitRow>,
  _id: string,
  wanted: number,
  bucket: Bucket,
): Promise<TakenTokens> {
  const options = { upsert: true, returnDocument: 'after', ...FORGETTABLE } as const;
  const take = () => rows.findOneAndUpdate({ _id }, taking(wanted, bucket), options);
  const row = await take().catch((error) => {
    // Another process has made the row at the same moment.
    if (isThere(error)) return take();
    throw error;
  });
  if (row === null) throw new Error('an update that inserts what is missing found nothing');
  return row;
}

function taking(wanted: number, { intervalMs, capacityMs }: Bucket) {
  const arrived = { $subtract: ['$$NOW', new Date(0)] };
  const isSameClock = { $lte: ['$at', { $add: [arrived, LATE_MS] }] };
  // A TAT this far ahead was written before the database's clock stepped back, or another member with another clock took
  // over. It says nothing about the caller, who gets one token; the bucket is empty then, so that the rate holds.
  const isImpossible = { $gt: ['$tat', { $add: ['$at', capacityMs] }] };
  const oneLeft = { $add: ['$at', capacityMs - intervalMs] };
  const left = { $floor: { $divide: [{ $subtract: [{ $add: ['$at', capacityMs] }, '$tat'] }, intervalMs] } };
  return [
    {
      $set: {
        at: { $cond: [isSameClock, { $max: ['$at', arrived] }, arrived] },
        expires_at: { $add: ['$$NOW', IDLE_ROW_MS] },
      },
    },
    { $set: { tat: { $cond: [isImpossible, oneLeft, { $max: ['$tat', '$at'] }] } } },
    { $set: { granted: { $max: [0, { $min: [wanted, left] }] } } },
    { $set: { tat: { $add: ['$tat', { $multiply: ['$granted', intervalMs] }] } } },
  ];
}
