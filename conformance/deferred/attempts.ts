/** Judges the attempts to deliver one event over a day of real time, as far as the suite was listening. */
import type { Delivery } from '../callbacks/delivery.ts';
import type { State } from './state.ts';

/** A complaint, '' if the rule holds, or undefined if too little was received to judge. */
export type Verdict = string | undefined;

/** When attempts are made, as the profile declares it. */
export interface Schedule {
  waits_s: readonly number[];
  jitter: number;
  /** How many seconds the network and the target's work may delay an attempt. */
  late_s: number;
}

/** How often a delivery is attempted at most. */
export const ATTEMPTS = 8;
const HOUR_MS = 3_600_000;

/** Whether the suite listened from `from` for `ms` milliseconds, with pauses of at most a minute. */
export function listenedFor(listened: State['listened'], from: number, ms: number): boolean {
  let until = from;
  for (const span of listened.toSorted((a, b) => a.from - b.from)) {
    if (span.from <= until + 60_000) until = Math.max(until, span.to);
  }
  return until >= from + ms;
}

/**
 * DLV-6: at most eight attempts. More than eight always break it; it holds only if the suite listened for the whole
 * time.
 */
export function countVerdict(attempts: readonly Delivery[], whole: boolean): Verdict {
  if (attempts.length > ATTEMPTS) return `${attempts.length} attempts came`;
  if (!whole) return undefined;
  return attempts.length === ATTEMPTS ? '' : `${attempts.length} attempts came in more than a day`;
}

/** DLV-7: the waits are as declared. */
export function waitsVerdict(attempts: readonly Delivery[], { waits_s, jitter, late_s }: Schedule): Verdict {
  if (attempts.length < 3) return undefined;
  for (const [i, attempt] of attempts.entries()) {
    const before = attempts[i - 1];
    const wait = waits_s[i - 1];
    if (before === undefined || wait === undefined) continue;
    const took = (attempt.at_ms - before.at_ms) / 1000;
    if (took < wait - 1 || took > wait * (1 + jitter) + late_s) {
      return `wait ${i} took ${took.toFixed(0)} s; ${wait} s are declared, and up to ${jitter * 100} % more`;
    }
  }
  return '';
}

/** DLV-8: eight attempts span about a day. */
export function spanVerdict(attempts: readonly Delivery[]): Verdict {
  const [first, last] = [attempts[0], attempts[ATTEMPTS - 1]];
  if (first === undefined || last === undefined) return undefined;
  const hours = (last.at_ms - first.at_ms) / HOUR_MS;
  return hours >= 18 && hours <= 30 ? '' : `the attempts span ${hours.toFixed(1)} hours`;
}

/** DLV-9: every attempt has the same body. */
export function bodyVerdict(attempts: readonly Delivery[]): Verdict {
  if (attempts.length < 2) return undefined;
  return new Set(attempts.map(({ body }) => body)).size === 1 ? '' : 'the body differs from attempt to attempt';
}
