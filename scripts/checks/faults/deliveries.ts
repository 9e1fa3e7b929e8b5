/**
 * Employees are changed and deleted while the processes that deliver their events, and the database with them, are
 * killed with SIGKILL. One receiver answers as it should, one always fails, and one is disabled during the run.
 * Everything that was written must be delivered. A killed process may cause a repeated delivery, and nothing else.
 */
import { deleteEmployee } from '../../../handlers/employees/write/employees.ts';
import { cancelPending } from '../../../handlers/webhooks/schedule.ts';
import { type Random, randomOf } from '../../operate/seed/random.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { endLeases, type Fleet, hirePatiently, onFleet, patiently, pause } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

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

/** Two workers and an api process. Each one that dies is replaced. */
class Crew {
  readonly #fleet: Fleet;
  readonly #random: Random;
  #workers: RunningServer[] = [];
  killed = 0;

  constructor(fleet: Fleet, random: Random) {
    this.#fleet = fleet;
    this.#random = random;
  }

  async begin(): Promise<void> {
    await this.#fleet.start({ ROLE: 'api' });
    this.#workers = await Promise.all([this.#fleet.start({ ROLE: 'worker' }), this.#fleet.start({ ROLE: 'worker' })]);
  }

  /** Kills a worker; the other one goes on working while a new one starts. */
  async kill(): Promise<void> {
    const place = this.#random.between(0, 1);
    await this.#fleet.kill(this.#workers[place] as RunningServer);
    this.killed++;
    this.#workers[place] = await this.#fleet.start({ ROLE: 'worker' });
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => this.#fleet.kill(worker)));
    this.killed += this.#workers.length;
    await endLeases(this.#fleet.store);
    this.#workers = [await this.#fleet.start({ ROLE: 'worker' })];
  }
}

async function run(fleet: Fleet, { size: sizeOf, seed, isQuick, say }: SuiteOptions): Promise<Result> {
  const [events, kills, databaseKills] = [sizeOf('events'), sizeOf('kills'), sizeOf('database-kills')];
  const random = randomOf(seed);
  const { receiver } = fleet;
  const { id: tenantId } = await fleet.tenant();
  const good = await fleet.hook(tenantId, '/good', 0);
  const leaving = await fleet.hook(tenantId, '/leaving', 1);
  const failing = await fleet.hook(tenantId, '/failing', 2, ['employee.deleted']);
  receiver.manners.set('failing', { status: 500 });
  const crew = new Crew(fleet, random);
  await crew.begin();

  const written: string[] = [];
  let lastId = '';
  const write = async (count: number) => {
    for (const row of await hirePatiently(fleet, tenantId, count)) {
      written.push(...row.pending_events.map(({ id }) => id));
      lastId = row._id;
    }
  };
  const strokes = [...Array(kills).fill('worker'), ...Array(databaseKills).fill('database')];
  const order = strokes.map((what) => ({ what, at: random.between(0, 1_000_000) })).sort((a, b) => a.at - b.at);
  let disabledAtMs = Number.POSITIVE_INFINITY;
  let deleted = 0;
  for (const [nth, { what }] of order.entries()) {
    const end = Math.round((events * (nth + 1)) / order.length);
    // Some of them are under way at the moment of the kill, and the others are written during it.
    const [before, through] = [Math.ceil((end - written.length) / 2), Math.floor((end - written.length) / 2)];
    await write(before);
    if (nth < DELETIONS) deleted += Number(await patiently(() => deleteOne(fleet, tenantId, lastId)));
    await pause(random.between(100, 1_500));
    const writing = write(through);
    if (what === 'worker') await crew.kill();
    else {
      await fleet.database.kill();
      await pause(random.between(100, 2_000));
      await fleet.database.start();
    }
    await writing;
    if (nth === Math.floor(order.length / 2)) {
      disabledAtMs = await disable(fleet, tenantId, leaving.id);
      say(`the endpoint /leaving is disabled, after ${receiver.at('/leaving').length} deliveries`);
    }
    say(
      `${nth + 1} of ${order.length}: killed a ${what}; ${written.length} written, ${receiver.at('/good').length} came`,
    );
  }

  const drainedFrom = performance.now();
  // Otherwise the leases of killed processes end by themselves, after half a minute.
  if (isQuick) await crew.killAll();
  await drained(fleet, good.id, say);
  const drainSeconds = Math.round((performance.now() - drainedFrom) / 1_000);
  await wearOut(fleet, failing.id, deleted);
  return judge(fleet, { written, disabledAtMs, failing: failing.id, kills: crew.killed, databaseKills, drainSeconds });
}

async function deleteOne({ store }: Fleet, tenantId: string, id: string): Promise<boolean> {
  return (await deleteEmployee(store, tenantId, id, new Date())) !== null;
}

/** Disables the endpoint as the settings tool does. @returns when that was done */
async function disable({ store }: Fleet, tenantId: string, _id: string): Promise<number> {
  const at = new Date();
  const fields = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at, update_time: at } as const;
  await patiently(() => store.webhook_endpoints.updateOne({ _id }, { $set: fields }));
  await patiently(() => cancelPending(store, tenantId, _id));
  return Date.now();
}

/** Waits until no delivery to the receiver is left, as long as there is progress. */
async function drained({ store, receiver }: Fleet, endpoint_id: string, say: (line: string) => void): Promise<void> {
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
async function wearOut(fleet: Fleet, endpoint_id: string, count: number): Promise<void> {
  const open = () => fleet.store.deliveries.find({ endpoint_id, status: 'PENDING' }).toArray();
  for (let round = 0; round < 2 * MAX_ATTEMPTS && count > 0 && (await open()).length > 0; round++) {
    await fleet.advance(HOURS_18_MS);
    const isTried = async () => {
      const due = Date.now() + (round + 1) * HOURS_18_MS;
      return (await open()).every(({ next_at }) => (next_at?.getTime() ?? 0) > due);
    };
    await eventually('attempts at the receiver that fails', isTried, STALLED_MS).catch(() => {});
  }
}

interface Facts {
  readonly written: readonly string[];
  readonly disabledAtMs: number;
  readonly failing: string;
  readonly kills: number;
  readonly databaseKills: number;
  readonly drainSeconds: number;
}

async function judge({ store, receiver }: Fleet, facts: Facts): Promise<Result> {
  const { written, disabledAtMs, kills, databaseKills, drainSeconds } = facts;
  const wrong = [...new Set(receiver.wrong)];
  const times = new Map<string, number>();
  for (const { id } of receiver.at('/good')) times.set(id, (times.get(id) ?? 0) + 1);
  const lost = written.filter((id) => !times.has(id));
  if (lost.length > 0) wrong.push(`${lost.length} of ${written.length} events were never delivered`);
  const known = new Set(written);
  const strange = [...times.keys()].filter((id) => !known.has(id));
  if (strange.length > 0) wrong.push(`${strange.length} events came that nobody wrote`);

  const repeated = [...times.values()].filter((count) => count > 1).length;
  const share = Math.floor(MOST_REPEATED * written.length);
  const mayRepeat = PLACES * kills > share && written.length < 500 * kills ? PLACES * kills : share;
  if (repeated > mayRepeat) wrong.push(`${repeated} events came more than once; ${mayRepeat} may`);

  const late = receiver.at('/leaving').filter(({ atMs }) => atMs > disabledAtMs + LAST_ATTEMPT_MS);
  const afterwards = receiver.at('/leaving').filter(({ occurredAtMs }) => occurredAtMs > disabledAtMs);
  const afterDisabling = new Set([...late, ...afterwards]).size;
  if (afterDisabling > 0) wrong.push(`${afterDisabling} deliveries came after the endpoint was disabled`);

  const tries = Map.groupBy(receiver.at('/failing'), ({ id }) => id);
  const rows = await store.deliveries.find({}, { projection: { attempt_count: 1 } }).toArray();
  const counts = [...rows.map((row) => row.attempt_count), ...[...tries.values()].map((each) => each.length)];
  const mostAttempts = Math.max(0, ...counts);
  if (mostAttempts > MAX_ATTEMPTS) wrong.push(`a delivery was tried ${mostAttempts} times`);
  const left = await store.deliveries.countDocuments({ endpoint_id: facts.failing, status: { $ne: 'FAILED' } });
  if (left > 0) wrong.push(`${left} deliveries that always fail did not end as failed`);
  const line =
    `${written.length} events, ${kills} kills of workers, ${databaseKills} of the database: ` +
    `${receiver.received.length} deliveries, ${repeated} events more than once (${mayRepeat} may), ${afterDisabling} ` +
    `after disabling, at most ${mostAttempts} attempts; all was out ${drainSeconds} s after the last kill.`;
  return { lines: [line], wrong };
}

/** The suite. */
export const deliveries: Suite = {
  name: 'deliveries',
  about: 'Kills workers and the database while events are delivered: every event arrives, hardly any twice.',
  sizes: [
    size('events', 'how many changes of employees', 10_000, 200),
    size('kills', 'of one of two workers', 20, 2),
    size('database-kills', 'of the database', 5, 1),
  ],
  inQuick: true,
  run: onFleet(run),
};
