/** The thresholds of each scenario, in k6's notation; a run is green if all of them held. */
import { type JourneyName, journeys } from './journeys.ts';
import type { Scenario } from './scenarios.ts';

export type Threshold = string | { threshold: string; abortOnFail: boolean; delayAbortEval: string };
export type Thresholds = Readonly<Record<string, readonly Threshold[]>>;

/** Operations must be answered within this time, at the 95th percentile, unless the caller sets another. */
const P95_MS = 1000;
/** The limit for operations that make PDFs, compare signatures or wait for a receiver. */
const SLOW_P95_MS = 3000;
const SLOW: readonly string[] = [
  'createDocument',
  'signDocument',
  'confirmFile',
  'ingestRecords',
  'testWebhookEndpoint',
];

/** The thresholds that decide the burst; `burst.ts` counts these metrics, and `target.ts` the checks. */
const BURST: Thresholds = {
  // A probe that stopped halfway has proved nothing.
  burst_observations: ['count==105'],
  limiter_too_lax: ['count==0'],
  limiter_too_strict: ['count==0'],
  limiter_delays: ['count==0'],
  checks: ['rate==1'],
};

const atMost = (share: number, of: 'failed' | 'passed') =>
  of === 'failed' ? (share === 0 ? 'rate==0' : `rate<=${share}`) : share === 0 ? 'rate==1' : `rate>=${1 - share}`;

/** Thresholds of a scenario that performs these journeys in these parts. */
export function thresholdsOf(
  { shape, failures, mix }: Scenario,
  names: readonly JourneyName[],
  parts: readonly { readonly name: string }[],
  p95Ms: number | undefined,
): Thresholds {
  if (Object.keys(mix).length === 0) return BURST;
  const operations = [...new Set(names.flatMap((name) => journeys[name].operations))];
  const limitOf = (operation: string) => p95Ms ?? (SLOW.includes(operation) ? SLOW_P95_MS : P95_MS);
  const byOperation = operations.map((operation) => [
    `http_req_duration{name:${operation}}`,
    [`p(95)<${limitOf(operation)}`],
  ]);
  const stops = (threshold: string): Threshold => ({ threshold, abortOnFail: true, delayAbortEval: '5s' });
  const byPart =
    shape === 'steady'
      ? []
      : parts.flatMap(({ name }) => [
          [
            `http_req_duration{scenario:${name}}`,
            [shape === 'steps' ? stops(`p(95)<${p95Ms ?? P95_MS}`) : `p(95)<${p95Ms ?? P95_MS}`],
          ],
          [`http_reqs{scenario:${name}}`, ['count>=0']],
        ]);
  const failed = atMost(failures, 'failed');
  return {
    checks: [atMost(failures, 'passed')],
    http_req_failed: [shape === 'steps' ? stops(failed) : failed],
    // Dropped iterations are journeys that never began: the load was lower than requested, so the verdict would not be
    // about it.
    dropped_iterations: ['count==0'],
    unexpected_429: ['count==0'],
    journeys_done: ['count>0'],
    ...(mix.walk !== undefined && { 'walks_finished{rows:employees}': ['count>0'] }),
    ...Object.fromEntries(byOperation),
    ...Object.fromEntries(byPart),
  };
}
