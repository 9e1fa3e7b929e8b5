/** When deliveries are tried, and how they end without being tried (D-24, D-27). */
import type { Store } from '../data/store.ts';
import { now } from '../process/clock.ts';

/** How often a delivery is tried at most (D-27). */
export const MAX_ATTEMPTS = 8;
/** So many deliveries in a row that failed for good disable their endpoint (D-27). */
export const MAX_FAILURES = 20;
/** The first wait, in milliseconds; each further one is four times as long (D-27). */
const FIRST_WAIT_MS = 15_000;
/** How much of a wait is added to it at most, at random (D-27). */
const MAX_JITTER = 0.1;

/** A time before every other: whose lease ends then, nobody holds. */
export const NO_LEASE = new Date(0);

/**
 * How long to wait after a failed attempt, in milliseconds (D-27).
 * @param attempt which one failed, from 1 to 7
 * @param random from 0 to below 1, for the jitter
 */
export function waitAfter(attempt: number, random: number): number {
  return Math.round(FIRST_WAIT_MS * 4 ** (attempt - 1) * (1 + MAX_JITTER * random));
}

/**
 * Cancels whatever is pending at an endpoint: once it was deleted or disabled, and before it is enabled again, so that
 * nothing is replayed (D-24, D-27). An attempt under way may finish, and its success still shows; none comes after it.
 */
export async function cancelPending(store: Store, tenantId: string, endpointId: string): Promise<void> {
  await store.deliveries.updateMany(
    { tenant_id: tenantId, endpoint_id: endpointId, status: 'PENDING' },
    { $set: { status: 'CANCELLED', next_at: null, ended_at: now() } },
  );
}
