/**
 * The same batches are sent for two tenants. One is left undisturbed. For the other, the server is killed again and
 * again while it accepts and applies them, at named moments around its writes and at random times. Both must have the
 * same result: the same objects under the same external ids, the same events of each employee, the same outcome of each
 * record.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHUNK_RECORDS } from '../../../handlers/ingest/accept.ts';
import { type Random, randomOf } from '../../operate/seed/random.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { TestTenant } from '../../testbed/tenant.ts';
import { type PlantedSignal, planting } from './deployment.ts';
import { BrokenPromise, endLeases, type Fleet, pause, sendBatch, withFleet } from './fleet.ts';
import { type BatchOf, batchesOf, eventsOf } from './ingest-batches.ts';
import { differences, stateOf } from './ingest-state.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

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

const APPLIED_MS = 15 * 60_000;
const ANSWER_MS = 60_000;
/** How long a server may take at most for its share of the work. */
const SHARE_MS = 5 * 60_000;
/** How long after its share a server is killed at most, unless it is killed at a named moment. */
const MOMENT_MS = 400;

/** Sends the batches one after the other, each until it is acknowledged. */
class Loader {
  readonly #batches: readonly BatchOf[];
  readonly #key: string;
  acknowledged = 0;
  readonly wrong: string[] = [];

  constructor(batches: readonly BatchOf[], key: string) {
    this.#batches = batches;
    this.#key = key;
  }

  get isOver(): boolean {
    return this.acknowledged === this.#batches.length;
  }

  /** Continues until all batches are acknowledged or the server is gone. */
  async load(url: string): Promise<void> {
    for (; !this.isOver; this.acknowledged++) {
      const batch = this.#batches[this.acknowledged] as BatchOf;
      const under = { key: this.#key, idempotencyKey: `batch-${this.acknowledged}`, withinMs: ANSWER_MS };
      try {
        await sendBatch(() => url, { ...batch, ...under });
      } catch (error) {
        if (!(error instanceof BrokenPromise)) return;
        this.wrong.push(error.message);
      }
    }
  }
}

async function run(fleet: Fleet, { size: sizeOf, seed, say }: SuiteOptions): Promise<Result> {
  const [records, kills] = [sizeOf('records'), sizeOf('kills')];
  const batches = batchesOf(records);
  const [calm, disturbed] = [await fleet.tenant(), await fleet.tenant()];
  for (const { id } of [calm, disturbed]) {
    await fleet.hook(id, '/unused', 0, ['employee.changed', 'person.changed', 'employee.deleted']);
  }
  const seenFile = join(fleet.folder, 'moments');
  const first = await fleet.start(environment({ seenFile }));
  const startedAt = performance.now();
  const loader = new Loader(batches, await calm.key());
  await loader.load(first.url);
  await allApplied(fleet, calm, batches.length);
  const undisturbedMs = performance.now() - startedAt;
  await fleet.kill(first);
  const moments = readFileSync(seenFile, 'utf8').trim().split('\n').sort();
  say(`${moments.length} moments are known; undisturbed it took ${Math.round(undisturbedMs / 1_000)} s`);

  const killing = new Killing(fleet, disturbed, batches, randomOf(seed), moments);
  await killing.run(kills, say);
  const expected = await stateOf(fleet.store, calm.id);
  const wrong = [...loader.wrong, ...killing.wrong, ...differences(expected, await stateOf(fleet.store, disturbed.id))];
  // If the server died before it accepted a request, the request's portions are left over; the sweeper removes them
  // later.
  const accepted = await fleet.store.ingest_requests.distinct('_id', { tenant_id: disturbed.id });
  const left = await fleet.store.ingest_chunks.countDocuments({ request_id: { $in: accepted } });
  if (left > 0) wrong.push(`${left} portions of applied batches were left`);
  const names = [...expected.keys()];
  const events = names.filter((name) => name.startsWith('events of'));
  const made = events.reduce((sum, name) => sum + Number(expected.get(name)), 0);
  if (made !== eventsOf(records)) wrong.push(`undisturbed there were ${made} events instead of ${eventsOf(records)}`);
  const objects = names.filter((name) => /^[A-Z_]+ /.test(name)).length;
  const undisturbedSeconds = Math.round(undisturbedMs / 1_000);
  const { made: killed, diedAt } = killing;
  return {
    lines: [
      `${killed} kills at ${Object.keys(diedAt).length} kinds of moments while ${batches.length} batches were applied: ` +
        `${objects} objects and ${made} events as without kills (${undisturbedSeconds} s).`,
    ],
    wrong,
    report: {
      records,
      batches: batches.length,
      kills: killed,
      diedAt,
      objects,
      events: made,
      undisturbedSeconds,
      wrong,
    },
  };
}

/** Events become deliveries, which are counted but not sent. */
const environment = (planted: PlantedSignal) => ({
  ...planting({ ...planted, collections: COLLECTIONS }),
  FAULT_NO_ATTEMPTS: 'yes',
});

async function isApplied({ store }: Fleet, { id: tenant_id }: TestTenant, count: number): Promise<boolean> {
  if ((await store.ingest_requests.countDocuments({ tenant_id, status: 'APPLIED' })) < count) return false;
  const waiting = { tenant_id, outbox_at: { $gt: new Date(0) } };
  return (await store.employees.countDocuments(waiting)) + (await store.persons.countDocuments(waiting)) === 0;
}

async function allApplied(fleet: Fleet, tenant: TestTenant, count: number): Promise<void> {
  const check = async () => {
    await pause(200);
    return (await isApplied(fleet, tenant, count)) || undefined;
  };
  await eventually('all batches to be applied, and all events to be relayed', check, APPLIED_MS);
}

/** Kills servers, one after the other. */
class Killing {
  readonly #fleet: Fleet;
  readonly #tenant: TestTenant;
  readonly #batches: readonly BatchOf[];
  readonly #random: Random;
  readonly #moments: readonly string[];
  readonly diedAt: Record<string, number> = {};
  made = 0;
  wrong: string[] = [];

  constructor(
    fleet: Fleet,
    tenant: TestTenant,
    batches: readonly BatchOf[],
    random: Random,
    moments: readonly string[],
  ) {
    this.#fleet = fleet;
    this.#tenant = tenant;
    this.#batches = batches;
    this.#random = random;
    this.#moments = moments;
  }

  async run(kills: number, say: (line: string) => void): Promise<void> {
    const loader = new Loader(this.#batches, await this.#tenant.key());
    this.wrong = loader.wrong;
    const { length: count } = this.#batches;
    for (let nth = 0; nth < kills; nth++) {
      if (loader.isOver && (await isApplied(this.#fleet, this.#tenant, count))) break;
      const where = await this.#once(nth, kills, loader);
      this.made++;
      this.diedAt[where] = (this.diedAt[where] ?? 0) + 1;
      say(`${nth + 1} of ${kills}: died at ${where}`);
    }
    const last = await this.#fleet.start(environment({}));
    await loader.load(last.url);
    await allApplied(this.#fleet, this.#tenant, count);
    await this.#fleet.kill(last);
  }

  /** Runs one server from its start to its death, over a share of the work. @returns where it died */
  async #once(nth: number, kills: number, loader: Loader): Promise<string> {
    const place = Math.floor((nth * this.#moments.length) / kills);
    const point = nth % 2 === 0 ? this.#moments[place] : undefined;
    const server = await this.#fleet.start(environment(point === undefined ? {} : { point }));
    const loading = loader.load(server.url);
    // A named moment gets a little more time to occur.
    const target = ((nth + 1) * this.#work) / (kills + 1) + (point ? 2 : 0);
    const isDue = async () => {
      if (server.process.hasEnded) return 'dead';
      return (await this.#done(loader)) >= Math.min(target, this.#work) ? 'due' : undefined;
    };
    const end = await eventually('its share of the work', isDue, SHARE_MS);
    if (end === 'due') await pause(this.#random.between(0, MOMENT_MS));
    const isDead = server.process.hasEnded;
    await this.#fleet.kill(server);
    await loading;
    await endLeases(this.#fleet.store);
    return isDead && point ? point : 'a random time';
  }

  /** The number of acknowledged batches and applied portions. */
  async #done(loader: Loader): Promise<number> {
    const requests = await this.#fleet.store.ingest_requests.find({ tenant_id: this.#tenant.id }).toArray();
    return loader.acknowledged + requests.reduce((sum, { cursor }) => sum + cursor, 0);
  }

  /** The value of {@link #done} when all work is done. */
  get #work(): number {
    return this.#batches.reduce((sum, { records }) => sum + 1 + Math.ceil(records.length / CHUNK_RECORDS), 0);
  }
}

/** The suite. */
export const ingest: Suite = {
  name: 'ingest',
  about: 'Kills the server while batches are applied: the results are the same as without the kills.',
  sizes: [size('records', 'employees, and as many persons', 10_000, 500), size('kills', 'of the server', 20, 3)],
  inQuick: true,
  run: (options) => withFleet((fleet) => run(fleet, options)),
};
