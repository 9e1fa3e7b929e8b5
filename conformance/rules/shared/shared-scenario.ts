/** Runs a long scenario that many rules judge only once in a worker. */
import type { TestContext } from '../../engine/test-context.ts';

/** The scenario is run for the first rule that needs it. If it failed, later rules show the exchange at fault. */
export function sharedScenario<T>(tell: (t: TestContext) => Promise<T>): (t: TestContext) => Promise<T> {
  let told: { by: TestContext; story: Promise<T> } | undefined;
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
