/** In which order the rules of a run go, and which are checked at the same time. */
import { createHash } from 'node:crypto';
import type { Rule } from '../rules/rule.ts';
import { costOf } from './recorded.ts';

/**
 * How many rules are checked at the same time. Most of the time a rule waits for a permit or an answer; more would be so
 * many lists at once that a small target answers 503.
 */
const AT_ONCE = 24;

/** Rules that are checked beside each other. */
export interface Phase<Kind = Rule> {
  /** In the order in which they begin. */
  readonly rules: readonly Kind[];
  /** How many at the same time. */
  readonly atOnce: number;
}

type Beside = Pick<Rule, 'runs' | 'holds'>;
type PlacedRule = Beside & Pick<Rule, 'id'>;

/** Whether a rule judges what others have left, so that it comes after them. */
export const judgesOthers = ({ runs }: Pick<Rule, 'runs'>): boolean => runs === 'late' || runs === 'last';
/** Whether no ordinary rule is checked beside it. */
export const isAlone = (rule: Pick<Rule, 'runs'>): boolean =>
  rule.runs === 'moving' || rule.runs === 'alone' || judgesOthers(rule);

/**
 * First the rules that may run at the same time as others, then those that move the clock or restart the target, which wait
 * for each other, then those that run alone, and at the end those that judge the whole run: first what is left of it, which
 * they add to, then every exchange.
 * @param seed of another order within each phase: what a rule says depends neither on its place nor on its company
 */
export function phasesOf<Kind extends PlacedRule>(rules: readonly Kind[], seed?: string): Phase<Kind>[] {
  const place = ({ id }: Kind) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const selected = seed === undefined ? rules : rules.toSorted((a, b) => place(a).localeCompare(place(b)));
  const beside = selected.filter((rule) => !isAlone(rule));
  const phases = [
    { rules: seed === undefined ? inOrder(beside) : beside, atOnce: AT_ONCE },
    { rules: selected.filter(({ runs }) => runs === 'moving'), atOnce: Number.POSITIVE_INFINITY },
    { rules: selected.filter(({ runs }) => runs === 'alone'), atOnce: 1 },
    { rules: selected.filter(({ runs }) => runs === 'late'), atOnce: AT_ONCE },
    { rules: selected.filter(({ runs }) => runs === 'last'), atOnce: AT_ONCE },
  ];
  return phases.filter(({ rules }) => rules.length > 0);
}

/** Rules of which only one is checked at a time, by what keeps them apart. */
export function chainsOf<Kind extends Beside>(rules: readonly Kind[]): Map<string, Kind[]> {
  const links = rules.flatMap((rule) => {
    const names = [...(rule.runs === 'changing' ? ['changing'] : []), ...(rule.holds ?? [])];
    return names.map((name) => ({ name, rule }));
  });
  const chains = Map.groupBy(links, ({ name }) => name);
  return new Map([...chains].map(([name, of]) => [name, of.map(({ rule }) => rule)]));
}

/**
 * What takes longest begins first: a rule by its own time, a rule of a chain by that of the rest of the chain. The
 * quiet rules come before those that change the tenant, so that these need not wait for each other again and again.
 */
function inOrder<Kind extends PlacedRule>(rules: readonly Kind[]): Kind[] {
  const ms = ({ id }: Kind) => costOf(id).ms;
  const rank = new Map(rules.map((rule) => [rule, ms(rule)]));
  const longestFirst = rules.toSorted((a, b) => ms(b) - ms(a));
  const chains = chainsOf(longestFirst);
  for (const chain of chains.values()) {
    let left = 0;
    for (const rule of chain.toReversed()) {
      left += ms(rule);
      rank.set(rule, Math.max(left, rank.get(rule) ?? 0));
    }
  }
  const changing = rank.get(chains.get('changing')?.[0] as Kind) ?? 0;
  for (const rule of rules) if (rule.runs === 'quiet') rank.set(rule, changing + ms(rule));
  return longestFirst.toSorted((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0));
}
