import { describe, expect, test } from '@jest/globals';
import { type Collection, MongoNetworkError } from 'mongodb';
import { atTime } from '../../scripts/world/database-clock.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { RateLimitRow } from '../data/collections/rate_limits.ts';
import { type FailureThrottle, failureThrottle } from './failed-keys.ts';

const { store } = await testDeployment();

const PER_SECOND = 100;
/** How many attempts a process may have taken from the shared bucket without using them. */
const TAKEN_AHEAD = 10;

/** Makes `attempts` attempts at once. @returns how many were let through */
async function lookedAt(throttle: FailureThrottle, attempts: number, addressOf = (_n: number) => '203.0.113.7') {
  const exceeded = await Promise.all(Array.from({ length: attempts }, (_, n) => throttle.exceeded(addressOf(n))));
  return exceeded.filter((is) => !is).length;
}

describe('a single process', () => {
  test('checks 100 failed keys a second of each peer, and refuses only that peer', async () => {
    let at = 0;
    const throttle = failureThrottle(undefined, () => at);
    expect(await lookedAt(throttle, 150, () => 'a')).toBe(PER_SECOND);
    expect(await throttle.exceeded('b')).toBe(false);
    at += 500;
    expect(await lookedAt(throttle, 150, () => 'a')).toBe(PER_SECOND / 2);
  });

  test('takes a network of IPv6 for one peer, and an address of IPv4 in both notations', async () => {
    const throttle = failureThrottle(undefined, () => 0);
    const refused = async (addressOf: (n: number) => string) => 150 - (await lookedAt(throttle, 150, addressOf));
    expect(await refused((n) => `2001:db8:1:2::${n.toString(16)}`)).toBe(50);
    expect(await refused((n) => `2001:db8:1:${(n + 16).toString(16)}::1`)).toBe(0);
    expect(await refused((n) => (n % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'))).toBe(50);
    expect(await refused((n) => `198.51.101.${n}`)).toBe(0);
  });
});

describe('several processes on one store', () => {
  /** By the clocks of the processes and of the database. */
  let at = Date.now();
  let writes = 0;
  let address = 0;
  /** A new peer for each test. */
  const newPeer = () => {
    const peer = `198.51.100.${++address}`;
    return () => peer;
  };
  const processes = (count: number) =>
    Array.from({ length: count }, () => failureThrottle(counted(store.rate_limits), () => at));

  /** The collection at that time, counting its writes. */
  function counted(rows: Collection<RateLimitRow>): Collection<RateLimitRow> {
    const timed = atTime(rows, () => at);
    const findOneAndUpdate = (...args: Parameters<typeof rows.findOneAndUpdate>) => {
      writes++;
      return timed.findOneAndUpdate(...args);
    };
    return { findOneAndUpdate } as unknown as Collection<RateLimitRow>;
  }

  test('check 100 + 100·t together, at most ten more for each process, and write once for ten', async () => {
    const [all, peer] = [processes(3), newPeer()];
    const seconds = 3;
    writes = 0;
    let [looked, attempts] = [0, 0];
    for (let tick = 0; tick <= seconds * 50; tick++) {
      // Five times the limit at each of them.
      const each = await Promise.all(all.map((throttle) => lookedAt(throttle, 10, peer)));
      looked += each.reduce((sum, n) => sum + n);
      attempts += 10 * all.length;
      at += 20;
    }
    const most = PER_SECOND + PER_SECOND * seconds;
    expect(looked).toBeGreaterThanOrEqual(most);
    expect(looked).toBeLessThanOrEqual(most + TAKEN_AHEAD * all.length);
    // One write for ten attempts let through, and one each tenth of a second for each process that gets none.
    expect(writes).toBeLessThanOrEqual(looked / 10 + all.length * seconds * 10 + all.length);
    expect(writes).toBeLessThan(attempts / 30);
  });

  test('refuse none of the first 100 after a second without any, at either of them', async () => {
    const [[one, other], peer] = [processes(2) as [FailureThrottle, FailureThrottle], newPeer()];
    await lookedAt(one, 300, peer);
    await lookedAt(other, 300, peer);
    at += 1_000;
    expect(await lookedAt(other, 100, peer)).toBe(100);
    at += 1_000;
    const [first, second] = [await lookedAt(one, 50, peer), await lookedAt(other, 50, peer)];
    expect([first, second]).toEqual([50, 50]);
  });

  test('let no attempt wait for more than two writes, however many wait', async () => {
    const [[throttle], peer] = [processes(1) as [FailureThrottle], newPeer()];
    writes = 0;
    expect(await lookedAt(throttle, PER_SECOND, peer)).toBe(PER_SECOND);
    expect(writes).toBe(2);
  });

  test('write nothing to the store for a peer that fails rarely', async () => {
    const [[throttle], peer] = [processes(1) as [FailureThrottle], newPeer()];
    writes = 0;
    for (let n = 0; n < 40; n++) {
      expect(await throttle.exceeded(peer())).toBe(false);
      at += 60_000;
    }
    expect(writes).toBe(3);
  });

  test('recover from a row whose clock was set back', async () => {
    const [[throttle], peer] = [processes(1) as [FailureThrottle], newPeer()];
    const times = { tat: at + 3_600_000, at: at + 3_600_000, expires_at: new Date(at + 60_000) };
    await store.rate_limits.insertOne({ _id: `peer:${peer()}`, granted: 1, ...times });
    expect(await lookedAt(throttle, 50, peer)).toBe(TAKEN_AHEAD + 1);
    at += 1_000;
    expect(await lookedAt(throttle, 50, peer)).toBe(50);
  });
});

describe('while the database is away', () => {
  const failing = (findOneAndUpdate: () => Promise<never>) =>
    ({ findOneAndUpdate }) as unknown as Collection<RateLimitRow>;

  test('a process counts alone, and tries the store once a second', async () => {
    let [at, asked] = [0, 0];
    const rows = failing(() => {
      asked++;
      return Promise.reject(new MongoNetworkError('no'));
    });
    const throttle = failureThrottle(rows, () => at);
    expect(await lookedAt(throttle, 300)).toBe(PER_SECOND);
    at += 500;
    expect(await lookedAt(throttle, 300)).toBe(PER_SECOND / 2);
    expect(asked).toBe(1);
    at += 501;
    await throttle.exceeded('203.0.113.7');
    expect(asked).toBe(2);
  });

  test('only as many requests wait for the store as could be checked', async () => {
    const throttle = failureThrottle(
      failing(() => new Promise<never>(() => {})),
      () => 0,
    );
    for (let n = 0; n < PER_SECOND; n++) void throttle.exceeded('203.0.113.7');
    expect(await throttle.exceeded('203.0.113.7')).toBe(true);
  });

  test('an error in our own code is not taken for an outage', async () => {
    const throttle = failureThrottle(
      failing(() => Promise.reject(new TypeError('ours'))),
      () => 0,
    );
    await expect(lookedAt(throttle, 11)).rejects.toThrow('ours');
  });
});
