/** A limited resource that tenants share, counted in units: bytes, or places (D-33). */
import { ApiError } from '../answers/errors.ts';
import { Turns } from './turns.ts';

/** How long a request waits for its turn, in milliseconds. */
const PATIENCE_MS = 5_000;
/** When the caller should try again after that, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** A tenant counts as active for this long after its last request, in milliseconds. */
const COUNTED_AS_ACTIVE_MS = 10_000;

/** How much there is. */
export interface Amounts {
  readonly inAll: number;
  /** The most that one tenant may hold. */
  readonly ofTenant: number;
  /** The most that one tenant may hold while no other tenant is active; without it, the same as `ofTenant`. */
  readonly alone?: number;
  /**
   * Whether a tenant may hold at most as much as is left for all others. Then a tenant that comes later always finds
   * something, however much the others want: with `n` tenants that want everything, a part in `n + 1`.
   */
  readonly keepsSomeFree?: boolean;
  readonly patienceMs?: number;
}

interface Waiting {
  readonly units: number;
  readonly begin: () => void;
}

/** A request that wants more than is free waits; the waiting tenants take turns. */
export class Shares {
  readonly #amounts: Amounts;
  readonly #waiting = new Turns<Waiting>();
  readonly #held = new Map<string, number>();
  #left: number;
  /** The tenant that asked last. */
  #last = { tenantId: '', atMs: Number.NEGATIVE_INFINITY };
  /** When another tenant than that one asked last. */
  #anotherMs = Number.NEGATIVE_INFINITY;

  constructor(amounts: Amounts) {
    this.#amounts = amounts;
    this.#left = amounts.inAll;
  }

  /**
   * Waits until the tenant may have that many more units.
   * @throws ApiError UNAVAILABLE when that takes too long
   */
  async take(tenantId: string, units: number): Promise<void> {
    this.#seen(tenantId);
    // Requests of the tenant that wait already come first.
    if (this.#waiting.of(tenantId) === 0 && this.#has(tenantId, units)) this.#give(tenantId, units);
    else await this.#turn(tenantId, units);
  }

  /** Gives units back. */
  release(tenantId: string, units: number): void {
    const held = this.#heldBy(tenantId) - units;
    if (held > 0) this.#held.set(tenantId, held);
    else this.#held.delete(tenantId);
    this.#left += units;
    this.#next();
  }

  /** Holds units while it works. @throws ApiError UNAVAILABLE when its turn does not come */
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

  /** Notes that the tenant is active. */
  #seen(tenantId: string): void {
    const atMs = performance.now();
    if (tenantId !== this.#last.tenantId) this.#anotherMs = this.#last.atMs;
    this.#last = { tenantId, atMs };
  }

  #isAlone(tenantId: string): boolean {
    const anotherMs = tenantId === this.#last.tenantId ? this.#anotherMs : this.#last.atMs;
    return performance.now() - anotherMs > COUNTED_AS_ACTIVE_MS;
  }

  #has(tenantId: string, units: number): boolean {
    const held = this.#heldBy(tenantId);
    const { ofTenant, alone = ofTenant, keepsSomeFree = false } = this.#amounts;
    const most = alone !== ofTenant && this.#isAlone(tenantId) ? alone : ofTenant;
    return units <= this.#left && held + units <= most && (!keepsSomeFree || held < this.#left);
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
