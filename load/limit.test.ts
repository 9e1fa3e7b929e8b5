/** The suite's judge of limiters, with the clocks of k6, which count whole milliseconds. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeLimiter, lightProbe, type Observation, scheduleOf } from '../conformance/judge/oracle.ts';
import {
  fixedWindow,
  gcra,
  type Model,
  slidingLog,
  steppedBucket,
  tokenBucket,
  unlimited,
} from '../conformance/judge/oracle-models.ts';
import { rateLimit } from '../generated/rate-limit.ts';

// A fixed seed gives the same examples each time: a failure comes from the change, not from a rare example.
fc.configureGlobal({ seed: 20_260_302 });

const { perSecond, burst } = rateLimit;
const schedule = scheduleOf(lightProbe);

/** Plays the probe against a model: each request is decided at some time between its sending and its answer. */
function probed(model: Model, delays: (n: number) => readonly [there: number, back: number]): Observation[] {
  return schedule
    .map((at, n) => ({ at, delays: delays(n) }))
    .map(({ at, delays: [there, back] }) => ({ sent: at, decided: at + there, back }))
    .toSorted((a, b) => a.decided - b.decided)
    .map(({ sent, decided, back }) => ({
      s: Math.floor(sent),
      q: Math.floor(decided + back),
      admitted: model.take(10_000 + decided).admitted,
    }));
}

describe('a correct limiter', () => {
  const delay = fc.tuple(fc.double({ min: 0, max: 300, noNaN: true }), fc.double({ min: 0, max: 300, noNaN: true }));
  const delays = fc.array(delay, { minLength: schedule.length, maxLength: schedule.length });
  const models = [() => tokenBucket(perSecond, burst), () => gcra(1000 / perSecond, burst)];

  test.each(models)('is never reported, no matter what the network does (%#)', (newModel) => {
    fc.assert(
      fc.property(delays, (chosen) => {
        const seen = probed(newModel(), (n) => chosen[n] ?? [0, 0]);
        expect(judgeLimiter(seen, rateLimit)).toMatchObject({ lax: [], strict: [] });
      }),
      { numRuns: 100 },
    );
  });
});

describe('a wrong limiter is detected over a fast network', () => {
  const wrong: [string, () => Model, 'lax' | 'strict'][] = [
    ['a fixed window of 30 a second', () => fixedWindow(30, 1000), 'lax'],
    ['a fixed window of 20 in 2 s', () => fixedWindow(20, 2000), 'strict'],
    ['20 in any 2 s', () => slidingLog(20, 2000), 'strict'],
    ['a bucket without a burst', () => tokenBucket(10, 1), 'strict'],
    ['a bucket of 15', () => tokenBucket(10, 15), 'strict'],
    ['a bucket of 30', () => tokenBucket(10, 30), 'lax'],
    ['9 a second', () => tokenBucket(9, 20), 'strict'],
    ['11 a second', () => tokenBucket(11, 20), 'lax'],
    ['a refill once a second', () => steppedBucket(10, 20), 'strict'],
    ['no limiter', () => unlimited, 'lax'],
  ];

  test.each(wrong)('%s', (_what, newModel, how) => {
    const seen = probed(newModel(), (n) => [3 + (n % 5), 3]);
    expect(judgeLimiter(seen, rateLimit)[how]).not.toEqual([]);
  });
});
