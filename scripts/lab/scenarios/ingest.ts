/**
 * The same batches are sent for two tenants. One is left undisturbed. For the other, the server is killed again and
 * again while it accepts and applies them, at named moments around its writes and at random times. Both must have the
 * same result: the same objects under the same external ids, the same events of each employee, the same outcome of each
 * record.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import { CHUNK_RECORDS } from '../../../handlers/ingest/accept.ts';
import { eventually } from '../../kit/eventually.ts';
import { type Random, randomOf } from '../../kit/random.ts';
import type { TestTenant } from '../../world/tenant.ts';
import { type BatchOf, batchesOf, eventsOf } from '../actors/company-batches.ts';
import { Ledger } from '../actors/ledger.ts';
import { untilAcknowledged } from '../actors/persistent.ts';
import { planting } from '../faults/plant.ts';
import { differences, stateOf } from '../judges/same-state.ts';
import { momentsIn } from '../moments.ts';
import { type Result, type Scenario, type ScenarioOptions, size } from '../scenario.ts';
import { endLeases, inOwnWorld, type OwnWorld } from '../scene.ts';

const COLLECTIONS = [
  'ingest_requests',
  'ingest_chunks',
  'ingest_outcomes',
  'ingest_sequences',
  'external_bindings',
  'deliveries',
  'organizations',
  'job_titles',
  'departments',
  'persons',
  'employees',
].join();
const EVENTS = ['employee.changed', 'person.changed', 'employee.deleted'];
const APPLIED_MS = 15 * 60_000;
/** How long a server may take at most for its share of the work. */
const SHARE_MS = 5 * 60_000;
/** How long after its share a server is killed at most, unless it is killed at a named moment. */
const MOMENT_MS = 400;

/** One tenant, and the batches that are sent for it, one after the other, each until it is acknowledged. */
type Loading = ReturnType<typeof loadingOf>;

function loadingOf({ store }: OwnWorld, tenant: TestTenant, batches: readonly BatchOf[], ledger: Ledger) {
  const tenant_id = tenant.id;
  let acknowledged = 0;
  return {
    tenant_id,
    work: batches.reduce((sum, { records }) => sum + 1 + Math.ceil(records.length / CHUNK_RECORDS), 0),

    /** Sends all batches, to whichever server the ledger uses. @throws BrokenPromise */
    async send(): Promise<void> {
      const { ingest } = ledger.client(await tenant.key());
      for (const batch of batches) {
        const idempotencyKey = `batch-${acknowledged}`;
        const sent = { ...batch, create_missing: true };
        await untilAcknowledged(`a batch of ${batch.payload_type}`, () =>
          ingest.records('KEDO', sent, { idempotencyKey }),
        );
        acknowledged++;
      }
    },

    /** Acknowledged batches and applied portions. */
    async done(): Promise<number> {
      const requests = await store.ingest_requests.find({ tenant_id }).toArray();
      return acknowledged + requests.reduce((sum, { cursor }) => sum + cursor, 0);
    },

    /** Waits until all is applied, and every event has become deliveries. */
    async end(): Promise<void> {
      const waiting = { tenant_id, ...HAS_EVENTS };
      const isOver = async () => {
        await pause(200);
        const applied = await store.ingest_requests.countDocuments({ tenant_id, status: 'APPLIED' });
        if (applied < batches.length) return false;
        return (await store.employees.countDocuments(waiting)) + (await store.persons.countDocuments(waiting)) === 0;
      };
      await eventually('all batches to be applied, and all events to be relayed', isOver, APPLIED_MS);
    },
  };
}

/** Sends the batches undisturbed. @returns the moments at which a server can be killed */
async function calmly(world: OwnWorld, ledger: Ledger, loading: Loading): Promise<string[]> {
  const seenFile = join(world.folder, 'moments');
  const server = await world.run('server', planting({ seenFile, collections: COLLECTIONS }));
  ledger.use(server);
  await loading.send();
  await loading.end();
  await world.kill(server);
  return momentsIn(seenFile);
}

/** Runs a server over a share of the work, until it dies at a moment or is killed. @returns where it died */
async function killOnce(
  world: OwnWorld,
  loading: Loading,
  share: number,
  random: Random,
  point?: string,
): Promise<string> {
  const server = await world.run('server', planting({ point, collections: COLLECTIONS }));
  // A named moment gets a little more time to occur.
  const target = Math.min(loading.work, share * loading.work + (point ? 2 : 0));
  const isDue = async () => {
    if (server.process.hasEnded) return 'dead';
    return (await loading.done()) >= target ? 'due' : undefined;
  };
  if ((await eventually('its share of the work', isDue, SHARE_MS)) === 'due') await pause(random.between(0, MOMENT_MS));
  const isReached = server.process.hasEnded && point !== undefined;
  await world.kill(server);
  await endLeases(world.store);
  return isReached ? point : 'a random time';
}

async function run(world: OwnWorld, options: ScenarioOptions): Promise<Result> {
  const { size: sizeOf, seed, say } = options;
  const [records, kills] = [sizeOf('records'), sizeOf('kills')];
  const { store, receiver } = world;
  const random = randomOf(seed);
  const ledger = new Ledger(random);
  // Events become deliveries, which are counted; no attempt ends.
  receiver.manners.set('unused', { status: 204, hangs: true });
  const batches = batchesOf(records);
  const loadings: Loading[] = [];
  for (const tenant of [await world.tenant(), await world.tenant()]) {
    await world.hook(tenant.id, '/unused', 0, EVENTS);
    loadings.push(loadingOf(world, tenant, batches, ledger));
  }
  const [calm, disturbed] = loadings as [Loading, Loading];
  const moments = await calmly(world, ledger, calm);
  say(`${moments.length} moments are known`);

  const sending = disturbed.send().then(
    () => [],
    (error: Error) => [error.message],
  );
  const places = new Set<string>();
  for (let nth = 0; nth < kills; nth++) {
    const point = nth % 2 === 0 ? moments[Math.floor((nth * moments.length) / kills)] : undefined;
    const place = await killOnce(world, disturbed, (nth + 1) / (kills + 1), random, point);
    places.add(place);
    say(`${nth + 1} of ${kills}: died at ${place}`);
  }
  const last = await world.run('server');
  const wrong: string[] = await sending;
  await disturbed.end();
  await world.kill(last);

  const expected = await stateOf(store, calm.tenant_id);
  wrong.push(...differences(expected, await stateOf(store, disturbed.tenant_id)));
  // If the server died before it accepted a request, the request's portions are left over; the sweeper removes them
  // later.
  const accepted = await store.ingest_requests.distinct('_id', { tenant_id: disturbed.tenant_id });
  const left = await store.ingest_chunks.countDocuments({ request_id: { $in: accepted } });
  if (left > 0) wrong.push(`${left} portions of applied batches were left`);
  const names = [...expected.keys()];
  const events = names.filter((name) => name.startsWith('events of'));
  const made = events.reduce((sum, name) => sum + Number(expected.get(name)), 0);
  if (made !== eventsOf(records)) wrong.push(`undisturbed there were ${made} events instead of ${eventsOf(records)}`);
  const objects = names.filter((name) => /^[A-Z_]+ /.test(name)).length;
  const line =
    `${kills} kills at ${places.size} kinds of moments while ${batches.length} batches were applied: ` +
    `${objects} objects and ${made} events as without kills.`;
  return { lines: [line], wrong };
}

/** The scenario. */
export const ingest: Scenario = {
  name: 'ingest',
  about: 'Kills the server while batches are applied: the results are the same as without the kills.',
  finds: 'a portion of a batch that is applied twice, or not at all, when the process that applies it dies',
  defect: {
    file: 'handlers/ingest/apply/chunk.ts',
    find: 'reportedOutcome(letters.get(each.index), each)',
    replace: 'reportedOutcome(undefined, each)',
  },
  sizes: [size('records', 'employees, and as many persons', 10_000, 500), size('kills', 'of the server', 20, 3)],
  inQuick: true,
  run: inOwnWorld(run),
};
