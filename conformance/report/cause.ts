/** Groups what went wrong by its cause, so that one defect of the target is read once. */
import type { RuleResult } from './results.ts';

/** What was expected and what came, without the words before it, which say when. */
const EXPECTATION = /expected .+, got .+$/s;
/** Ids, hashes and numbers, which differ from rule to rule. */
const VARYING = /#?[0-9a-f-]{10,}|\d+/gi;

/** What probably is one and the same defect: the reason without its lead, in one line. */
export function causeOf({ reason, code }: Pick<RuleResult, 'reason' | 'code'>): string {
  if (code === 'no_answer') return 'no usable answer came';
  return (EXPECTATION.exec(reason)?.[0] ?? reason).replace(/\s+/g, ' ').slice(0, 300);
}

/** A status and a code are the cause itself; elsewhere numbers and ids do not count. */
function groupOf(result: RuleResult): string {
  const cause = causeOf(result);
  return /^expected \d{3}\b/.test(cause) ? cause : cause.replace(VARYING, '…');
}

/** The results in groups of one cause, in the order of their first. */
export function byCause(results: readonly RuleResult[]): RuleResult[][] {
  return [...Map.groupBy(results, groupOf).values()];
}
