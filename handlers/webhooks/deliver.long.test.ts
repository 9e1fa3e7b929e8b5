/** Deliveries (D-27): when they are attempted, how they end, and that only one of several processes attempts each. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { DOWN, OK, Outside, Receivers } from '../../scripts/world/deliveries.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { DeliveryAttempt } from '../data/collections/deliveries.ts';
import { followStoreClock } from '../data/store-clock.ts';
import { now, nowMs, setClockOffset } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { type AttemptMeans, makeAttempt } from './attempt.ts';
import { claimDue } from './claim.ts';
import { Deliveries, overdueEndpoints } from './deliver.ts';
import { cancelPending, pruneDeliveries } from './schedule.ts';

const { store } = await testDeployment();
const log = createLogger('silent');
const never = new AbortController().signal;
const PAST = new Date(1);
let receivers: Receivers;
let outside: Outside;
let means: AttemptMeans;
let workers: Deliveries[] = [];
let scheduled: { id: string; at: Date }[] = [];

beforeEach(async () => {
  receivers = new Receivers(store);
  await receivers.flag();
  outside = new Outside();
  means = { store, send: outside.send, log };
  scheduled = [];
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  jest.restoreAllMocks();
  setClockOffset(0);
});

function worker(finishMs = 0): Deliveries {
  const started = new Deliveries(means, 8, async (id, at) => void scheduled.push({ id, at }), finishMs);
  workers.push(started);
  return started;
}

/** Lets workers do what is due, until nothing is left. */
async function workedOff(endpointId: string, ...those: Deliveries[]): Promise<void> {
  for (const one of those) one.work(endpointId);
  await eventually('the end of the work', () => those.every((one) => one.working().length === 0));
}

/** Claims a delivery, and fails if there is none. */
async function claimed(endpointId: string) {
  const claim = await claimDue(store, receivers.tenantId, endpointId);
  if (claim === undefined) throw new Error('nothing to claim');
  return claim;
}

const leaseIsOver = (id: string) => store.deliveries.updateOne({ _id: id }, { $set: { lease_until: PAST } });
const FAILED_ATTEMPT: DeliveryAttempt = { at: PAST, status_code: 500, error: '', duration_ms: 1 };
/** A delivery whose next attempt is its last. */
const atLast = { attempt_count: 7, attempts: Array(7).fill(FAILED_ATTEMPT) };

describe('the attempts of a delivery', () => {
  test('are scheduled as jobs, and stay so after a restart', async () => {
    // The clock moves only where the test moves it.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    outside.answer = () => DOWN;
    await workedOff(endpoint, worker());
    const { status, next_at, attempt_count, attempts } = await receivers.delivery(id);
    expect({ status, attempt_count, attempts }).toEqual({
      status: 'PENDING',
      attempt_count: 1,
      attempts: [{ at: expect.any(Date), ...DOWN }],
    });
    const dueMs = next_at?.getTime() ?? 0;
    expect(dueMs - nowMs()).toBeGreaterThanOrEqual(15_000);
    expect(dueMs - nowMs()).toBeLessThanOrEqual(16_500);
    await eventually('the next job', () => scheduled.at(-1)?.at.getTime() === dueMs);
    expect(scheduled.at(-1)?.id).toBe(endpoint);
    // Shortly before the time nothing is due, also for a new worker.
    setClockOffset(dueMs - 1 - Date.now());
    await workedOff(endpoint, worker());
    expect([...(await overdueEndpoints(store, []))]).toEqual([]);
    expect(outside.sent).toHaveLength(1);
    setClockOffset(dueMs - Date.now());
    expect([...(await overdueEndpoints(store, []))]).toEqual([[endpoint, receivers.tenantId]]);
  });

  test('have a job also if they become due right after the last look for them', async () => {
    const endpoint = await receivers.endpoint();
    const next_at = new Date(nowMs() + 60_000);
    await receivers.deliveries(endpoint, 1, { next_at });
    const look = jest.spyOn(store.deliveries, 'find');
    look.mockImplementationOnce((filter = {}) => {
      look.mockRestore();
      setClockOffset(120_000);
      return store.deliveries.find(filter);
    });
    await workedOff(endpoint, worker());
    expect(await eventually('the job', () => scheduled[0])).toEqual({ id: endpoint, at: next_at });
  });

  test('do not count when this deployment is at fault, and are made again a minute later', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    outside.answer = () => {
      throw new Error('no key opens the secret');
    };
    const before = nowMs();
    await workedOff(endpoint, worker());
    const { status, attempt_count, attempts, next_at, lease_id } = await receivers.delivery(id);
    expect({ status, attempt_count, attempts, lease_id }).toEqual({
      status: 'PENDING',
      attempt_count: 0,
      attempts: [],
      lease_id: '',
    });
    expect((next_at?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(60_000);
  });
});

describe('failures in a row', () => {
  /** An endpoint with so many failures in a row. */
  const failing = (count: number) =>
    receivers.endpoint({ failed_delivery_ids: Array.from({ length: count }, (_, n) => `failed-${n}`) });

  test('are counted exactly around the 20th by four workers at once', async () => {
    for (let round = 0; round < 10; round++) {
      // Eighteen failures are counted already, so that the eight simultaneous ones cross the limit.
      const endpoint = await failing(18);
      await receivers.deliveries(endpoint, 8, atLast);
      outside.answer = () => undefined;
      outside.open.length = 0;
      // Each begins as soon as it is claimed: an old claim is not attempted.
      const attempts = Array.from({ length: 8 }, async () => makeAttempt(means, await claimed(endpoint), never));
      await outside.waiting(8);
      for (const { answer } of outside.open) answer(DOWN);
      await Promise.all(attempts);
      const row = await receivers.endpointRow(endpoint);
      expect([row.status, row.failed_delivery_ids.length]).toEqual(['DISABLED', 20]);
      const statuses = await receivers.statuses(endpoint);
      expect((statuses.FAILED ?? 0) + (statuses.CANCELLED ?? 0)).toBe(8);
      expect(statuses.FAILED).toBeGreaterThanOrEqual(1);
    }
  });

  test.each([1, 19])('begin anew after %i and a success', async (count) => {
    const endpoint = await failing(count);
    await receivers.deliveries(endpoint, 1);
    await workedOff(endpoint, worker());
    expect((await receivers.endpointRow(endpoint)).failed_delivery_ids).toEqual([]);
  });

  test('include a delivery once, even if it is counted twice', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1, atLast);
    await store.webhook_endpoints.updateOne({ _id: endpoint }, { $set: { failed_delivery_ids: [id] } });
    outside.answer = () => DOWN;
    await workedOff(endpoint, worker());
    expect((await receivers.endpointRow(endpoint)).failed_delivery_ids).toEqual([id]);
    const { status, attempts } = await receivers.delivery(id);
    expect([status, attempts[7]]).toEqual(['FAILED', { at: expect.any(Date), ...DOWN }]);
  });
});

describe('when several workers want a delivery', () => {
  test('exactly one of them makes the attempt, hundreds of times', async () => {
    const endpoint = await receivers.endpoint();
    const ids = await receivers.deliveries(endpoint, 400);
    await workedOff(endpoint, worker(), worker(), worker());
    expect(outside.sent).toHaveLength(400);
    expect(new Set(outside.sent.map(({ envelope }) => `${envelope.id}:${endpoint}`))).toEqual(new Set(ids));
    expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 400 });
    expect(await store.deliveries.countDocuments({ endpoint_id: endpoint, attempt_count: { $ne: 1 } })).toBe(0);
  });

  test('none gets it during the lease, and the next one gets it after the lease', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    const before = Date.now();
    await claimed(endpoint);
    // The process's clock does not matter, however far it is off: the lease goes by the database's clock.
    setClockOffset(25 * 3_600_000);
    expect(await claimDue(store, receivers.tenantId, endpoint)).toBeUndefined();
    expect((await overdueEndpoints(store, [])).has(endpoint)).toBe(false);
    const { lease_until } = await receivers.delivery(id);
    expect(lease_until.getTime() - before).toBeGreaterThan(15_000);
    setClockOffset(0);
    await leaseIsOver(id);
    expect((await overdueEndpoints(store, [])).has(endpoint)).toBe(true);
    expect((await claimed(endpoint)).before).toMatchObject({ _id: id, attempt_count: 1 });
    expect((await receivers.delivery(id)).attempts.map(({ error }) => error)).toEqual(['interrupted', 'interrupted']);
  });

  test('none takes it before it is due by the clock of the database, however wrong its own clock is', async () => {
    const real = Date.now;
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    const [later = ''] = await receivers.deliveries(endpoint, 1, { next_at: new Date(real() + 3_600_000) });
    outside.answer = () => DOWN;
    for (const offMs of [25 * 3_600_000, -3_600_000]) {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + offMs);
      try {
        await followStoreClock(store);
        scheduled = [];
        await workedOff(endpoint, worker());
      } finally {
        clock.mockRestore();
      }
      const job = await eventually('the next job', () => scheduled.at(-1));
      const waitMs = job.at.getTime() - real();
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(300_000);
      const { next_at } = await receivers.delivery(id);
      expect((next_at?.getTime() ?? 0) - real()).toBeLessThanOrEqual(300_000);
      await store.deliveries.updateOne({ _id: id }, { $set: { next_at: new Date(real()) } });
    }
    await followStoreClock(store);
    expect(outside.sentTo(endpoint)).toBe(2);
    expect((await receivers.delivery(later)).attempt_count).toBe(0);
  });

  test('one that was paused beyond its lease writes nothing', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    for (const late of [OK, DOWN]) {
      outside.answer = () => undefined;
      outside.open.length = 0;
      const paused = makeAttempt(means, await claimed(endpoint), never);
      await outside.waiting(1);
      await leaseIsOver(id);
      outside.answer = () => DOWN;
      await makeAttempt(means, await claimed(endpoint), never);
      const before = await receivers.delivery(id);
      expect(before.status).toBe('PENDING');
      outside.open[0]?.answer(late);
      await paused;
      expect(await receivers.delivery(id)).toEqual(before);
      await store.deliveries.updateOne({ _id: id }, { $set: { next_at: now() } });
    }
  });

  test('one that was paused before it sends does not send', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1);
    const claim = await claimed(endpoint);
    await makeAttempt(means, { ...claim, askedMs: claim.askedMs - 20_000 }, never);
    expect(outside.sent).toEqual([]);
    expect(await receivers.delivery(id)).toMatchObject({ status: 'PENDING', attempt_count: 0, lease_id: '' });
  });

  test('none makes a ninth attempt after the eighth was interrupted', async () => {
    const endpoint = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(endpoint, 1, atLast);
    await claimed(endpoint);
    await leaseIsOver(id);
    await workedOff(endpoint, worker());
    expect(outside.sent).toEqual([]);
    const row = await receivers.delivery(id);
    expect([row.status, row.attempt_count, row.attempts.length]).toEqual(['FAILED', 8, 8]);
    expect((await receivers.endpointRow(endpoint)).failed_delivery_ids).toEqual([id]);
  });
});

describe('nothing is sent', () => {
  test('to an endpoint that is disabled or deleted, also later', async () => {
    for (const away of ['disabled', 'deleted']) {
      const endpoint = await receivers.endpoint();
      const [id = ''] = await receivers.deliveries(endpoint, 1);
      await receivers.deliveries(endpoint, 2, { next_at: new Date(nowMs() + 60_000) });
      if (away === 'deleted') await store.webhook_endpoints.deleteOne({ _id: endpoint });
      else await store.webhook_endpoints.updateOne({ _id: endpoint }, { $set: { status: 'DISABLED' } });
      const one = worker();
      // Like the worker's watch, which knows the tenant even of a deleted endpoint.
      one.work(endpoint, (await overdueEndpoints(store, [])).get(endpoint));
      await eventually('the end of the work', () => one.working().length === 0);
      expect(outside.sentTo(endpoint)).toBe(0);
      expect(await receivers.delivery(id)).toMatchObject({
        attempt_count: 0,
        attempts: [],
        next_at: null,
        lease_id: '',
        ended_at: expect.any(Date),
      });
      expect(await receivers.statuses(endpoint)).toEqual({ CANCELLED: 3 });
    }
  });

  test('after the endpoint ended during an attempt, whose result is still recorded', async () => {
    const endpoint = await receivers.endpoint();
    const ids = await receivers.deliveries(endpoint, 3);
    outside.answer = () => undefined;
    const claims = [await claimed(endpoint), await claimed(endpoint), await claimed(endpoint)];
    const attempts = claims.map((claim) => makeAttempt(means, claim, never));
    await outside.waiting(3);
    await store.webhook_endpoints.deleteOne({ _id: endpoint });
    await cancelPending(store, receivers.tenantId, endpoint);
    outside.open[0]?.answer(OK);
    outside.open[1]?.answer(DOWN);
    outside.open[2]?.answer({ status_code: 0, error: 'timeout', duration_ms: 10_000 });
    await Promise.all(attempts);
    expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 1, CANCELLED: 2 });
    const rows = await Promise.all(ids.map((id) => receivers.delivery(id)));
    expect(rows.flatMap((row) => row.attempts.map((each) => each.status_code || each.error)).toSorted()).toEqual([
      200,
      503,
      'timeout',
    ]);
    await workedOff(endpoint, worker());
    expect(outside.sent).toHaveLength(3);
  });
});

// Where many claims are made at once, endpoints are tried again, as the workers' watch does: a busy database may
// refuse a claim.
describe('receivers that hang', () => {
  test('occupy one place each, and delay no other endpoint', async () => {
    const [slow, fast] = [await receivers.endpoint(), await receivers.endpoint()];
    await receivers.deliveries(slow, 20);
    await receivers.deliveries(fast, 20);
    outside.answer = (endpointId) => (endpointId === slow ? undefined : OK);
    const one = worker();
    one.work(slow);
    await outside.waiting(1);
    one.work(fast);
    await eventually('the other endpoint', async () => (await receivers.statuses(fast)).DELIVERED === 20);
    expect(outside.sentTo(slow)).toBe(1);
  });

  test('get up to eight places by successes, and lose them by a failure', async () => {
    const endpoint = await receivers.endpoint();
    await receivers.deliveries(endpoint, 60);
    outside.answer = () => undefined;
    const one = worker();
    one.work(endpoint);
    const answerAll = (sent: typeof OK) => {
      for (const { answer } of outside.open.splice(0)) answer(sent);
    };
    for (const places of [1, 2, 8, 8]) {
      await outside.waiting(places);
      answerAll(OK);
    }
    await outside.waiting(8);
    answerAll(DOWN);
    await outside.waiting(1);
    const before = outside.sent.length;
    answerAll(DOWN);
    await eventually('the next one', () => outside.sent.length > before);
    expect(outside.open).toHaveLength(1);
  });

  test('of one tenant leave places to other tenants', async () => {
    const others = new Receivers(store);
    await others.flag();
    outside.answer = (endpointId) => (endpointId === their ? OK : undefined);
    const one = worker();
    const endpoints = await Promise.all(Array.from({ length: 70 }, () => receivers.endpoint()));
    for (const id of endpoints) await receivers.deliveries(id, 1);
    const their = await others.endpoint();
    const [id = ''] = await others.deliveries(their, 1);
    await eventually('all places of the tenant', () => {
      for (const each of endpoints) if (outside.sentTo(each) === 0) one.work(each);
      return outside.open.length === 64;
    });
    await eventually('the other tenant', async () => {
      one.work(their);
      return (await others.delivery(id)).status === 'DELIVERED';
    });
    expect(outside.open).toHaveLength(64);
    outside.open[0]?.answer(OK);
    await eventually('the next of the tenant', () => outside.open.length === 65);
  });

  test('of many tenants leave places to a new tenant', async () => {
    outside.answer = (endpointId) => (endpointId === their ? OK : undefined);
    const one = worker();
    const several = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const tenant = new Receivers(store);
        await tenant.flag();
        const endpoints = await Promise.all(Array.from({ length: 64 }, () => tenant.endpoint()));
        await Promise.all(endpoints.map((id) => tenant.deliveries(id, 1)));
        return endpoints;
      }),
    );
    const their = await receivers.endpoint();
    const [id = ''] = await receivers.deliveries(their, 1);
    for (const each of several.flat()) one.work(each);
    // Which claims the database answers first decides how the places are divided. In the end each of the four has at
    // least as many places as are free, so that it may take no more.
    await eventually('the end of the claims', () => {
      const free = 256 - outside.open.length;
      const without = several.map((ids) => ids.filter((each) => outside.sentTo(each) === 0));
      for (const each of without.flat()) one.work(each);
      return without.every((ids) => 64 - ids.length >= free);
    });
    expect(outside.open.length).toBeLessThan(256);
    await eventually('the last tenant', async () => {
      one.work(their);
      return (await receivers.delivery(id)).status === 'DELIVERED';
    });
  });
});

describe('a process that stops', () => {
  test('frees deliveries that take too long: they are due for others at once, by a job', async () => {
    const endpoint = await receivers.endpoint();
    const ids = await receivers.deliveries(endpoint, 1);
    outside.answer = () => undefined;
    const one = worker(50);
    one.work(endpoint);
    await outside.waiting(1);
    await one.stop();
    const row = await receivers.delivery(ids[0] ?? '');
    expect(row).toMatchObject({ status: 'PENDING', attempt_count: 1, lease_id: '' });
    expect(row.attempts.map(({ error }) => error)).toEqual(['interrupted']);
    expect(scheduled.map(({ id }) => id)).toEqual([endpoint]);
    outside.answer = () => OK;
    await workedOff(endpoint, worker());
    expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 1 });
  });

  test('waits for attempts under way, and begins none', async () => {
    const endpoint = await receivers.endpoint();
    await receivers.deliveries(endpoint, 2);
    outside.answer = () => undefined;
    const one = worker(30_000);
    one.work(endpoint);
    await outside.waiting(1);
    const stopped = one.stop();
    one.work(endpoint);
    outside.open[0]?.answer(OK);
    await stopped;
    expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 1, PENDING: 1 });
    expect(outside.sent).toHaveLength(1);
  });
});

test('a delivery is kept for 30 days after its end', async () => {
  const endpoint = await receivers.endpoint();
  const day = 24 * 3_600_000;
  const ended = (days: number) => ({
    status: 'FAILED' as const,
    next_at: null,
    ended_at: new Date(nowMs() - days * day),
  });
  const [old = ''] = await receivers.deliveries(endpoint, 1, ended(30));
  const [young = ''] = await receivers.deliveries(endpoint, 1, ended(29.9));
  const [pending = ''] = await receivers.deliveries(endpoint, 1, { create_time: PAST });
  await pruneDeliveries(store);
  const left = await store.deliveries.find({ _id: { $in: [old, young, pending] } }).toArray();
  expect(left.map(({ _id }) => _id).toSorted()).toEqual([young, pending].toSorted());
});
