/** Runs a long scenario that many rules judge only once in a worker. */
import type { Trial } from '../trial.ts';

/** The scenario is run for the first rule that needs it. If it failed, later rules show the exchange at fault. */
export function sharedScenario<T>(tell: (t: Trial) => Promise<T>): (t: Trial) => Promise<T> {
  let told: { by: Trial; story: Promise<T> } | undefined;
  return async (t) => {
    told ??= { by: t, story: tell(t) };
    try {
      return await told.story;
    } catch (error) {
      t.last = told.by.last;
      throw error;
    }
  };
}
