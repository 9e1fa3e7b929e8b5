/** `conformance harvest`: judges what was planted hours ago. */
import { exchangeOverHttp } from '../client.ts';
import { type Outcome, statusOf, Untested } from '../outcome.ts';
import type { LoadedProfile } from '../profile.ts';
import { joined, type RuleResult } from '../results.ts';
import { openField, ruleOf } from './field.ts';
import { plots } from './plots.ts';
import { BadState, readState } from './state.ts';

/**
 * @param nowMs milliseconds since 1970
 * @returns an outcome for each rule that can be planted
 * @throws BadState
 */
export async function harvest(
  loaded: LoadedProfile,
  profilePath: string,
  stateFile: string,
  nowMs: number,
): Promise<RuleResult[]> {
  const state = readState(stateFile);
  if (state.base_url !== loaded.profile.base_url) throw new BadState(`it was planted at ${state.base_url}`);
  const field = await openField(loaded, profilePath, false);
  const outcomes: Outcome[] = [];
  try {
    for (const { name, reap } of plots) {
      const seed = state.seeds[name];
      for (const [rule, judge] of Object.entries(reap)) {
        const trial = field.trial(rule);
        const begin = performance.now();
        let error: unknown;
        try {
          if (seed === undefined) throw new Untested('not_exercised', 'it was not planted');
          if (seed.problem !== '') trial.untested('not_exercised', `it could not be planted: ${seed.problem}`);
          await judge(trial, { seed, state, age: nowMs - seed.planted_at });
        } catch (thrown) {
          error = thrown;
        }
        const verdict = statusOf(error, trial.rule.level);
        const told = verdict.status === 'FAIL' || verdict.status === 'WARN' || verdict.status === 'ERROR';
        outcomes.push({
          rule,
          ...verdict,
          reason: trial.redactor.text(verdict.reason),
          ...(told ? trial.shown(trial.last) : { exchange: '', curl: '' }),
          exchanges: trial.exchanges,
          durationMs: Math.round(performance.now() - begin),
        });
      }
    }
    const { endpoint_id } = state.seeds.retries?.data ?? {};
    const heardAll = outcomes.some(({ rule, status }) => rule === 'DLV-8' && status !== 'UNTESTED');
    if (typeof endpoint_id === 'string' && heardAll) await remove(loaded, endpoint_id);
  } finally {
    await field.close();
  }
  return joined(
    outcomes.map(({ rule }) => ruleOf(rule)),
    outcomes,
  );
}

async function remove({ profile, secrets }: LoadedProfile, id: string): Promise<void> {
  await exchangeOverHttp({
    baseUrl: profile.base_url,
    method: 'DELETE',
    target: `/developer/v1/webhook_endpoints/${id}`,
    headers: [['X-API-Key', secrets[profile.keys.full[0] ?? ''] ?? '']],
  }).catch(() => {});
}
