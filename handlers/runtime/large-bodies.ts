/** How many bytes of large bodies a process holds at once. Ordinary bodies are not counted. */
import type { IncomingMessage } from 'node:http';
import { codingOf, PLAIN_LIMIT_BYTES } from './body.ts';
import { ApiError } from './errors.ts';

/** Four of the largest, in bytes, or two that are compressed. */
const BUDGET_BYTES = 128 * 1024 * 1024;
/** How long a body waits for its turn, in milliseconds; its bytes are not read meanwhile. */
const PATIENCE_MS = 5_000;
/** How soon a repeat makes sense after that. */
const RETRY_AFTER_MS = 5_000;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** A budget of bytes, given out in the order in which it was asked for. */
export class ByteBudget {
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();
  #left: number;

  constructor(bytes: number, patienceMs: number) {
    this.#left = bytes;
    this.#patienceMs = patienceMs;
  }

  /**
   * Waits until there are so many bytes left and nobody else waits for some.
   * @returns gives them back; a second call does nothing
   * @throws ApiError UNAVAILABLE when that takes too long
   */
  async take(bytes: number): Promise<() => void> {
    if (this.#waiting.size > 0 || bytes > this.#left) await this.#turn(bytes);
    else this.#left -= bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#left += bytes;
      this.#next();
    };
  }

  #turn(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting: Waiting = { bytes, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new ApiError('UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS }));
        this.#next();
      }, this.#patienceMs);
      this.#waiting.add(waiting);
    });
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (waiting.bytes > this.#left) return;
      this.#waiting.delete(waiting);
      this.#left -= waiting.bytes;
      waiting.begin();
    }
  }
}

const budget = new ByteBudget(BUDGET_BYTES, PATIENCE_MS);

/**
 * Waits for the memory that a body may need, before any of it is read: what it announces; or, where it is compressed or
 * announces nothing, the most that it may become, twice, as it is put together from parts.
 * @returns gives the memory back, once the body is no longer needed
 * @throws ApiError UNAVAILABLE when that takes too long
 */
export async function admitBody(req: IncomingMessage, limitBytes: number): Promise<() => void> {
  const announced = req.headers['content-length'];
  const isKnown = announced !== undefined && codingOf(req) !== 'gzip';
  const bytes = isKnown ? Math.min(Number(announced), limitBytes) : 2 * limitBytes;
  return bytes <= PLAIN_LIMIT_BYTES ? () => {} : budget.take(bytes);
}
