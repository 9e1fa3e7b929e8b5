/** How a run ends before all its rules are tried: by a signal, because the target has gone, or by a fault of the suite. */
import { unreachable } from '../http/reach.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { EarlyEnd } from '../report/results.ts';
import type { Coordinator, DoneRule } from './coordinator.ts';
import { TargetWatch } from './target-watch.ts';

/** How many rules a message names. */
const NAMED = 8;

export interface RunEndOptions {
  baseUrl: string;
  onProgress?: (rule: string, status: string, reason: string) => void;
  /** Ends the run early. */
  stop?: AbortSignal;
}

export class RunEnd {
  /** Settles when the run has been told to end and no rule has anything left to put back. */
  readonly quiet: Promise<void>;
  early: EarlyEnd | undefined;
  readonly #onProgress: RunEndOptions['onProgress'];
  readonly #coordinator: Coordinator;
  readonly #watch: TargetWatch;
  #settle = (): void => {};

  constructor({ baseUrl, onProgress, stop }: RunEndOptions, coordinator: Coordinator) {
    this.#onProgress = onProgress;
    this.#coordinator = coordinator;
    this.quiet = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#watch = new TargetWatch(
      async () => (await unreachable(baseUrl)) === '',
      () => this.#lose(),
    );
    const stopped = () => void this.#stop();
    if (stop?.aborted) stopped();
    else stop?.addEventListener('abort', stopped, { once: true });
  }

  /** A rule has ended. */
  note({ rule, status, code, reason }: DoneRule): void {
    this.#onProgress?.(rule, status, reason);
    if (code === 'no_answer') void this.#watch.note(rule);
  }

  /** Ends the run at once. The first reason counts. */
  now(cause: EarlyEnd['cause'], reason: string): void {
    this.early ??= { cause, reason };
    this.#settle();
  }

  /** What the outcome of a rule is worth: without an answer of a target that had gone it says nothing. */
  judged(outcome: Outcome): Outcome {
    const isLost = this.early?.cause === 'target_lost' && this.#watch.unanswered.has(outcome.rule);
    if (!isLost) return outcome;
    return {
      ...outcome,
      status: 'UNTESTED',
      code: 'target_lost',
      reason: `nothing answered any more: ${outcome.reason}`,
    };
  }

  #lose(): void {
    const rules = [...this.#watch.unanswered];
    const named = `${rules.slice(0, NAMED).join(', ')}${rules.length > NAMED ? ', …' : ''}`;
    this.now(
      'target_lost',
      `Nothing answers at the target any more, so the run ended early. The first rules without an answer: ${named}.`,
    );
  }

  async #stop(): Promise<void> {
    const { rules, creations } = this.#coordinator;
    this.early ??= {
      cause: 'stopped',
      reason: 'The run was stopped before its end; its webhook endpoints are deleted.',
    };
    const left = (await rules.stop()).map(({ rule }) => rule);
    if (left.length > 0)
      this.early.reason += ` What these rules were changing may be left changed: ${left.join(', ')}.`;
    // An endpoint whose creation is answered now can be deleted.
    await creations.stop();
    this.#settle();
  }
}
