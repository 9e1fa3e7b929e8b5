/**
 * Doing a thing once although it may be asked for twice (Idempotency-Key). The claim on a key fixes the id of what will
 * be created; every attempt under the key, also one that takes over from a process that died, creates under that id,
 * so the id itself is the fence: an insert that finds it taken has succeeded. A process that was paused and comes back
 * can therefore do no harm, and no transaction is needed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ApiError, fail } from '../http/errors.ts';
import { now } from '../process/clock.ts';
import { canonicalJson } from './canonical-json.ts';
import { unlessThere } from './insert.ts';
import { type Collection, type IdempotencyClaimRow, READ_TIME_MS } from './store.ts';
import { isStoreAway, writeWhenBack } from './store-away.ts';
import type { Writing } from './write-time.ts';

/** One attempt at creating something. */
export interface Attempt {
  /** The id that what is created must have. */
  readonly id: string;
  /** Whether an earlier attempt has finished: read {@link id} anew, with permissions, and answer with it. */
  readonly replayed: boolean;
  /**
   * Whether an earlier attempt under {@link id} ended without saying how. The thing may be there: whoever finds it
   * calls {@link finish} and answers as for a replay, and checks nothing else.
   */
  readonly leftOver: boolean;
  /**
   * Takes the key, after everything that may refuse the request was checked: a refusal does not use the key up.
   * @returns the id to create under, and whether another attempt finished meanwhile
   * @throws ApiError IDEMPOTENCY_KEY_CONFLICT, IDEMPOTENCY_IN_PROGRESS
   */
  claim(): Promise<{ readonly id: string; readonly replayed: boolean }>;
  /** Notes that the thing is there. Best effort: whoever finds the claim unfinished finishes it. */
  finish(): Promise<void>;
  /**
   * Gives the key back after {@link claim} because of the error that ends the request: wholly where it is a refusal
   * (4xx), since then nothing was created; else to whoever repeats the request, as soon as the store can be told. Best
   * effort.
   */
  release(error: unknown): Promise<void>;
  /** Makes the answer say that it is a replay (D-8). */
  markReplayed(): void;
}

/**
 * Looks the key up.
 * @param body what was asked for; two requests are the same when their canonical JSON is
 * @throws ApiError IDEMPOTENCY_KEY_CONFLICT, IDEMPOTENCY_IN_PROGRESS
 */
export type Once = (body: unknown) => Promise<Attempt>;

/** For requests without a key: every attempt is a new one. */
export const everyTime: Once = async () => {
  const id = randomUUID();
  const nothing = async () => {};
  const claim = async () => ({ id, replayed: false });
  return { id, replayed: false, leftOver: false, claim, finish: nothing, release: nothing, markReplayed: () => {} };
};

/** What a key is good for: the same header under another API key or operation is another key. */
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
/** Rounds after which so many others changed the claim meanwhile that waiting is wiser. */
const MAX_ROUNDS = 5;

const IN_PROGRESS = { retryAfterMs: 1000 } as const;

/**
 * For requests with a key.
 * @param writing how the request waits for its writes
 * @param markReplayed puts the header of D-8 on the answer
 */
export function keyedOnce(
  claims: Collection<IdempotencyClaimRow>,
  scope: KeyScope,
  writing: Writing,
  markReplayed: () => void,
): Once {
  const { tenantId, apiKeyId, operationId, idempotencyKey } = scope;
  const _id = createHash('sha256').update([apiKeyId, operationId, idempotencyKey].join('\0')).digest('hex');

  /** The claim that counts; one whose time is over does not, whether or not the store has removed it. */
  async function current(fingerprint: string): Promise<IdempotencyClaimRow | undefined> {
    const claim = await claims.findOne({ _id, expires_at: { $gt: now() } }, { maxTimeMS: READ_TIME_MS });
    if (claim === null) return undefined;
    if (claim.fingerprint !== fingerprint) fail('IDEMPOTENCY_KEY_CONFLICT');
    if (claim.state === 'RUNNING' && claim.lease_until > now()) fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS);
    return claim;
  }

  /**
   * One try at taking the key with an id; nothing when somebody else changed the claim meanwhile. Where the answer to it
   * was lost, the key may be taken, and is given back.
   */
  async function take(id: string, fingerprint: string): Promise<Taken | undefined> {
    const at = now();
    try {
      return await takeAt(at, id, fingerprint);
    } catch (error) {
      if (isStoreAway(error)) giveBack({ _id, state: 'RUNNING', lease_until: later(at, LEASE_MS) });
      throw error;
    }
  }

  /** Lets the next attempt go on as soon as the store can be told. @param forMs for how long that is tried */
  function giveBack(mine: Partial<IdempotencyClaimRow>, forMs = LEASE_MS): Promise<void> {
    return writeWhenBack(() => claims.updateOne(mine, { $set: { lease_until: now() } }), forMs);
  }

  async function takeAt(at: Date, id: string, fingerprint: string): Promise<Taken | undefined> {
    const times = { lease_until: later(at, LEASE_MS), expires_at: later(at, KEY_LIFETIME_MS), create_time: at };
    const mine = { tenant_id: tenantId, fingerprint, resource_id: id, state: 'RUNNING', ...times } as const;
    // Replaces a claim whose time is over, or inserts; of two that insert at once the store refuses one.
    const replace = () => claims.replaceOne({ _id, expires_at: { $lte: at } }, mine, { upsert: true });
    if (await unlessThere(replace)) return { claim: { _id, ...mine }, fresh: true };
    const there = await current(fingerprint);
    if (there === undefined) return undefined;
    if (there.state === 'DONE') return { claim: there, fresh: false };
    // Its holder is gone: go on under the id that it fixed.
    const { state, resource_id, lease_until: ended } = there;
    const { lease_until } = times;
    const condition = { _id, state, resource_id, lease_until: ended };
    const { matchedCount } = await claims.updateOne(condition, { $set: { lease_until } });
    return matchedCount === 0 ? undefined : { claim: { ...there, lease_until }, fresh: false };
  }

  return async (body) => {
    const fingerprint = createHash('sha256').update(canonicalJson(body)).digest('hex');
    const earlier = await current(fingerprint);
    const id = earlier?.resource_id ?? randomUUID();
    let held: Taken | undefined;
    const asHeld = () => ({ _id, resource_id: held?.claim.resource_id ?? id, state: 'RUNNING' }) as const;
    // By the lease: a successor has another one, and what it holds stays its own.
    const asMine = ({ claim }: Taken) => ({ ...asHeld(), lease_until: claim.lease_until });

    async function takeInRounds() {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const taken = await take(id, fingerprint);
        if (taken === undefined) continue;
        const { state, resource_id } = taken.claim;
        if (state === 'RUNNING') held = taken;
        return { id: resource_id, replayed: state === 'DONE' };
      }
      return fail('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS);
    }

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
          // Nobody waits any more for a key that is taken in the end.
          const dropped = () => held && giveBack(asMine(held));
          if (isStoreAway(error)) taking?.then(dropped, () => {});
          throw error;
        }
      },
      finish: () => bestEffort(writing(() => claims.updateOne(asHeld(), { $set: { state: 'DONE' } }))),
      async release(error) {
        if (held === undefined) return;
        // Whoever held it before may only be paused, and still create: then the id stays fixed whatever happens here.
        const isRefusal = error instanceof ApiError && error.httpStatus < 500;
        const mine = asMine(held);
        if (!isRefusal) giveBack(mine);
        else if (held.fresh) await bestEffort(writing(() => claims.deleteOne(mine)));
        else await bestEffort(writing(() => giveBack(mine, 0)));
      },
      markReplayed,
    };
  };
}

/** A claim that this process holds, or that is done; fresh when nobody held it before. */
interface Taken {
  readonly claim: IdempotencyClaimRow;
  readonly fresh: boolean;
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** The claim outlives its lease if this fails, and the next attempt goes on from there. */
async function bestEffort(write: Promise<unknown>): Promise<void> {
  await write.catch(() => {});
}
