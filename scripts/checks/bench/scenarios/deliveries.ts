/**
 * Events to ten receivers over verified TLS, one of which never answers: how many deliveries a worker process makes, and
 * how long an event takes to its receiver. Each receiver belongs to a tenant of its own, and events go to the tenants in
 * turn. The changes are made by another process, so the worker's relay must find them by itself.
 */
import type { Store } from '../../../../handlers/data/store.ts';
import { inTurn } from '../../../testbed/ask.ts';
import { subscribe } from '../../../testbed/deployment.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { EventReceiver, type ReceivedEvent, TestAuthority } from '../../../testbed/receiver.ts';
import { TestTenant } from '../../../testbed/tenant.ts';
import { hireEmployees } from '../../faults/fleet.ts';
import { percentile } from '../../statistics.ts';
import { steadily } from '../../steady-load.ts';
import { prepare } from '../place.ts';
import { finding, type Scenario, type ScenarioOptions, type Settings, withProcesses } from '../scenario.ts';

const RECEIVERS = 10;
const PATH = '/hook';
const EVENTS_PER_SECOND = 100;
/** How many rows are written at once; the embedded database answers nothing meanwhile. */
const PORTION = 250;
/** Only ends a wait; no result depends on it. */
const GIVEN_UP_MS = 10 * 60_000;

/** A tenant whose events go to one receiver. */
export interface Side {
  readonly tenantId: string;
  readonly receiver: EventReceiver;
}

/** Starts the receivers with their tenants; the last receiver never answers. */
async function makeSides(store: Store, sides: Side[]): Promise<void> {
  const authority = new TestAuthority();
  for (let nth = 0; nth < RECEIVERS; nth++) {
    const { id: tenantId } = await TestTenant.create(store);
    const receiver = await EventReceiver.listen(authority);
    sides.push({ tenantId, receiver });
    await subscribe(store, receiver, { tenantId, path: PATH, slot: 0, eventTypes: ['employee.changed'] });
  }
  sides.at(-1)?.receiver.manners.set(PATH.slice(1), { status: 204, hangs: true });
}

/** The settings that allow a process to deliver to all receivers. */
function receivingAll(sides: readonly Side[]): Settings {
  const all = sides.map(({ receiver }) => receiver.env);
  const networks = all.map(({ WEBHOOK_ALLOW_NETWORKS }) => WEBHOOK_ALLOW_NETWORKS);
  return { ...all[0], WEBHOOK_ALLOW_NETWORKS: networks.join() };
}

/** What the receivers that answer have got, in the order of its arrival. */
const receivedBy = (sides: readonly Side[]): ReceivedEvent[] =>
  sides
    .slice(0, -1)
    .flatMap(({ receiver }) => receiver.received)
    .toSorted((one, other) => one.atMs - other.atMs);

/** Waits until the receivers that answer have so many more events than before. @returns these events */
async function arrived(sides: readonly Side[], before: number, count: number): Promise<ReceivedEvent[]> {
  await eventually('the events', () => receivedBy(sides).length >= before + count, GIVEN_UP_MS);
  return receivedBy(sides).slice(before);
}

/** Writes events as fast as the database takes them. @returns the deliveries a second, from the first to the last */
export async function throughput(store: Store, sides: readonly Side[], each: number): Promise<number> {
  const before = receivedBy(sides).length;
  for (let written = 0; written < each; written += PORTION) {
    const count = Math.min(PORTION, each - written);
    for (const { tenantId } of sides) await hireEmployees(store, tenantId, count);
  }
  const events = await arrived(sides, before, each * (sides.length - 1));
  const [from = 0, to = 0] = [events[0]?.atMs, events.at(-1)?.atMs];
  return ((events.length - 1) * 1000) / (to - from);
}

/** Writes events at a steady rate. @returns the milliseconds from each change to its receipt */
async function latencies(store: Store, sides: readonly Side[], seconds: number): Promise<number[]> {
  const before = receivedBy(sides).length;
  const write = async (nth: number) => {
    const side = inTurn(sides, nth);
    await hireEmployees(store, side.tenantId, 1);
    return side === sides.at(-1) ? 0 : 1;
  };
  const written = await steadily(EVENTS_PER_SECOND, seconds, write);
  const expected = written.reduce((sum: number, one) => sum + one, 0);
  return (await arrived(sides, before, expected)).map(({ atMs, occurredAtMs }) => atMs - occurredAtMs);
}

/** Removes what is left to deliver, so that later workers on this database have nothing to do with it. */
async function forget(store: Store, sides: readonly Side[]): Promise<void> {
  const ofSides = { tenant_id: { $in: sides.map(({ tenantId }) => tenantId) } };
  await store.webhook_endpoints.deleteMany(ofSides);
  await store.deliveries.deleteMany(ofSides);
}

/**
 * Does work with so many worker processes, and with the tenants and receivers that they deliver to.
 * @throws Error if a delivery was not genuine
 */
export async function withWorkers<T>(
  options: ScenarioOptions,
  count: number,
  work: (sides: readonly Side[]) => Promise<T>,
): Promise<T> {
  const { store } = options.place;
  const sides: Side[] = [];
  const stop = () => Promise.all(sides.map(({ receiver }) => receiver.stop()));
  try {
    await makeSides(store, sides);
    const settings = { ROLE: 'worker', ...receivingAll(sides) };
    return await withProcesses(options, Array(count).fill(settings), async () => {
      const result = await work(sides);
      // A worker waits for attempts under way when it ends; this ends them.
      await stop();
      const wrong = sides.flatMap(({ receiver }) => receiver.wrong);
      if (wrong.length > 0) throw new Error(`${wrong.length} deliveries were not genuine: ${wrong[0]}`);
      return result;
    });
  } finally {
    await stop();
    await forget(store, sides);
  }
}

async function run(options: ScenarioOptions) {
  const { isQuick, say } = options;
  const { store } = options.place;
  await prepare(store, 1);
  return withWorkers(options, 1, async (sides) => {
    say('warming up');
    await throughput(store, sides, isQuick ? 5 : 50);
    say('throughput');
    const perSecond = await throughput(store, sides, isQuick ? 20 : 1_000);
    say(`${EVENTS_PER_SECOND} events a second`);
    const took = await latencies(store, sides, isQuick ? 1 : 20);
    const rate = `${EVENTS_PER_SECOND} events a second of another process`;
    return [
      finding('deliveries of a worker process, one of ten receivers hangs', perSecond, '/s', { least: 1_000 }),
      finding(`event to receipt, ${rate}, p50`, percentile(took, 0.5), 'ms', { most: 250 }),
      finding(`event to receipt, ${rate}, p99`, percentile(took, 0.99), 'ms', { most: 1_000 }),
    ];
  });
}

/** The scenario. */
export const deliveries: Scenario = {
  name: 'deliveries',
  about: 'events to ten receivers over TLS, one of which never answers',
  seconds: 60,
  run,
};
