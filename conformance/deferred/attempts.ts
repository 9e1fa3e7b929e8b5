/** Judges the attempts to deliver one event over a day of real time, as far as the suite was listening. */
import type { Delivery } from '../callbacks/delivery.ts';
import { spanComplaint } from '../rules/shared/event-calls.ts';
import type { State } from './state.ts';

/** When attempts are made, as the profile declares it. */
export interface Schedule {
  waits_s: readonly number[];
  jitter: number;
  /** How many seconds the network and the target's work may delay an attempt. */
  late_s: number;
}

/** How often a delivery is attempted at most. */
export const ATTEMPTS = 8;

/** Whether the suite listened from `from` for `ms` milliseconds, with pauses of at most a minute. */
export function listenedFor(listened: State['listened'], from: number, ms: number): boolean {
  let until = from;
  for (const span of listened.toSorted((a, b) => a.from - b.from)) {
    if (span.from <= until + 60_000) until = Math.max(until, span.to);
  }
  return until >= from + ms;
}

/**
 * What is wrong with the attempts: how many there are, their bodies, the waits between them, or how long they take.
 * @param whole whether the suite listened for the whole time
 * @returns '' if nothing is, or undefined if too little was received to judge
 */
export function attemptsVerdict(
  attempts: readonly Delivery[],
  { waits_s, jitter, late_s }: Schedule,
  whole: boolean,
): string | undefined {
  if (attempts.length > ATTEMPTS) return `${attempts.length} attempts came`;
  if (new Set(attempts.map(({ body }) => body)).size > 1) return 'the body differs from attempt to attempt';
  const seconds = attempts.map(({ at_ms }) => at_ms / 1000);
  const waits = seconds.slice(1).map((at, i) => at - (seconds[i] ?? 0));
  for (const [i, wait] of waits_s.entries()) {
    const took = waits[i] ?? wait;
    if (took < wait - 1 || took > wait * (1 + jitter) + late_s)
      return `wait ${i + 1} took ${took.toFixed(0)} s; ${wait} s are declared, and up to ${jitter * 100} % more`;
  }
  if (!whole) return undefined;
  if (attempts.length < ATTEMPTS) return `${attempts.length} attempts came in more than a day`;
  return spanComplaint(seconds);
}
