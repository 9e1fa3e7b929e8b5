/**
 * Jest's reporter for a phase of a run. It compares what Jest saw with the outcomes that the environment wrote down,
 * and turns every disagreement, and every file that could not be run, into an ERROR, so that nothing is green by
 * accident.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AggregatedResult, AssertionResult } from '@jest/test-result';
import type { Outcome, Status } from '../judge/outcome.ts';
import { currentRun } from './run-file.ts';

const JEST_STATUS: Readonly<Record<Status, AssertionResult['status']>> = {
  PASS: 'passed',
  WARN: 'passed',
  FAIL: 'failed',
  // Set by the baseline, after the run.
  DEVIATION: 'failed',
  ERROR: 'failed',
  SKIP: 'pending',
  UNTESTED: 'pending',
};

/** All lines of the JSON-lines files in a directory whose names begin with `prefix`. */
export function readLines<T>(directory: string, prefix: string): T[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

const errorOutcome = (rule: string, reason: string): Outcome => ({
  rule,
  status: 'ERROR',
  code: '',
  reason,
  exchange: '',
  curl: '',
  exchanges: 0,
  durationMs: 0,
});

/** The outcomes of a phase, each checked against Jest's own result. */
export function reconcile(seen: Pick<AggregatedResult, 'testResults'>, written: readonly Outcome[]): Outcome[] {
  const byRule = new Map(written.map((outcome) => [outcome.rule, outcome]));
  const outcomes: Outcome[] = [];
  for (const file of seen.testResults) {
    if (file.testResults.length === 0) {
      const why = (file.testExecError?.message ?? file.failureMessage ?? 'no test ran')
        .split('\n')
        .slice(0, 12)
        .join('\n');
      outcomes.push(errorOutcome(`FILE ${file.testFilePath.split('/').pop() ?? ''}`, why));
    }
    for (const { title, status } of file.testResults) {
      const outcome = byRule.get(title);
      if (!outcome) outcomes.push(errorOutcome(title, `Jest says ${status}, but no outcome was written`));
      else if (JEST_STATUS[outcome.status] !== status) {
        outcomes.push(errorOutcome(title, `the outcome is ${outcome.status}, but Jest says ${status}`));
      } else outcomes.push(outcome);
    }
  }
  return outcomes;
}

export default class ConformanceReporter {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const run = currentRun();
    if (!run) return;
    const outcomes = reconcile(results, readLines<Outcome>(run.directory, 'outcomes-'));
    writeFileSync(process.env.CONF_PHASE_FILE ?? join(run.directory, 'phase.json'), JSON.stringify(outcomes));
  }
}
