/** Notices that this process stood still, so that what it measured meanwhile says nothing about the target. */

const TICK_MS = 100;
/** What is shorter delays no rule so much that its verdict changes. */
const SHORTEST_MS = 1_000;

interface Stall {
  /** When it was over, in milliseconds of the clock. */
  readonly overMs: number;
  readonly forMs: number;
}

export class StallWatch {
  readonly #now: () => number;
  readonly #stalls: Stall[] = [];
  readonly #timer: NodeJS.Timeout;
  #tickedMs: number;

  /** @param now milliseconds of a clock that also moves while the process stands still */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#tickedMs = now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** This instant of the clock. A stall that is over counts as earlier. */
  get nowMs(): number {
    this.#tick();
    return this.#tickedMs;
  }

  /** For how long the process stood still in one piece since an instant of the clock; 0 if for no more than a second. */
  longestSince(sinceMs: number): number {
    // After a stall, answers may come before the timer does.
    this.#tick();
    return Math.max(0, ...this.#stalls.filter(({ overMs }) => overMs > sinceMs).map(({ forMs }) => forMs));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const overMs = this.#now();
    const forMs = overMs - this.#tickedMs - TICK_MS;
    if (forMs > SHORTEST_MS) this.#stalls.push({ overMs, forMs });
    this.#tickedMs = overMs;
  }
}
