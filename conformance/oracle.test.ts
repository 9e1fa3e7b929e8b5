import { describe, expect, test } from '@jest/globals';
import { fullSchedule, judgeLimiter, lightProbe, type Observation, type Schedule } from './oracle.ts';
import * as models from './oracle-models.ts';

const limit = { perSecond: 10, burst: 20 };

/** A repeatable source of numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Plays a schedule against a model over a network with this mean delay each way; requests may overtake one another. */
function play(model: models.Model, schedule: Schedule, rttMs: number, seed: number): Observation[] {
  const next = random(seed);
  const jitter = () => -Math.log(1 - next()) * (rttMs / 8);
  const phase = next() * 1000 + 10_000;
  const sent = schedule.map((at) => ({ s: at + phase, at: at + phase + rttMs / 2 + jitter() }));
  return sent
    .sort((a, b) => a.at - b.at)
    .map(({ s, at }) => {
      const { admitted, delayMs } = model.take(at);
      return { s, q: at + delayMs + rttMs / 2 + jitter(), admitted };
    });
}

const caught = (observations: Observation[], rttMs: number): boolean => {
  const { lax, strict, p95Ms } = judgeLimiter(observations, limit);
  return lax.length + strict.length > 0 || p95Ms > rttMs * 2 + 250;
};

const right: [string, () => models.Model][] = [
  ['token bucket 10/20', () => models.tokenBucket(10, 20)],
  ['GCRA 100 ms, 20', () => models.gcra(100, 20)],
];

const wrong: [string, () => models.Model][] = [
  ['bucket 10/10', () => models.tokenBucket(10, 10)],
  ['bucket 10/15', () => models.tokenBucket(10, 15)],
  ['bucket 10/19', () => models.tokenBucket(10, 19)],
  ['bucket 10/21', () => models.tokenBucket(10, 21)],
  ['bucket 10/30', () => models.tokenBucket(10, 30)],
  ['bucket 9/20', () => models.tokenBucket(9, 20)],
  ['bucket 11/20', () => models.tokenBucket(11, 20)],
  ['bucket 20/20', () => models.tokenBucket(20, 20)],
  ['refill once a second', () => models.steppedBucket(10, 20)],
  ['refill that loses fractions', () => models.tokenBucket(10, 20, { floor: true })],
  ['refused requests are charged', () => models.tokenBucket(10, 20, { chargeRefused: true })],
  ['two unshared buckets', () => models.unshared(() => models.tokenBucket(10, 20))],
  ['fixed 10 a second', () => models.fixedWindow(10, 1000)],
  ['fixed 20 a second', () => models.fixedWindow(20, 1000)],
  ['fixed 20 in two seconds', () => models.fixedWindow(20, 2000)],
  ['fixed 600 a minute', () => models.fixedWindow(600, 60_000)],
  ['log 10 a second', () => models.slidingLog(10, 1000)],
  ['log 20 a second', () => models.slidingLog(20, 1000)],
  ['log 20 in two seconds', () => models.slidingLog(20, 2000)],
  ['counter 10 a second', () => models.slidingCounter(10, 1000)],
  ['counter 20 in two seconds', () => models.slidingCounter(20, 2000)],
  ['queue 10 a second, depth 20', () => models.leakyQueue(10, 20)],
  ['no limiter', () => models.unlimited],
];

describe('the rate oracle', () => {
  test.each(right)('never accuses a %s, whatever the network does', (_name, make) => {
    for (const [at, rttMs] of [1, 5, 20, 80, 200, 300].entries()) {
      for (let seed = 0; seed < 4; seed++) {
        for (const schedule of [lightProbe, fullSchedule]) {
          const { lax, strict } = judgeLimiter(play(make(), schedule, rttMs, seed * 10 + at), limit);
          expect({ rttMs, seed, lax, strict }).toEqual({ rttMs, seed, lax: [], strict: [] });
        }
      }
    }
  });

  test.each(wrong)('catches %s by the light and by the full probe', (_name, make) => {
    for (let seed = 0; seed < 3; seed++) {
      expect(caught(play(make(), lightProbe, 1, seed), 1)).toBe(true);
      expect(caught(play(make(), fullSchedule, 20, seed), 20)).toBe(true);
    }
  });

  test('a burst of 40 at once has 20 admitted, and one more is lax', () => {
    const at = (n: number, admitted: boolean): Observation => ({ s: n * 0.01, q: 5 + n * 0.01, admitted });
    const honest = Array.from({ length: 40 }, (_, n) => at(n, n < 20));
    expect(judgeLimiter(honest, limit)).toMatchObject({ lax: [], strict: [], admitted: 20 });
    const serial = Array.from({ length: 21 }, (_, n): Observation => ({ s: n, q: n + 0.9, admitted: true }));
    expect(judgeLimiter(serial, limit).lax).toHaveLength(1);
  });
});
