/** What a run of the suite says of a fault. A fault is killed by nothing but a violation found by its own rule. */
import type { Status } from '../outcome.ts';
import type { RuleResult } from '../results.ts';
import type { Planted } from './proxy.ts';

export type Verdict =
  /** The named rule found a violation while the fault was at work. */
  | 'killed'
  /** The fault was at work and the named rule passed: a hole in the suite. */
  | 'survived'
  /** The named rule never met the fault: the fault is planted wrongly, or the rule does not ask. */
  | 'not_reached'
  /** The rule did not pass without any fault, so its verdict says nothing. */
  | 'unsound'
  /** The suite itself failed, or could not test the rule: no kill. */
  | 'error';

export interface Judged {
  readonly id: string;
  readonly rule: string;
  readonly section: string;
  readonly breaks: string;
  readonly verdict: Verdict;
  readonly status: Status | 'none';
  /** What the rule said. */
  readonly reason: string;
  /** How many exchanges or deliveries the fault changed. */
  readonly changed: number;
  readonly alone: boolean;
}

export const sectionOf = (rule: string): string => rule.replace(/-\d+$/, '');

/** Rules that judge the whole run say during which rule they found something; only what they did themselves counts. */
const foundElsewhere = (reason: string, rule: string): boolean =>
  /^\d+ of \d+ exchanges: during [A-Z]+-\d+:/.test(reason) &&
  !reason.includes(`during ${rule}:`) &&
  !reason.includes(` ${rule}: `);

/** @param alone whether only this fault was planted and only its rule ran */
export function judge(
  { fault, changed }: Pick<Planted, 'fault' | 'changed'>,
  result: Pick<RuleResult, 'status' | 'reason'> | undefined,
  alone: boolean,
): Judged {
  const status = result?.status ?? 'none';
  const reason = result?.reason.split('\n')[0]?.slice(0, 400) ?? 'the rule gave no result';
  const violated = status === 'FAIL' || status === 'WARN';
  let verdict: Verdict = 'error';
  if (violated && changed > 0 && !foundElsewhere(reason, fault.rule)) verdict = 'killed';
  else if (violated) verdict = 'error';
  else if (status === 'PASS') verdict = changed > 0 ? 'survived' : 'not_reached';
  const { id, rule, breaks } = fault;
  return { id, rule, section: sectionOf(rule), breaks, verdict, status, reason, changed, alone };
}
