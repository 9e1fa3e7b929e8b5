/** In which order the rules of a run go. */
import { fileOfRule } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { costOf, WORKERS } from './estimate.ts';
import type { Phase } from './run-file.ts';

export const isAlone = ({ runs }: Pick<Rule, 'runs'>): boolean => runs === 'alone' || runs === 'last';

/**
 * First the rules that may run at the same time as others, several files at a time, those that take longest first. Then
 * the rules that run alone, and at the end those that judge the whole run.
 */
export function phasesOf(selected: readonly Rule[]): Phase[] {
  const together = selected.filter((rule) => !isAlone(rule));
  const alone = selected.filter(({ runs }) => runs === 'alone');
  const last = selected.filter(({ runs }) => runs === 'last');
  const phases = [
    { rules: together, files: filesOf(together), workers: WORKERS },
    { rules: [...alone, ...last], files: [...new Set([...filesOf(alone), ...filesOf(last)])], workers: 1 },
  ];
  return phases
    .filter(({ rules }) => rules.length > 0)
    .map((phase) => ({ ...phase, rules: phase.rules.map(({ id }) => id) }));
}

/** The files of these rules, those that take longest first. */
function filesOf(rules: readonly Rule[]): string[] {
  const costs = new Map<string, number>();
  for (const { id } of rules) {
    const file = fileOfRule(id) ?? '';
    costs.set(file, (costs.get(file) ?? 0) + costOf(id).ms);
  }
  return [...costs].toSorted(([, a], [, b]) => b - a).map(([file]) => file);
}
