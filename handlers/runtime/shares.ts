/** Something finite that tenants share, in units: bytes, or places (D-33). */
import { ApiError } from './errors.ts';
import { Turns } from './turns.ts';

/** How long is waited for a turn, in milliseconds. */
const PATIENCE_MS = 5_000;
/** How soon a repeat makes sense after that. */
const RETRY_AFTER_MS = 5_000;

/** How much there is. */
export interface Amounts {
  readonly inAll: number;
  /** The most that one tenant may hold. */
  readonly ofTenant: number;
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

  constructor(amounts: Amounts) {
    this.#amounts = amounts;
    this.#left = amounts.inAll;
  }

  /**
   * Waits until the tenant may have so many units more.
   * @throws ApiError UNAVAILABLE when that takes too long
   */
  async take(tenantId: string, units: number): Promise<void> {
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

  /** Does something that takes one unit as long as it lasts. @throws ApiError UNAVAILABLE when its turn does not come */
  async during<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    await this.take(tenantId, 1);
    try {
      return await work();
    } finally {
      this.release(tenantId, 1);
    }
  }

  #heldBy(tenantId: string): number {
    return this.#held.get(tenantId) ?? 0;
  }

  #has(tenantId: string, units: number): boolean {
    const held = this.#heldBy(tenantId);
    const { ofTenant, leavesSome = false } = this.#amounts;
    return units <= this.#left && held + units <= ofTenant && (!leavesSome || held < this.#left);
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
