import { rateLimit } from '../../generated/client/calls.ts';
import { type Clock, unlessAborted } from './clock.ts';

/** Requests that other users of the key, or delays of the network, may take at once without a refusal. */
const RESERVE = 2;
/** Share of the rate that is used, so that the service's bucket fills up again while the client is busy. */
const SHARE = 0.95;

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
  #line: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Waits for the turn of a request. Rejects with the signal's reason. */
  async turn(signal?: AbortSignal): Promise<void> {
    const mine = this.#line.then(() => this.#take(signal));
    this.#line = mine.catch(() => {});
    await unlessAborted(mine, signal);
    this.#underWay += 1;
  }

  /** Must be called after each turn. @param headers of the answer; undefined if there was none */
  ended(headers: Headers | undefined): void {
    this.#underWay -= 1;
    const [, quota, window] = /;q=(\d+);w=(\d+)/.exec(headers?.get('ratelimit-policy') ?? '') ?? [];
    if (Number(window) > 0) {
      this.#perMs = (Number(quota) / Number(window) / 1000) * SHARE;
      this.#burst = Math.max(1, Number(quota) - RESERVE);
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

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) await this.#clock.sleep(waitMs, signal);
    this.#tokens -= 1;
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
