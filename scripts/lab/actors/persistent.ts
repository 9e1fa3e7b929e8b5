/** A client that repeats what it asks for until it is acknowledged, which the contract promises to be safe. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, DeveloperApiError, StorageError } from '../../../client/src/index.ts';
import { PATIENCE_MS } from './ledger.ts';

/** The service broke a promise. */
export class BrokenPromise extends Error {}

const AGAIN_MS = 200;
/** An attempt that ended because the store was away may hold its key for half a minute. */
const IN_PROGRESS = 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS';

/** Whether nobody knows if the request was done, or it may be done later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof DeveloperApiError) || error instanceof StorageError) return false;
  return !(error instanceof ApiError) || error.status === 503 || error.status === 429 || error.reason === IN_PROGRESS;
}

/**
 * Does it again until there is an answer that stays.
 * @param was the answer, if a refusal with this reason means that an earlier attempt was acknowledged too late to be seen
 * @returns the answer, and how often it was repeated
 * @throws BrokenPromise for a refusal that no promise explains
 */
export async function untilAcknowledged<T>(
  what: string,
  work: () => Promise<T>,
  was: (refusal: ApiError) => T | undefined = () => undefined,
): Promise<{ readonly answer: T; readonly repeats: number }> {
  let endAt = performance.now() + PATIENCE_MS;
  for (let repeats = 0; ; repeats++) {
    try {
      return { answer: await work(), repeats };
    } catch (error) {
      if (!isPassing(error)) {
        const answer = repeats > 0 && error instanceof ApiError ? was(error) : undefined;
        if (answer !== undefined) return { answer, repeats };
        throw new BrokenPromise(`${what}: ${(error as Error).message}`);
      }
      // A server that is gone comes back when the scenario says so.
      if (!(error instanceof ApiError)) endAt = performance.now() + PATIENCE_MS;
      else if (performance.now() > endAt) {
        throw new BrokenPromise(`${what}: for ever ${error.message}`);
      }
    }
    await pause(AGAIN_MS);
  }
}
