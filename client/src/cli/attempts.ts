/** When the service delivers an event again: eight attempts, and each wait is four times the one before (D-27). */

const FIRST_WAIT_MS = 15_000;
const MOST_ATTEMPTS = 8;
/** `t` of a signature has whole seconds. */
const ROUNDED_MS = 1_000;

const waitAfter = (attempt: number) => FIRST_WAIT_MS * 4 ** (attempt - 1);

/**
 * The number of an attempt, as far as this program can know it: the attempts that it has seen, or more by the age of the
 * event, since it may have been down before.
 * @param ageMs from the event to the signature of this attempt
 */
export function numberOfAttempt(seenBefore: number, ageMs: number): number {
  let byAge = 1;
  for (let atMs = waitAfter(1); byAge < MOST_ATTEMPTS && ageMs + ROUNDED_MS >= atMs; atMs += waitAfter(byAge)) {
    byAge += 1;
  }
  return Math.max(seenBefore + 1, byAge);
}

/** The earliest time of the attempt after a failed one; undefined if there is none. @param endedMs when that failed */
export function nextAttemptAt(attempt: number, endedMs: number): Date | undefined {
  return attempt >= MOST_ATTEMPTS ? undefined : new Date(endedMs + waitAfter(attempt));
}
