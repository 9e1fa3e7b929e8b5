/** What changed between two runs. */
import type { Status } from '../judge/outcome.ts';
import { ruleOf } from '../rules/all-rules.ts';
import type { Results, RuleResult } from './results.ts';

export type Change = 'regression' | 'lost' | 'improvement' | 'other';

interface RuleChange {
  rule: string;
  text: string;
  /** null: the rule was not in that run. */
  before: Status | null;
  after: Status | null;
  /**
   * regression: judged worse than before, or violated now and not judged before; lost: PASS or WARN before, not judged
   * now.
   */
  change: Change;
  reason: string;
}

interface Difference {
  before: Pick<Results, 'run_id' | 'started_at' | 'verdict' | 'must'>;
  after: Pick<Results, 'run_id' | 'started_at' | 'verdict' | 'must'>;
  regressions: number;
  lost: number;
  improvements: number;
  rules: RuleChange[];
  /**
   * Pairs of operation and status that only the earlier run saw, such as `getEmployee 404`; only if both runs were
   * whole.
   */
  unseen: string[];
}

/** Ranks of the statuses of a judged rule: higher is better. A rule that was not judged has no rank. */
const RANKS: Readonly<Partial<Record<Status, number>>> = { PASS: 3, WARN: 2, DEVIATION: 1, FAIL: 0 };

function changeOf(before: Status | null, after: Status | null): Change {
  const [was, is] = [before && RANKS[before], after && RANKS[after]];
  if (typeof was === 'number' && typeof is === 'number') return is < was ? 'regression' : 'improvement';
  if (after === 'FAIL' || after === 'WARN') return 'regression';
  if (before === 'PASS' || before === 'WARN') return 'lost';
  return typeof is === 'number' ? 'improvement' : 'other';
}

const pairs = ({ coverage }: Results) =>
  coverage.flatMap(({ operation, seen }) => Object.keys(seen).map((status) => `${operation} ${status}`));

type PresentId = (id: string) => string;

/** The results by the present ids of rules. Of several that one rule now covers, the worst that was judged stands. */
function byPresentId({ rules }: Results, presentId: PresentId): Map<string, RuleResult> {
  const rank = ({ status }: RuleResult) => RANKS[status] ?? 9;
  const found = new Map<string, RuleResult>();
  for (const result of rules) {
    const id = presentId(result.rule);
    const known = found.get(id);
    if (known === undefined || rank(result) < rank(known)) found.set(id, result);
  }
  return found;
}

/**
 * Compares two runs. A rule that one of them left out on purpose is not compared. A rule that has taken the place of
 * others is compared with these.
 * @param presentId the id that a rule of an earlier release has now
 */
export function difference(
  before: Results,
  after: Results,
  presentId: PresentId = (id) => ruleOf(id)?.id ?? id,
): Difference {
  const was = byPresentId(before, presentId);
  const is = byPresentId(after, presentId);
  const rules: RuleChange[] = [];
  for (const rule of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(rule), is.get(rule)];
    if ((!old && !before.whole) || (!now && !after.whole) || old?.status === now?.status) continue;
    const { text, reason } = (now ?? old) as RuleResult;
    const [from, to] = [old?.status ?? null, now?.status ?? null];
    rules.push({ rule, text, before: from, after: to, change: changeOf(from, to), reason: now ? reason : '' });
  }
  const count = (change: Change) => rules.filter((one) => one.change === change).length;
  const seen = new Set(pairs(after));
  const brief = ({ run_id, started_at, verdict, must }: Results) => ({ run_id, started_at, verdict, must });
  return {
    before: brief(before),
    after: brief(after),
    regressions: count('regression'),
    lost: count('lost'),
    improvements: count('improvement'),
    rules,
    unseen: before.whole && after.whole ? pairs(before).filter((pair) => !seen.has(pair)) : [],
  };
}

const TITLES: Readonly<Record<Change, string>> = {
  regression: 'Worse',
  lost: 'No longer tested',
  improvement: 'Better',
  other: 'Otherwise changed',
};

/** The difference for people. */
export function differenceText(found: Difference): string {
  const line = ({ started_at, verdict, must }: Difference['before']) =>
    `${started_at}  ${verdict}, ${must.exercised} of ${must.selected} MUST rules`;
  const parts = [`before  ${line(found.before)}`, `after   ${line(found.after)}`];
  for (const change of ['regression', 'lost', 'improvement', 'other'] as const) {
    const of = found.rules.filter((one) => one.change === change);
    if (of.length === 0) continue;
    parts.push(`\n${TITLES[change]} (${of.length}):`);
    for (const { rule, before, after, reason } of of) {
      const why = reason.split('\n')[0]?.slice(0, 200) ?? '';
      parts.push(`  ${rule.padEnd(9)} ${before ?? 'not there'} → ${after ?? 'not there'}${why && `: ${why}`}`);
    }
  }
  if (found.unseen.length > 0) parts.push(`\nAnswers no longer seen: ${found.unseen.join(', ')}`);
  if (found.rules.length === 0) parts.push('\nNo rule changed its status.');
  return parts.join('\n');
}
