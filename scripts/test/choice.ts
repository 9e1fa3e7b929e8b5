/** Which steps a run is asked for. */
import type { Demand } from './schedule.ts';

export interface Choice<Step> {
  readonly chosen: readonly Step[];
  /** Words that name nothing. */
  readonly unknown: readonly string[];
}

/**
 * The steps that are named, and those whose results they read.
 * @param only names of steps, or what stands before a slash in them; absent: all
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
