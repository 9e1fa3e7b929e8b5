/** Runs a long scenario that many rules judge only once in a run. */
import { perRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';

/** The scenario is run for the first rule that needs it. If it failed, later rules show the exchange at fault. */
export function sharedScenario<T>(play: (t: TestContext) => Promise<T>): (t: TestContext) => Promise<T> {
  const played = perRun((): { first?: { by: TestContext; scenario: Promise<T> } } => ({}));
  return async (t) => {
    const state = played(t);
    state.first ??= { by: t, scenario: play(t) };
    const { by, scenario } = state.first;
    try {
      const made = await scenario;
      if (by !== t) t.uses.add(by.uses);
      return made;
    } catch (error) {
      t.last = by.last;
      throw error;
    }
  };
}
