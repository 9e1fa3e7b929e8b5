import { describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { RateLimitRow } from '../data/store.ts';
import {
  IDLE_ROW_MS,
  memoryRateLimiter,
  RATE_LIMIT_POLICY,
  type RateVerdict,
  rateLimitField,
  sharedRateLimiter,
} from './rate.ts';

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
  test('admits 20 at once and refuses the 21st', () => {
    const { take } = limiterAt();
    const admitted = Array.from({ length: 21 }, () => take().admitted);
    expect(admitted).toEqual([...Array(20).fill(true), false]);
  });

  test('agrees with a model of the bucket over random waits', () => {
    const { take, wait } = limiterAt();
    const model = bucketModel();
    for (const [i, ms] of randomWaits(5_000).entries()) {
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
    expect(RATE_LIMIT_POLICY).toBe('"key";q=20;w=2');
  });

  test('says in milliseconds when it is full and when there is a token again', () => {
    const { take, wait } = limiterAt();
    expect(take()).toEqual({ admitted: true, tokensLeft: 19, untilFullMs: 100, retryAfterMs: 0 });
    for (let i = 0; i < 19; i++) take();
    wait(30);
    expect(take()).toEqual({ admitted: false, tokensLeft: 0, untilFullMs: 1_970, retryAfterMs: 70 });
    wait(70);
    expect(take()).toEqual({ admitted: true, tokensLeft: 0, untilFullMs: 2_000, retryAfterMs: 0 });
  });

  test('is separate for each key, and is forgotten when it is full again', () => {
    const { take, wait, limiter } = limiterAt();
    for (let i = 0; i < 1_000; i++) expect(take(`k${i}`).admitted).toBe(true);
    expect(limiter.size).toBe(1_000);
    wait(4_000);
    take('one');
    expect(limiter.size).toBe(1);
  });

  test('is forgotten while other keys are used all the time', () => {
    const { take, wait, limiter } = limiterAt();
    for (let i = 0; i < 1_000; i++) take(`k${i}`);
    for (let i = 0; i < 50; i++) {
      take('busy');
      wait(100);
    }
    expect(limiter.size).toBeLessThanOrEqual(2);
  });

  test('is not forgotten while it is not full, whatever else is', () => {
    const { take, wait } = limiterAt();
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

type Expression = number | string | { readonly $add: Expression[] } | { readonly $max: Expression[] };

/** The rows of buckets in memory, with the few operators that the limiter uses. All operations are noted. */
function bucketRows() {
  const rows = new Map<string, RateLimitRow>();
  const operations: string[] = [];
  /** Runs before an operation; it stands for another process, or for the time that an operation takes. */
  let meanwhile: (operation: string) => void = () => undefined;
  const computed = (row: RateLimitRow, expression: Expression): number => {
    if (typeof expression === 'number') return expression;
    if (typeof expression === 'string') return Number(row[expression.slice(1) as 'tat']);
    if ('$max' in expression) return Math.max(...expression.$max.map((each) => computed(row, each)));
    return expression.$add.map((each) => computed(row, each)).reduce((a, b) => a + b);
  };
  const find = ({ _id, tat }: { _id: string; tat?: number | { $lte: number } }) => {
    const row = rows.get(_id);
    const matches = tat === undefined || (typeof tat === 'number' ? row?.tat === tat : (row?.tat ?? 0) <= tat.$lte);
    return row !== undefined && matches ? row : null;
  };
  const noted =
    <In extends unknown[], Out>(name: string, work: (...given: In) => Out) =>
    async (...given: In) => {
      operations.push(name);
      meanwhile(name);
      return work(...given);
    };
  const collection = {
    findOne: noted('find', find),
    findOneAndUpdate: noted(
      'take',
      (
        filter: Parameters<typeof find>[0],
        [{ $set }]: [{ $set: { tat: Expression; expires_at: Date } }],
        { returnDocument }: { returnDocument?: string },
      ) => {
        const before = find(filter);
        if (before === null) return null;
        const after = { ...before, tat: computed(before, $set.tat), expires_at: $set.expires_at };
        rows.set(before._id, after);
        return returnDocument === 'after' ? after : before;
      },
    ),
    insertOne: noted('insert', (row: RateLimitRow) => {
      if (rows.has(row._id)) throw Object.assign(new Error('duplicate key'), { code: 11_000 });
      rows.set(row._id, row);
    }),
    updateOne: noted('reset', (filter: Parameters<typeof find>[0], { $set }: { $set: { tat: number } }) => {
      const row = find(filter);
      if (row !== null) rows.set(row._id, { ...row, ...$set });
    }),
  };
  return {
    rows,
    operations,
    collection: collection as unknown as Collection<RateLimitRow>,
    setMeanwhile: (next: typeof meanwhile) => {
      meanwhile = next;
    },
  };
}

describe('the bucket that processes share', () => {
  function sharedAt(start = 1_000_000) {
    let at = start;
    const shared = bucketRows();
    const processes = [0, 1].map(() => sharedRateLimiter(shared.collection, () => at));
    return {
      ...shared,
      take: async (nth = 0, key = 'k') => (await processes[nth]?.take(key)) as RateVerdict,
      wait: (ms: number) => {
        at += ms;
      },
    };
  }

  test('admits what one process would, over random waits', async () => {
    const { take, wait } = sharedAt();
    const alone = limiterAt();
    for (const [i, ms] of randomWaits(3_000).entries()) {
      wait(ms);
      alone.wait(ms);
      expect([i, await take(i % 2)]).toEqual([i, alone.take()]);
    }
  });

  test('is separate for each key', async () => {
    const { take } = sharedAt();
    for (let i = 0; i < 20; i++) await take(0, 'busy');
    expect((await take(0, 'busy')).admitted).toBe(false);
    expect((await take(0, 'other')).admitted).toBe(true);
  });

  test('costs the database nothing while it is known to be exhausted, until a token is due', async () => {
    const { take, wait, operations } = sharedAt();
    for (let i = 0; i < 21; i++) await take();
    const before = operations.length;
    for (let i = 0; i < 50; i++) expect((await take()).admitted).toBe(false);
    wait(99);
    expect(await take()).toMatchObject({ admitted: false, retryAfterMs: 1 });
    expect(operations).toHaveLength(before);
    wait(1);
    expect((await take()).admitted).toBe(true);
    expect(operations).toHaveLength(before + 1);
  });

  test('is made once when two processes begin at the same moment', async () => {
    const { take, rows, setMeanwhile } = sharedAt();
    setMeanwhile((operation) => {
      if (operation === 'insert' && rows.size === 0)
        rows.set('k', { _id: 'k', tat: 1_000_100, expires_at: new Date(0) });
    });
    expect(await take()).toMatchObject({ admitted: true, tokensLeft: 18 });
  });

  test('passes on an error of the database', async () => {
    const { take, setMeanwhile } = sharedAt();
    setMeanwhile(() => {
      throw new Error('away');
    });
    await expect(take()).rejects.toThrow('away');
  });

  test('is kept for ten minutes after its last use', async () => {
    const { take, wait, rows } = sharedAt();
    const earliest = Date.now() + IDLE_ROW_MS;
    await take();
    const made = rows.get('k')?.expires_at.getTime() ?? 0;
    expect(made).toBeGreaterThanOrEqual(earliest);
    expect(made).toBeLessThanOrEqual(Date.now() + IDLE_ROW_MS);
    rows.set('k', { ...(rows.get('k') as RateLimitRow), expires_at: new Date(0) });
    wait(1);
    await take();
    expect(rows.get('k')?.expires_at.getTime()).toBeGreaterThanOrEqual(earliest);
  });

  test('judges a refusal by the time of the decision', async () => {
    const { take, wait, setMeanwhile } = sharedAt();
    for (let i = 0; i < 20; i++) await take(1);
    wait(50);
    setMeanwhile((operation) => {
      if (operation === 'find') wait(50);
    });
    expect((await take(0)).admitted).toBe(true);
    expect(await take(0)).toMatchObject({ admitted: false, retryAfterMs: 100 });
  });

  test.each([
    ['full again soon after a clock was set back by hours', 3_600_000, true],
    ['full again soon after a clock was set back by just more than a skew', 62_001, true],
    ['left as it is where the clock of another process is ahead', 62_000, false],
  ])('is %s', async (_, aheadMs, isReset) => {
    const { take, wait, rows } = sharedAt();
    rows.set('k', { _id: 'k', tat: 1_000_000 + aheadMs, expires_at: new Date(0) });
    expect(await take()).toEqual({ admitted: false, tokensLeft: 0, untilFullMs: 2_000, retryAfterMs: 100 });
    wait(100);
    expect((await take()).admitted).toBe(isReset);
  });

  test('refuses where others always were faster', async () => {
    const { take, rows, setMeanwhile } = sharedAt();
    setMeanwhile((operation) => {
      // The row expires and is made again, so that each attempt finds it changed.
      if (operation === 'insert') rows.set('k', { _id: 'k', tat: 0, expires_at: new Date(0) });
      else rows.delete('k');
    });
    expect(await take()).toEqual({ admitted: false, tokensLeft: 0, untilFullMs: 2_000, retryAfterMs: 100 });
  });
});
