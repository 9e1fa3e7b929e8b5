/**
 * Events to ten receivers over verified TLS, one of which never answers: how many deliveries a worker process makes, and
 * how long an event takes to its receiver. Each receiver belongs to a tenant of its own, and events go to the tenants in
 * turn. The changes are made by another process, so the worker's relay must find them by itself.
 */
import { eventually } from '../../../kit/eventually.ts';
import { percentile } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import type { ReceivedEvent } from '../../../world/receiver.ts';
import { hireEmployees } from '../../actors/changes.ts';
import { finding, type Row, type Scenario } from '../../scenario.ts';
import { steadily } from '../../steady-load.ts';
import { type Measuring, measuring, type Place, startMeasured } from '../measuring.ts';

const RECEIVERS = 10;
const SILENT = 'silent';
const EVENTS_PER_SECOND = 100;
/** How many rows are written at once; the embedded database answers nothing meanwhile. */
const PORTION = 250;
/** Only ends a wait; no result depends on it. */
const GIVEN_UP_MS = 10 * 60_000;

/** Makes the tenants, each with a path of the receiver; that of the last one never answers. @returns their ids */
async function makeTenants(place: Place): Promise<string[]> {
  place.receiver.manners.set(SILENT, { status: 204, hangs: true });
  const ids: string[] = [];
  for (let nth = 1; nth <= RECEIVERS; nth++) {
    const { id } = await place.tenant();
    await place.hook(id, nth === RECEIVERS ? `/${SILENT}` : `/hook/${nth}`, 0);
    ids.push(id);
  }
  return ids;
}

/** What came to the receivers that answer, in the order of its arrival. */
const answered = ({ receiver }: Place): ReceivedEvent[] =>
  receiver.received.filter(({ path }) => path !== `/${SILENT}`);

/** Waits until the receivers that answer have so many more events than before. @returns these events */
async function arrived(place: Place, before: number, count: number): Promise<ReceivedEvent[]> {
  await eventually('the events', () => answered(place).length >= before + count, GIVEN_UP_MS);
  return answered(place).slice(before);
}

/** Writes events as fast as the database takes them. @returns the deliveries a second, from the first to the last */
async function throughput(place: Place, tenantIds: readonly string[], each: number): Promise<number> {
  const before = answered(place).length;
  for (let written = 0; written < each; written += PORTION) {
    const count = Math.min(PORTION, each - written);
    for (const tenantId of tenantIds) await hireEmployees(place.store, tenantId, count);
  }
  const events = await arrived(place, before, each * (RECEIVERS - 1));
  const [from = 0, to = 0] = [events[0]?.atMs, events.at(-1)?.atMs];
  return ((events.length - 1) * 1000) / (to - from);
}

/** Writes events at a steady rate. @returns the milliseconds from each change to its receipt */
async function latencies(place: Place, tenantIds: readonly string[], seconds: number): Promise<number[]> {
  const before = answered(place).length;
  const write = async (nth: number) => {
    const tenantId = inTurn(tenantIds, nth);
    await hireEmployees(place.store, tenantId, 1);
    return tenantId !== tenantIds.at(-1);
  };
  const written = await steadily(EVENTS_PER_SECOND, seconds, write);
  const events = await arrived(place, before, written.filter(Boolean).length);
  return events.map(({ atMs, occurredAtMs }) => atMs - occurredAtMs);
}

async function run({ place, isQuick, say }: Measuring): Promise<Row[]> {
  const tenantIds = await makeTenants(place);
  await startMeasured(place, { ROLE: 'worker' });
  say('warming up');
  await throughput(place, tenantIds, isQuick ? 5 : 50);
  say('throughput');
  const perSecond = await throughput(place, tenantIds, isQuick ? 20 : 1_000);
  say(`${EVENTS_PER_SECOND} events a second`);
  const took = await latencies(place, tenantIds, isQuick ? 1 : 20);
  const [wrong] = place.receiver.wrong;
  if (wrong !== undefined) throw new Error(`a delivery was not genuine: ${wrong}`);
  const rate = `${EVENTS_PER_SECOND} events a second of another process`;
  return [
    finding('deliveries of a worker process, one of ten receivers hangs', perSecond, '/s', { least: 1_000 }),
    finding(`event to receipt, ${rate}, p50`, percentile(took, 0.5), 'ms', { most: 250 }),
    finding(`event to receipt, ${rate}, p99`, percentile(took, 0.99), 'ms', { most: 1_000 }),
  ];
}

/** The scenario. */
export const deliveries: Scenario = {
  name: 'delivery-speed',
  about: 'events to ten receivers over TLS, one of which never answers',
  finds: 'a receiver that makes the deliveries to others wait',
  run: measuring(run),
};
