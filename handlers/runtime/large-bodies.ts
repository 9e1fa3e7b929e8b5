/**
 * How many bytes of large bodies a process holds at once (D-33). They are counted as they come, so that what is only
 * announced keeps nobody out, and where they are short the tenants take turns. Of each tenant so many bodies are read at
 * once as may become its share: with more of them, none might ever be whole.
 */
import { ApiError } from './errors.ts';
import { Turns } from './turns.ts';

const MIB = 1024 * 1024;
/** Four of the largest bodies. */
const BUDGET_BYTES = 128 * MIB;
/** What the bodies of one tenant may become: two of the largest. */
const SHARE_BYTES = 64 * MIB;
/** Bytes that a body gets at a time. */
const STEP_BYTES = MIB;
/** How long a body waits for its turn, in milliseconds; nothing of it is read meanwhile. */
const PATIENCE_MS = 5_000;
/** How soon a repeat makes sense after that. */
const RETRY_AFTER_MS = 5_000;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Bytes that tenants share. */
export class ByteBudget {
  readonly #shareBytes: number;
  readonly #patienceMs: number;
  readonly #waiting = new Turns<Waiting>();
  readonly #held = new Map<string, number>();
  #left: number;

  constructor(bytes: number, shareBytes: number, patienceMs = PATIENCE_MS) {
    this.#left = bytes;
    this.#shareBytes = shareBytes;
    this.#patienceMs = patienceMs;
  }

  /**
   * Waits until the tenant may have so many bytes more.
   * @throws ApiError UNAVAILABLE when that takes too long
   */
  async take(tenantId: string, bytes: number): Promise<void> {
    // Whoever of the tenant waits already comes first.
    if (this.#waiting.of(tenantId) === 0 && this.#has(tenantId, bytes)) this.#give(tenantId, bytes);
    else await this.#turn(tenantId, bytes);
  }

  /** Gives back what was taken. */
  release(tenantId: string, bytes: number): void {
    const held = (this.#held.get(tenantId) ?? 0) - bytes;
    if (held > 0) this.#held.set(tenantId, held);
    else this.#held.delete(tenantId);
    this.#left += bytes;
    this.#next();
  }

  #has(tenantId: string, bytes: number): boolean {
    return bytes <= this.#left && (this.#held.get(tenantId) ?? 0) + bytes <= this.#shareBytes;
  }

  #give(tenantId: string, bytes: number): void {
    this.#left -= bytes;
    this.#held.set(tenantId, (this.#held.get(tenantId) ?? 0) + bytes);
  }

  #turn(tenantId: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.#give(tenantId, bytes);
        resolve();
      };
      const waiting: Waiting = { bytes, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(tenantId, waiting);
        reject(new ApiError('UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS }));
        this.#next();
      }, this.#patienceMs);
      this.#waiting.add(tenantId, waiting);
    });
  }

  #next(): void {
    const may = (tenantId: string, { bytes }: Waiting) => this.#has(tenantId, bytes);
    for (let waiting = this.#waiting.next(may); waiting; waiting = this.#waiting.next(may)) waiting.begin();
  }
}

/** The bytes of one body, as it grows. */
export interface BodyRoom {
  /** How many bytes it may have now. */
  readonly bytes: number;
  /** Gets room for so many bytes in all, and some more. @throws ApiError UNAVAILABLE when it takes too long */
  grow(bytes: number): Promise<void>;
  /** Gives all of it back, once the body is no longer needed. A second call does nothing. */
  release(): void;
}

/** Of ordinary bodies nobody counts the bytes. */
export const anyRoom: BodyRoom = { bytes: Number.POSITIVE_INFINITY, grow: async () => {}, release: () => {} };

/** What bodies may become, and what they are. */
export interface Budgets {
  readonly shares: ByteBudget;
  readonly bytes: ByteBudget;
}

const usual: Budgets = {
  shares: new ByteBudget(Number.POSITIVE_INFINITY, SHARE_BYTES),
  bytes: new ByteBudget(BUDGET_BYTES, Number.POSITIVE_INFINITY),
};

/**
 * The room for a large body. Its first step is free, since ordinary bodies are not counted either.
 * @param mostBytes what it may become
 */
export function roomFor(tenantId: string, mostBytes: number, { shares, bytes: held }: Budgets = usual): BodyRoom {
  let [share, taken] = [0, 0];
  let isOver = false;
  const give = () => {
    if (taken > 0) held.release(tenantId, taken);
    if (share > 0) shares.release(tenantId, share);
    [share, taken] = [0, 0];
  };
  return {
    get bytes() {
      return STEP_BYTES + taken;
    },
    async grow(bytes) {
      const more = Math.ceil((bytes - STEP_BYTES - taken) / STEP_BYTES) * STEP_BYTES;
      if (more <= 0) return;
      if (share === 0) {
        await shares.take(tenantId, mostBytes);
        share = mostBytes;
      }
      if (!isOver) {
        await held.take(tenantId, more);
        taken += more;
      }
      // Whoever sent it may be gone by now.
      if (isOver) give();
    },
    release() {
      isOver = true;
      give();
    },
  };
}
