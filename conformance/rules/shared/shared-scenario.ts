/** Runs a long scenario that many rules judge only once in a worker. */
import type { TestContext } from '../../engine/test-context.ts';

/** The scenario is run for the first rule that needs it. If it failed, later rules show the exchange at fault. */
export function sharedScenario<T>(play: (t: TestContext) => Promise<T>): (t: TestContext) => Promise<T> {
  let first: { by: TestContext; scenario: Promise<T> } | undefined;
  return async (t) => {
    first ??= { by: t, scenario: play(t) };
    try {
      return await first.scenario;
    } catch (error) {
      t.last = first.by.last;
      throw error;
    }
  };
}
