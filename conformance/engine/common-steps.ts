/**
 * Rules that move the target's clock, or restart it, are checked beside each other: a step is made when each of them waits
 * for one. So each finds the time that it has asked for, and nothing happens to the target while one of them works.
 */

import { NoAnswer } from '../http/client.ts';
import { askClock } from '../http/control-clock.ts';
import { HarnessFault } from '../judge/outcome.ts';
import { settledWithin } from './bounded-wait.ts';

/** What a rule waits for: an instant, as the distance of the clock from where it belongs; a restart; the clock put back. */
type Wish =
  | { readonly kind: 'time'; readonly offsetMs: number }
  | { readonly kind: 'restart'; readonly work: () => Promise<void> }
  | { readonly kind: 'back' };

interface Waiting {
  readonly wish: Wish;
  readonly settle: (step: Promise<void>) => void;
  readonly refuse: (error: Error) => void;
}

export class CommonSteps {
  readonly #url: () => string | undefined;
  readonly #onMoved: (isMoved: boolean) => void;
  /** What each rule waits for; undefined while it works. */
  readonly #rules = new Map<string, Waiting | undefined>();
  /** Whether the clock may be elsewhere than where it belongs. */
  #isMoved = false;
  #offsetMs = 0;
  /** The step that is being made. */
  #stepping: Promise<void> | undefined;

  /** @param url of the control clock @param onMoved hears that the clock has left its place, and is there again */
  constructor(url: () => string | undefined, onMoved: (isMoved: boolean) => void) {
    this.#url = url;
    this.#onMoved = onMoved;
  }

  /**
   * Puts back a clock that a run which was killed has left moved: a target need not move the header Date with it, and rules
   * compare what it says with that. @throws HarnessFault
   */
  async begin(): Promise<void> {
    this.#isMoved = (await this.#ask()) !== 0;
    await this.#putBack();
  }

  /** From now on no step is made while this rule works. */
  join(rule: string): void {
    this.#rules.set(rule, undefined);
  }

  /** The rule waits for no step any more. The last one puts the clock back. @throws HarnessFault */
  async leave(rule: string, why = new HarnessFault('the rule has ended')): Promise<void> {
    this.#rules.get(rule)?.refuse(why);
    this.#rules.delete(rule);
    if (this.#rules.size === 0) await Promise.allSettled([this.#stepping]).then(() => this.#putBack());
    else this.#step();
  }

  /** Waits for something that another rule makes, which may need steps for it. */
  async whileIdle<T>(rule: string, work: Promise<T>): Promise<T> {
    // What is there already is not waited for: else a step would be made for the others while this rule works.
    if (!this.#rules.has(rule) || (await settledWithin([work], 0))) return work;
    this.#rules.delete(rule);
    this.#step();
    try {
      return await work;
    } finally {
      this.join(rule);
    }
  }

  /** Waits until the clock has moved by this much. @throws HarnessFault */
  advance(rule: string, ms: number): Promise<void> {
    return this.#wait(rule, { kind: 'time', offsetMs: this.#offsetMs + ms });
  }

  /** Waits for a restart; rules that wait for one have the same. */
  restart(rule: string, work: () => Promise<void>): Promise<void> {
    return this.#wait(rule, { kind: 'restart', work });
  }

  /** Waits for the others, and until the clock is put back. @throws HarnessFault */
  putBack(rule: string): Promise<void> {
    return this.#wait(rule, { kind: 'back' });
  }

  #wait(rule: string, wish: Wish): Promise<void> {
    return new Promise((settle, refuse) => {
      this.#rules.set(rule, { wish, settle, refuse });
      this.#step();
    });
  }

  /** Makes the next step if no rule works. */
  #step(): void {
    const all = [...this.#rules.entries()];
    const waiting = all.flatMap(([rule, one]) => (one === undefined ? [] : [{ rule, ...one }]));
    const [first] = waiting.toSorted((a, b) => this.#rank(a.wish) - this.#rank(b.wish));
    if (first === undefined || waiting.length < all.length || this.#stepping !== undefined) return;
    const made = this.#make(first.wish);
    this.#stepping = made;
    for (const { rule, wish, settle } of waiting) {
      if (wish.kind !== first.wish.kind || this.#rank(wish) !== this.#rank(first.wish)) continue;
      this.#rules.set(rule, undefined);
      settle(made);
    }
    const goOn = () => {
      this.#stepping = undefined;
      this.#step();
    };
    void made.then(goOn, goOn);
  }

  /** What the clock shows already comes first, then restarts, then the earliest time; the clock is put back last. */
  #rank(wish: Wish): number {
    if (wish.kind === 'back') return this.#offsetMs === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (wish.kind === 'time') return wish.offsetMs === this.#offsetMs ? Number.NEGATIVE_INFINITY : wish.offsetMs;
    return this.#offsetMs === 0 ? -Number.MAX_VALUE : Number.MAX_VALUE;
  }

  async #make(wish: Wish): Promise<void> {
    if (wish.kind === 'restart') return wish.work();
    if ((wish.kind === 'back' ? 0 : wish.offsetMs) === this.#offsetMs) return;
    if (wish.kind === 'back') return this.#putBack();
    this.#isMoved = true;
    this.#onMoved(true);
    await this.#ask({ advance_ms: wish.offsetMs - this.#offsetMs });
    this.#offsetMs = wish.offsetMs;
  }

  async #putBack(): Promise<void> {
    if (!this.#isMoved) return;
    await this.#ask({ offset_ms: 0 });
    this.#isMoved = false;
    this.#offsetMs = 0;
    this.#onMoved(false);
  }

  async #ask(change?: Parameters<typeof askClock>[1]): Promise<number> {
    const { status, offsetMs } = await askClock(this.#url() ?? '', change).catch((error: Error) => {
      throw error instanceof NoAnswer ? new HarnessFault(`the control clock does not answer: ${error.message}`) : error;
    });
    if (status !== 200 || offsetMs === undefined) throw new HarnessFault(`the control clock answered ${status}`);
    return offsetMs;
  }
}
