/** Chooses steps, and runs them side by side where the machine has room for them. */

/** What a step needs from the machine and from other steps. */
export interface Demand {
  readonly name: string;
  /** How many processors it keeps busy on average; `Infinity` if only patient steps may run at the same time. */
  readonly cores: number;
  /**
   * Names of steps that must have ended before this one begins. A step that is not part of the run is not waited for.
   */
  readonly after?: readonly string[];
  /**
   * Whether the step only computes and judges nothing by time. Such steps use only processors that the others leave
   * free, so they take no room from the others, only from each other.
   */
  readonly isPatient?: boolean;
}

/** The requested steps of a run. */
interface Choice<Step> {
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

/**
 * Runs every step once, each as soon as there is room for it. If several could begin, the given order decides.
 * @param room processors for steps that judge by time, and as many again for the patient ones
 * @param run must not reject: a failed step counts as ended, too
 * @throws Error if steps wait for each other
 */
export async function schedule<Step extends Demand>(
  steps: readonly Step[],
  room: number | 'one at a time',
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = [...steps];
  const running = new Map<Step, Promise<void>>();
  const isOpen = (name: string) => [...waiting, ...running.keys()].some((step) => step.name === name);
  while (waiting.length > 0 || running.size > 0) {
    for (const step of [...waiting]) {
      if (step.after?.some(isOpen) || !hasRoom(step, [...running.keys()], room)) continue;
      waiting.splice(waiting.indexOf(step), 1);
      const ended = run(step).finally(() => running.delete(step));
      running.set(step, ended);
    }
    if (running.size === 0) throw new Error(`These steps wait for each other: ${waiting.map(({ name }) => name)}`);
    await Promise.race(running.values());
  }
}

/** A step that asks for more room than there is gets all of it. */
function hasRoom(step: Demand, running: readonly Demand[], room: number | 'one at a time'): boolean {
  if (running.length === 0) return true;
  if (room === 'one at a time') return false;
  const rivals = running.filter(({ isPatient = false }) => isPatient === (step.isPatient ?? false));
  const taken = rivals.reduce((sum, one) => sum + one.cores, 0);
  return taken === 0 || taken + step.cores <= room;
}
