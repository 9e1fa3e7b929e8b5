/**
 * The rate limit (D-7): a token bucket of 20 tokens refilled at 10 a second, kept as GCRA. One number a key, the
 * theoretical arrival time (TAT), says it all: the bucket is full when TAT is past and empty when TAT is 2 s ahead.
 */
import type { Collection } from 'mongodb';
import { unlessThere } from '../data/insert.ts';
import type { RateLimitRow } from '../data/store.ts';
import { monotonicMs } from '../process/clock.ts';

const BURST = 20;
const INTERVAL_MS = 100;
const CAPACITY_MS = BURST * INTERVAL_MS;
/** One token is left as long as TAT is no further ahead than this. */
const TOLERANCE_MS = CAPACITY_MS - INTERVAL_MS;
/** How long an idle bucket's row is kept: by far longer than it needs to be full, whatever the database's clock says. */
export const IDLE_ROW_MS = 600_000;
/** A TAT further ahead than any skew between machines explains comes from a clock that was set back. */
export const IMPOSSIBLE_MS = 60_000;

export const RATE_LIMIT_POLICY = `"key";q=${BURST};w=${CAPACITY_MS / 1000}`;

/** What became of a request: admitted or not, tokens left, and what the headers say. */
export interface RateVerdict {
  readonly admitted: boolean;
  readonly tokensLeft: number;
  readonly untilFullMs: number;
  /** How long until one token is there; 0 when admitted. */
  readonly retryAfterMs: number;
}

/** Takes one token of a key's bucket, or refuses without taking any. */
export interface RateLimiter {
  take(keyId: string): Promise<RateVerdict> | RateVerdict;
}

function verdict(admitted: boolean, tat: number, now: number): RateVerdict {
  // Another process' clock may be a little ahead; a bucket owes no more than it holds.
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

/** Buckets of one process, for a deployment that has only one. Full buckets are forgotten. */
export function memoryRateLimiter(now: () => number = monotonicMs): RateLimiter & { readonly size: number } {
  const tats = new Map<string, number>();
  return {
    take(keyId) {
      const at = now();
      forgetFull(tats, at);
      const tat = Math.max(tats.get(keyId) ?? at, at);
      if (tat - at > TOLERANCE_MS) return verdict(false, tat, at);
      tats.delete(keyId);
      tats.set(keyId, tat + INTERVAL_MS);
      return verdict(true, tat + INTERVAL_MS, at);
    },
    get size() {
      return tats.size;
    },
  };
}

/** The map is in the order of last use, so what is full stands first; two a request keep up with any growth. */
function forgetFull(tats: Map<string, number>, at: number): void {
  let looked = 0;
  for (const [key, tat] of tats) {
    if (tat > at || looked++ === 2) return;
    tats.delete(key);
  }
}

/**
 * Buckets of a deployment: one row a key, moved by conditional updates of that row alone, so that any number of
 * processes admit exactly what one would. Because TAT only grows, a process that has seen a key exhausted refuses on
 * its own until a token is due: being over the limit costs the database nothing. Processes whose clocks differ shift
 * the bucket by that difference once; the rate stays 10 a second.
 */
export function sharedRateLimiter(rows: Collection<RateLimitRow>, now: () => number = monotonicMs): RateLimiter {
  const exhausted = new Map<string, number>();
  return {
    async take(keyId) {
      const at = now();
      forgetFull(exhausted, at);
      const known = exhausted.get(keyId);
      if (known !== undefined) {
        if (known - at > TOLERANCE_MS) return verdict(false, known, at);
        exhausted.delete(keyId);
      }
      const { admitted, tat, decidedAt } = await takeShared(rows, keyId, now);
      if (tat - decidedAt > TOLERANCE_MS) exhausted.set(keyId, tat);
      return verdict(admitted, tat, decidedAt);
    },
  };
}

/**
 * What a failover takes from a bucket is made up for within two seconds, so no request waits until a majority has it in
 * its journal.
 */
export const FORGETTABLE = { writeConcern: { w: 1, journal: false } } as const;

/**
 * A request that waited for the database may find its bucket moved on by later ones; so a refusal is judged by the
 * time at which it is decided, and what is due by then is asked for again.
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
