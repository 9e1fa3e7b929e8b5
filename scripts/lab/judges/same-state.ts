/** What batches have made of a tenant, as lines that can be compared with those of another tenant. */
import type { IngestKind } from '../../../handlers/data/collections/external_bindings.ts';
import type { CollectionName, Store } from '../../../handlers/data/store.ts';

/** Lines by name. Equal states have equal lines. */
type State = ReadonlyMap<string, string>;

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
  for (const [what, { length }] of Map.groupBy(events.values(), (event) => event)) state.set(what, String(length));
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
