/** The possible results of a rule, and the errors by which a test reports them. */
import type { Needs } from '../engine/uses.ts';

export type Status = 'PASS' | 'FAIL' | 'WARN' | 'DEVIATION' | 'SKIP' | 'UNTESTED' | 'ERROR';

/** Why a rule could not be tested, and of what kind a violation is. */
export type ReasonCode =
  | 'missing_key'
  | 'missing_fixture'
  | 'missing_admin_command'
  | 'missing_clock'
  | 'missing_replica'
  | 'missing_callbacks'
  | 'no_consent_to_writes'
  | 'write_budget_used_up'
  | 'no_such_data'
  | 'operation_not_built'
  | 'capability_not_claimed'
  | 'not_exercised'
  /** The run ended before the rule began. */
  | 'not_run'
  /** The check did not come to an end. */
  | 'timed_out'
  /** The target was gone when the rule got no answer. */
  | 'target_lost'
  /** Of a violation: no usable answer came. */
  | 'no_answer'
  | '';

/** An exchange for a report. */
export interface ShownExchange {
  exchange: string;
  curl: string;
}

/** What a failure says of the defect behind it, by which rules that have met the same one stand together. */
export interface Cause {
  /** In words, without what differs from rule to rule. */
  readonly what: string;
  /** What came, in its parts, where that may differ and the cause is one. */
  readonly came?: readonly string[];
}

/** How the check of a rule ended. */
export interface Outcome {
  rule: string;
  status: Status;
  code: ReasonCode;
  /** One line for people. */
  reason: string;
  /** Of a violation; absent if the reason alone says it. */
  cause?: Cause;
  /**
   * What was measured, for rules whose verdict is only as precise as the measurement. It is independent of the status.
   */
  note?: string;
  /** The last exchange, redacted, for FAIL, WARN and ERROR. */
  exchange: string;
  curl: string;
  /** The exchanges before that one, redacted, the oldest first; present only together with it. */
  trail?: ShownExchange[];
  /** What the rule used of the profile and of the contract; absent if it was not tried. */
  needs?: Needs;
  exchanges: number;
  /** Writes for which a permit was requested. */
  writes?: number;
  durationMs: number;
}

/** The outcome of a rule of which nothing is known but this. */
export const outcomeWithout = (rule: string, status: Status, code: ReasonCode, reason: string): Outcome => ({
  rule,
  status,
  code,
  reason,
  exchange: '',
  curl: '',
  exchanges: 0,
  durationMs: 0,
});

/** The target broke the rule. */
export class Violation extends Error {
  override name = 'Violation';
  override readonly cause: Cause | undefined;
  constructor(message: string, cause?: Cause) {
    super(message);
    this.cause = cause;
  }
}

/** The rule cannot be tested here. */
export class RuleUntested extends Error {
  readonly code: ReasonCode;
  constructor(code: ReasonCode, reason: string) {
    super(reason);
    this.name = 'Untested';
    this.code = code;
  }
}

/** The rule does not apply: its subject is not claimed, and was verified absent. */
export class RuleSkipped extends Error {
  readonly code: ReasonCode;
  constructor(reason: string, code: ReasonCode = '') {
    super(reason);
    this.name = 'Skipped';
    this.code = code;
  }
}

/** The suite is at fault. This says nothing about the target. */
export class HarnessFault extends Error {
  override name = 'HarnessFault';
}

/** Why a rule says nothing that an early end of the run has cut off or kept from being tried. */
export const NOT_RUN = 'the run ended before this rule had ended';

const FOLDERS = /(?:file:\/\/(?:\/[^/()\n]+)*?|(?:\/[^\s/:()'"]+)*?)\/(?=(?:conformance|node_modules)\/)/g;

/** Where an error comes from, without the folders of this machine, which reports do not reveal. */
export function stackOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(FOLDERS, '');
}

/** Translates what a test threw (or undefined) into a status. */
export function statusOf(
  error: unknown,
  level: 'MUST' | 'SHOULD',
): Pick<Outcome, 'status' | 'code' | 'reason' | 'cause'> {
  if (error === undefined) return { status: 'PASS', code: '', reason: '' };
  const { name, message: reason } = error instanceof Error ? error : { name: '', message: String(error) };
  if (name === 'Untested') return { status: 'UNTESTED', code: (error as RuleUntested).code, reason };
  if (name === 'Skipped') return { status: 'SKIP', code: (error as RuleSkipped).code, reason };
  if (name === 'Violation' || name === 'NoAnswer') {
    const code = name === 'NoAnswer' ? 'no_answer' : '';
    return { status: level === 'MUST' ? 'FAIL' : 'WARN', code, reason, cause: (error as Violation).cause };
  }
  const where = stackOf(error)
    .split('\n')
    .find((line) => line.includes('conformance/'));
  return { status: 'ERROR', code: '', reason: `${name ? `${name}: ` : ''}${reason} ${where?.trim() ?? ''}`.trim() };
}
