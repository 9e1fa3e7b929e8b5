/** When repeated work runs, and how its failures and the end of the process affect it. */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { loggedLines } from '../../scripts/world/logged-lines.ts';
import { MetricSamples } from '../../scripts/world/metric-samples.ts';
import { exposition } from '../runtime/metrics.ts';
import { type RepeatedWork, repeatWork } from './repeated-work.ts';

const NEVER_MS = 1_000_000_000;
const { log, lines: logged } = loggedLines();
/** The ids of the runs, in the order in which they begin. */
let begun: string[];
/** The runs under way. */
let open: Map<string, PromiseWithResolvers<boolean>>;
let stopping: AbortSignal | undefined;

beforeEach(() => {
  logged.length = 0;
  [begun, open, stopping] = [[], new Map(), undefined];
});

afterEach(() => {
  for (const held of open.values()) held.resolve(false);
});

/** Work whose runs last until the test ends them. */
function heldWork(everyMs?: number): RepeatedWork {
  const run = (signal: AbortSignal, id: string) => {
    stopping = signal;
    begun.push(id);
    expect(open.has(id)).toBe(false);
    const held = Promise.withResolvers<boolean>();
    open.set(id, held);
    return held.promise.finally(() => open.delete(id));
  };
  return repeatWork({ name: 'test', ...(everyMs !== undefined && { everyMs }), run }, log);
}

const hasBegun = (count: number) => eventually(`${count} runs`, () => begun.length === count);

/** Lets the run under way end, and waits for the next one. */
async function next(id = '', more = false): Promise<void> {
  const count = begun.length + 1;
  open.get(id)?.resolve(more);
  await hasBegun(count);
}

test('work runs when it is asked for, again after the interval, and says when a run is over, even if that failed', async () => {
  const work = heldWork(10);
  expect(begun).toEqual([]);
  let isOver = false;
  const over = work.begin().then(() => {
    isOver = true;
  });
  expect(begun).toEqual(['']);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  open.get('')?.reject(new Error('away'));
  await over;
  await hasBegun(2);
  await next();
  open.get('')?.resolve(false);
  await work.stop();
});

test('an id has one run at a time, whatever others do, and all requests during it make one more run', async () => {
  const work = heldWork(NEVER_MS);
  for (const id of ['a', 'a', 'b']) void work.begin(id);
  expect(begun).toEqual(['a', 'b']);
  await next('a');
  open.get('a')?.resolve(false);
  await eventually('the end of the run', () => !open.has('a'));
  void work.begin('c');
  expect(begun).toEqual(['a', 'b', 'a', 'c']);
});

test('work is tried again soon after a failure, which is logged once for an id and without its text', async () => {
  const work = heldWork(NEVER_MS);
  void work.begin('a');
  for (let time = 2; time <= 3; time++) {
    const error = Object.assign(new Error('quotes a value'), { name: 'MongoServerError', code: 11000 });
    open.get('a')?.reject(error);
    await hasBegun(time);
  }
  expect(logged).toMatchObject([{ event: 'work_failed', work: 'test', error: { code: 11000 } }]);
  expect(JSON.stringify(logged)).not.toContain('quotes a value');
  await next('a', true);
  open.get('a')?.reject(new TypeError('a fault of ours'));
  await eventually('the second line', () => logged.length === 2);
  await work.stop();
  const runs = new MetricSamples(await exposition());
  const failed = (error_type: string) =>
    runs.value(`work_run_duration_seconds_count{work="test",error_type="${error_type}"}`);
  expect([failed('MongoServerError'), failed('TypeError')]).toEqual([2, 1]);
});

test('a stop aborts the runs under way, waits for them, and begins no other', async () => {
  const work = heldWork(1);
  void work.begin('a');
  void work.begin('a');
  let isStopped = false;
  const stopped = work.stop().then(() => {
    isStopped = true;
  });
  expect(stopping?.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  open.get('a')?.resolve(true);
  await stopped;
  await work.begin('b');
  expect(begun).toEqual(['a']);
});

test('a run that hangs does not keep the process from stopping', async () => {
  const work = heldWork(1);
  void work.begin();
  await work.stop();
  expect(open.size).toBe(1);
});
