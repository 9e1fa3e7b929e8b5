/** Runs the selected rules in their phases, and makes the results of what they found. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative } from 'node:path';
import { deleteEndpoints } from '../callbacks/delete-endpoints.ts';
import { openCallbacks } from '../callbacks/open.ts';
import { inFrontText } from '../http/front-proxy.ts';
import { coverageOf, touchedShares } from '../judge/coverage.ts';
import { limitFactsOf } from '../judge/limit-facts.ts';
import { type Outcome, stackOf } from '../judge/outcome.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { type Deviation, excuse } from '../report/baseline.ts';
import { countsOf, type EarlyEnd, joined, mustOf, type Results, verdictOf } from '../report/results.ts';
import { proofsOf, statements } from '../report/statements.ts';
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { phasesOf } from './phases.ts';
import { RunContext } from './run-context.ts';
import { RunEnd } from './run-end.ts';
import { Runner } from './runner.ts';

interface RunOptions {
  loaded: LoadedProfile;
  profilePath: string;
  selected: Rule[];
  record?: string;
  /** Of another order of the rules. */
  order?: string;
  baseline?: readonly Deviation[];
  /** The page of the docs, to which reports link rules. */
  docs?: string;
  onProgress?: (rule: string, status: string, reason: string) => void;
  /** Ends the run early. */
  stop?: AbortSignal;
}

/**
 * Runs the rules. A run that ends early, for whatever reason, returns what it has found.
 * @throws BadProfile if deliveries cannot be received at the address of the profile
 */
export async function runRules(options: RunOptions): Promise<Results> {
  const { loaded, selected, record, onProgress } = options;
  const { profile } = loaded;
  const began = Date.now();
  if (record !== undefined) mkdirSync(dirname(record), { recursive: true });
  const callbacks = await openCallbacks(
    selected.some(({ needs }) => needs === undefined || needs.callbacks) ? profile.callbacks : { mode: 'none' },
  );
  const run = new RunContext(loaded, callbacks, record);
  const runner: Runner = new Runner(run, {
    onDone: (outcome) => {
      const { rule, status, reason, note = '' } = outcome;
      onProgress?.(rule, status, reason === '' ? note : reason);
      end.note(outcome);
    },
    mayBegin: () => end.targetKnown,
  });
  const onStop = () => run.endpoints.stop();
  const end = new RunEnd(runner, { baseUrl: profile.base_url, stop: options.stop, onStop });
  process.on('unhandledRejection', runner.noteStray).on('uncaughtException', runner.noteStray);
  try {
    // A control clock that does not answer is told by the rules that need it.
    if (profile.clock.mode === 'control') await run.steps.begin().catch(() => {});
    for (const phase of phasesOf(selected, options.order)) if (end.early === undefined) await runner.check(phase);
    await end.targetKnown;
    if (end.early !== undefined) await end.quiet;
  } catch (error) {
    await end.now('suite_failed', `The suite itself failed: ${run.redactorOf('').text(stackOf(error))}`);
  } finally {
    await deleteEndpoints(run.endpoints.all, loaded);
    await callbacks.close();
    await run.close();
    process.off('unhandledRejection', runner.noteStray).off('uncaughtException', runner.noteStray);
  }
  const outcomes = runner.outcomes.map((one) => end.judged(one));
  return resultsOf(options, run, { outcomes, began, early: end.early });
}

/** What happened in a run, besides what its rules have left in its context. */
interface RunEvents {
  outcomes: readonly Outcome[];
  /** Milliseconds since 1970. */
  began: number;
  early: EarlyEnd | undefined;
}

function resultsOf(options: RunOptions, run: RunContext, { outcomes, began, early }: RunEvents): Results {
  const { selected } = options;
  const { profile, sightings, writes } = run;
  const limit = limitFactsOf(profile.limit_probe ?? 'light', run.limits);
  const today = new Date(began).toISOString().slice(0, 10);
  const rows = joined(selected, outcomes, sightings, early);
  const coverage = coverageOf(sightings, profile.values);
  const { results, problems } = excuse(rows, options.baseline ?? [], today);
  return {
    format_version: 1,
    run_id: run.run_id,
    target: {
      name: profile.name,
      base_url: profile.base_url,
      tenant: profile.tenant.tag,
      capabilities: profile.capabilities,
      terminator: profile.terminator ? inFrontText() : undefined,
      docs: options.docs,
    },
    started_at: new Date(began).toISOString(),
    duration_ms: Date.now() - began,
    whole: selected.length === rules.length,
    order: options.order,
    unfinished: early,
    profile: shownPath(options.profilePath),
    ...verdictOf(results, problems, early),
    counts: countsOf(results),
    must: mustOf(results),
    exchanges: results.reduce((sum, { exchanges }) => sum + exchanges, 0),
    writes,
    rules: results,
    baseline: problems,
    coverage,
    touched: touchedShares(coverage, run.eventTypes),
    limit,
    excluded: statements()
      .filter((one) => proofsOf(one).length === 0)
      .map(({ id, text, unproved: reason = '' }) => ({ id, text, reason })),
  };
}

/**
 * A path for reports, which reveal nothing about the machine: relative if below the working directory, else only the
 * name.
 */
function shownPath(path: string): string {
  const below = relative('', path);
  return below.startsWith('..') || isAbsolute(below) ? basename(path) : below;
}
