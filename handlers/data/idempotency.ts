/**
 * Creates something once although it may be requested twice (Idempotency-Key). The claim on a key fixes the id of what
 * will be created, for every attempt under the key, also one that takes over from a process that died. So the id itself
 * prevents duplicates: an insert that finds it taken counts as success, and no transaction is needed.
 */
import { hash, randomUUID } from 'node:crypto';
import { ApiError, fail } from '../answers/errors.ts';
import { now } from '../runtime/clock.ts';
import type { IdempotencyClaimRow } from './collections/idempotency_claims.ts';
import { isStoreAway } from './database-unavailable.ts';
import { FREE, giveBack, LEASE_MS, leasedBy, seemsHeld } from './lease.ts';
import { READ_TIME_MS } from './reads.ts';
import type { Collection } from './store.ts';
import type { Writing } from './write-timeout.ts';
import { unlessThere, untilWritten } from './writes.ts';

export interface Attempt {
  /** The id that the created object must have. */
  readonly id: string;
  /** Whether an earlier attempt has finished: then read {@link id} again, with permissions, and answer with it. */
  readonly replayed: boolean;
  /**
   * Whether an earlier attempt ended with an unknown result. If the object exists, {@link finish} and answer as a
   * replay.
   */
  readonly leftOver: boolean;
  /**
   * Takes the key. Call it after every check that may refuse the request: a refusal does not use up the key.
   * @returns the id to create under, and whether another attempt finished meanwhile
   * @throws ApiError IDEMPOTENCY_KEY_CONFLICT, IDEMPOTENCY_IN_PROGRESS
   */
  claim(): Promise<{ readonly id: string; readonly replayed: boolean }>;
  /** Notes that the object exists. Best effort: the next attempt that finds the claim unfinished finishes it. */
  finish(): Promise<void>;
  /**
   * Gives the key back after {@link claim}, because of the error that ends the request: at once after a refusal (4xx),
   * which created nothing; otherwise for a retry, as soon as the store can be written. Best effort.
   */
  release(error: unknown): Promise<void>;
  /** Makes the answer say that it is a replay (D-8). */
  markReplayed(): void;
}

/**
 * Looks the key up. A handler gets this where the contract has an optional Idempotency-Key.
 * @throws ApiError IDEMPOTENCY_KEY_CONFLICT, IDEMPOTENCY_IN_PROGRESS
 */
export type Once = () => Promise<Attempt>;

/** For requests without a key: every attempt counts as new. */
export const everyTime: Once = async () => {
  const id = randomUUID();
  const nothing = async () => {};
  const claim = async () => ({ id, replayed: false });
  return { id, replayed: false, leftOver: false, claim, finish: nothing, release: nothing, markReplayed: () => {} };
};

/** Where a key is valid: the same header under another API key or operation is another key. */
interface KeyScope {
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly operationId: string;
  readonly idempotencyKey: string;
}

/** How long a key is remembered (D-17, D-29). */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What of a key is stored. @param parts the API key, what else the key belongs to, and the key itself */
export const digestOfKey = (...parts: readonly string[]): string => hash('sha256', parts.join('\0'), 'hex');

/** How often taking the key is tried while other attempts keep changing the claim. */
const MAX_ROUNDS = 5;

const IN_PROGRESS = { retryAfterMs: 1000 } as const;

/**
 * For requests with a key.
 * @param fingerprint of the body as it was sent: two requests are the same if theirs is
 * @param markReplayed puts the header of D-8 on the answer
 */
export function keyedOnce(
  claims: Collection<IdempotencyClaimRow>,
  scope: KeyScope,
  fingerprint: string,
  writing: Writing,
  markReplayed: () => void,
): Once {
  const { tenantId, apiKeyId, operationId, idempotencyKey } = scope;
  const key = { claims, _id: digestOfKey(apiKeyId, operationId, idempotencyKey), tenantId, fingerprint };
  return async () => attemptUnder(key, await currentClaim(key), writing, markReplayed);
}

/** A key in the store, for requests with one fingerprint. */
interface Key {
  readonly claims: Collection<IdempotencyClaimRow>;
  readonly _id: string;
  readonly tenantId: string;
  readonly fingerprint: string;
}

/** A key that this attempt holds, or that is used up. */
interface TakenKey {
  readonly id: string;
  /** Undefined if an earlier attempt has finished. */
  readonly leaseId: string | undefined;
  /** Whether no attempt held the key before. */
  readonly isFresh: boolean;
}

/** The valid claim. An expired one does not count, whether or not the store has removed it. */
async function currentClaim({ claims, _id, fingerprint }: Key): Promise<IdempotencyClaimRow | undefined> {
  const claim = await claims.findOne({ _id, expires_at: { $gt: now() } }, { maxTimeMS: READ_TIME_MS });
  if (claim === null) return undefined;
  if (claim.fingerprint !== fingerprint) fail('IDEMPOTENCY_KEY_CONFLICT');
  if (claim.state === 'RUNNING' && seemsHeld(claim)) fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS);
  return claim;
}

/** Tries once to take the key with an id; undefined if another attempt changed the claim meanwhile. */
async function take(key: Key, leaseId: string, id: string): Promise<TakenKey | undefined> {
  const { claims, _id, tenantId, fingerprint } = key;
  const at = now();
  const expires_at = new Date(at.getTime() + KEY_LIFETIME_MS);
  const lease = leasedBy(leaseId, LEASE_MS.creation);
  const mine = { tenant_id: tenantId, fingerprint, resource_id: id, state: 'RUNNING', expires_at, create_time: at };
  // Replaces an expired claim, or inserts one; if two attempts insert at once, the store refuses one of them.
  const replace = () =>
    claims.findOneAndUpdate({ _id, expires_at: { $lte: at } }, [{ $set: { ...mine, ...lease } }], {
      upsert: true,
      projection: { _id: 1 },
    });
  if (await unlessThere(replace)) return { id, leaseId, isFresh: true };
  const there = await currentClaim(key);
  if (there === undefined) return undefined;
  const { state, resource_id } = there;
  if (state === 'DONE') return { id: resource_id, leaseId: undefined, isFresh: false };
  // Its lease has ended: go on under the id that the claim fixed.
  const { matchedCount } = await claims.updateOne({ _id, state, resource_id, ...FREE }, [{ $set: lease }]);
  return matchedCount === 0 ? undefined : { id: resource_id, leaseId, isFresh: false };
}

/** @param earlier the claim that an earlier attempt has left */
function attemptUnder(
  key: Key,
  earlier: IdempotencyClaimRow | undefined,
  writing: Writing,
  markReplayed: () => void,
): Attempt {
  const { claims, _id } = key;
  const id = earlier?.resource_id ?? randomUUID();
  let taken: TakenKey = { id, leaseId: undefined, isFresh: false };
  const takeOnce = async () => {
    const leaseId = randomUUID();
    try {
      return await take(key, leaseId, id);
    } catch (error) {
      // If only the answer is lost, the key is taken.
      if (isStoreAway(error)) void giveBack(claims, { _id, lease_id: leaseId }, LEASE_MS.creation);
      throw error;
    }
  };
  const takeInRounds = () => untilWritten(MAX_ROUNDS, takeOnce, () => fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS));
  const freeFor = async ({ leaseId }: TakenKey, forMs: number) => {
    if (leaseId !== undefined) await giveBack(claims, { _id, lease_id: leaseId }, forMs);
  };

  return {
    id,
    replayed: earlier?.state === 'DONE',
    leftOver: earlier?.state === 'RUNNING',
    async claim() {
      let taking: Promise<TakenKey> | undefined;
      try {
        taken = await writing(() => {
          taking = takeInRounds();
          return taking;
        });
        return { id: taken.id, replayed: taken.leaseId === undefined };
      } catch (error) {
        // The request no longer waits; if the key is taken later nevertheless, give it back.
        if (isStoreAway(error))
          taking?.then(
            (late) => freeFor(late, LEASE_MS.creation),
            () => {},
          );
        throw error;
      }
    },
    finish: () =>
      bestEffort(
        writing(() => claims.updateOne({ _id, resource_id: taken.id, state: 'RUNNING' }, { $set: { state: 'DONE' } })),
      ),
    async release(error) {
      const { leaseId, isFresh } = taken;
      if (leaseId === undefined) return;
      // An earlier holder may only be paused and still create under the id, so a claim that is not fresh is never
      // deleted.
      const isRefusal = error instanceof ApiError && error.httpStatus < 500;
      const mine = { _id, lease_id: leaseId, state: 'RUNNING' } as const;
      if (!isRefusal) void freeFor(taken, LEASE_MS.creation);
      else if (isFresh) await bestEffort(writing(() => claims.deleteOne(mine)));
      else await bestEffort(writing(() => freeFor(taken, 0)));
    },
    markReplayed,
  };
}

/** Ignores a failure of the write: then the lease ends by itself, and the next attempt goes on from the claim. */
async function bestEffort(write: Promise<unknown>): Promise<void> {
  await write.catch(() => {});
}
