import { rateLimit } from '../../generated/client/calls.ts';
import { type Clock, unlessAborted } from './clock.ts';

/** Requests that other users of the key, or delays of the network, may take at once without a refusal. */
const RESERVE = 2;
/** Share of the rate that is used, so that the service's bucket fills up again while the client is busy. */
const SHARE = 0.95;
/** A rate or a burst that a server says, within bounds: anything else would stop the client, or free it from every limit. */
const within = (least: number, value: number) => Math.min(10_000, Math.max(least, value));

/**
 * Lets requests of one key through no faster than the service allows, in the order in which they came. It starts with
 * the limit of the contract and follows the fields `RateLimit` and `RateLimit-Policy` of answers, so that several
 * processes can share a key.
 */
export class Pacer {
  readonly #clock: Clock;
  #perMs = (rateLimit.perSecond * SHARE) / 1000;
  #burst: number = rateLimit.burst - RESERVE;
  #tokens = this.#burst;
  #at: number;
  #closedUntil = 0;
  #underWay = 0;
  #line: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Waits for the turn of a request. Rejects with the signal's reason. @returns false if that would take longer */
  async turn(mostMs: number, signal?: AbortSignal): Promise<boolean> {
    const endMs = this.#clock.now() + mostMs;
    const mine = this.#line.then(() => this.#take(endMs, signal));
    this.#line = mine.catch(() => {});
    const isTaken = await unlessAborted(mine, signal);
    if (isTaken) this.#underWay += 1;
    return isTaken;
  }

  /** Must be called after each turn that was taken. @param headers of the answer; undefined if there was none */
  ended(headers: Headers | undefined): void {
    this.#underWay -= 1;
    const [, quota, window] = /;q=(\d+);w=(\d+)/.exec(headers?.get('ratelimit-policy') ?? '') ?? [];
    if (Number(window) > 0) {
      this.#perMs = (within(1 / 60, Number(quota) / Number(window)) / 1000) * SHARE;
      this.#burst = within(1, Number(quota) - RESERVE);
    }
    const [, left] = /;r=(\d+)/.exec(headers?.get('ratelimit') ?? '') ?? [];
    if (left === undefined) return;
    // `r` counts whole tokens, and requests under way are not in it yet.
    this.#tokens = Math.min(this.#level(), Number(left) + 1 - RESERVE - this.#underWay);
  }

  /** Holds every request back, after the service has refused one. */
  refused(retryAfterMs: number): void {
    this.#tokens = Math.min(this.#level(), 0);
    this.#closedUntil = Math.max(this.#closedUntil, this.#clock.now() + retryAfterMs);
  }

  async #take(endMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted();
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
      if (this.#clock.now() + waitMs > endMs) return false;
      await this.#clock.sleep(waitMs, signal);
    }
    this.#tokens -= 1;
    return true;
  }

  #waitMs(): number {
    return Math.max(Math.ceil((1 - this.#level()) / this.#perMs), this.#closedUntil - this.#clock.now());
  }

  #level(): number {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#tokens;
  }
}
