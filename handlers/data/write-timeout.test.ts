/** How long a request waits for its writes, before and after a replica set changes its primary. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type MongoClient, MongoNetworkError, MongoNetworkTimeoutError } from 'mongodb';
import { isStoreAway } from './database-unavailable.ts';
import { hurried, unhurried, type Writing, watchPrimary } from './write-timeout.ts';

const LONGEST_MS = 4_000;
const STEADY = { silentMs: -Infinity, patienceMs: 3_500 };

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  jest.useRealTimers();
});

/** Keeps the thread from all work. */
const stand = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A write that takes `ms` milliseconds. */
const taking = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms, 'written'));

/**
 * Makes one write after the other. @returns the result of the last, and when it came, in milliseconds from the start
 */
async function inTurn(writing: Writing, eachMs: readonly number[]) {
  const fromMs = performance.now();
  let last: unknown;
  const all = (async () => {
    for (const ms of eachMs) last = await writing(taking(ms));
  })();
  const ended = all.catch((error: unknown) => {
    last = error;
  });
  let afterMs = 0;
  void ended.then(() => {
    afterMs = performance.now() - fromMs;
  });
  await jest.advanceTimersByTimeAsync(60_000);
  await ended;
  return { last, afterMs };
}

describe('a request', () => {
  test('gets the result of its write', async () => {
    expect(await inTurn(hurried(STEADY, performance.now()), [3_000])).toEqual({ last: 'written', afterMs: 3_000 });
    const failing = hurried(STEADY, performance.now())(() => Promise.reject(new TypeError('wrong')));
    await expect(failing).rejects.toThrow('wrong');
  });

  test.each([
    ['one write that nobody acknowledges', [30_000]],
    ['three that wait for a majority in turn', [1_700, 1_700, 1_700]],
  ])('learns in time that the store is away: %s', async (_what, eachMs) => {
    const { last, afterMs } = await inTurn(hurried(STEADY, performance.now()), eachMs);
    expect(isStoreAway(last)).toBe(true);
    expect(afterMs).toBeLessThan(LONGEST_MS);
  });

  test('makes as many quick writes as it needs', async () => {
    const each = Array.from({ length: 100 }, () => 200);
    expect(await inTurn(hurried(STEADY, performance.now()), each)).toEqual({ last: 'written', afterMs: 20_000 });
  });

  test('gets the result that arrived while the process stood still', async () => {
    jest.useRealTimers();
    const folder = mkdtempSync(join(tmpdir(), 'write-'));
    const said = join(folder, 'said');
    const program = `console.log('written'); require('node:fs').writeFileSync(${JSON.stringify(said)}, '')`;
    const fromMs = performance.now();
    let passedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => fromMs + passedMs);
    const written = hurried(
      STEADY,
      fromMs,
    )(async () => {
      const [text] = await once(spawn(process.execPath, ['-e', program]).stdout, 'data');
      return String(text).trim();
    });
    // Long enough for a look to be due, which then comes before the answer is read.
    for (const sinceMs = Date.now(); !existsSync(said) || Date.now() - sinceMs < 1_000; ) stand(10);
    rmSync(folder, { recursive: true });
    passedMs = 10_000;
    await expect(written.finally(() => clock.mockRestore())).resolves.toBe('written');
  });

  test('counts its whole time once a primary was silent, and begins no write that it cannot wait for', async () => {
    const startedMs = performance.now();
    await jest.advanceTimersByTimeAsync(3_000);
    const writing = hurried({ ...STEADY, silentMs: performance.now() }, startedMs);
    const waited = await inTurn(writing, [1_700]);
    expect(isStoreAway(waited.last)).toBe(true);
    expect(3_000 + waited.afterMs).toBeLessThan(LONGEST_MS);
    const write = jest.fn(taking(1));
    await expect(hurried({ ...STEADY, silentMs: performance.now() }, startedMs)(write)).rejects.toThrow('acknowledged');
    expect(write).not.toHaveBeenCalled();
  });

  test('learns in time that the store is away when the primary falls silent during its write', async () => {
    const startedMs = performance.now();
    const primary = { ...STEADY };
    await jest.advanceTimersByTimeAsync(2_000);
    setTimeout(() => {
      primary.silentMs = performance.now();
    }, 1_000);
    const { last, afterMs } = await inTurn(hurried(primary, startedMs), [30_000]);
    expect(isStoreAway(last)).toBe(true);
    expect(2_000 + afterMs).toBeLessThan(LONGEST_MS);
  });

  test('keeps its whole time for a write after other work, such as a PDF, while the primary stays', async () => {
    const startedMs = performance.now();
    await jest.advanceTimersByTimeAsync(60_000);
    expect((await inTurn(hurried(STEADY, startedMs), [1_000])).last).toBe('written');
    expect((await inTurn(hurried({ ...STEADY, silentMs: startedMs }, startedMs), [1_000])).last).toBe('written');
  });
});

test('a worker waits as long as the driver does', async () => {
  expect(await inTurn(unhurried, [30_000])).toEqual({ last: 'written', afterMs: 30_000 });
});

test.each([
  ['silence', new MongoNetworkTimeoutError('timed out'), true],
  ['a death, which the driver reports at once', new MongoNetworkError('refused'), false],
  ['a step-down', null, false],
])('a change of the primary after %s', (_what, error, counts) => {
  const client = new EventEmitter();
  const primary = watchPrimary(client as MongoClient, 3_500);
  const report = (...those: object[]) => {
    jest.advanceTimersByTime(10);
    const servers = new Map(those.map((server, nth) => [`${nth}`, { address: `${nth}`, ...server }]));
    client.emit('topologyDescriptionChanged', { newDescription: { servers } });
  };
  const [follows, leads, gone] = [{ isWritable: false }, { isWritable: true }, { isWritable: false, error }];
  // Silence of a member that never was primary does not count.
  report({ ...follows, error: new MongoNetworkTimeoutError('timed out') }, leads);
  report(follows, leads);
  expect(primary.silentMs).toBe(-Infinity);
  report(follows, gone);
  expect(primary.silentMs).toBe(counts ? performance.now() : -Infinity);
  report(leads, follows);
  expect(primary.silentMs).toBe(counts ? performance.now() : -Infinity);
  const { silentMs } = primary;
  report(leads, leads);
  expect(primary.silentMs).toBe(silentMs);
});
