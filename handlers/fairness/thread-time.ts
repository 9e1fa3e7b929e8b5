/**
 * The time of the process' thread, which tenants share for long work (D-33). Such work is done in parts. Between two
 * parts, a tenant that has used more time lately lets tenants go first that have used less. So a small request takes
 * about as long beside a greedy tenant as alone.
 *
 * `shares.ts` cannot do that: it counts places that one holds or waits for, and the thread is held by whoever runs. How
 * long a part takes is known only after it, and nobody may be kept waiting for a turn while the thread has nothing to do.
 */
import { setImmediate } from 'node:timers/promises';

/** Called between two parts of long work: lets other work run before the next part. */
export type Rest = () => Promise<void>;

/** Used time counts half after this many milliseconds. */
const HALF_LIFE_MS = 1_000;
/**
 * Tenants whose used times differ by less run side by side, in milliseconds: while one waits for the database, another
 * one computes.
 */
const SAME_MS = 100;
/** A tenant lets others go first for at most this long at a time, in milliseconds, so that it never starves. */
const LONGEST_REST_MS = 500;
/** Less than this counts as nothing, in milliseconds. */
const NOTHING_MS = 1;
/** Beyond this many tenants, those that have used nothing lately are forgotten. */
const MOST_KEPT = 1_000;

interface Use {
  readonly ms: number;
  readonly atMs: number;
}

export class ThreadTime {
  readonly #nowMs: () => number;
  readonly #uses = new Map<string, Use>();
  /** How many pieces of work of each tenant run, without those that wait for other tenants. */
  readonly #working = new Map<string, number>();
  /** Those that wait; each call checks whether it may go on. */
  readonly #resting = new Set<() => void>();

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Runs a tenant's work. @param work calls its argument between its parts; others wait for one part, so keep it short */
  async during<T>(tenantId: string, work: (rest: Rest) => Promise<T>): Promise<T> {
    let sinceMs = this.#nowMs();
    this.#enter(tenantId);
    try {
      return await work(async () => {
        this.#charge(tenantId, sinceMs);
        await setImmediate();
        if (!this.#mayGoOn(tenantId)) {
          this.#leave(tenantId);
          await this.#othersFirst(tenantId);
          this.#enter(tenantId);
        }
        sinceMs = this.#nowMs();
      });
    } finally {
      this.#leave(tenantId);
      this.#charge(tenantId, sinceMs);
    }
  }

  #enter(tenantId: string): void {
    this.#working.set(tenantId, (this.#working.get(tenantId) ?? 0) + 1);
  }

  #leave(tenantId: string): void {
    const count = (this.#working.get(tenantId) ?? 0) - 1;
    if (count > 0) this.#working.set(tenantId, count);
    else this.#working.delete(tenantId);
  }

  #charge(tenantId: string, sinceMs: number): void {
    const atMs = this.#nowMs();
    this.#uses.set(tenantId, { ms: this.#usedBy(tenantId) + atMs - sinceMs, atMs });
    if (this.#uses.size > MOST_KEPT) for (const each of this.#uses.keys()) this.#usedBy(each);
    for (const lookAgain of this.#resting) lookAgain();
  }

  /** How much time a tenant has used lately, in milliseconds; forgets the tenant where that is nothing. */
  #usedBy(tenantId: string): number {
    const use = this.#uses.get(tenantId);
    if (use === undefined) return 0;
    const ms = use.ms * 0.5 ** ((this.#nowMs() - use.atMs) / HALF_LIFE_MS);
    if (ms < NOTHING_MS) this.#uses.delete(tenantId);
    return ms;
  }

  #mayGoOn(tenantId: string): boolean {
    const most = this.#usedBy(tenantId) - SAME_MS;
    if (most <= 0) return true;
    return [...this.#working.keys()].every((other) => other === tenantId || this.#usedBy(other) >= most);
  }

  #othersFirst(tenantId: string): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#resting.delete(lookAgain);
        resolve();
      };
      const lookAgain = () => {
        if (this.#mayGoOn(tenantId)) goOn();
      };
      const timer = setTimeout(goOn, LONGEST_REST_MS);
      this.#resting.add(lookAgain);
    });
  }
}
