/** `conformance deferred judge`: judges what `deferred begin` began hours ago. */

import { misuse } from '../../scripts/kit/command-line.ts';
import { deleteEndpoints } from '../callbacks/delete-endpoints.ts';
import { outcomeOf } from '../engine/runner.ts';
import { type Outcome, RuleUntested } from '../judge/outcome.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { joined, type RuleResult } from '../report/results.ts';
import { deferredChecks } from './check-list.ts';
import { existing, openSession } from './session.ts';
import { readState } from './state.ts';

/**
 * @param nowMs milliseconds since 1970
 * @returns an outcome for each rule that can be deferred
 * @throws Failure
 */
export async function judgeDeferred(loaded: LoadedProfile, stateFile: string, nowMs: number): Promise<RuleResult[]> {
  const state = readState(stateFile);
  if (state.base_url !== loaded.profile.base_url) misuse(`it was begun at ${state.base_url}`);
  const session = await openSession(loaded, false);
  const outcomes: Outcome[] = [];
  try {
    for (const { name, judges } of deferredChecks) {
      const kept = state.kept[name];
      for (const [rule, judge] of Object.entries(judges)) {
        const context = session.context(rule);
        const begin = performance.now();
        let error: unknown;
        try {
          if (kept === undefined) throw new RuleUntested('not_exercised', 'it was not begun');
          if (kept.problem !== '') context.untested('not_exercised', `it could not begin: ${kept.problem}`);
          await judge(context, { kept, state, age: nowMs - kept.began_at });
        } catch (thrown) {
          error = thrown;
        }
        outcomes.push(outcomeOf(context, error, performance.now() - begin));
      }
    }
    const { endpoint_id } = state.kept.retries?.data ?? {};
    const receivedAll = outcomes.some(({ rule, status }) => rule === 'DLV-6' && status !== 'UNTESTED');
    if (typeof endpoint_id === 'string' && receivedAll)
      await deleteEndpoints([{ id: endpoint_id, key: loaded.profile.keys.full[0] ?? '' }], loaded);
  } finally {
    await session.close();
  }
  return joined(
    outcomes.map(({ rule }) => ({ ...existing(rule), id: rule })),
    outcomes,
  );
}
