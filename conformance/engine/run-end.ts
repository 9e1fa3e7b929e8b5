/** How a run ends before all its rules are tried: by a signal, because the target has gone, or by a fault of the suite. */
import { unreachable } from '../http/reach.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { EarlyEnd } from '../report/results.ts';
import type { Runner } from './runner.ts';
import { TargetWatch } from './target-watch.ts';

/** How many rules a message names. */
const NAMED = 8;

interface RunEndOptions {
  readonly baseUrl: string;
  /** Ends the run early. */
  readonly stop: AbortSignal | undefined;
  /** Waits for what is under way and must not be left behind. */
  readonly onStop: () => Promise<void>;
}

/** Watches over the end of a run. */
export class RunEnd {
  readonly #quiet = Promise.withResolvers<void>();
  /** Settles when the run has to end and nothing is left to be put back. */
  readonly quiet: Promise<void> = this.#quiet.promise;
  early: EarlyEnd | undefined;
  readonly #runner: Runner;
  readonly #onStop: RunEndOptions['onStop'];
  readonly #watch: TargetWatch;

  constructor(runner: Runner, { baseUrl, stop, onStop }: RunEndOptions) {
    this.#runner = runner;
    this.#onStop = onStop;
    this.#watch = new TargetWatch(
      async () => (await unreachable(baseUrl)) === '',
      () => this.#lose(),
    );
    const stopped = () => void this.#stop();
    if (stop?.aborted) stopped();
    else stop?.addEventListener('abort', stopped, { once: true });
  }

  /** A rule has ended. */
  note({ rule, code }: Outcome): void {
    if (code === 'no_answer') void this.#watch.note(rule);
  }

  /** Settles when it is known whether the target is there, or the run ends; undefined if nobody doubts it. */
  get targetKnown(): Promise<void> | undefined {
    const { known } = this.#watch;
    return known && Promise.race([known, this.quiet]);
  }

  /** Ends the run at once. The first reason counts. */
  async now(cause: EarlyEnd['cause'], reason: string): Promise<void> {
    this.early ??= { cause, reason };
    this.#tellLeft(await this.#runner.stop(0));
    this.#quiet.resolve();
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
    void this.now(
      'target_lost',
      `Nothing answers at the target any more, so the run ended early. The first rules without an answer: ${named}.`,
    );
  }

  #tellLeft(rules: readonly string[]): void {
    if (this.early === undefined || rules.length === 0) return;
    this.early.reason += ` What these rules were changing may be left changed: ${rules.join(', ')}.`;
  }

  async #stop(): Promise<void> {
    this.early ??= {
      cause: 'stopped',
      reason: 'The run was stopped before its end; its webhook endpoints are deleted.',
    };
    this.#tellLeft(await this.#runner.stop());
    await this.#onStop();
    this.#quiet.resolve();
  }
}
