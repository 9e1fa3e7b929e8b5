/** What a run of the suite shows about a fault. A fault is caught only by a violation that its own rule finds. */
import type { Status } from '../judge/outcome.ts';
import type { RuleResult } from '../report/results.ts';
import type { PlantedFault } from './proxy.ts';

export type Verdict =
  /** The named rule found a violation while the fault was at work. */
  | 'caught'
  /** The fault was at work and the named rule passed: a hole in the suite. */
  | 'survived'
  /** The named rule never met the fault: the fault is planted wrongly, or the rule makes no such request. */
  | 'not_reached'
  /** The rule did not pass without any fault, so its verdict proves nothing. */
  | 'unsound'
  /** The suite itself failed, or could not test the rule; this does not count as caught. */
  | 'error';

export interface JudgedFault {
  readonly id: string;
  readonly rule: string;
  readonly section: string;
  readonly breaks: string;
  readonly verdict: Verdict;
  readonly status: Status | 'none';
  /** The reason in the rule's result. */
  readonly reason: string;
  /** How many exchanges or deliveries the fault changed. */
  readonly changed: number;
  readonly alone: boolean;
}

export const sectionOf = (rule: string): string => rule.replace(/-\d+$/, '');

/** Rules that judge the whole run state during which rule they found something; only their own exchanges count. */
const foundElsewhere = (reason: string, rule: string): boolean =>
  /^\d+ of \d+ exchanges: during [A-Z]+-\d+:/.test(reason) &&
  !reason.includes(`during ${rule}:`) &&
  !reason.includes(` ${rule}: `);

/** @param alone whether only this fault was planted and only its rule ran */
export function judge(
  { fault, changed }: Pick<PlantedFault, 'fault' | 'changed'>,
  result: Pick<RuleResult, 'status' | 'reason'> | undefined,
  alone: boolean,
): JudgedFault {
  const status = result?.status ?? 'none';
  const reason = result?.reason.split('\n')[0]?.slice(0, 400) ?? 'the rule gave no result';
  const violated = status === 'FAIL' || status === 'WARN';
  let verdict: Verdict = 'error';
  if (violated && changed > 0 && !foundElsewhere(reason, fault.rule)) verdict = 'caught';
  else if (violated) verdict = 'error';
  else if (status === 'PASS') verdict = changed > 0 ? 'survived' : 'not_reached';
  const { id, rule, breaks } = fault;
  return { id, rule, section: sectionOf(rule), breaks, verdict, status, reason, changed, alone };
}
