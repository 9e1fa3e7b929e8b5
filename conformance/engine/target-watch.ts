/** Notices during a run that nothing answers at the target any more. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * For how long nothing may answer until the target counts as lost, which is longer than a restart takes, and how long to
 * wait before asking again. In milliseconds.
 */
const PATIENCE = { goneMs: 15_000, pauseMs: 1_000 };

export class TargetWatch {
  readonly #isThere: () => Promise<boolean>;
  readonly #onLost: () => void;
  readonly #patience: typeof PATIENCE;
  readonly #unanswered = new Set<string>();
  #isLooking = false;

  /** @param onLost called once, at most */
  constructor(isThere: () => Promise<boolean>, onLost: () => void, patience = PATIENCE) {
    this.#isThere = isThere;
    this.#onLost = onLost;
    this.#patience = patience;
  }

  /** The rules that got no answer since the target was last seen. */
  get unanswered(): ReadonlySet<string> {
    return this.#unanswered;
  }

  /** A rule got no answer. */
  async note(rule: string): Promise<void> {
    this.#unanswered.add(rule);
    if (this.#isLooking) return;
    this.#isLooking = true;
    const since = performance.now();
    while (!(await this.#isThere())) {
      if (performance.now() - since >= this.#patience.goneMs) return this.#onLost();
      await pause(this.#patience.pauseMs, undefined, { ref: false });
    }
    this.#unanswered.clear();
    this.#isLooking = false;
  }
}
