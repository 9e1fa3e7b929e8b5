import { describe, expect, test } from '@jest/globals';
import { rateLimit } from '../../generated/contract.ts';
import {
  burstAt,
  evenly,
  fullProbe,
  judgeLimiter,
  lightProbe,
  type Observation,
  partOf,
  phaseProbe,
  refillProbe,
  type Schedule,
  scheduleOf,
  sharpnessOf,
} from './oracle.ts';
import * as models from './oracle-models.ts';

const { perSecond, burst } = rateLimit;

function slidingLog(count: number, windowMs: number): models.Model {
  let log: number[] = [];
  return models.plain((now) => {
    log = log.filter((at) => at > now - windowMs);
    if (log.length >= count) return false;
    log.push(now);
    return true;
  });
}

function slidingCounter(count: number, windowMs: number): models.Model {
  const used = new Map<number, number>();
  return models.plain((now) => {
    const current = Math.floor(now / windowMs);
    const share = 1 - (now % windowMs) / windowMs;
    const weight = (used.get(current) ?? 0) + (used.get(current - 1) ?? 0) * share;
    if (weight + 1 > count) return false;
    used.set(current, (used.get(current) ?? 0) + 1);
    return true;
  });
}

/** A repeatable source of numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/**
 * Plays a schedule against a model over a network with this round trip; requests may overtake each other.
 * @returns observations in the order of the schedule
 */
function play(model: models.Model, schedule: Schedule, rttMs: number, seed: number): Observation[] {
  const next = random(seed * 1000 + rttMs);
  const jitter = () => -Math.log(1 - next()) * (rttMs / 8);
  const phase = next() * 1000 + 10_000;
  const sent = schedule.map((at, n) => ({ n, s: at + phase, at: at + phase + rttMs / 2 + jitter() }));
  return sent
    .sort((a, b) => a.at - b.at)
    .map(({ n, s, at }) => {
      const { admitted, delayMs } = model.take(at);
      return { n, s, q: at + delayMs + rttMs / 2 + jitter(), admitted };
    })
    .sort((a, b) => a.n - b.n);
}

const judged = (observations: readonly Observation[]) => judgeLimiter(observations, rateLimit);

function isCaught(observations: readonly Observation[], rttMs: number): boolean {
  const { lax, strict, p95Ms } = judged(observations);
  // LIM-11 compares this time with that of the requests before the probe.
  return lax.length + strict.length > 0 || p95Ms > rttMs * 2 + 250;
}

/** The schedules of a probe: what a run sends, starting with a full bucket, to judge the shape of the limiter. */
const probes: Readonly<Record<'light' | 'full', readonly Schedule[]>> = {
  light: [scheduleOf(lightProbe), scheduleOf(refillProbe)],
  full: [scheduleOf(fullProbe)],
};
const ROUND_TRIPS = [1, 20, 80, 200];

const right: [string, () => models.Model][] = [
  ['token bucket 10/20', () => models.tokenBucket(perSecond, burst)],
  ['GCRA 100 ms, 20', () => models.gcra(1000 / perSecond, burst)],
];

const wrong: [string, () => models.Model][] = [
  ...'10/10 10/15 10/19 10/21 10/30 9/20 11/20 20/20'.split(' ').map((of): [string, () => models.Model] => {
    const [rate = 0, size = 0] = of.split('/').map(Number);
    return [`bucket ${of}`, () => models.tokenBucket(rate, size)];
  }),
  ['refill once a second', () => models.steppedBucket(10, 20)],
  ['refill that loses fractions', () => models.tokenBucket(perSecond, burst, { floor: true })],
  ['refused requests are charged', () => models.tokenBucket(perSecond, burst, { chargeRefused: true })],
  ['two unshared buckets', () => models.unshared(() => models.tokenBucket(perSecond, burst))],
  ['fixed 10 a second', () => models.fixedWindow(10, 1000)],
  ['fixed 20 a second', () => models.fixedWindow(20, 1000)],
  ['fixed 20 in two seconds', () => models.fixedWindow(20, 2000)],
  ['fixed 600 a minute', () => models.fixedWindow(600, 60_000)],
  ['log 10 a second', () => slidingLog(10, 1000)],
  ['log 20 a second', () => slidingLog(20, 1000)],
  ['log 20 in two seconds', () => slidingLog(20, 2000)],
  ['counter 10 a second', () => slidingCounter(10, 1000)],
  ['counter 20 in two seconds', () => slidingCounter(20, 2000)],
  ['queue 10 a second, depth 20', () => models.leakyQueue(10, 20)],
  ['no limiter', () => models.unlimited],
];

/** In how many of the runs the limiter was caught. */
function caughtOf(runs: number, make: () => models.Model, schedules: readonly Schedule[], rttMs: number): number {
  const seeds = Array.from({ length: runs }, (_, seed) => seed);
  return seeds.filter((seed) =>
    schedules.some((schedule, at) => isCaught(play(make(), schedule, rttMs, seed * 10 + at), rttMs)),
  ).length;
}

const seen = (s: number, q: number, admitted = true): Observation => ({ s, q, admitted });

describe('the rate oracle', () => {
  test('judges 105 requests, or 447', () => {
    expect(scheduleOf(lightProbe)).toHaveLength(105);
    expect(scheduleOf(fullProbe)).toHaveLength(447);
    const all = scheduleOf(lightProbe).map((s) => seen(s, s));
    expect(partOf(lightProbe, 'drained', all).map(({ s }) => s)).toEqual([...lightProbe.drained]);
    expect(partOf(lightProbe, 'pause', all).map(({ s }) => s)).toEqual([...lightProbe.pause]);
  });

  test.each(right)('never reports a violation of a %s, no matter what the network does', (_name, make) => {
    const schedules = [...probes.light, ...probes.full, scheduleOf(phaseProbe), burstAt(0, 60)];
    for (const rttMs of [...ROUND_TRIPS, 5, 300, 900]) {
      for (const [at, schedule] of schedules.entries()) {
        for (let seed = 0; seed < 6; seed++) {
          const played = play(make(), schedule, rttMs, seed * 10 + at);
          // The clocks of k6 count whole milliseconds.
          const whole = played.map(({ s, q, admitted }) => ({ s: Math.floor(s), q: Math.floor(q), admitted }));
          for (const all of [played, whole]) {
            const { lax, strict } = judged(all);
            expect({ rttMs, seed, lax, strict }).toEqual({ rttMs, seed, lax: [], strict: [] });
          }
        }
      }
    }
  });

  // The table of limiters: which of the 23 wrong ones a probe does not catch. From 80 ms on these are two.
  describe.each(ROUND_TRIPS)('at a round trip of %d ms', (rttMs) => {
    test.each(['light', 'full'] as const)('the %s probe lets at most buckets live that are wrong by one', (kind) => {
      expect(wrong).toHaveLength(23);
      const runs = kind === 'light' ? 6 : 2;
      const missed = wrong.filter(([, make]) => caughtOf(runs, make, probes[kind], rttMs) < runs).map(([name]) => name);
      expect(missed.filter((name) => rttMs < 80 || !/^bucket 10.(19|21)$/.test(name))).toEqual([]);
    });
  });

  test('catches every bucket that is wrong by at least the stated resolution', () => {
    for (const rttMs of [...ROUND_TRIPS, 50, 120, 300]) {
      for (const off of [-8, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 8]) {
        for (const schedule of [scheduleOf(lightProbe), burstAt(0, 40)]) {
          const observations = play(models.tokenBucket(perSecond, burst + off), schedule, rttMs, off + 50);
          const { tokens } = sharpnessOf(observations, rateLimit);
          const { lax, strict } = judged(observations);
          const owed = Math.abs(off) >= tokens;
          expect({ rttMs, off, tokens, caught: !owed || lax.length + strict.length > 0 }).toMatchObject({
            caught: true,
          });
        }
      }
    }
    const tokensOf = (tookMs: number) =>
      sharpnessOf(
        evenly(0, 10, 40).map((s) => seen(s, s + tookMs)),
        rateLimit,
      ).tokens;
    expect([2, 94, 96, 194, 196].map(tokensOf)).toEqual([1, 1, 2, 2, 3]);
  });

  test('two bursts catch every window of time, wherever it begins', () => {
    const windows = wrong.filter(([name]) => /^(fixed (1|2)0|log|counter)/.test(name));
    expect(windows).toHaveLength(8);
    for (const [name, make] of windows) {
      for (const rttMs of [1, 80]) {
        expect([name, rttMs, caughtOf(12, make, [scheduleOf(phaseProbe)], rttMs)]).toEqual([name, rttMs, 12]);
      }
    }
  });

  test('even requests after a burst catch a rate that is a third of a request too low, and a minute of them a twelfth', () => {
    const even = (seconds: number): Schedule => [...burstAt(0, 15), ...evenly(100, 10, seconds * 10)];
    for (const [seconds, rate] of [
      [15, 9.6],
      [60, 9.9],
    ] as const) {
      for (const rttMs of [1, 20, 80]) {
        const { strict } = judged(play(models.tokenBucket(rate, burst), even(seconds), rttMs, 1));
        expect(strict.length).toBeGreaterThan(0);
        const honest = play(models.tokenBucket(perSecond, burst), even(seconds), rttMs, 1);
        expect(honest.filter(({ admitted }) => !admitted)).toEqual([]);
      }
    }
  });

  test('a burst of 40 at once has 20 admitted; one more is lax, and one fewer strict', () => {
    const burst = (admitted: number) =>
      Array.from({ length: 40 }, (_, n) => seen(n * 0.01, 5 + n * 0.01, n < admitted));
    expect(judged(burst(20))).toMatchObject({ lax: [], strict: [], admitted: 20, excess: 0 });
    expect(judged(burst(21))).toMatchObject({ lax: [burst(21)[20]], excess: 1, strict: [] });
    expect(judged(burst(19))).toMatchObject({ lax: [], strict: { length: 21 } });
    const serial = Array.from({ length: 21 }, (_, n) => seen(n, n + 0.9));
    expect(judged(serial).lax).toHaveLength(1);
  });

  test('a request that was sent earlier may have been decided later', () => {
    const quick = seen(1, 10);
    const after = (q: number) => judged([...Array(20).fill(seen(0, q)), quick]);
    expect(after(1000)).toMatchObject({ lax: [], strict: [] });
    expect(after(9).lax).toEqual([quick]);
  });

  test('a request that overtakes the burst may have taken its last token', () => {
    const burst = Array.from({ length: 30 }, (_, n) => seen(0, 60, n < 19));
    expect(judged([...burst, seen(50, 58)])).toMatchObject({ lax: [], strict: [] });
    expect(judged([...burst, seen(61, 69)]).strict).toHaveLength(11);
  });
});
