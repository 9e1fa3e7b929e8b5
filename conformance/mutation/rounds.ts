/**
 * Decides which faults are planted at the same time: never two for one rule, and none that could be taken for each
 * other.
 */
import { rules } from '../rules/all-rules.ts';
import type { Fault } from './fault.ts';

/** Rules that judge the exchanges of all other rules. */
export const WHOLE_RUN = new Set(rules.filter(({ runs }) => runs === 'last').map(({ id }) => id));

/**
 * @param size the most rules in a round
 * @returns rounds; a fault that must run alone has its own, and faults of whole-run rules, deliveries and limits share
 * rounds only with their kind
 */
export function roundsOf(faults: readonly Fault[], size: number): Fault[][] {
  const kinds = new Map<string, Fault[]>();
  for (const fault of faults) {
    const kind = fault.alone
      ? `alone ${fault.id}`
      : fault.delivery
        ? 'delivery'
        : fault.rule.startsWith('LIM-')
          ? 'limit'
          : '';
    const name = WHOLE_RUN.has(fault.rule) && !fault.alone ? 'whole run' : kind;
    kinds.set(name, [...(kinds.get(name) ?? []), fault]);
  }
  const rounds: Fault[][] = [];
  for (const group of kinds.values()) {
    const layers: Fault[][] = [];
    for (const fault of group) {
      const free = layers.find((layer) => layer.length < size && layer.every(({ rule }) => rule !== fault.rule));
      if (free) free.push(fault);
      else layers.push([fault]);
    }
    rounds.push(...layers);
  }
  return rounds;
}
