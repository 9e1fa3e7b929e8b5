/**
 * Paces requests so that they never reach the limit of a correct target: a bucket per key at a share of the limit. A
 * suite that trips the limit by accident learns nothing about the target, so an unexpected 429 is the suite's own
 * fault.
 */

import { rateLimit } from '../../generated/contract.ts';

const SHARE = 0.8;
/** Requests a second that are sent with one key. */
export const PACE = rateLimit.perSecond * SHARE;
const BURST = rateLimit.burst * SHARE;

/**
 * The share leaves room for requests that wait for so long, in milliseconds, before the target counts them. If a machine
 * stands still for longer, requests that were spread over time are counted at once, and even a correct target refuses
 * some.
 */
export const LATEST_MS = (1000 * (rateLimit.burst - BURST)) / PACE;

/** A bucket that gives reservations instead of refusals. Instants are milliseconds of any single clock. */
class Bucket {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  /** @param perSecond requests a second; @param burst requests at once */
  constructor(perSecond: number, burst: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Tokens available; below zero while reservations wait. */
  level(now: number): number {
    return Math.min(this.#burst, this.#tokens + Math.max(0, now - this.#at) * this.#perMs);
  }

  /** Takes one token. @returns in how many milliseconds after `now` it may be used */
  reserve(now: number): number {
    this.#tokens = this.level(now) - 1;
    this.#at = Math.max(this.#at, now);
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Forgets saved tokens, because the state of the target's own bucket is unknown. */
  drain(now: number): void {
    this.#tokens = Math.min(this.level(now), 0);
    this.#at = now;
  }
}

/** The buckets of a whole run. Names are key variables, or `anonymous` for requests that fail authentication. */
export class Pacer {
  readonly #buckets = new Map<string, Bucket>();
  readonly #failedAuthPerSecond: number;

  /** @param failedAuthPerSecond the target's limit on failed authentication, or 0 for none */
  constructor(failedAuthPerSecond: number) {
    this.#failedAuthPerSecond = failedAuthPerSecond;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    const anonymous = this.#failedAuthPerSecond === 0 ? 1000 : this.#failedAuthPerSecond * SHARE;
    const [pace, burst] = name === 'anonymous' ? [anonymous, Math.max(1, anonymous / 4)] : [PACE, BURST];
    const made = new Bucket(pace, burst, now);
    this.#buckets.set(name, made);
    return made;
  }

  /** Among equivalent keys, the one with the most tokens left. */
  freest(names: readonly string[], now: number): string {
    let best = names[0] ?? '';
    for (const name of names) {
      if (this.#bucket(name, now).level(now) > this.#bucket(best, now).level(now)) best = name;
    }
    return best;
  }

  /** Takes a token of this key. @returns in how many milliseconds it may be used */
  reserve(name: string, now: number): number {
    return this.#bucket(name, now).reserve(now);
  }

  /** Empties every bucket, after the target was restarted or its clock moved. */
  drainAll(now: number): void {
    for (const bucket of this.#buckets.values()) bucket.drain(now);
  }
}
