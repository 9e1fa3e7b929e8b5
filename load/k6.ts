/**
 * The script that k6 runs. `npm run load` gives it a plan (LOAD_PLAN names the file) and keys (LOAD_KEYS), and takes
 * its summary. Each iteration is one journey with one key. Keys and journeys take turns, so that each key keeps its
 * pace.
 */
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { performBurst } from './burst.ts';
import { type PreparedRun, perform } from './perform.ts';
import type { Plan } from './plan.ts';
import { ring } from './target.ts';

const { plan, prepared } = JSON.parse(open(__ENV.LOAD_PLAN ?? '')) as { plan: Plan; prepared: PreparedRun };

export const options: Options = {
  scenarios: plan.k6.scenarios as Options['scenarios'],
  thresholds: plan.k6.thresholds as Options['thresholds'],
  summaryTrendStats: ['avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'max', 'count'],
  // The operation's name identifies the request; URLs contain ids.
  systemTags: ['status', 'method', 'name', 'scenario', 'group', 'check', 'expected_response'],
  noCookiesReset: false,
  maxRedirects: 0,
  userAgent: 'developer-api-load',
};

const done = new Counter('journeys_done');

/** One journey of a paced scenario. */
export function journey(): void {
  const n = exec.scenario.iterationInTest;
  const key = ring.paced[n % plan.keys] ?? '';
  // Each key is one step ahead of the previous one in the rotation, so that keys do not all do the same at the same
  // time.
  const turn = Math.floor(n / plan.keys) + (n % plan.keys);
  const name = plan.journeys[turn % plan.journeys.length];
  if (name === undefined) throw new Error('The plan has no journeys.');
  perform[name]({ plan, key, id: `${plan.runId}-${exec.scenario.name}-${n}`, prepared });
  done.add(1);
}

/** The single probe of the limit. */
export async function burst(): Promise<void> {
  await performBurst(plan);
}

/** The runner makes its reports from this summary. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [__ENV.LOAD_SUMMARY ?? 'stdout']: JSON.stringify(data) };
}
