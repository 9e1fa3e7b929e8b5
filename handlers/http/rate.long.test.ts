import { describe, expect, test } from '@jest/globals';
import { atTime } from '../../scripts/world/database-clock.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import {
  IDLE_ROW_MS,
  memoryRateLimiter,
  RATE_LIMIT_POLICY,
  type RateVerdict,
  rateLimitField,
  sharedRateLimiter,
} from './rate.ts';

const { store } = await testDeployment();

function limiterOfTest() {
  let at = 1_000_000;
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

/** Waits of up to 700 ms between requests, most of them none; always the same. */
function randomWaits(count: number): number[] {
  let seed = 42;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  return Array.from({ length: count }, () => (random() < 0.7 ? 0 : Math.floor(random() * 700)));
}

describe('the token bucket of D-7', () => {
  test('agrees with a model of the bucket over random waits', () => {
    const { take, wait } = limiterOfTest();
    const model = bucketModel();
    for (const [i, ms] of randomWaits(5_000).entries()) {
      wait(ms);
      model.wait(ms);
      expect([i, take().admitted]).toEqual([i, model.take()]);
    }
  });

  test('reports the whole tokens left and the whole seconds until it is full', () => {
    const { take, wait } = limiterOfTest();
    expect(rateLimitField(take())).toBe('"key";r=19;t=1');
    for (let i = 0; i < 19; i++) take();
    expect(rateLimitField(take())).toBe('"key";r=0;t=2');
    wait(2_000);
    expect(rateLimitField(take())).toBe('"key";r=19;t=1');
    expect(RATE_LIMIT_POLICY).toBe('"key";q=20;w=2');
  });

  test('says in milliseconds when it is full and when there is a token again', () => {
    const { take, wait } = limiterOfTest();
    expect(take()).toEqual({ admitted: true, tokensLeft: 19, untilFullMs: 100, retryAfterMs: 0 });
    for (let i = 0; i < 19; i++) take();
    wait(30);
    expect(take()).toEqual({ admitted: false, tokensLeft: 0, untilFullMs: 1_970, retryAfterMs: 70 });
    wait(70);
    expect(take()).toEqual({ admitted: true, tokensLeft: 0, untilFullMs: 2_000, retryAfterMs: 0 });
  });

  test('is separate for each key, and is forgotten when it is full again', () => {
    const { take, wait, limiter } = limiterOfTest();
    for (let i = 0; i < 1_000; i++) expect(take(`k${i}`).admitted).toBe(true);
    expect(limiter.size).toBe(1_000);
    wait(4_000);
    take('one');
    expect(limiter.size).toBe(1);
  });

  test('is forgotten while other keys are used all the time', () => {
    const { take, wait, limiter } = limiterOfTest();
    for (let i = 0; i < 1_000; i++) take(`k${i}`);
    for (let i = 0; i < 50; i++) {
      take('busy');
      wait(100);
    }
    expect(limiter.size).toBeLessThanOrEqual(2);
  });

  test('is not forgotten while it is not full, whatever else is', () => {
    const { take, wait } = limiterOfTest();
    take('first');
    wait(1_990);
    for (let i = 0; i < 20; i++) expect(take('busy').admitted).toBe(true);
    // What the first key used is forgotten meanwhile; of `busy` only two tokens are back.
    for (const pause of [20, 100, 80]) {
      wait(pause);
      take('other');
    }
    expect([take('busy'), take('busy'), take('busy')].map(({ admitted }) => admitted)).toEqual([true, true, false]);
  });
});

describe('the bucket that processes share', () => {
  const START = Date.now();
  let key = 0;
  /**
   * A key, and processes that limit it, at a time of the database.
   * @param off how far each process takes the database's clock to be ahead of what it is
   */
  function sharedAt(off: readonly number[] = [0, 0]) {
    let at = START;
    let operations = 0;
    const keyId = `key ${++key}`;
    let meanwhile = () => {};
    const rows = atTime(store.rate_limits, () => at);
    const { findOneAndUpdate } = rows;
    rows.findOneAndUpdate = (async (...given: Parameters<typeof findOneAndUpdate>) => {
      operations++;
      meanwhile();
      return findOneAndUpdate(...given);
    }) as typeof findOneAndUpdate;
    // Monotonic clocks begin anywhere.
    const processes = off.map((offMs, nth) =>
      sharedRateLimiter(
        rows,
        () => at - START + 1_000_000 * nth,
        () => at + offMs,
      ),
    );
    return {
      take: async (nth = 0) => (await processes[nth]?.take(keyId)) as RateVerdict,
      wait: (ms: number) => {
        at += ms;
      },
      row: () => store.rate_limits.findOne({ _id: keyId }),
      /** As if the bucket had been emptied at that time. */
      empty: (time: number) =>
        store.rate_limits.insertOne({
          _id: keyId,
          tat: time + 2_000,
          at: time,
          granted: 1,
          expires_at: new Date(START + 60_000),
        }),
      operations: () => operations,
      /** Runs before an operation, and stands for the time that it takes. */
      setMeanwhile: (next: () => void) => {
        meanwhile = next;
      },
    };
  }

  const HOUR_MS = 3_600_000;
  test.each([
    ['that agree about the time', [0, 0]],
    ['of which one is 5 s ahead', [5_000, 0]],
    ['of which one is 20 minutes behind and one an hour ahead', [-1_200_000, HOUR_MS]],
  ])('is for processes %s what it is for one, over random waits', async (_, off) => {
    const { take, wait } = sharedAt(off);
    const alone = limiterOfTest();
    for (const [i, ms] of randomWaits(500).entries()) {
      wait(ms);
      alone.wait(ms);
      expect([i, await take(i % 2)]).toEqual([i, alone.take()]);
    }
  });

  test('costs the database nothing while it is known to be exhausted, until a token is due', async () => {
    const { take, wait, operations } = sharedAt();
    for (let i = 0; i < 21; i++) await take();
    const before = operations();
    for (let i = 0; i < 50; i++) expect((await take()).admitted).toBe(false);
    wait(99);
    expect(await take()).toMatchObject({ admitted: false, retryAfterMs: 1 });
    expect(operations()).toBe(before);
    wait(1);
    expect((await take()).admitted).toBe(true);
    expect(operations()).toBe(before + 1);
  });

  test('is made once when processes begin at the same moment', async () => {
    const { take } = sharedAt();
    const verdicts = await Promise.all(Array.from({ length: 10 }, (_, i) => take(i % 2)));
    expect(verdicts.map(({ tokensLeft }) => tokensLeft).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 10),
    );
  });

  test('is kept for ten minutes after its last use', async () => {
    const { take, wait, row } = sharedAt();
    for (let use = 0; use < 2; use++) {
      await take();
      expect((await row())?.expires_at).toEqual(new Date(START + use + IDLE_ROW_MS));
      wait(1);
    }
  });

  test('is judged at the time of the decision', async () => {
    const { take, wait, setMeanwhile } = sharedAt();
    for (let i = 0; i < 20; i++) await take(1);
    setMeanwhile(() => wait(100));
    expect((await take(0)).admitted).toBe(true);
    setMeanwhile(() => wait(50));
    expect(await take(1)).toMatchObject({ admitted: false, retryAfterMs: 50 });
    // Known since the decision, not since the question.
    expect(await take(1)).toMatchObject({ admitted: false, retryAfterMs: 50 });
  });

  test.each([
    ['an hour', HOUR_MS, true],
    ['more than five seconds', 5_001, true],
    ['five seconds, as if no time had passed until it is reached again', 5_000, false],
  ])('admits a caller after the clock of the database was set back by %s', async (_, backMs, admitted) => {
    const { take, empty, wait } = sharedAt();
    await empty(START + backMs);
    expect((await take()).admitted).toBe(admitted);
    expect(await take()).toMatchObject({ admitted: false, tokensLeft: 0 });
    wait(admitted ? 100 : 100 + backMs);
    expect((await take()).admitted).toBe(true);
  });

  test.each([1_500, 5_000])('gives a command nothing for %i ms that it waited in the database', async (lateMs) => {
    const { take, wait } = sharedAt();
    wait(lateMs);
    for (let i = 0; i < 20; i++) await take(0);
    wait(-lateMs);
    expect(await take(1)).toMatchObject({ admitted: false, retryAfterMs: 100 });
    wait(lateMs);
    expect((await take(1)).admitted).toBe(false);
    wait(100);
    expect((await take(1)).admitted).toBe(true);
  });
});
