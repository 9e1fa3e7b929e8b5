/**
 * Doing a thing once although it may be asked for twice (Idempotency-Key). The claim on a key fixes the id of what will
 * be created; every attempt under the key, also one that takes over from a process that died, creates under that id,
 * so the id itself is the fence: an insert that finds it taken has succeeded.
 */
import { randomUUID } from 'node:crypto';
import { fail } from './errors.ts';
import type { Collection, IdempotencyClaimRow } from './store.ts';

/** One attempt at creating something. */
export interface Attempt {
  /** The id that what is created must have. */
  readonly id: string;
  /** Whether an earlier attempt has finished: read {@link id} anew, with permissions, and answer with it. */
  readonly replayed: boolean;
  /**
   * Takes the key, after everything that may refuse the request was checked: a refusal does not use the key up.
   * @returns the id to create under, and whether another attempt finished meanwhile
   * @throws ApiError IDEMPOTENCY_KEY_CONFLICT, IDEMPOTENCY_IN_PROGRESS
   */
  claim(): Promise<{ readonly id: string; readonly replayed: boolean }>;
  /** Notes that the thing is there. Best effort: whoever finds the claim unfinished finishes it. */
  finish(): Promise<void>;
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
  return {
    id,
    replayed: false,
    claim: async () => ({ id, replayed: false }),
    finish: async () => {},
    markReplayed: () => {},
  };
};

/** What a key is good for: the same header under another API key or operation is another key. */
export interface KeyScope {
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly operationId: string;
  readonly idempotencyKey: string;
}

/** For requests with a key. @param markReplayed puts the header of D-8 on the answer */
export function keyedOnce(_claims: Collection<IdempotencyClaimRow>, _scope: KeyScope, _markReplayed: () => void): Once {
  return async () => fail('NOT_IMPLEMENTED');
}
