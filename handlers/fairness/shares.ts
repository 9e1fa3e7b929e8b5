/** A limited resource that tenants share, counted in units: bytes, or places (D-33). */
import { type ApiError, unavailableError } from '../answers/errors.ts';
import { countRefusal, histogram, WAIT_SECONDS } from '../runtime/metrics.ts';
import { type ShareName, type ShareState, shareRefusals, showShare } from './share-metrics.ts';

const shareWaitDuration = histogram(
  'share_wait_duration_seconds',
  'How long requests waited that had to wait for their turn at a share and got it.',
  WAIT_SECONDS,
  'share',
);

/**
 * The queue for something that all tenants share. The tenants take turns; within a tenant the first to come is
 * the first to go. So how long a tenant waits depends on how many tenants want it, never on how much another one wants.
 */
export class Turns<Waiter> {
  /** Tenants in the order of their turns. A tenant stands here while a request of it waits. */
  readonly #tenants = new Map<string, Set<Waiter>>();

  /** How many tenants wait. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** The tenants that wait, in the order of their turns. */
  tenantIds(): string[] {
    return [...this.#tenants.keys()];
  }

  /** The first of each tenant that waits. */
  firsts(): Waiter[] {
    return [...this.#tenants.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  }

  /** How many requests of the tenant wait. */
  of(tenantId: string): number {
    return this.#tenants.get(tenantId)?.size ?? 0;
  }

  add(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    if (waiting) waiting.add(waiter);
    else this.#tenants.set(tenantId, new Set([waiter]));
  }

  /** Removes one that no longer waits. */
  delete(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    waiting?.delete(waiter);
    if (waiting?.size === 0) this.#tenants.delete(tenantId);
  }

  /**
   * Removes and returns the next one. Its tenant then goes to the end of the queue.
   * @param may whether the first of that tenant can go now; if not, the next tenant is tried
   */
  next(may: (tenantId: string, waiter: Waiter) => boolean = () => true): Waiter | undefined {
    for (const [tenantId, waiting] of this.#tenants) {
      const [first] = waiting;
      if (first === undefined || !may(tenantId, first)) continue;
      this.#tenants.delete(tenantId);
      waiting.delete(first);
      if (waiting.size > 0) this.#tenants.set(tenantId, waiting);
      return first;
    }
    return undefined;
  }
}

/** How long a request waits for its turn, in milliseconds. */
const PATIENCE_MS = 5_000;
/** When the caller should try again after that, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** A tenant counts as active for this long after its last request, in milliseconds. */
const COUNTED_AS_ACTIVE_MS = 10_000;

/** How much there is. */
interface Amounts {
  /** The metrics show it by this name, if it has one. */
  readonly name?: ShareName;
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
  /** How long a request waits for its turn at most; it may be infinite. */
  readonly patienceMs?: number;
  /** When the caller of a refused request should try again. */
  readonly retryAfterMs?: number;
  /** How many requests may wait; the waiting tenants share this number. Without it, any number. */
  readonly mostWaiting?: number;
}

interface WaitingRequest {
  readonly units: number;
  /** As `performance.now()`. */
  readonly sinceMs: number;
  /** Called last: where it is true, the request begins at once. */
  readonly isReady: () => boolean;
  readonly begin: () => void;
}

const always = () => true;

/** A request that wants more than is free waits; the waiting tenants take turns. */
export class Shares {
  readonly #amounts: Amounts;
  readonly #waiting = new Turns<WaitingRequest>();
  readonly #held = new Map<string, number>();
  #left: number;
  /** The tenant that asked last. */
  #last = { tenantId: '', atMs: Number.NEGATIVE_INFINITY };
  /** When another tenant than that one asked last. */
  #anotherMs = Number.NEGATIVE_INFINITY;

  constructor(amounts: Amounts) {
    this.#amounts = amounts;
    this.#left = amounts.inAll;
    if (amounts.name !== undefined) showShare(amounts.name, () => this.#state());
  }

  /**
   * Waits until the tenant may have that many more units.
   * @param isReady what has to hold besides; where it returns true, the units are given at once. It is asked whenever
   *   units are given back
   * @throws ApiError UNAVAILABLE when that takes too long, or when too many wait
   */
  async take(tenantId: string, units: number, isReady = always): Promise<void> {
    if (this.tryTake(tenantId, units, isReady)) return;
    const mine = this.#waiting.of(tenantId);
    const tenants = this.#waiting.tenants + (mine === 0 ? 1 : 0);
    const { mostWaiting = Number.POSITIVE_INFINITY } = this.#amounts;
    if (mine >= Math.max(1, Math.floor(mostWaiting / tenants))) throw this.#refusal(tenantId, 'full');
    await this.#turn(tenantId, units, isReady);
  }

  /** Takes units if the tenant may have them now. @returns whether it did */
  tryTake(tenantId: string, units: number, isReady = always): boolean {
    this.#seen(tenantId);
    // Requests of the tenant that wait already come first.
    if (this.#waiting.of(tenantId) > 0 || !this.#has(tenantId, units) || !isReady()) return false;
    this.#give(tenantId, units);
    return true;
  }

  /** Gives units back. */
  release(tenantId: string, units: number): void {
    const held = this.#heldBy(tenantId) - units;
    if (held > 0) this.#held.set(tenantId, held);
    else this.#held.delete(tenantId);
    this.#left += units;
    this.#next();
  }

  /**
   * Holds units while it works.
   * @param work may call its argument between its parts: if others wait, they get the units, until its turn comes again
   * @throws ApiError UNAVAILABLE when its turn does not come
   */
  async during<T>(
    tenantId: string,
    units: number,
    work: (othersFirst: () => Promise<void>) => Promise<T>,
    isReady = always,
  ): Promise<T> {
    await this.take(tenantId, units, isReady);
    let isHeld = true;
    let isOver = false;
    const release = () => {
      if (isHeld) this.release(tenantId, units);
      isHeld = false;
    };
    const othersFirst = async () => {
      if (this.#waiting.tenants === 0) return;
      release();
      await this.take(tenantId, units, isReady);
      isHeld = true;
      // The work may have gone on without waiting for this.
      if (isOver) release();
    };
    try {
      return await work(othersFirst);
    } finally {
      isOver = true;
      release();
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

  #turn(tenantId: string, units: number, isReady: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const { patienceMs = PATIENCE_MS } = this.#amounts;
      const refuse = () => {
        this.#waiting.delete(tenantId, waiting);
        reject(this.#refusal(tenantId, 'late'));
        this.#next();
      };
      const timer = patienceMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(refuse, patienceMs);
      const begin = () => {
        clearTimeout(timer);
        this.#give(tenantId, units);
        const { name: share } = this.#amounts;
        if (share !== undefined) shareWaitDuration.observe({ share }, (performance.now() - sinceMs) / 1_000);
        resolve();
      };
      const sinceMs = performance.now();
      const waiting: WaitingRequest = { units, sinceMs, isReady, begin };
      this.#waiting.add(tenantId, waiting);
    });
  }

  #refusal(tenantId: string, reason: 'late' | 'full'): ApiError {
    const { name: share, retryAfterMs = RETRY_AFTER_MS } = this.#amounts;
    if (share !== undefined) {
      shareRefusals.inc({ share, reason });
      countRefusal(tenantId, share);
    }
    return unavailableError('share', { retryAfterMs });
  }

  #state(): ShareState {
    const { inAll } = this.#amounts;
    const tenantIds = this.#waiting.tenantIds();
    const nowMs = performance.now();
    const oldestMs = Math.min(nowMs, ...this.#waiting.firsts().map(({ sinceMs }) => sinceMs));
    return {
      used: Number.isFinite(inAll) ? 1 - this.#left / inAll : undefined,
      waiting: new Map(tenantIds.map((tenantId) => [tenantId, this.#waiting.of(tenantId)])),
      oldestWaitMs: nowMs - oldestMs,
    };
  }

  #next(): void {
    const may = (tenantId: string, { units, isReady }: WaitingRequest) => this.#has(tenantId, units) && isReady();
    for (let waiting = this.#waiting.next(may); waiting; waiting = this.#waiting.next(may)) waiting.begin();
  }
}
