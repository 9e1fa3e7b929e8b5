/**
 * The time of the process' thread, for long work that tenants do in parts (D-33). Whoever has had much of it lately lets
 * those go first who have had less, so that what little a tenant wants takes about as long beside a greedy one as alone.
 */
import { setImmediate } from 'node:timers/promises';

/** Ends a part of long work: whoever else has something to do has it done before the next part. */
export type Rest = () => Promise<void>;

/** After so long, half of what a tenant has had is forgotten, in milliseconds. */
const HALF_LIFE_MS = 1_000;
/** Tenants that have had nearly the same go on side by side: while one waits for the database, another computes. */
const SAME_MS = 100;
/** Longest that one rest lets others go first, in milliseconds: nobody starves, whatever the others wait for. */
const LONGEST_REST_MS = 500;
/** What is as good as nothing, in milliseconds. */
const NOTHING_MS = 1;
/** With more tenants than these, those that have had next to nothing lately are forgotten. */
const MOST_KEPT = 1_000;

interface Use {
  readonly ms: number;
  readonly atMs: number;
}

export class ThreadTime {
  readonly #nowMs: () => number;
  readonly #uses = new Map<string, Use>();
  /** How many works each tenant has, of those that do not let others go first. */
  readonly #working = new Map<string, number>();
  /** Look again whether they may go on. */
  readonly #resting = new Set<() => void>();

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Does a tenant's work. @param work calls its argument between its parts; the shorter these are, the better for others */
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

  /** What a tenant has had lately, in milliseconds; what is next to nothing is forgotten. */
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
