/** The pacing against a bucket as the contract describes it, on invented time. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { rateLimit } from '../../generated/client/calls.ts';
import { rejection } from '../testing/fixture.ts';
import { DeveloperApi } from './client.ts';
import type { Clock } from './clock.ts';

/** Time that moves to the next instant that somebody waits for, once nothing else is left to do. */
class EventTime implements Clock {
  #nowMs = 0;
  readonly #sleepers = new Set<{ atMs: number; wake: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { atMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      for (let i = 0; i < 5; i += 1) await setImmediate();
      const [next] = [...this.#sleepers].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) continue;
      this.#sleepers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
    }
    return work;
  }
}

/** A service that only counts. @param delayMs how long requests and answers travel */
function service(time: EventTime, delayMs: () => number, { perSecond, burst } = { perSecond: 10, burst: 20 }) {
  let tokens: number = burst;
  let at = 0;
  const seen = { accepted: 0, refused: 0 };
  const fetch = async () => {
    await time.sleep(delayMs());
    tokens = Math.min(burst, tokens + ((time.now() - at) / 1000) * perSecond);
    at = time.now();
    const isFree = tokens >= 1;
    if (isFree) tokens -= 1;
    seen[isFree ? 'accepted' : 'refused'] += 1;
    const headers = {
      RateLimit: `"key";r=${Math.floor(tokens)};t=1`,
      'RateLimit-Policy': `"key";q=${burst};w=${burst / perSecond}`,
      'Retry-After': '1',
    };
    await time.sleep(delayMs());
    const refusal = { code: 8, message: 'Too many requests', details: [] };
    return isFree ? Response.json({}, { headers }) : Response.json(refusal, { status: 429, headers });
  };
  return { seen, fetch };
}

/** Differs from request to request, without being random. */
function delays(...ms: number[]): () => number {
  let i = 0;
  return () => ms[i++ % ms.length] as number;
}

const options = { apiKey: 'k', baseUrl: 'https://api.docflow.test' };

test.each([1, 5, 300])('%i calls at a time are never refused, and use nearly the whole limit', async (parallel) => {
  const time = new EventTime();
  const { seen, fetch } = service(time, delays(5, 80, 20, 3, 40));
  const client = new DeveloperApi({ ...options, clock: time, fetch });
  const workers = Array.from({ length: parallel }, async () => {
    for (let i = 0; i < 300 / parallel; i += 1) await client.apiKey.verify();
  });
  await time.until(Promise.all(workers));
  expect(seen).toEqual({ accepted: 300, refused: 0 });
  const shortestMs = ((300 - rateLimit.burst) / rateLimit.perSecond) * 1000;
  if (parallel > 1) expect(time.now()).toBeLessThan(shortestMs * 1.1 + 500);
});

test('clients that share a key get all their answers', async () => {
  const time = new EventTime();
  const { seen, fetch } = service(time, delays(5, 30, 10));
  const clients = [1, 2, 3].map(() => new DeveloperApi({ ...options, clock: time, fetch, random: () => 0.5 }));
  const work = clients.map(async (client) => {
    for (let i = 0; i < 60; i += 1) await client.apiKey.verify();
  });
  await time.until(Promise.all(work));
  expect(seen.accepted).toBe(180);
  // All begin with a full bucket; from their first answers on they know of each other.
  expect(seen.refused).toBeLessThan(rateLimit.burst);
});

test('a limit that the service states is followed', async () => {
  const time = new EventTime();
  const { seen, fetch } = service(time, () => 5, { perSecond: 2, burst: 4 });
  const client = new DeveloperApi({ ...options, clock: time, fetch });
  const work = async () => {
    for (let i = 0; i < 40; i += 1) await client.apiKey.verify();
  };
  await time.until(work());
  expect(seen).toEqual({ accepted: 40, refused: 0 });
});

test('a call in the line ends when it is aborted, and the others keep their turns', async () => {
  const time = new EventTime();
  const { seen, fetch } = service(time, () => 5);
  const client = new DeveloperApi({ ...options, clock: time, fetch });
  const ending = new AbortController();
  const [first, ...others] = Array.from({ length: 30 }, () => client.apiKey.verify());
  const aborted = rejection(client.apiKey.verify({ signal: ending.signal }));
  const late = client.apiKey.verify();
  await time.until(Promise.resolve(first));
  ending.abort();
  expect(await aborted).toMatchObject({ name: 'AbortError' });
  await time.until(Promise.all([...others, late]));
  expect(seen).toEqual({ accepted: 31, refused: 0 });
  // The aborted one has not used up a turn: 31 begin with 18 and take 13 more at 9.5 a second.
  expect(time.now()).toBeLessThan((13.5 / 9.5) * 1000);
});

test('after a refusal every call waits for as long as the service says', async () => {
  const time = new EventTime();
  const sentMs: number[] = [];
  const headers = { 'Retry-After': '3' };
  const refusal = { code: 8, message: 'Too many requests', details: [] };
  const fetch = async () => {
    sentMs.push(time.now());
    await time.sleep(1);
    return sentMs.length === 1 ? Response.json(refusal, { status: 429, headers }) : Response.json({});
  };
  const client = new DeveloperApi({ ...options, clock: time, fetch, random: () => 0 });
  const refused = client.apiKey.verify();
  const later = time.sleep(2).then(() => client.apiKey.verify());
  await time.until(Promise.all([refused, later]));
  expect(sentMs).toEqual([0, 3001, 3001]);
});
