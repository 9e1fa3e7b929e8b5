/**
 * The environment of a rule's test, with more outcomes than pass and fail: a rule that was skipped or could not be tested counts
 * neither as passed nor as failed. Every outcome is written down with its reason for the reporter.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Circus } from '@jest/types';
import NativeEnvironment from '../jest/environment.ts';
import { OUTCOMES, type Outcome } from '../judge/outcome.ts';
import { currentRun } from './run-file.ts';

/** Sets Jest's own status of a test from its outcome. @returns the outcome to write down */
export function settle(test: Pick<Circus.TestEntry, 'name' | 'errors' | 'status'>, left: Outcome | undefined): Outcome {
  if (left === undefined) {
    const error = String([test.errors[0]].flat()[0] ?? 'the test left no outcome');
    const reason = error.split('\n')[0] ?? '';
    return { rule: test.name, status: 'ERROR', code: '', reason, exchange: '', curl: '', exchanges: 0, durationMs: 0 };
  }
  if (left.status === 'SKIP' || left.status === 'UNTESTED') {
    test.errors = [];
    test.status = 'skip';
  } else if ((left.status === 'PASS' || left.status === 'WARN') && test.errors.length > 0) {
    return { ...left, status: 'ERROR', reason: `something failed beside the rule: ${String(test.errors[0])}` };
  }
  return left;
}

export default class ConformanceEnvironment extends NativeEnvironment {
  async handleTestEvent(event: Circus.Event): Promise<void> {
    if (event.name !== 'test_done') return;
    const left = (this.global as unknown as Record<string, Record<string, Outcome> | undefined>)[OUTCOMES];
    const outcome = settle(event.test, left?.[event.test.name]);
    const run = currentRun();
    if (run) appendFileSync(join(run.directory, `outcomes-${process.pid}.jsonl`), `${JSON.stringify(outcome)}\n`);
  }
}
