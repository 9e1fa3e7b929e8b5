/** One key beyond its limit. A single user sends all requests, so it knows when each was sent and answered. */

import { sleep } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Counter } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { judgeLimiter, lightProbe, type Observation, SILENCE_MS, scheduleOf } from '../conformance/judge/oracle.ts';
import { rateLimit } from '../generated/contract.ts';
import { errorProblem, successProblem } from './checks.ts';
import type { Plan } from './plan.ts';
import { judge, prepared, ring } from './target.ts';

/** The runner looks for lines with this prefix in k6's output. */
export const OBSERVATIONS = 'OBSERVATIONS ';

/** Where a bucket refuses requests, a queue of depth 20 delays them by up to 2 s. */
const MOST_DELAY_MS = 1500;

const count = {
  observations: new Counter('burst_observations'),
  lax: new Counter('limiter_too_lax'),
  strict: new Counter('limiter_too_strict'),
  delays: new Counter('limiter_delays'),
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function shoot(plan: Plan, key: string, atMs: number): Promise<Observation> {
  if (atMs > 0) await pause(atMs);
  const { method, url, body, params } = prepared(plan, key, 'verifyApiKey', {});
  const both = { ...params, responseCallback: http.expectedStatuses({ min: 200, max: 299 }, 429) };
  const s = Date.now();
  const answer = (await http.asyncRequest(method, url, body, both)) as RefinedResponse<'text'>;
  const q = Date.now();
  const refused = answer.status === 429;
  if (refused) {
    judge('a refusal is RATE_LIMIT_EXCEEDED', errorProblem(429, answer.body, 'RATE_LIMIT_EXCEEDED', plan.errors));
  } else judge('what is not refused succeeds', successProblem(answer.status, answer.body, plan.errors));
  return { s, q, admitted: !refused };
}

/** Waits until the bucket must be full, sends the probe, and judges the answers as the conformance suite does. */
export async function performBurst(plan: Plan): Promise<void> {
  const key = ring.load ?? '';
  sleep(SILENCE_MS / 1000);
  const observations = await Promise.all(scheduleOf(lightProbe).map((atMs) => shoot(plan, key, atMs)));
  const { lax, strict, p95Ms } = judgeLimiter(observations, rateLimit);
  count.lax.add(lax.length);
  count.strict.add(strict.length);
  count.delays.add(p95Ms > MOST_DELAY_MS ? 1 : 0);
  count.observations.add(observations.length);
  const begin = Math.min(...observations.map(({ s }) => s));
  const reported = observations.map(({ s, q, admitted }) => [s - begin, q - begin, admitted ? 1 : 0]);
  console.log(OBSERVATIONS + JSON.stringify(reported));
}
