/** Checks rules, several at the same time, and says how each ended. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { mustBeReachable } from '../callbacks/reachability.ts';
import { type Cause, type Outcome, outcomeWithout, RuleUntested, stackOf, statusOf } from '../judge/outcome.ts';
import type { Redactor } from '../report/redact.ts';
import { fileOfRule } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { settledWithin } from './bounded-wait.ts';
import { missingFor, operationsOf } from './needs.ts';
import type { Phase } from './phases.ts';
import { Places } from './places.ts';
import type { RunContext } from './run-context.ts';
import type { Place } from './tenants.ts';
import { TestContext } from './test-context.ts';

/** How long a check may take, in milliseconds; only one that hangs takes so long. */
const LONGEST_MS = 240_000;
/** How long a rule that has to end may put back what it has changed, in milliseconds. */
const LAST_CHANGES_MS = 20_000;

/** For how many waits in vain rules are checked again alone; on a target that is wrong in many places, it would only take long. */
const MOST_POSTPONED = 10;

/** How long to wait before a check is repeated, in milliseconds, if no Retry-After says it. */
const REPEAT_AFTER_MS = 1_000;

/** Who hears of outcomes, and how long a check and its putting back may take, in milliseconds. */
export interface RunnerOptions {
  readonly onDone?: (outcome: Outcome) => void;
  /** Settles when the next rule may begin; undefined if it may at once. */
  readonly mayBegin?: () => Promise<void> | undefined;
  readonly longestMs?: number;
  readonly lastChangesMs?: number;
  /** How long to wait before a check is repeated, if no Retry-After says it. */
  readonly repeatAfterMs?: number;
}

/** A rule that is being checked. */
interface RunningRule {
  readonly rule: Rule;
  readonly place: Place;
  /** Of the present try. */
  context: TestContext;
  /** Settles with the rule; never rejects. */
  readonly ended: Promise<void>;
  /** The run ended before the rule did, so it has no outcome. */
  isCut: boolean;
}

/** An error that nothing awaited, and the rule whose check caused it, if that is known. */
interface StrayError {
  readonly rule: string | undefined;
  readonly text: string;
}

/** Checks the rules of a run. */
export class Runner {
  readonly #run: RunContext;
  readonly #options: RunnerOptions;
  readonly #outcomes: Outcome[] = [];
  readonly #strays: StrayError[] = [];
  readonly #running = new Set<RunningRule>();
  /** Rules that are checked again alone, with how they ended beside others. */
  readonly #postponed: { rule: Rule; place: Place; first: Outcome }[] = [];
  /** What they waited for in vain. */
  readonly #vainWaits = new Set<object>();
  /** Inputs and properties that a rule has reported. */
  readonly #reported = new Set<string>();
  readonly #checked = new AsyncLocalStorage<TestContext>();
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();

  constructor(run: RunContext, options: RunnerOptions = {}) {
    this.#run = run;
    this.#options = options;
  }

  /** How rules ended, so far. What failed beside a rule, even after its end, makes it an ERROR. */
  get outcomes(): Outcome[] {
    const nameless = this.#strays.filter(({ rule }) => rule === undefined);
    return [
      ...this.#outcomes.map((outcome) => this.#settled(outcome)),
      ...nameless.map(({ text }, at) => outcomeWithout(`beside all rules ${at + 1}`, 'ERROR', '', text)),
    ];
  }

  /**
   * Checks the rules of a phase, and then again, each alone, those that failed while they waited beside others. Settles
   * when all have ended, or the runner was stopped.
   */
  async check(phase: Phase): Promise<void> {
    await this.#checkTogether(phase);
    for (const { rule, place, first } of this.#postponed.splice(0)) {
      if (this.#stopping.signal.aborted) this.#done(first);
      else await this.#begin(rule, place, () => {}, first).ended;
    }
  }

  async #checkTogether({ rules, atOnce }: Phase): Promise<void> {
    const places = new Places(this.#run.tenants, rules, fileOfRule);
    const waiting = places.inOrder(rules);
    while (waiting.length + this.#running.size > 0) {
      const later = this.#options.mayBegin?.();
      if (later !== undefined) await this.#unlessStopped(later);
      // The last rule may have ended meanwhile.
      if (this.#stopping.signal.aborted || waiting.length + this.#running.size === 0) return;
      const next = this.#running.size < atOnce ? firstWithPlace(waiting, places) : undefined;
      if (next !== undefined) this.#begin(next.rule, next.place, () => places.leave(next.rule));
      else await this.#unlessStopped(...[...this.#running].map(({ ended }) => ended));
    }
  }

  /**
   * Lets no rule begin any more, and ends those that are being checked. Those that change the tenant may put it back.
   * @param lastChangesMs how long these may take
   * @returns those that took longer
   */
  async stop(lastChangesMs = this.#options.lastChangesMs ?? LAST_CHANGES_MS): Promise<string[]> {
    this.#stopping.abort();
    this.#stopped.resolve();
    const changing = [...this.#running].filter(({ context, isCut }) => context.changes && !isCut);
    for (const one of this.#running) if (!one.context.changes) void cut(one);
    await settledWithin(
      changing.map(({ ended }) => ended),
      lastChangesMs,
    );
    const left = changing.filter((one) => this.#running.has(one) && !one.isCut);
    await Promise.all(left.map(cut));
    return left.map(({ rule }) => rule.id);
  }

  /** Notes an error that no check awaited. */
  readonly noteStray = (error: unknown): void => {
    const context = this.#checked.getStore();
    const shown = (context?.redactor ?? this.#run.redactorOf('')).text(stackOf(error));
    this.#strays.push({ rule: context?.rule.id, text: `something failed beside the rule: ${shown}` });
  };

  /** @param first how the rule ended beside others */
  #begin(rule: Rule, place: Place, leave: () => void, first?: Outcome): RunningRule {
    const context = this.#contextOf(rule, place, first !== undefined);
    if (rule.runs === 'moving') this.#run.steps.join(rule.id);
    const ended = Promise.resolve()
      .then(() => this.#judged(running, first))
      .then(async (outcome) => {
        await this.#run.steps.leave(rule.id).catch(this.noteStray);
        leave();
        this.#running.delete(running);
        if (!running.isCut && outcome !== undefined) this.#done(outcome);
      });
    const running: RunningRule = { rule, place, context, ended, isCut: false };
    this.#running.add(running);
    return running;
  }

  #done(outcome: Outcome): void {
    this.#outcomes.push(outcome);
    this.#options.onDone?.(this.#settled(outcome));
  }

  /** Waits for one of these, or until the runner is stopped. */
  async #unlessStopped(...all: Promise<void>[]): Promise<void> {
    await Promise.race([this.#stopped.promise, ...all]);
  }

  #settled(outcome: Outcome): Outcome {
    const stray = this.#strays.find(({ rule }) => rule === outcome.rule);
    if (stray === undefined || (outcome.status !== 'PASS' && outcome.status !== 'WARN')) return outcome;
    return { ...outcome, status: 'ERROR', reason: stray.text };
  }

  #contextOf(rule: Rule, place: Place, isRepeated = false): TestContext {
    return new TestContext(rule, this.#run, this.#run.redactorOf(fileOfRule(rule.id) ?? ''), { isRepeated, place });
  }

  /**
   * Checks a rule and returns its outcome; never throws. What failed is checked again, once, if that need not be the
   * target's fault: what is right then counts, and what is wrong for good fails again.
   * @param before how the rule ended beside others
   * @returns undefined if it will be checked again alone
   */
  async #judged(running: RunningRule, before?: Outcome): Promise<Outcome | undefined> {
    const { rule, context, place } = running;
    const first = await this.#tried(running);
    // Whatever became of the check: how many of them may be is the promise of GEN-11.
    context.excuseUnavailable();
    const hasFailed = ['FAIL', 'WARN', 'ERROR'].includes(first.status);
    const mayRepeat = hasFailed && before === undefined && !this.#stopping.signal.aborted;
    const doubt = mayRepeat ? context.doubt : undefined;
    const isPostponed = mayRepeat && doubt === undefined && this.#mayPostpone(context);
    this.#keep(context, doubt || isPostponed ? `${rule.id}, checked first` : rule.id);
    if (isPostponed) {
      this.#postponed.push({ rule, place, first: { ...first, note: context.waitedInVain?.why ?? '' } });
      return undefined;
    }
    if (before !== undefined) return ofBoth(before, first, before.note ?? '');
    if (doubt === undefined) return first;
    const waitMs = doubt.waitMs ?? this.#options.repeatAfterMs ?? REPEAT_AFTER_MS;
    await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    running.context = this.#contextOf(rule, running.place, true);
    running.isCut ||= this.#stopping.signal.aborted;
    if (running.isCut) return first;
    const second = await this.#tried(running);
    this.#keep(running.context, rule.id);
    return ofBoth(first, second, `${doubt.reason} during the first check`);
  }

  #mayPostpone({ rule, waitedInVain }: TestContext): boolean {
    if (waitedInVain === undefined || rule.runs === 'alone') return false;
    if (this.#vainWaits.size < MOST_POSTPONED) this.#vainWaits.add(waitedInVain);
    return this.#vainWaits.has(waitedInVain);
  }

  /** Keeps what the exchanges of a check have shown. @param during what reports call it */
  #keep({ rule, exchanges, seen, judged }: TestContext, during: string): void {
    if (exchanges === 0) return;
    this.#run.sightings.push(seen.firstSeen(rule.id, this.#reported));
    this.#run.judgements.push({ during, judged });
  }

  /** Checks a rule once and returns its outcome; never throws. */
  async #tried({ rule, context }: RunningRule): Promise<Outcome> {
    const began = performance.now();
    const { longestMs = LONGEST_MS, lastChangesMs = LAST_CHANGES_MS } = this.#options;
    const work = this.#checked.run(context, () => workOf(rule, context)).catch((thrown: unknown) => thrown);
    const late = new RuleUntested('timed_out', `the check had not ended after ${Math.round(longestMs / 1000)} s`);
    const isInTime = await settledWithin([work], longestMs, this.#stopping.signal);
    const isLate = !isInTime && !this.#stopping.signal.aborted;
    if (isLate) {
      context.refuse(late);
      if (context.changes) await settledWithin([work], lastChangesMs);
      await context.close();
    }
    const error = isLate ? (context.leftBehind ?? late) : await work;
    return outcomeOf(context, error, performance.now() - began - context.waitedMs);
  }
}

/** The outcome of a rule that was checked twice. @param why the first check need not have failed by the target's fault */
function ofBoth(first: Outcome, second: Outcome, why: string): Outcome {
  const twice = `checked twice: ${why}, which said: ${first.reason}`;
  return {
    ...second,
    note: second.note === undefined ? twice : `${second.note}; ${twice}`,
    exchanges: first.exchanges + second.exchanges,
    writes: (first.writes ?? 0) + (second.writes ?? 0),
    durationMs: first.durationMs + second.durationMs,
  };
}

/** Takes the first of these rules for which there is a place from the list. */
function firstWithPlace(waiting: Rule[], places: Places): { rule: Rule; place: Place } | undefined {
  for (const [at, rule] of waiting.entries()) {
    const place = places.take(rule);
    if (place === undefined) continue;
    waiting.splice(at, 1);
    return { rule, place };
  }
  return undefined;
}

/** Ends a rule without an outcome. */
function cut(running: RunningRule): Promise<void> {
  running.isCut = true;
  return running.context.close();
}

/** Finds out whether the rule can be checked, and checks it. */
async function workOf(rule: Rule, context: TestContext): Promise<void> {
  for (const operationId of operationsOf(rule)) await context.probe(operationId);
  const missing = missingFor(rule, context.profile);
  if (missing) context.untested(missing.code, missing.reason);
  const { needs } = rule;
  if (needs === undefined) context.mustReceive = () => mustBeReachable(context);
  else if (needs.callbacks) await mustBeReachable(context);
  await rule.check(context, context.as('full'));
}

const redacted = ({ what, came }: Cause, redactor: Redactor): Cause => ({
  what: redactor.text(what),
  came: came?.map((part) => redactor.text(part)),
});

/** How the check of a rule ended. @param error what it threw, or undefined */
export function outcomeOf(context: TestContext, error: unknown, tookMs: number): Outcome {
  const verdict = statusOf(error, context.rule.level);
  const failed = verdict.status === 'FAIL' || verdict.status === 'WARN' || verdict.status === 'ERROR';
  const { inFront } = context;
  const notes = inFront.size > 0 ? [...context.notes, `terminator: ${[...inFront].join(', ')}`] : context.notes;
  return {
    ...outcomeWithout(context.rule.id, verdict.status, verdict.code, context.redactor.text(verdict.reason)),
    cause: verdict.cause && redacted(verdict.cause, context.redactor),
    note: notes.length > 0 ? context.redactor.text(notes.join('; ')) : undefined,
    ...(failed ? (context.shownInstead ?? context.shown(context.last)) : {}),
    trail: failed && !context.shownInstead ? context.trail() : undefined,
    needs: context.uses.needs,
    exchanges: context.exchanges,
    writes: context.writes,
    durationMs: Math.round(tookMs),
  };
}
