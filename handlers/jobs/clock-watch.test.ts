import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loggedLines } from '../../scripts/world/logged-lines.ts';
import type { Store } from '../data/store.ts';
import { databaseMs } from '../runtime/clock.ts';
import { clockWatch } from './clock-watch.ts';

const START = Date.UTC(2026, 2, 16);
const MINUTE_MS = 60_000;

/** The clock of the database, in milliseconds. */
let database: number;
/** How long the database takes to answer, all of it after it read its clock. */
let tookMs: number;
const { log, lines: logged } = loggedLines();
let watch: ReturnType<typeof clockWatch>;

function pass(ms: number): void {
  database += ms;
  jest.advanceTimersByTime(ms);
}

/** Waits until the watch has looked again. */
async function look(): Promise<void> {
  database += 1_000;
  await jest.advanceTimersByTimeAsync(1_000);
}

/** Sets the machine's clock, so that it is this far ahead of the database's. */
function setMachine(ms: number): void {
  jest.setSystemTime(database + ms);
}

beforeEach(async () => {
  [database, tookMs] = [START, 0];
  jest.useFakeTimers({ now: START });
  const command = async () => {
    const localTime = new Date(database);
    pass(tookMs);
    return { localTime };
  };
  watch = clockWatch({ db: { command } } as unknown as Store, log);
  await watch.start();
  await look();
  logged.length = 0;
});
afterEach(async () => {
  await watch.stop();
  jest.useRealTimers();
});

const offMs = () => databaseMs() - database;

test.each([
  ['a second behind', -1_000],
  ['5 s ahead', 5_000],
  ['20 minutes behind', -20 * MINUTE_MS],
  ['a day ahead', 24 * 60 * MINUTE_MS],
])("the time is the database's on a machine that is %s, and stays so when that is corrected", async (_, aheadMs) => {
  setMachine(aheadMs);
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
  setMachine(0);
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
  pass(MINUTE_MS);
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
});

test('an answer that is read late moves a time that may be right nowhere, and another one by what is certain', async () => {
  tookMs = 9_000;
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
  database += 60 * MINUTE_MS;
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(4_501);
  tookMs = 2;
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(2);
});

test('the time follows another clock of the database, and stands still instead of running back a little', async () => {
  const before = databaseMs();
  database -= 1_900;
  await look();
  expect(databaseMs()).toBe(before);
  pass(600);
  expect(databaseMs()).toBe(before);
  pass(400);
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
  database -= 5_000;
  await look();
  expect(Math.abs(offMs())).toBeLessThanOrEqual(1);
});

test('a difference is logged once for each change, and its end', async () => {
  for (const aheadMs of [900, 5_000, 5_400, 5_200, 7_000, -7_000, -900, -400, 400]) {
    setMachine(aheadMs);
    await look();
    await look();
  }
  expect(logged.map(({ event, difference_ms: ms }) => [event, Math.round(Number(ms) / 100)])).toEqual([
    ['clock_differs', -50],
    ['clock_differs', -70],
    ['clock_differs', 70],
    ['clock_agrees', 4],
  ]);
  expect(logged[0]?.msg).toBe(
    "The clock of this machine is 5.0 s ahead of the database's. The database's time is used.",
  );
});

test.each([
  ['ahead of', MINUTE_MS - 10],
  ['behind', 10 - MINUTE_MS],
])('a machine that is more than a minute %s is not fit to serve, until it is corrected', async (said, aheadMs) => {
  setMachine(aheadMs);
  await look();
  expect(watch.check).not.toThrow();
  setMachine(2 * aheadMs);
  await look();
  expect(watch.check).toThrow(`The clock of this machine is 120.0 s ${said} the database's.`);
  setMachine(0);
  await look();
  expect(watch.check).not.toThrow();
});
