/**
 * Creates something once although it may be requested twice (Idempotency-Key). The claim on a key fixes the id of what
 * will be created. Every attempt under the key creates under that id, also one that takes over from a process that
 * died. So the id itself prevents duplicates: an insert that finds the id taken counts as success. A process that was
 * paused and continues can therefore do no harm, and no transaction is needed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ApiError, fail } from '../answers/errors.ts';
import { now } from '../process/clock.ts';
import { canonicalJson } from './canonical-json.ts';
import type { IdempotencyClaimRow } from './collections/idempotency_claims.ts';
import { unlessThere } from './insert.ts';
import { type Collection, READ_TIME_MS } from './store.ts';
import { isStoreAway, writeWhenBack } from './store-away.ts';
import { untilWritten } from './until-written.ts';
import type { Writing } from './write-time.ts';

/** One attempt at creating something. */
export interface Attempt {
  /** The id that the created object must have. */
  readonly id: string;
  /** Whether an earlier attempt has finished: then read {@link id} again, with permissions, and answer with it. */
  readonly replayed: boolean;
  /**
   * Whether an earlier attempt under {@link id} ended with an unknown result. The object may exist: if so, call
   * {@link finish} and answer as for a replay, without further checks.
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
   * Gives the key back after {@link claim}, because of the error that ends the request. After a refusal (4xx) nothing
   * was created, so the key is free again. After any other error, a retry of the request may use it, as soon as the
   * store can be written. Best effort.
   */
  release(error: unknown): Promise<void>;
  /** Makes the answer say that it is a replay (D-8). */
  markReplayed(): void;
}

/**
 * Looks the key up.
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
export interface KeyScope {
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly operationId: string;
  readonly idempotencyKey: string;
}

/** How long a running attempt keeps others away. */
export const LEASE_MS = 30_000;
/** How long a key is remembered (D-17). */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** How often taking the key is tried while other attempts keep changing the claim. */
const MAX_ROUNDS = 5;

const IN_PROGRESS = { retryAfterMs: 1000 } as const;

/**
 * For requests with a key.
 * @param sent the body as it was sent: two requests are the same if their canonical JSON is the same
 * @param writing how the request waits for its writes
 * @param markReplayed puts the header of D-8 on the answer
 */
export function keyedOnce(
  claims: Collection<IdempotencyClaimRow>,
  scope: KeyScope,
  sent: unknown,
  writing: Writing,
  markReplayed: () => void,
): Once {
  return async () => {
    const fingerprint = createHash('sha256').update(canonicalJson(sent)).digest('hex');
    const key = keyFor(claims, scope, fingerprint);
    return attemptUnder(key, await key.current(), writing, markReplayed);
  };
}

/** A key in the store, for requests with one fingerprint. */
interface Key {
  readonly claims: Collection<IdempotencyClaimRow>;
  /** Of its claim. */
  readonly _id: string;
  /** The valid claim. An expired one does not count, whether or not the store has removed it. */
  current(): Promise<IdempotencyClaimRow | undefined>;
  /**
   * Tries once to take the key with an id; undefined if another attempt changed the claim meanwhile. If the store's
   * answer is lost, the key may have been taken, so it is given back.
   */
  take(id: string): Promise<Taken | undefined>;
  /**
   * Ends the lease, as soon as the store can be written, so that the next attempt can go on. @param forMs how long to
   * try
   */
  giveBack(mine: Partial<IdempotencyClaimRow>, forMs?: number): Promise<void>;
}

function keyFor(claims: Collection<IdempotencyClaimRow>, scope: KeyScope, fingerprint: string): Key {
  const { tenantId, apiKeyId, operationId, idempotencyKey } = scope;
  const _id = createHash('sha256').update([apiKeyId, operationId, idempotencyKey].join('\0')).digest('hex');

  async function current(): Promise<IdempotencyClaimRow | undefined> {
    const claim = await claims.findOne({ _id, expires_at: { $gt: now() } }, { maxTimeMS: READ_TIME_MS });
    if (claim === null) return undefined;
    if (claim.fingerprint !== fingerprint) fail('IDEMPOTENCY_KEY_CONFLICT');
    if (claim.state === 'RUNNING' && claim.lease_until > now()) fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS);
    return claim;
  }

  async function take(id: string): Promise<Taken | undefined> {
    const at = now();
    try {
      return await takeAt(at, id);
    } catch (error) {
      if (isStoreAway(error)) giveBack({ _id, state: 'RUNNING', lease_until: later(at, LEASE_MS) });
      throw error;
    }
  }

  function giveBack(mine: Partial<IdempotencyClaimRow>, forMs = LEASE_MS): Promise<void> {
    return writeWhenBack(() => claims.updateOne(mine, { $set: { lease_until: now() } }), forMs);
  }

  async function takeAt(at: Date, id: string): Promise<Taken | undefined> {
    const times = { lease_until: later(at, LEASE_MS), expires_at: later(at, KEY_LIFETIME_MS), create_time: at };
    const mine = { tenant_id: tenantId, fingerprint, resource_id: id, state: 'RUNNING', ...times } as const;
    // Replaces an expired claim, or inserts one; if two attempts insert at once, the store refuses one of them.
    const replace = () => claims.replaceOne({ _id, expires_at: { $lte: at } }, mine, { upsert: true });
    if (await unlessThere(replace)) return { claim: { _id, ...mine }, fresh: true };
    const there = await current();
    if (there === undefined) return undefined;
    if (there.state === 'DONE') return { claim: there, fresh: false };
    // Its lease has ended: go on under the id that the claim fixed.
    const { state, resource_id, lease_until: ended } = there;
    const { lease_until } = times;
    const condition = { _id, state, resource_id, lease_until: ended };
    const { matchedCount } = await claims.updateOne(condition, { $set: { lease_until } });
    return matchedCount === 0 ? undefined : { claim: { ...there, lease_until }, fresh: false };
  }

  return { claims, _id, current, take, giveBack };
}

/** @param earlier the claim that an earlier attempt has left */
function attemptUnder(
  { claims, _id, take, giveBack }: Key,
  earlier: IdempotencyClaimRow | undefined,
  writing: Writing,
  markReplayed: () => void,
): Attempt {
  const id = earlier?.resource_id ?? randomUUID();
  let held: Taken | undefined;
  const asHeld = () => ({ _id, resource_id: held?.claim.resource_id ?? id, state: 'RUNNING' }) as const;
  // Includes the lease: an attempt that took over has another lease, so its claim is not touched.
  const asMine = ({ claim }: Taken) => ({ ...asHeld(), lease_until: claim.lease_until });

  async function takeOnce() {
    const taken = await take(id);
    if (taken === undefined) return undefined;
    const { state, resource_id } = taken.claim;
    if (state === 'RUNNING') held = taken;
    return { id: resource_id, replayed: state === 'DONE' };
  }
  const takeInRounds = () => untilWritten(MAX_ROUNDS, takeOnce, () => fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS));

  return {
    id,
    replayed: earlier?.state === 'DONE',
    leftOver: earlier?.state === 'RUNNING',
    async claim() {
      let taking: ReturnType<typeof takeInRounds> | undefined;
      try {
        return await writing(() => {
          taking = takeInRounds();
          return taking;
        });
      } catch (error) {
        // The request no longer waits; if the key is taken later nevertheless, give it back.
        const dropped = () => held && giveBack(asMine(held));
        if (isStoreAway(error)) taking?.then(dropped, () => {});
        throw error;
      }
    },
    finish: () => bestEffort(writing(() => claims.updateOne(asHeld(), { $set: { state: 'DONE' } }))),
    async release(error) {
      if (held === undefined) return;
      // An earlier holder may only be paused and still create under the id, so a claim that is not fresh is never
      // deleted.
      const isRefusal = error instanceof ApiError && error.httpStatus < 500;
      const mine = asMine(held);
      if (!isRefusal) giveBack(mine);
      else if (held.fresh) await bestEffort(writing(() => claims.deleteOne(mine)));
      else await bestEffort(writing(() => giveBack(mine, 0)));
    },
    markReplayed,
  };
}

/** A claim that this attempt holds, or that is done; fresh if no attempt held it before. */
interface Taken {
  readonly claim: IdempotencyClaimRow;
  readonly fresh: boolean;
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** Ignores a failure of the write: then the lease ends by itself, and the next attempt goes on from the claim. */
async function bestEffort(write: Promise<unknown>): Promise<void> {
  await write.catch(() => {});
}
