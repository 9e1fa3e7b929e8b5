/**
 * Employees are changed and deleted while the processes that deliver their events, and the database with them, are
 * killed with SIGKILL. One receiver answers as it should, one always fails, and one is disabled during the run.
 * Everything that was written must be delivered. A killed process may cause a repeated delivery, and nothing else.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { deleteEmployee } from '../../../handlers/employees/write/employees.ts';
import { cancelPending } from '../../../handlers/webhooks/schedule.ts';
import { eventually } from '../../kit/eventually.ts';
import { type Random, randomOf } from '../../operate/seed/random.ts';
import { hireEmployees } from '../actors/changes.ts';
import { losesEvents } from '../faults/plant.ts';
import { type Result, type Scenario, type ScenarioOptions, size } from '../scenario.ts';
import { endLeases, inOwnWorld, type OwnWorld } from '../scene.ts';
import { patiently } from '../through-outages.ts';

/**
 * How many deliveries one process may have under way to one endpoint. When the process dies, these may be sent again.
 */
const PLACES = 8;
const MOST_REPEATED = 0.005;
/** As stated in the contract. */
const MAX_ATTEMPTS = 8;
/** Deletions for the receiver that always fails; fewer than would disable it. */
const DELETIONS = 10;
/** An attempt that began before the disabling may end after it; on a busy machine it takes a while to begin. */
const LAST_ATTEMPT_MS = 15_000;
const STALLED_MS = 120_000;
const HOURS_18_MS = 18 * 3_600_000;
const WORKERS = ['worker-1', 'worker-2'] as const;

/** Two workers and an api process. A worker that dies is replaced. */
class Crew {
  readonly #world: OwnWorld;
  readonly #random: Random;
  killed = 0;

  constructor(world: OwnWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async begin(): Promise<void> {
    await Promise.all(['api', ...WORKERS].map((name) => this.#world.run(name)));
  }

  async #die(name: string): Promise<void> {
    await this.#world.kill(name);
    this.killed++;
  }

  /** Kills a worker; the other one goes on working while a new one starts. */
  async killOne(): Promise<void> {
    const name = this.#random.pick(WORKERS);
    await this.#die(name);
    await this.#world.run(name);
  }

  /** Kills both, so that nobody holds a lease, and starts one. */
  async killAll(): Promise<void> {
    for (const name of WORKERS) await this.#die(name);
    await endLeases(this.#world.store);
    await this.#world.run(WORKERS[0]);
  }
}

/** What was written, and what is known of the endpoints. */
interface Facts {
  readonly written: readonly string[];
  readonly disabledAtMs: number;
  readonly failing: string;
  readonly kills: number;
  readonly databaseKills: number;
}

async function run(world: OwnWorld, { size: sizeOf, seed, isQuick, say }: ScenarioOptions): Promise<Result> {
  const [events, kills, databaseKills] = [sizeOf('events'), sizeOf('kills'), sizeOf('database-kills')];
  const random = randomOf(seed);
  const { receiver, store } = world;
  const { id: tenantId } = await world.tenant();
  const good = await world.hook(tenantId, '/good', 0);
  const leaving = await world.hook(tenantId, '/leaving', 1);
  const failing = await world.hook(tenantId, '/failing', 2, ['employee.deleted']);
  receiver.manners.set('failing', { status: 500 });
  const crew = new Crew(world, random);
  await crew.begin();

  const written: string[] = [];
  let lastId = '';
  const write = async (count: number) => {
    for (const row of await hireEmployees(store, tenantId, count)) {
      written.push(...row.pending_events.map(({ id }) => id));
      lastId = row._id;
    }
  };
  const strokes = [...Array(kills).fill('worker'), ...Array(databaseKills).fill('database')];
  const order = strokes.map((what) => ({ what, at: random.between(0, 1_000_000) })).sort((a, b) => a.at - b.at);
  let disabledAtMs = Number.POSITIVE_INFINITY;
  let deleted = 0;
  for (const [nth, { what }] of order.entries()) {
    const left = Math.round((events * (nth + 1)) / order.length) - written.length;
    // Some of them are under way at the moment of the kill, and the others are written during it.
    await write(Math.ceil(left / 2));
    if (nth < DELETIONS) {
      const gone = await patiently(() => deleteEmployee(store, tenantId, lastId, new Date()));
      deleted += Number(gone !== null);
    }
    await pause(random.between(100, 1_500));
    const writing = write(Math.floor(left / 2));
    if (what === 'worker') await crew.killOne();
    else {
      await world.database.kill();
      await pause(random.between(100, 2_000));
      await world.database.start();
    }
    await writing;
    if (nth === Math.floor(order.length / 2)) disabledAtMs = await disable(world, tenantId, leaving.id);
    const came = receiver.at('/good').length;
    say(`${nth + 1} of ${order.length}: killed a ${what}; ${written.length} written, ${came} came`);
  }
  // Otherwise the leases of killed processes end by themselves, after half a minute.
  if (isQuick) await crew.killAll();
  await drained(world, good.id, say);
  await wearOut(world, failing.id, deleted);
  return judged(world, { written, disabledAtMs, failing: failing.id, kills: crew.killed, databaseKills });
}

/** Disables the endpoint as the settings tool does. @returns when that was done */
async function disable({ store }: OwnWorld, tenantId: string, _id: string): Promise<number> {
  const at = new Date();
  const fields = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at, update_time: at } as const;
  await patiently(() => store.webhook_endpoints.updateOne({ _id }, { $set: fields }));
  await patiently(() => cancelPending(store, tenantId, _id));
  return Date.now();
}

/** Waits until no delivery to the receiver is left, as long as there is progress. */
async function drained({ store, receiver }: OwnWorld, endpoint_id: string, say: (line: string) => void): Promise<void> {
  let [seen, since] = [-1, performance.now()];
  for (;;) {
    const events = await store.employees.countDocuments({ outbox_at: { $gt: new Date(0) } });
    const pending = await store.deliveries.countDocuments({ endpoint_id, status: 'PENDING' });
    if (events + pending === 0) return;
    if (receiver.received.length !== seen) [seen, since] = [receiver.received.length, performance.now()];
    if (performance.now() - since > STALLED_MS) return say(`${events} events and ${pending} deliveries are stuck`);
    await pause(250);
  }
}

/** Makes every attempt due at the receiver that always fails. */
async function wearOut(world: OwnWorld, endpoint_id: string, count: number): Promise<void> {
  const open = () => world.store.deliveries.find({ endpoint_id, status: 'PENDING' }).toArray();
  for (let round = 0; round < 2 * MAX_ATTEMPTS && count > 0 && (await open()).length > 0; round++) {
    await world.advance(HOURS_18_MS);
    const isTried = async () => {
      const due = Date.now() + (round + 1) * HOURS_18_MS;
      return (await open()).every(({ next_at }) => (next_at?.getTime() ?? 0) > due);
    };
    await eventually('attempts at the receiver that fails', isTried).catch(() => {});
  }
}

async function judged({ store, receiver }: OwnWorld, facts: Facts): Promise<Result> {
  const { written, disabledAtMs, kills, databaseKills } = facts;
  const wrong = [...new Set(receiver.wrong)];
  const times = Map.groupBy(receiver.at('/good'), ({ id }) => id);
  const lost = written.filter((id) => !times.has(id));
  if (lost.length > 0) wrong.push(`${lost.length} of ${written.length} events were never delivered`);
  const known = new Set(written);
  const strange = [...times.keys()].filter((id) => !known.has(id)).length;
  if (strange > 0) wrong.push(`${strange} events came that nobody wrote`);

  const repeated = [...times.values()].filter(({ length }) => length > 1).length;
  const isShort = written.length < 500 * kills;
  const mayRepeat = isShort ? PLACES * kills : Math.floor(MOST_REPEATED * written.length);
  if (repeated > mayRepeat) wrong.push(`${repeated} events came more than once; ${mayRepeat} may`);

  const late = receiver
    .at('/leaving')
    .filter(({ atMs, occurredAtMs }) => atMs > disabledAtMs + LAST_ATTEMPT_MS || occurredAtMs > disabledAtMs);
  if (late.length > 0) wrong.push(`${late.length} deliveries came after the endpoint was disabled`);

  const tries = Map.groupBy(receiver.at('/failing'), ({ id }) => id);
  const rows = await store.deliveries.find({}, { projection: { attempt_count: 1 } }).toArray();
  const counts = [...rows.map((row) => row.attempt_count), ...[...tries.values()].map((each) => each.length)];
  const mostAttempts = Math.max(0, ...counts);
  if (mostAttempts > MAX_ATTEMPTS) wrong.push(`a delivery was tried ${mostAttempts} times`);
  const left = await store.deliveries.countDocuments({ endpoint_id: facts.failing, status: { $ne: 'FAILED' } });
  if (left > 0) wrong.push(`${left} deliveries that always fail did not end as failed`);
  const line =
    `${written.length} events, ${kills} kills of workers, ${databaseKills} of the database: ` +
    `${receiver.received.length} deliveries, ${repeated} events more than once (${mayRepeat} may), ${late.length} ` +
    `after disabling, at most ${mostAttempts} attempts.`;
  return { lines: [line], wrong };
}

/** The scenario. */
export const deliveries: Scenario = {
  name: 'deliveries',
  about: 'Kills workers and the database while events are delivered: every event arrives, hardly any twice.',
  finds: 'an event that is forgotten when the process that relays or delivers it dies',
  defect: losesEvents,
  sizes: [
    size('events', 'how many changes of employees', 10_000, 200),
    size('kills', 'of one of two workers', 20, 2),
    size('database-kills', 'of the database', 5, 1),
  ],
  inQuick: true,
  run: inOwnWorld(run),
};
