/** Alarms run in some worker at their time, whichever process sets them and whichever dies. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Store } from '../data/store.ts';
import { OwnDatabase } from '../testing/database.ts';
import { eventually } from '../testing/processes.ts';
import { now, nowMs, setClockOffset } from './clock.ts';
import { createLogger } from './log.ts';
import { createSchedulerIndexes, openScheduler, ring, type Scheduler } from './scheduler.ts';

const database = new OwnDatabase();
const log = createLogger('silent');
let store: Store;
let open: Scheduler[] = [];

beforeAll(async () => {
  store = await database.open(5_000);
  await createSchedulerIndexes(store);
});

afterEach(async () => {
  await Promise.all(open.map((alarms) => alarms.stop()));
  open = [];
  setClockOffset(0);
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

interface Ringing {
  readonly id: string;
  readonly atMs: number;
}

/** A worker, and the alarms that ran in it. @param lookEveryMs how often it looks for jobs; as in a deployment by default */
async function worker(lookEveryMs?: number): Promise<{ alarms: Scheduler; rang: Ringing[] }> {
  const rang: Ringing[] = [];
  const note = (id: string) => void rang.push({ id, atMs: nowMs() });
  const handlers = { deliver: note, apply_ingest: note };
  const looks = lookEveryMs === undefined ? {} : { lookEveryMs };
  const alarms = await openScheduler(store, log, { alarms: handlers, recurring: [], ...looks });
  open.push(alarms);
  return { alarms, rang };
}

async function setter(): Promise<Scheduler> {
  const alarms = await openScheduler(store, log);
  open.push(alarms);
  return alarms;
}

const inMs = (ms: number) => new Date(nowMs() + ms);
const rows = () => store.db.collection('alarms').countDocuments({});
const emptied = () => eventually('the end of the alarms', async () => ((await rows()) === 0 ? true : undefined));

test('one that a process without work sets rings in one of the workers, once, and not before its time', async () => {
  const [one, two] = [await worker(), await worker()];
  const alarms = await setter();
  const at = new Map(Array.from({ length: 20 }, (_, index) => [randomUUID() as string, inMs(100 + 50 * index)]));
  await Promise.all([...at].map(([id, time]) => alarms.set('deliver', id, time)));
  await emptied();
  const rang = [...one.rang, ...two.rang];
  expect(rang.map(({ id }) => id).toSorted()).toEqual([...at.keys()].toSorted());
  for (const { id, atMs } of rang) expect(atMs).toBeGreaterThanOrEqual(at.get(id)?.getTime() ?? Number.NaN);
});

test('one that is due rings as soon as there is a worker, and its job is there before it rings', async () => {
  const alarms = await setter();
  await alarms.set('apply_ingest', 'tenant', now());
  const [job, ...others] = await store.db.collection('alarms').find({}).toArray();
  expect(others).toEqual([]);
  expect(job).toMatchObject({ name: 'apply_ingest', data: { id: 'tenant' }, lockedAt: null });
  const { rang } = await worker();
  await emptied();
  expect(rang.map(({ id }) => id)).toEqual(['tenant']);
});

test('a worker does not wait for its next look where it sets one itself', async () => {
  const { alarms, rang } = await worker(60 * 60 * 1000);
  for (let count = 1; count <= 5; count++) {
    await alarms.set('apply_ingest', 'tenant', now());
    await eventually('its ringing', () => (rang.length === count ? true : undefined));
  }
  await emptied();
});

test('of several for one id each rings, the earliest first; of equal ones there is one', async () => {
  const alarms = await setter();
  const [early, late] = [inMs(300), inMs(600)];
  for (const time of [late, early, late, early]) await alarms.set('deliver', 'id', time);
  expect(await rows()).toBe(2);
  const { rang } = await worker();
  await emptied();
  expect(rang).toHaveLength(2);
  expect(rang[0]?.atMs).toBeGreaterThanOrEqual(early.getTime());
});

test('one that is set while its like is ringing rings too', async () => {
  const again = inMs(400);
  let rang = 0;
  const deliver = (id: string) => {
    rang += 1;
    if (rang === 1) void alarms.set('deliver', id, again);
  };
  const alarms = await openScheduler(store, log, { alarms: { deliver, apply_ingest: () => {} }, recurring: [] });
  open.push(alarms);
  await alarms.set('deliver', 'id', inMs(100));
  await eventually('the second', () => (rang === 2 ? true : undefined));
  await emptied();
});

test('one whose process was killed while it rang, rings elsewhere', async () => {
  const lockedAt = new Date(Date.now() - 11_000);
  const killed = { name: 'deliver', data: { id: 'killed' }, type: 'normal', priority: 0, nextRunAt: null, lockedAt };
  await store.db.collection('alarms').insertOne(killed);
  const { rang } = await worker();
  await emptied();
  expect(rang.map(({ id }) => id)).toEqual(['killed']);
});

test('times are those of the service, wherever its clock is set', async () => {
  const { alarms, rang } = await worker();
  setClockOffset(25 * 3_600_000);
  const at = inMs(300);
  await alarms.set('deliver', 'id', at);
  await emptied();
  expect(rang).toHaveLength(1);
  expect(rang[0]?.atMs).toBeGreaterThanOrEqual(at.getTime());
});

test('anybody can set one; where nothing is open, nothing happens', async () => {
  await ring('deliver', 'nobody');
  expect(await rows()).toBe(0);
  const { rang } = await worker();
  await ring('apply_ingest', 'tenant');
  await emptied();
  expect(rang.map(({ id }) => id)).toEqual(['tenant']);
});

test('an outage of the database ends nothing but itself', async () => {
  const { alarms, rang } = await worker();
  await alarms.set('deliver', 'before', inMs(3_600_000));
  await database.kill();
  await ring('deliver', 'lost', inMs(60_000));
  expect(rang).toEqual([]);
  await database.start();
  const becomesDue = () => store.db.collection('alarms').updateMany({}, { $set: { nextRunAt: new Date() } });
  await eventually('the database', () => becomesDue().catch(() => undefined));
  await emptied();
  expect(rang.map(({ id }) => id)).toEqual(['before']);
});
