/** Selects the requested steps of a run. */
import type { Demand } from './schedule.ts';

export interface Choice<Step> {
  readonly chosen: readonly Step[];
  /** Words that match no step. */
  readonly unknown: readonly string[];
}

/**
 * The steps that are named, and the steps whose results they read.
 * @param only names of steps, or the part of a name before a slash; absent: all steps
 */
export function chosenSteps<Step extends Demand>(steps: readonly Step[], only?: readonly string[]): Choice<Step> {
  if (only === undefined) return { chosen: steps, unknown: [] };
  const named = (word: string) => steps.filter(({ name }) => name === word || name.startsWith(`${word}/`));
  const chosen = new Set<Step>();
  const choose = (step: Step) => {
    if (chosen.has(step)) return;
    chosen.add(step);
    for (const other of steps) if (step.after?.includes(other.name)) choose(other);
  };
  for (const word of only) for (const step of named(word)) choose(step);
  return {
    chosen: steps.filter((step) => chosen.has(step)),
    unknown: only.filter((word) => named(word).length === 0),
  };
}
