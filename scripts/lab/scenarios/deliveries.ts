/**
 * Employees are changed and deleted while the processes that deliver their events, and the database with them, are
 * killed with SIGKILL. One receiver answers as it should, one always fails, and one is disabled during the run.
 * Everything that was written must be delivered. A killed process may cause a repeated delivery, and nothing else.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import { deleteEmployee } from '../../../handlers/employees/write/employees.ts';
import { cancelPending } from '../../../handlers/webhooks/schedule.ts';
import { eventually } from '../../kit/eventually.ts';
import { type Random, randomOf } from '../../kit/random.ts';
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
const DELIVERED_MS = 600_000;
const HOURS_18_MS = 18 * 3_600_000;
const WORKERS = ['worker-1', 'worker-2'] as const;

/** What was done, and what is known of the endpoints. */
interface Facts {
  readonly written: readonly string[];
  readonly disabledAtMs: number;
  readonly failing: string;
  readonly kills: number;
}

async function run(world: OwnWorld, { size: sizeOf, seed, isQuick, say }: ScenarioOptions): Promise<Result> {
  const [events, kills, databaseKills] = [sizeOf('events'), sizeOf('kills'), sizeOf('database-kills')];
  const random = randomOf(seed);
  const { receiver, store } = world;
  const { id: tenantId } = await world.tenant();
  await world.hook(tenantId, '/good', 0);
  const leaving = await world.hook(tenantId, '/leaving', 1);
  const failing = await world.hook(tenantId, '/failing', 2, ['employee.deleted']);
  receiver.manners.set('failing', { status: 500 });
  await Promise.all(['api', ...WORKERS].map((name) => world.run(name)));

  const written: string[] = [];
  let lastId = '';
  const write = async (count: number) => {
    for (const row of await hireEmployees(store, tenantId, count)) {
      written.push(...row.pending_events.map(({ id }) => id));
      lastId = row._id;
    }
  };
  const strokes = [
    ...Array<typeof killWorker>(kills).fill(killWorker),
    ...Array<typeof killDatabase>(databaseKills).fill(killDatabase),
  ]
    .map((kill) => ({ kill, at: random.next() }))
    .sort((a, b) => a.at - b.at);
  let disabledAtMs = Number.POSITIVE_INFINITY;
  for (const [nth, { kill }] of strokes.entries()) {
    const left = Math.round((events * (nth + 1)) / strokes.length) - written.length;
    // Some of them are under way at the moment of the kill, and the others are written during it.
    await write(Math.ceil(left / 2));
    if (nth < DELETIONS) await patiently(() => deleteEmployee(store, tenantId, lastId, new Date()));
    await pause(random.between(100, 1_500));
    await Promise.all([write(Math.floor(left / 2)), kill(world, random)]);
    if (nth === Math.floor(strokes.length / 2)) disabledAtMs = await disable(world, tenantId, leaving.id);
    say(`${nth + 1} of ${strokes.length}: ${written.length} written, ${receiver.at('/good').length} came`);
  }
  // Otherwise the leases of killed processes end by themselves, after half a minute.
  if (isQuick) await killAll(world);
  const delivered = async () => {
    await pause(250);
    const waiting = await store.employees.countDocuments(HAS_EVENTS);
    return (
      waiting + (await store.deliveries.countDocuments({ endpoint_id: { $ne: failing.id }, status: 'PENDING' })) === 0
    );
  };
  await eventually('all to be delivered', delivered, DELIVERED_MS).catch((error: Error) => say(error.message));
  await wearOut(world, failing.id);
  const deaths = kills + (isQuick ? WORKERS.length : 0);
  return judged(world, { written, disabledAtMs, failing: failing.id, kills: deaths });
}

/** Kills a worker; the other one goes on working while a new one starts. */
async function killWorker(world: OwnWorld, random: Random): Promise<void> {
  const name = random.pick(WORKERS);
  await world.kill(name);
  await world.run(name);
}

async function killDatabase({ database }: OwnWorld, random: Random): Promise<void> {
  await database.kill();
  await pause(random.between(100, 2_000));
  await database.start();
}

/** Kills both workers, so that nobody holds a lease, and starts one. */
async function killAll(world: OwnWorld): Promise<void> {
  for (const name of WORKERS) await world.kill(name);
  await endLeases(world.store);
  await world.run(WORKERS[0]);
}

/** Disables the endpoint as the settings tool does. @returns when that was done */
async function disable({ store }: OwnWorld, tenantId: string, _id: string): Promise<number> {
  const at = new Date();
  const fields = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at, update_time: at } as const;
  await patiently(() => store.webhook_endpoints.updateOne({ _id }, { $set: fields }));
  await patiently(() => cancelPending(store, tenantId, _id));
  return Date.now();
}

/** Makes every attempt due at the receiver that always fails. */
async function wearOut(world: OwnWorld, endpoint_id: string): Promise<void> {
  const open = () => world.store.deliveries.find({ endpoint_id, status: 'PENDING' }).toArray();
  for (let round = 1; round <= 2 * MAX_ATTEMPTS && (await open()).length > 0; round++) {
    await world.advance(HOURS_18_MS);
    const due = () => Date.now() + round * HOURS_18_MS;
    const isTried = async () => (await open()).every(({ next_at }) => (next_at?.getTime() ?? 0) > due());
    await eventually('attempts at the receiver that fails', isTried).catch(() => {});
  }
}

async function judged({ store, receiver }: OwnWorld, facts: Facts): Promise<Result> {
  const { written, disabledAtMs, kills } = facts;
  const times = Map.groupBy(receiver.at('/good'), ({ id }) => id);
  const known = new Set(written);
  const lost = written.filter((id) => !times.has(id)).length;
  const strange = [...times.keys()].filter((id) => !known.has(id)).length;
  const repeated = [...times.values()].filter(({ length }) => length > 1).length;
  const mayRepeat = written.length < 500 * kills ? PLACES * kills : Math.floor(MOST_REPEATED * written.length);
  const late = receiver
    .at('/leaving')
    .filter(({ atMs, occurredAtMs }) => atMs > disabledAtMs + LAST_ATTEMPT_MS || occurredAtMs > disabledAtMs).length;
  const rows = await store.deliveries.find({}, { projection: { attempt_count: 1 } }).toArray();
  const tries = [...Map.groupBy(receiver.at('/failing'), ({ id }) => id).values()].map(({ length }) => length);
  const attempts = Math.max(...tries, ...rows.map(({ attempt_count }) => attempt_count));
  const left = await store.deliveries.countDocuments({ endpoint_id: facts.failing, status: { $ne: 'FAILED' } });
  const faults: readonly (readonly [isWrong: boolean, what: string])[] = [
    [lost > 0, `${lost} of ${written.length} events were never delivered`],
    [strange > 0, `${strange} events came that nobody wrote`],
    [repeated > mayRepeat, `${repeated} events came more than once; ${mayRepeat} may`],
    [late > 0, `${late} deliveries came after the endpoint was disabled`],
    [attempts > MAX_ATTEMPTS, `a delivery was tried ${attempts} times`],
    [left > 0, `${left} deliveries that always fail did not end as failed`],
  ];
  const line =
    `${written.length} events, ${kills} kills of workers: ${receiver.received.length} deliveries, ${repeated} events more ` +
    `than once (${mayRepeat} may), ${late} after disabling, at most ${attempts} attempts.`;
  const wrong = faults.flatMap(([isWrong, what]) => (isWrong ? what : []));
  return { lines: [line], wrong: [...new Set(receiver.wrong), ...wrong] };
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
