/** Which operations of the target do not answer, so that a run does not wait for each of them again and again. */
import { NoAnswer } from './client.ts';

/** After so many requests in a row without an answer an operation is known to be silent. */
const KNOWN_AFTER = 3;
/** How long a request to it then waits, in milliseconds. */
const SHORT_MS = 2_000;

/** The silence of a run's target. */
export class Silence {
  readonly #met = new Map<string, number>();

  /** Whether no request of several to this had an answer. @param called an operation, in any words */
  isKnown(called: string): boolean {
    return (this.#met.get(called) ?? 0) >= KNOWN_AFTER;
  }

  /**
   * Waits for an answer; if what is called is known to be silent, only shortly.
   * @param usualMs how long it waits otherwise; undefined for as long as any request does
   * @throws NoAnswer that names what was called
   */
  async answer<Answer>(
    called: string,
    usualMs: number | undefined,
    exchange: (timeoutMs: number | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const timeoutMs = this.isKnown(called) ? Math.min(SHORT_MS, usualMs ?? SHORT_MS) : usualMs;
    try {
      const answer = await exchange(timeoutMs);
      this.#met.delete(called);
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // Where nothing listens, all operations have gone.
      if (error.code !== 'ECONNREFUSED') this.#met.set(called, (this.#met.get(called) ?? 0) + 1);
      const cause = { what: `${called}: no usable answer came`, came: [error.message] };
      throw new NoAnswer(`${called}: ${error.message}`, error.code, cause);
    }
  }
}
