/** What deferred checks need to talk to a target outside a run. */
import { type OpenCallbacks, openCallbacks } from '../callbacks/open.ts';
import { RunContext } from '../engine/run-context.ts';
import { TestContext } from '../engine/test-context.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { ruleOf } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';

/** A connection to a target outside a run. */
export interface Session {
  callbacks: OpenCallbacks;
  context: (ruleId: string) => TestContext;
  close: () => Promise<void>;
}

/** A row of the rule table. */
export function existing(id: string): Rule {
  const found = ruleOf(id);
  if (found === undefined) throw new Error(`no row of the rule table has the id ${id}`);
  return found;
}

/** @param listening whether to receive deliveries */
export async function openSession(loaded: LoadedProfile, listening: boolean): Promise<Session> {
  const callbacks = await openCallbacks(listening ? loaded.profile.callbacks : { mode: 'none' });
  const run = new RunContext(loaded, callbacks);
  return {
    callbacks,
    context: (ruleId) => new TestContext(existing(ruleId), run, run.redactorOf('')),
    close: async () => {
      await callbacks.close();
      await run.close();
    },
  };
}
