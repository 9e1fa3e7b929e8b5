/** Runs a long scenario that many rules judge only once in a run. */
import { perRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';

/**
 * The scenario is run for the first rule that needs it. If it failed, later rules show the exchange at fault. If that need
 * not be the target's fault, it is played once more, for the first rule that is checked again.
 */
export function sharedScenario<T>(play: (t: TestContext) => Promise<T>): (t: TestContext) => Promise<T> {
  const played = perRun((): { first?: { by: TestContext; scenario: Promise<T> } | undefined } => ({}));
  return async (t) => {
    const state = played(t);
    const first = state.first ?? { by: t, scenario: play(t) };
    state.first = first;
    const { by, scenario } = first;
    try {
      const made = await scenario;
      if (by !== t) t.uses.add(by.uses);
      return made;
    } catch (error) {
      t.last = by.last;
      if (by !== t) t.shareDoubtOf(by);
      if (!by.isRepeated && by.doubt !== undefined && state.first === first) state.first = undefined;
      throw error;
    }
  };
}
