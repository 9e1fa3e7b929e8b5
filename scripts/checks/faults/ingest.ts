/**
 * The same batches are sent for two tenants. One is left undisturbed. For the other, the server is killed again and
 * again while it accepts and applies them, at named moments around its writes and at random times. Both must have the
 * same result: the same objects under the same external ids, the same events of each employee, the same outcome of each
 * record.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IngestKind } from '../../../handlers/data/collections/external_bindings.ts';
import type { CollectionName, Store } from '../../../handlers/data/store.ts';
import { CHUNK_RECORDS } from '../../../handlers/ingest/accept.ts';
import { type Random, randomOf } from '../../operate/seed/random.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { TestTenant } from '../../testbed/tenant.ts';
import { type PlantedSignal, planting } from './deployment.ts';
import { BrokenPromise, endLeases, type Fleet, onFleet, pause, sendBatch } from './fleet.ts';
import { type BatchOf, batchesOf, eventsOf } from './ingest-batches.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

/** Lines by name. Equal states have equal lines. */
export type State = ReadonlyMap<string, string>;

const COLLECTION_OF: Readonly<Record<IngestKind, CollectionName>> = {
  ORGANIZATION: 'organizations',
  JOB_TITLE: 'job_titles',
  DEPARTMENT: 'departments',
  PERSON: 'persons',
  EMPLOYEE: 'employees',
};

/** Fields that say when or how often something was written, not what was written. */
const NOT_COMPARED = new Set([
  '_id',
  'tenant_id',
  'create_time',
  'update_time',
  'pending_events',
  'outbox_at',
  'rev',
  'person_rev',
  'identity_rev',
]);

interface Row {
  readonly _id: string;
}

/** The rows of all kinds by external id, the events of each employee, and the outcome of each record. */
export async function stateOf(store: Store, tenant_id: string): Promise<State> {
  const state = new Map<string, string>();
  const bindings = await store.external_bindings.find({ tenant_id }).toArray();
  const names = new Map(bindings.map(({ object_id, kind, external_id }) => [object_id, `${kind} ${external_id}`]));
  if (names.size !== bindings.length) state.set('bindings', 'two external ids mean one object');
  const nameOf = (text: string) =>
    names.get(text) ?? text.replace(/^manager:(.*)/, (_, id) => `manager:${names.get(id)}`);
  for (const collection of Object.values(COLLECTION_OF)) {
    const rows = await store.db.collection<Row>(collection).find({ tenant_id }).toArray();
    for (const row of rows) {
      const shown = Object.entries(row).filter(([name]) => !NOT_COMPARED.has(name));
      const text = JSON.stringify(shown.sort(), (_, value) => (typeof value === 'string' ? nameOf(value) : value));
      state.set(names.get(row._id) ?? `${collection} without an external id: ${row._id}`, text);
    }
  }
  for (const name of names.values()) if (!state.has(name)) state.set(name, 'nothing is there');
  await addEvents(store, tenant_id, nameOf, state);
  await addOutcomes(store, tenant_id, nameOf, state);
  return state;
}

type NameOf = (id: string) => string;

async function addEvents(store: Store, tenant_id: string, nameOf: NameOf, state: Map<string, string>): Promise<void> {
  const events = new Map<string, string>();
  for (const { event_id, event_type, subject } of await store.deliveries.find({ tenant_id }).toArray()) {
    events.set(event_id, `events of ${nameOf(subject.id)} ${event_type}`);
  }
  for (const { _id, pending_events } of await store.employees.find({ tenant_id }).toArray()) {
    for (const { id, type } of pending_events) events.set(id, `events of ${nameOf(_id)} ${type}`);
  }
  const counts = new Map<string, number>();
  for (const what of events.values()) counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const [what, count] of counts) state.set(what, String(count));
}

async function addOutcomes(store: Store, tenant_id: string, nameOf: NameOf, state: Map<string, string>): Promise<void> {
  const requests = await store.ingest_requests.find({ tenant_id }).sort({ accepted_order: 1 }).toArray();
  for (const [nth, { _id, payload_type, status, record_count, counts }] of requests.entries()) {
    state.set(`batch ${nth}`, JSON.stringify({ payload_type, status, record_count, counts }));
    for (const row of await store.ingest_outcomes.find({ tenant_id, request_id: _id }).toArray()) {
      const { external_id, outcome, reason, unresolved, object_id } = row;
      const said = { external_id, outcome, reason, unresolved, object: nameOf(object_id) };
      state.set(`batch ${nth} record ${row.index}`, JSON.stringify(said));
    }
  }
}

/** One sentence for each difference. */
export function differences(calm: State, disturbed: State): string[] {
  const names = new Set([...calm.keys(), ...disturbed.keys()]);
  return [...names]
    .filter((name) => calm.get(name) !== disturbed.get(name))
    .map((name) => `${name}: ${disturbed.get(name) ?? 'nothing'} instead of ${calm.get(name) ?? 'nothing'}`);
}

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
  readonly batches: readonly BatchOf[];
  readonly #key: string;
  acknowledged = 0;
  readonly wrong: string[] = [];

  constructor(batches: readonly BatchOf[], key: string) {
    this.batches = batches;
    this.#key = key;
  }

  get isOver(): boolean {
    return this.acknowledged === this.batches.length;
  }

  /** Continues until all batches are acknowledged or the server is gone. */
  async load(url: string): Promise<void> {
    for (; !this.isOver; this.acknowledged++) {
      const batch = this.batches[this.acknowledged] as BatchOf;
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
  const undisturbedSeconds = Math.round((performance.now() - startedAt) / 1_000);
  await fleet.kill(first);
  const moments = readFileSync(seenFile, 'utf8').trim().split('\n').sort();
  say(`${moments.length} moments are known; undisturbed it took ${undisturbedSeconds} s`);

  const loading = new Loader(batches, await disturbed.key());
  const killed = await killOften(
    { fleet, tenant: disturbed, loader: loading, random: randomOf(seed), moments },
    kills,
    say,
  );
  const expected = await stateOf(fleet.store, calm.id);
  const wrong = [...loader.wrong, ...loading.wrong, ...differences(expected, await stateOf(fleet.store, disturbed.id))];
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
  const line =
    `${killed.made} kills at ${killed.places.size} kinds of moments while ${batches.length} batches were applied: ` +
    `${objects} objects and ${made} events as without kills (${undisturbedSeconds} s).`;
  return { lines: [line], wrong };
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
    return isApplied(fleet, tenant, count);
  };
  await eventually('all batches to be applied, and all events to be relayed', check, APPLIED_MS);
}

/** Whose batches are sent and applied while servers are killed, and when. */
interface Killing {
  readonly fleet: Fleet;
  readonly tenant: TestTenant;
  readonly loader: Loader;
  readonly random: Random;
  readonly moments: readonly string[];
}

/** Kills servers, one after the other, and lets the last one do the rest. @returns how many, and where they died */
async function killOften(killing: Killing, kills: number, say: (line: string) => void) {
  const { fleet, tenant, loader } = killing;
  const { length: count } = loader.batches;
  const places = new Set<string>();
  let made = 0;
  while (made < kills && !(loader.isOver && (await isApplied(fleet, tenant, count)))) {
    const where = await killOnce(killing, made++, kills);
    places.add(where);
    say(`${made} of ${kills}: died at ${where}`);
  }
  const last = await fleet.start(environment({}));
  await loader.load(last.url);
  await allApplied(fleet, tenant, count);
  await fleet.kill(last);
  return { made, places };
}

/** Runs one server from its start to its death, over a share of the work. @returns where it died */
async function killOnce(
  { fleet, tenant, loader, random, moments }: Killing,
  nth: number,
  kills: number,
): Promise<string> {
  const point = nth % 2 === 0 ? moments[Math.floor((nth * moments.length) / kills)] : undefined;
  const server = await fleet.start(environment(point === undefined ? {} : { point }));
  const loading = loader.load(server.url);
  // Acknowledged batches and applied portions.
  const work = loader.batches.reduce((sum, { records }) => sum + 1 + Math.ceil(records.length / CHUNK_RECORDS), 0);
  // A named moment gets a little more time to occur.
  const target = Math.min(work, ((nth + 1) * work) / (kills + 1) + (point ? 2 : 0));
  const isDue = async () => {
    if (server.process.hasEnded) return 'dead';
    const requests = await fleet.store.ingest_requests.find({ tenant_id: tenant.id }).toArray();
    const done = loader.acknowledged + requests.reduce((sum, { cursor }) => sum + cursor, 0);
    return done >= target ? 'due' : undefined;
  };
  const end = await eventually('its share of the work', isDue, SHARE_MS);
  if (end === 'due') await pause(random.between(0, MOMENT_MS));
  const isDead = server.process.hasEnded;
  await fleet.kill(server);
  await loading;
  await endLeases(fleet.store);
  return isDead && point ? point : 'a random time';
}

/** The suite. */
export const ingest: Suite = {
  name: 'ingest',
  about: 'Kills the server while batches are applied: the results are the same as without the kills.',
  sizes: [size('records', 'employees, and as many persons', 10_000, 500), size('kills', 'of the server', 20, 3)],
  inQuick: true,
  run: onFleet(run),
};
