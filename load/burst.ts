/** One key beyond its limit. A single user sends all requests, so it knows when each was sent and answered. */
import { sleep } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { errorProblem, successProblem } from './checks.ts';
import { type Limit, misjudged, type Observation, OPENING, openingBand, probe } from './oracle.ts';
import type { Plan } from './plan.ts';
import { judge, prepared, ring } from './target.ts';

/** The runner looks for lines with this prefix in k6's output. */
export const OBSERVATIONS = 'OBSERVATIONS ';

/** What the contract promises. */
const LIMIT: Limit = { perSecond: 10, burst: 20 };
/** The bucket is full after 2 s; the rest is reserve for clocks and networks. */
const SILENCE_S = 2.6;
/** Where a bucket refuses requests, a queue of depth 20 delays them by up to 2 s. */
const MOST_DELAY_MS = 1500;

const count = {
  observations: new Counter('burst_observations'),
  tooFew: new Counter('burst_admitted_too_few'),
  tooMany: new Counter('burst_admitted_too_many'),
  lax: new Counter('limiter_too_lax'),
  strict: new Counter('limiter_too_strict'),
  delays: new Counter('limiter_delays'),
};
const shown = {
  admitted: new Gauge('burst_admitted'),
  highest: new Gauge('burst_admitted_at_most'),
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function shoot(plan: Plan, key: string, atMs: number): Promise<Observation> {
  if (atMs > 0) await pause(atMs);
  const { method, url, body, params } = prepared(plan, key, 'verifyApiKey', {});
  const both = { ...params, responseCallback: http.expectedStatuses({ min: 200, max: 299 }, 429) };
  const sent = Date.now();
  const answer = (await http.asyncRequest(method, url, body, both)) as RefinedResponse<'text'>;
  const answered = Date.now();
  const refused = answer.status === 429;
  if (refused) {
    judge('a refusal is RATE_LIMIT_EXCEEDED', errorProblem(429, answer.body, 'RATE_LIMIT_EXCEEDED', plan.errors));
  } else judge('what is not refused succeeds', successProblem(answer.status, answer.body, plan.errors));
  return { sent, answered, admitted: !refused };
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? 0;

/** Waits until the bucket must be full, sends the probe, and judges the answers. */
export async function performBurst(plan: Plan): Promise<void> {
  const key = ring.load ?? '';
  sleep(SILENCE_S);
  const observations = await Promise.all(probe.map((atMs) => shoot(plan, key, atMs)));
  const { tooLax, tooStrict } = misjudged(observations, LIMIT);
  const band = openingBand(observations, observations.slice(0, OPENING), LIMIT);
  const tookMs = p95(observations.filter((one) => one.admitted).map(({ sent, answered }) => answered - sent));
  shown.admitted.add(band.admitted);
  shown.highest.add(band.highest);
  count.tooFew.add(band.tooFew);
  count.tooMany.add(band.tooMany);
  count.lax.add(tooLax);
  count.strict.add(tooStrict);
  count.delays.add(tookMs > MOST_DELAY_MS ? 1 : 0);
  count.observations.add(observations.length);
  const begin = Math.min(...observations.map(({ sent }) => sent));
  const reported = observations.map(({ sent, answered, admitted: yes }) => [
    sent - begin,
    answered - begin,
    yes ? 1 : 0,
  ]);
  console.log(OBSERVATIONS + JSON.stringify(reported));
}
