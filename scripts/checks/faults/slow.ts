/**
 * The receivers of one tenant accept deliveries and never answer. The events of another tenant must reach its receiver
 * as fast as without this. Both cases are measured in turn on the same processes, so that other load on the machine
 * affects both equally.
 */
import { eventually } from '../../testbed/eventually.ts';
import { percentile } from '../statistics.ts';
import { type Fleet, hirePatiently, pause, withFleet } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

/** Milliseconds. `queueP99` is measured from the queue, the others from the change. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly queueP99: number;
}

const MOST_RATIO = 1.2;
const EVERY_MS = 50;
/** How many deliveries of one tenant a process has under way at most; see `handlers/webhooks/deliver.ts`. */
const OF_TENANT = 64;
const GIVEN_UP_MS = 120_000;

async function run(fleet: Fleet, { size: sizeOf, say }: SuiteOptions): Promise<Result> {
  const [receivers, rounds, events] = [sizeOf('receivers'), sizeOf('rounds'), sizeOf('events')];
  const { receiver } = fleet;
  const [slowTenant, other] = [await fleet.tenant(), await fleet.tenant()];
  for (let slot = 0; slot < receivers; slot++) await fleet.hook(slowTenant.id, `/hang/${slot}`, slot);
  receiver.manners.set('hang', { status: 204, hangs: true });
  await fleet.hook(other.id, '/other', 0);
  await fleet.start({ ROLE: 'worker' });
  // The first deliveries include work that is done only once, so they are not counted.
  await measured(fleet, other.id, 10);
  const times = { without: [] as Times[], among: [] as Times[] };
  let hanging = 0;
  for (let round = 0; round < rounds; round++) {
    times.without.push(...(await measured(fleet, other.id, events)));
    await hirePatiently(fleet, slowTenant.id, 1);
    const most = Math.min(OF_TENANT, receivers);
    await eventually('receivers that hang', () => receiver.open.size >= most || undefined, GIVEN_UP_MS);
    hanging = Math.max(hanging, receiver.open.size);
    times.among.push(...(await measured(fleet, other.id, events)));
    hanging = Math.max(hanging, receiver.open.size);
    await release(fleet, slowTenant.id);
    const [before, after] = [latency(times.without), latency(times.among)];
    say(`${round + 1} of ${rounds}: p99 ${before.p99} ms without, ${after.p99} ms among receivers that hang`);
  }
  const [without, among] = [latency(times.without), latency(times.among)];
  const ratio = Math.round((100 * among.p99) / without.p99) / 100;
  const wrong = [...new Set(receiver.wrong)];
  if (ratio > MOST_RATIO) wrong.push(`the p99 grew to ${ratio} times what it was; ${MOST_RATIO} is promised`);
  const report = { receivers, hanging, without, among, ratio, wrong };
  return {
    lines: [
      `${receivers} receivers that hang, up to ${hanging} at once; the other tenant's events from the ` +
        `change to the receiver, p50/p99: ${without.p50}/${without.p99} ms without, ${among.p50}/${among.p99} ms ` +
        `among them (ratio ${ratio}); from the queue: p99 ${without.queueP99} and ${among.queueP99} ms.`,
    ],
    wrong,
    report,
  };
}

/** Cancels the remaining deliveries to receivers that hang, and closes the hanging requests. */
async function release({ store, receiver }: Fleet, tenant_id: string): Promise<void> {
  const cancelled = { $set: { status: 'CANCELLED', next_at: null, ended_at: new Date() } } as const;
  await store.deliveries.updateMany({ tenant_id, status: 'PENDING' }, cancelled);
  const isQuiet = () => {
    for (const socket of receiver.open) socket.destroy();
    return receiver.open.size === 0 || undefined;
  };
  await eventually('receivers to let go', isQuiet, GIVEN_UP_MS);
  await pause(1_000);
  await eventually('receivers to let go', isQuiet, GIVEN_UP_MS);
}

interface Times {
  readonly wholeMs: number;
  readonly queueMs: number;
}

/** Writes events, one after the other, and waits until each arrives at the receiver. */
async function measured(fleet: Fleet, tenantId: string, count: number): Promise<Times[]> {
  const { store, receiver } = fleet;
  const ids = new Set<string>();
  const from = receiver.received.length;
  for (let nth = 0; nth < count; nth++) {
    for (const { _id } of await hirePatiently(fleet, tenantId, 1)) ids.add(_id);
    await pause(EVERY_MS);
  }
  const arrived = () => receiver.received.slice(from).filter(({ subject }) => ids.has(subject));
  await eventually('the events of the other tenant', () => arrived().length >= count || undefined, GIVEN_UP_MS);
  const rows = await store.deliveries.find({ 'subject.id': { $in: [...ids] } }).toArray();
  const queued = new Map(rows.map(({ event_id, create_time }) => [event_id, create_time.getTime()]));
  return arrived().map(({ id, atMs, occurredAtMs }) => ({
    wholeMs: atMs - occurredAtMs,
    queueMs: atMs - (queued.get(id) ?? 0),
  }));
}

function latency(times: readonly Times[]): Latency {
  const whole = times.map(({ wholeMs }) => wholeMs);
  const queue = times.map(({ queueMs }) => queueMs);
  return { p50: percentile(whole, 0.5), p99: percentile(whole, 0.99), queueP99: percentile(queue, 0.99) };
}

/** The suite. */
export const slow: Suite = {
  name: 'slow',
  about: "The receivers of one tenant do not answer: another tenant's deliveries do not get slower.",
  sizes: [
    size('receivers', 'that hang', 500, 100),
    size('rounds', 'with and without them, in turn', 6, 2),
    size('events', 'of the other tenant in each half of a round', 100, 20),
  ],
  // A ratio of latencies is meaningful only on an idle machine.
  inQuick: false,
  run: (options) => withFleet((fleet) => run(fleet, options)),
};
