/** Sending requests to a schedule with the key that is for load only. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import type { Api, Call } from '../api.ts';
import { judgeLimiter, type Observation, type Schedule, type Verdict } from '../oracle.ts';
import { limit } from '../pacer.ts';
import type { Trial } from '../trial.ts';

/** A bucket of 20 is full again after 2 s; the rest is for clocks and networks. */
const SILENCE_MS = 2600;

let lastUsedMs = Number.NEGATIVE_INFINITY;

/** Waits until the bucket of the load key must be full. */
export async function silence(): Promise<void> {
  const waitMs = lastUsedMs + SILENCE_MS - performance.now();
  // At the first use nobody knows what an earlier run left behind.
  await sleep(Number.isFinite(waitMs) ? Math.max(0, waitMs) : SILENCE_MS);
}

export const verifyCall: Call = { path: '/api_key/_verify' };

export interface Shot {
  answer: Answer;
  observation: Observation;
}

/** The load key, free of the pacer. */
export function loadKey(t: Trial, baseUrl?: string): Api {
  t.mayBeRefused = true;
  return t.as('load', { unpaced: true, ...(baseUrl === undefined ? {} : { baseUrl }) });
}

/** Sends one request per instant of the schedule, whatever became of those before. */
export async function shoot(
  keys: readonly Api[],
  schedule: Schedule,
  calls: readonly Call[] = [verifyCall],
): Promise<Shot[]> {
  const begin = performance.now();
  const shots = schedule.map(async (at, n): Promise<Shot> => {
    const waitMs = begin + at - performance.now();
    if (at > 0 && waitMs > 0) await sleep(waitMs);
    const answer = await (keys[n % keys.length] as Api).send(calls[n % calls.length] ?? verifyCall);
    const { sentAtMs: s, receivedAtMs: q } = answer.exchange;
    return { answer, observation: { s, q, admitted: answer.status !== 429 } };
  });
  const done = await Promise.all(shots);
  lastUsedMs = performance.now();
  return done;
}

export const atOnce = (count: number): Schedule => Array.from({ length: count }, () => 0);
export const evenly = (perSecond: number, count: number): Schedule =>
  Array.from({ length: count }, (_, n) => (n * 1000) / perSecond);

export const observed = (shots: readonly Shot[]): Observation[] => shots.map(({ observation }) => observation);

export const judged = (shots: readonly Shot[]): Verdict => judgeLimiter(observed(shots), limit);

/**
 * Judges a burst at a full bucket, sent all at once: by its count too, because requests without an order tell the
 * oracle little.
 */
export function fitsBucket(
  t: Trial,
  observations: readonly Observation[],
  what: string,
  verdict: Pick<Verdict, 'lax' | 'strict' | 'medianRttMs'> = judgeLimiter([...observations], limit),
): void {
  const spanMs = Math.max(...observations.map(({ q }) => q)) - Math.min(...observations.map(({ s }) => s));
  const most = 20 + Math.ceil(spanMs / 100);
  const count = observations.filter(({ admitted }) => admitted).length;
  t.check(count >= 20 && count <= most, `${what}: ${count} were admitted; 20 to ${most} may be`);
  noAlarm(t, verdict, what);
}

/** Fails with the first alarm of the oracle. */
export function noAlarm(t: Trial, verdict: Pick<Verdict, 'lax' | 'strict' | 'medianRttMs'>, what: string): void {
  const { lax, strict, medianRttMs } = verdict;
  const sharp = `round trip ${medianRttMs.toFixed(1)} ms, so sharp to about ${Math.max(1, Math.ceil(medianRttMs / 50))} token`;
  t.check(
    lax.length === 0,
    `${what}: ${lax.length} requests were admitted although no token can have been there (${sharp})`,
  );
  t.check(
    strict.length === 0,
    `${what}: ${strict.length} requests were refused although a token must have been there (${sharp})`,
  );
}
