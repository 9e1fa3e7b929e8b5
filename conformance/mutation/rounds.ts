/**
 * Decides which faults are planted at the same time: never two for one rule, and none that could be taken for each
 * other.
 */
import { judgesOthers } from '../engine/phases.ts';
import { fileOfRule, rules } from '../rules/all-rules.ts';
import type { Fault } from './fault.ts';

/** Rules that judge what all other rules have left. */
export const WHOLE_RUN = new Set(rules.filter(judgesOthers).map(({ id }) => id));

/** Faults of the same kind may share rounds. */
function kindOf({ id, rule, alone, delivery }: Fault): string {
  if (alone && WHOLE_RUN.has(rule)) return `alone ${id}`;
  if (WHOLE_RUN.has(rule)) return 'whole run';
  if (rule.startsWith('LIM-')) return 'limit';
  return alone ? 'scenarios' : delivery ? 'delivery' : '';
}

/** What no two faults of a round have in common. */
const apartOf = ({ rule, alone }: Fault): string[] => [
  rule,
  ...(alone ? [alone === true ? (fileOfRule(rule) ?? '') : alone] : []),
];

/**
 * @param size the most rules in a round
 * @returns rounds; those of faults in the whole run, in deliveries, in the limit and in what rules share hold only their
 * kind, and the longest come first
 */
export function roundsOf(faults: readonly Fault[], size: number): Fault[][] {
  const rounds: Fault[][] = [];
  for (const group of Map.groupBy(faults, kindOf).values()) {
    const layers: { round: Fault[]; taken: Set<string> }[] = [];
    for (const fault of group) {
      const apart = apartOf(fault);
      const free = layers.find(({ round, taken }) => round.length < size && apart.every((one) => !taken.has(one)));
      const { round, taken } = free ?? { round: [], taken: new Set() };
      if (!free) layers.push({ round, taken });
      round.push(fault);
      for (const one of apart) taken.add(one);
    }
    rounds.push(...layers.map(({ round }) => round));
  }
  return rounds.toSorted((a, b) => b.length - a.length);
}
