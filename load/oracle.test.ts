import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeLimiter } from '../conformance/judge/oracle.ts';
import {
  fixedWindow,
  gcra,
  type Model,
  slidingLog,
  steppedBucket,
  tokenBucket,
  unlimited,
} from '../conformance/judge/oracle-models.ts';
import { misjudged, type Observation, OPENING, openingBand, probe } from './oracle.ts';

// A fixed seed gives the same examples each time: a failure comes from the change, not from a rare example.
fc.configureGlobal({ seed: 20_260_302 });

const LIMIT = { perSecond: 10, burst: 20 };

/** Plays the probe against a model: each request is decided at some time between its sending and its answer. */
function probed(model: Model, delays: (n: number) => readonly [there: number, back: number]): Observation[] {
  return probe
    .map((at, n) => ({ at, delays: delays(n) }))
    .map(({ at, delays: [there, back] }) => ({ sent: at, decided: at + there, back }))
    .toSorted((a, b) => a.decided - b.decided)
    .map(({ sent, decided, back }) => ({
      sent: Math.floor(sent),
      answered: Math.floor(decided + back),
      admitted: model.take(10_000 + decided).admitted,
    }));
}

const opening = (observations: readonly Observation[]) =>
  observations.toSorted((a, b) => a.sent - b.sent).slice(0, OPENING);

describe('a right limiter', () => {
  const delay = fc.tuple(fc.double({ min: 0, max: 300, noNaN: true }), fc.double({ min: 0, max: 300, noNaN: true }));
  const delays = fc.array(delay, { minLength: probe.length, maxLength: probe.length });
  const models = [() => tokenBucket(10, 20), () => gcra(100, 20)];

  test.each(models)('raises no alarm, whatever the network does (%#)', (newModel) => {
    fc.assert(
      fc.property(delays, (chosen) => {
        const seen = probed(newModel(), (n) => chosen[n] ?? [0, 0]);
        const { tooFew, tooMany } = openingBand(seen, opening(seen), LIMIT);
        expect({ ...misjudged(seen, LIMIT), tooFew, tooMany }).toEqual({
          tooLax: 0,
          tooStrict: 0,
          tooFew: 0,
          tooMany: 0,
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('a wrong limiter is seen over a short way', () => {
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
    const { tooLax, tooStrict } = misjudged(seen, LIMIT);
    expect(how === 'lax' ? tooLax : tooStrict).toBeGreaterThan(0);
  });

  test('the band of the opening tells 30 admitted from 20, and 1 from 20', () => {
    const lax = probed(fixedWindow(30, 1000), () => [2, 2]);
    expect(openingBand(lax, opening(lax), LIMIT)).toMatchObject({ admitted: 30, tooFew: 0, tooMany: 9 });
    const strict = probed(tokenBucket(10, 1), () => [2, 2]);
    expect(openingBand(strict, opening(strict), LIMIT)).toMatchObject({ admitted: 1, tooFew: 19, tooMany: 0 });
  });

  test('what others took from the opening counts for it', () => {
    const slow = Array.from({ length: OPENING }, (_, n) => ({ sent: 0, answered: 100, admitted: n < 19 }));
    const other = { sent: 50, answered: 60, admitted: true };
    expect(openingBand([...slow, other], slow, LIMIT).tooFew).toBe(0);
    expect(openingBand(slow, slow, LIMIT).tooFew).toBe(1);
  });
});

test('it agrees with the oracle of the conformance suite', () => {
  const one = fc.record({
    sent: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1500 })),
    took: fc.integer({ min: 0, max: 400 }),
    admitted: fc.oneof(fc.constant(true), fc.boolean()),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 25, maxLength: 80 }), (made) => {
      const mine = made.map(({ sent, took, admitted }) => ({ sent, answered: sent + took, admitted }));
      const theirs = mine.map(({ sent: s, answered: q, admitted }) => ({ s, q, admitted }));
      const { lax, strict } = judgeLimiter(theirs, LIMIT);
      expect(misjudged(mine, LIMIT)).toEqual({ tooLax: lax.length, tooStrict: strict.length });
    }),
    { numRuns: 200 },
  );
});
