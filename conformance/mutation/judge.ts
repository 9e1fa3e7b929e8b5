/** What a run of the suite shows about a fault. A fault is caught only by a violation that its own rule finds. */
import type { Status } from '../judge/outcome.ts';
import type { RuleResult } from '../report/results.ts';
import type { PlantedFault } from './proxy.ts';
import type { ReportedFault } from './report.ts';

export type Verdict =
  /** The named rule found a violation while the fault was at work. */
  | 'caught'
  /** The fault was at work and the named rule passed: a hole in the suite. */
  | 'survived'
  /** The named rule never met the fault: the fault is planted wrongly, or the rule makes no such request. */
  | 'not_reached'
  /** The rule did not pass without any fault, so its verdict proves nothing. */
  | 'unsound'
  /** The suite or the fault itself failed, or the rule could not be tested; this does not count as caught. */
  | 'error';

export interface JudgedFault extends ReportedFault {
  readonly verdict: Verdict;
  readonly status: Status | 'none';
  /** How many exchanges or deliveries the fault changed. */
  readonly changed: number;
  readonly alone: boolean;
}

export const sectionOf = (rule: string): string => rule.replace(/-.*$/, '');

/** Rules that judge the whole run state during which rule they found something; only their own exchanges count. */
const foundElsewhere = (reason: string, rule: string): boolean =>
  /^\d+ of \d+ exchanges: .*during /.test(reason) && !reason.includes(`during ${rule})`);

/** @param alone whether only this fault was planted and only its rule ran */
export function judge(
  { fault, changed, failure }: Pick<PlantedFault, 'fault' | 'changed' | 'failure'>,
  result: Pick<RuleResult, 'status' | 'reason'> | undefined,
  alone: boolean,
): JudgedFault {
  const { id, rule, breaks } = fault;
  const status = result?.status ?? 'none';
  const reason = result?.reason.split('\n')[0]?.slice(0, 400) ?? 'the rule gave no result';
  const said = failure === undefined ? reason : `the fault itself failed: ${failure}; the rule: ${reason}`;
  const violated = status === 'FAIL' || status === 'WARN';
  let verdict: Verdict = 'error';
  if (failure !== undefined) verdict = 'error';
  else if (violated && changed > 0 && !foundElsewhere(result?.reason ?? '', rule)) verdict = 'caught';
  else if (status === 'PASS') verdict = changed > 0 ? 'survived' : 'not_reached';
  const isFound = verdict === 'caught';
  return { id, part: sectionOf(rule), place: rule, breaks, verdict, isFound, said, status, changed, alone };
}
