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
  #looking: Promise<void> | undefined;

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

  /** Settles when it is known whether the target is there; undefined if nobody doubts it. */
  get known(): Promise<void> | undefined {
    return this.#looking;
  }

  /** A rule got no answer. Settles when it is known whether the target is there. */
  note(rule: string): Promise<void> {
    this.#unanswered.add(rule);
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<void> {
    const since = performance.now();
    while (!(await this.#isThere())) {
      if (performance.now() - since >= this.#patience.goneMs) return this.#onLost();
      await pause(this.#patience.pauseMs);
    }
    this.#unanswered.clear();
    this.#looking = undefined;
  }
}
