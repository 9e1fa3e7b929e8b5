/** Claims of deliveries that are wanted at the same time: they share reads and writes, and each holds for itself. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { OK, Outside, Receivers } from '../../scripts/world/deliveries.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { DeliveryRow } from '../data/collections/deliveries.ts';
import { createLogger } from '../runtime/log.ts';
import { type AttemptMeans, makeAttempt } from './attempt.ts';
import { type Claim, claimDue, type DueDeliveries, mayBeDue, nothingRead } from './claim.ts';
import { Deliveries } from './deliver.ts';
import { cancelPending } from './schedule.ts';

const { store } = await testDeployment();
const never = new AbortController().signal;
const PAST = new Date(1);
let receivers: Receivers;
let outside: Outside;
let means: AttemptMeans;

beforeEach(async () => {
  receivers = new Receivers(store);
  await receivers.flag();
  outside = new Outside();
  means = { store, send: outside.send, log: createLogger('silent') };
});

afterEach(() => {
  jest.restoreAllMocks();
});

const claim = (endpointId: string, found?: DueDeliveries) => claimDue(store, receivers.tenantId, endpointId, found);
const idsOf = (claims: readonly (Claim | undefined)[]) => claims.map((one) => one?.before._id);

test('claims of several endpoints at the same time are one command, and each gets what has been due longest', async () => {
  const endpoints = await Promise.all(Array.from({ length: 4 }, () => receivers.endpoint()));
  const oldest: string[] = [];
  for (const endpoint of endpoints) {
    await receivers.deliveries(endpoint, 2);
    oldest.push(...(await receivers.deliveries(endpoint, 1, { next_at: PAST })));
  }
  const found = endpoints.map(() => nothingRead());
  // The reads end at different times, but not so the claims after them.
  expect(idsOf(await Promise.all(endpoints.map((one, nth) => claim(one, found[nth]))))).toEqual(oldest);
  const writes = jest.spyOn(store.deliveries, 'bulkWrite');
  const claims = await Promise.all(endpoints.flatMap((one, nth) => [claim(one, found[nth]), claim(one, found[nth])]));
  expect(new Set(idsOf(claims)).size).toBe(8);
  expect(writes).toHaveBeenCalledTimes(1);
});

test('claims of an endpoint at the same time share a read, and none tries a delivery of another', async () => {
  const endpoint = await receivers.endpoint();
  const ids = await receivers.deliveries(endpoint, 12);
  const found = nothingRead();
  const reads = jest.spyOn(store.deliveries, 'find');
  const claims = await Promise.all(Array.from({ length: 12 }, () => claim(endpoint, found)));
  expect(idsOf(claims).toSorted()).toEqual(ids.toSorted());
  // Eight are found at a time, and nobody has to look which claims were made.
  expect(reads).toHaveBeenCalledTimes(2);
});

test.each<[string, Partial<DeliveryRow>]>([
  ['made an attempt', { attempt_count: 1 }],
  ['died in an attempt', { lease_id: 'gone', lease_until: PAST }],
])('a delivery with which another process has %s since the read is read again', async (_what, changes) => {
  const endpoint = await receivers.endpoint();
  const [, id = ''] = await receivers.deliveries(endpoint, 2);
  const found = nothingRead();
  await claim(endpoint, found);
  await store.deliveries.updateOne({ _id: id }, { $set: changes });
  expect((await claim(endpoint, found))?.before).toMatchObject({ _id: id, ...changes });
});

test('a delivery that was cancelled since the read is not claimed', async () => {
  const endpoint = await receivers.endpoint();
  const [, id = ''] = await receivers.deliveries(endpoint, 2);
  const found = nothingRead();
  await claim(endpoint, found);
  await cancelPending(store, receivers.tenantId, endpoint);
  expect(await claim(endpoint, found)).toBeUndefined();
  expect(await receivers.delivery(id)).toMatchObject({ status: 'CANCELLED', attempt_count: 0, lease_id: '' });
});

test('a write that is refused does not undo the claims beside it', async () => {
  const endpoint = await receivers.endpoint();
  const [broken = '', good = ''] = await receivers.deliveries(endpoint, 2);
  await store.deliveries.updateOne({ _id: broken }, { $set: { attempts: 'none' as unknown as [] } });
  const found = nothingRead();
  const [refused, made] = await Promise.allSettled([claim(endpoint, found), claim(endpoint, found)]);
  expect(refused.status).toBe('rejected');
  expect(made).toMatchObject({ value: { before: { _id: good } } });
});

test('something that becomes due during a read is not forgotten', async () => {
  const endpoint = await receivers.endpoint();
  const found = nothingRead();
  const reads = jest.spyOn(store.deliveries, 'find');
  const first = claim(endpoint, found);
  found.isOutdated = true;
  expect(await first).toBeUndefined();
  expect(reads).toHaveBeenCalledTimes(2);
  expect(mayBeDue(found)).toBe(false);
});

test('an endpoint that has more than one read finds may have something due until all is claimed', async () => {
  const endpoint = await receivers.endpoint();
  await receivers.deliveries(endpoint, 9);
  const found = nothingRead();
  for (let nth = 0; nth < 9; nth++) {
    expect(mayBeDue(found)).toBe(true);
    expect(await claim(endpoint, found)).toBeDefined();
  }
  expect(mayBeDue(found)).toBe(false);
});

test('successes at the same time are stored by one command, without one whose lease another process has taken', async () => {
  const endpoint = await receivers.endpoint();
  const ids = await receivers.deliveries(endpoint, 5);
  outside.answer = () => undefined;
  const found = nothingRead();
  const claims = (await Promise.all(ids.map(() => claim(endpoint, found)))) as Claim[];
  const attempts = claims.map((one) => makeAttempt(means, one, never));
  await outside.waiting(5);
  const taken = claims[2]?.before._id ?? '';
  await store.deliveries.updateOne({ _id: taken }, { $set: { lease_id: 'another' } });
  const writes = jest.spyOn(store.deliveries, 'bulkWrite');
  for (const { answer } of outside.open) answer(OK);
  await Promise.all(attempts);
  expect(writes).toHaveBeenCalledTimes(1);
  expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 4, PENDING: 1 });
  expect(await receivers.delivery(taken)).toMatchObject({ status: 'PENDING', lease_id: 'another' });
});

test('what becomes due during the last attempt at an endpoint is delivered after it', async () => {
  const endpoint = await receivers.endpoint();
  await receivers.deliveries(endpoint, 1);
  outside.answer = () => undefined;
  const worker = new Deliveries(means, 8, async () => {});
  worker.work(endpoint);
  await outside.waiting(1);
  // Nobody tells the worker of this one.
  await receivers.deliveries(endpoint, 1);
  outside.answer = () => OK;
  outside.open[0]?.answer(OK);
  await eventually('the end of the work', () => worker.working().length === 0);
  await worker.stop();
  expect(await receivers.statuses(endpoint)).toEqual({ DELIVERED: 2 });
});

test('a worker writes far less often than it delivers', async () => {
  const endpoints = await Promise.all(Array.from({ length: 5 }, () => receivers.endpoint()));
  for (const endpoint of endpoints) await receivers.deliveries(endpoint, 60);
  const writes = jest.spyOn(store.deliveries, 'bulkWrite');
  const worker = new Deliveries(means, 8, async () => {});
  for (const endpoint of endpoints) worker.work(endpoint);
  await eventually('the end of the work', () => worker.working().length === 0);
  await worker.stop();
  expect(outside.sent).toHaveLength(300);
  expect(writes.mock.calls.length).toBeLessThan(150);
});
