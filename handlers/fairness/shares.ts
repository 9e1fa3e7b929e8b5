/** Something finite that tenants share, in units: bytes, or places (D-33). */
import { ApiError } from '../http/errors.ts';
import { Turns } from './turns.ts';

/** How long is waited for a turn, in milliseconds. */
const PATIENCE_MS = 5_000;
/** How soon a repeat makes sense after that. */
const RETRY_AFTER_MS = 5_000;

/** So long after its last asking a tenant is reckoned with, in milliseconds. */
const RECKONED_MS = 10_000;

/** How much there is. */
export interface Amounts {
  readonly inAll: number;
  /** The most that one tenant may hold. */
  readonly ofTenant: number;
  /** The most that it may hold where no other tenant has asked for some seconds; as much as else if it is left out. */
  readonly alone?: number;
  /**
   * Whether a tenant may also hold no more than is left for all others. However much some tenants want, there is then
   * something left for one that comes later: with `n` tenants that want everything, a part in `n + 1`.
   */
  readonly leavesSome?: boolean;
  readonly patienceMs?: number;
}

interface Waiting {
  readonly units: number;
  readonly begin: () => void;
}

/** Who wants more than there is waits; the tenants take turns. */
export class Shares {
  readonly #amounts: Amounts;
  readonly #waiting = new Turns<Waiting>();
  readonly #held = new Map<string, number>();
  #left: number;
  /** Who asked last. */
  #last = { tenantId: '', atMs: Number.NEGATIVE_INFINITY };
  /** When the last one asked who is not that. */
  #anotherMs = Number.NEGATIVE_INFINITY;

  constructor(amounts: Amounts) {
    this.#amounts = amounts;
    this.#left = amounts.inAll;
  }

  /**
   * Waits until the tenant may have so many units more.
   * @throws ApiError UNAVAILABLE when that takes too long
   */
  async take(tenantId: string, units: number): Promise<void> {
    this.#seen(tenantId);
    // Whoever of the tenant waits already comes first.
    if (this.#waiting.of(tenantId) === 0 && this.#has(tenantId, units)) this.#give(tenantId, units);
    else await this.#turn(tenantId, units);
  }

  /** Gives back what was taken. */
  release(tenantId: string, units: number): void {
    const held = this.#heldBy(tenantId) - units;
    if (held > 0) this.#held.set(tenantId, held);
    else this.#held.delete(tenantId);
    this.#left += units;
    this.#next();
  }

  /** Does something that takes units as long as it lasts. @throws ApiError UNAVAILABLE when its turn does not come */
  async during<T>(tenantId: string, units: number, work: () => Promise<T>): Promise<T> {
    await this.take(tenantId, units);
    try {
      return await work();
    } finally {
      this.release(tenantId, units);
    }
  }

  #heldBy(tenantId: string): number {
    return this.#held.get(tenantId) ?? 0;
  }

  /** Notes that the tenant asks. */
  #seen(tenantId: string): void {
    const atMs = performance.now();
    if (tenantId !== this.#last.tenantId) this.#anotherMs = this.#last.atMs;
    this.#last = { tenantId, atMs };
  }

  #isAlone(tenantId: string): boolean {
    const anotherMs = tenantId === this.#last.tenantId ? this.#anotherMs : this.#last.atMs;
    return performance.now() - anotherMs > RECKONED_MS;
  }

  #has(tenantId: string, units: number): boolean {
    const held = this.#heldBy(tenantId);
    const { ofTenant, alone = ofTenant, leavesSome = false } = this.#amounts;
    const most = alone !== ofTenant && this.#isAlone(tenantId) ? alone : ofTenant;
    return units <= this.#left && held + units <= most && (!leavesSome || held < this.#left);
  }

  #give(tenantId: string, units: number): void {
    this.#left -= units;
    this.#held.set(tenantId, this.#heldBy(tenantId) + units);
  }

  #turn(tenantId: string, units: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.#give(tenantId, units);
        resolve();
      };
      const waiting: Waiting = { units, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(tenantId, waiting);
        reject(new ApiError('UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS }));
        this.#next();
      }, this.#amounts.patienceMs ?? PATIENCE_MS);
      this.#waiting.add(tenantId, waiting);
    });
  }

  #next(): void {
    const may = (tenantId: string, { units }: Waiting) => this.#has(tenantId, units);
    for (let waiting = this.#waiting.next(may); waiting; waiting = this.#waiting.next(may)) waiting.begin();
  }
}
