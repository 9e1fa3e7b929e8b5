import { describe, expect, test } from '@jest/globals';
import { memoryRateLimiter, type RateVerdict, rateLimitField } from './rate.ts';

function limiterAt(start = 1_000_000) {
  let at = start;
  const limiter = memoryRateLimiter(() => at);
  return {
    take: (key = 'k') => limiter.take(key) as RateVerdict,
    wait: (ms: number) => {
      at += ms;
    },
    limiter,
  };
}

/** A direct model of the promise: a bucket of 20 tokens that refills by 10 a second; a refusal takes none. */
function bucketModel() {
  let tokens = 20;
  return {
    wait: (ms: number) => {
      tokens = Math.min(20, tokens + ms / 100);
    },
    take: () => {
      if (tokens < 1 - 1e-9) return false;
      tokens -= 1;
      return true;
    },
  };
}

describe('the token bucket of D-7', () => {
  test('admits 20 at once and refuses the 21st', () => {
    const { take } = limiterAt();
    const admitted = Array.from({ length: 21 }, () => take().admitted);
    expect(admitted).toEqual([...Array(20).fill(true), false]);
  });

  test('agrees with a model of the bucket over random waits', () => {
    let seed = 42;
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed / 2147483648;
    };
    const { take, wait } = limiterAt();
    const model = bucketModel();
    for (let i = 0; i < 5_000; i++) {
      const ms = random() < 0.7 ? 0 : Math.floor(random() * 700);
      wait(ms);
      model.wait(ms);
      expect([i, take().admitted]).toEqual([i, model.take()]);
    }
  });

  test('takes nothing for a refusal, whose delay is exact', () => {
    const { take, wait } = limiterAt();
    for (let i = 0; i < 20; i++) take();
    const { retryAfterMs } = take();
    for (let i = 0; i < 50; i++) take();
    wait(retryAfterMs - 1);
    expect(take().admitted).toBe(false);
    wait(1);
    expect(take().admitted).toBe(true);
  });

  test('reports the whole tokens left and the whole seconds until it is full', () => {
    const { take, wait } = limiterAt();
    expect(rateLimitField(take())).toBe('"key";r=19;t=1');
    for (let i = 0; i < 19; i++) take();
    expect(rateLimitField(take())).toBe('"key";r=0;t=2');
    wait(2_000);
    expect(rateLimitField(take())).toBe('"key";r=19;t=1');
  });

  test('is separate for each key, and is forgotten when it is full again', () => {
    const { take, wait, limiter } = limiterAt();
    for (let i = 0; i < 1_000; i++) expect(take(`k${i}`).admitted).toBe(true);
    expect(limiter.size).toBe(1_000);
    wait(3_000);
    for (let i = 0; i < 600; i++) take('one');
    expect(limiter.size).toBeLessThan(10);
  });
});
