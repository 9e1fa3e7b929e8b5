/** Load that does not wait for answers, so that slow answers do not make it less. */
import { setTimeout as after } from 'node:timers/promises';

/** How often the clock is looked at for requests that are due, in milliseconds. */
const TICK_MS = 2;

/**
 * Sends requests at a steady rate, whether or not earlier ones are answered, until it is ended.
 * @param perSecond requests a second
 * @param send sends the nth request, counted from 0
 */
export class SteadyLoad<T> {
  readonly #sent: Promise<T>[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(perSecond: number, send: (nth: number) => Promise<T>) {
    const startedAt = performance.now();
    const sendDue = () => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      while (this.#sent.length < due) {
        const one = send(this.#sent.length);
        // Who ends the load learns of the failure.
        one.catch(() => {});
        this.#sent.push(one);
      }
    };
    this.#timer = setInterval(sendDue, TICK_MS);
  }

  /** Sends no more. @returns the answers, once all are here */
  end(): Promise<T[]> {
    clearInterval(this.#timer);
    return Promise.all(this.#sent);
  }
}

/** Sends requests at a steady rate for some seconds; see {@link SteadyLoad}. */
export async function steadily<T>(perSecond: number, seconds: number, send: (nth: number) => Promise<T>): Promise<T[]> {
  const load = new SteadyLoad(perSecond, send);
  await after(seconds * 1000);
  return load.end();
}
