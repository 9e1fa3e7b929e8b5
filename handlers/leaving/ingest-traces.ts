/** What batches have left of a person: records in chunks, outcomes, and the ids by which sources know it. */
import type { ErasureRow } from '../data/collections/erasures.ts';
import type { ExternalBindingRow, IngestSource } from '../data/collections/external_bindings.ts';
import type { IngestChunkRow } from '../data/collections/ingest_chunks.ts';
import { ofTenant } from '../data/of-tenant.ts';
import type { Store } from '../data/store.ts';
import { untilWritten } from '../data/writes.ts';
import { bindingId, namesOfIdentity, namesOfPerson } from '../ingest/bindings.ts';
import { mapRecord, type Pair } from '../ingest/records.ts';
import { nowMs } from '../runtime/clock.ts';

const ATTEMPTS = 20;

/** Chunks of this age without a request never get one, in milliseconds: accepting a batch takes an hour at most. */
const ABANDONED_AFTER_MS = 2 * 60 * 60 * 1000;

/** Whose traces they are. */
export interface IngestSubject {
  readonly tenantId: string;
  readonly personId: string;
  readonly employeeIds: readonly string[];
  readonly iin: string;
  /** The digest by which decisions name its records. */
  readonly record: string;
  readonly names: ErasureRow['names'];
}

/** The bindings that refer to a person and its employments, or have referred to them. */
export async function bindingsOfPerson(
  store: Store,
  { tenantId, personId, employeeIds }: Pick<IngestSubject, 'tenantId' | 'personId' | 'employeeIds'>,
): Promise<ExternalBindingRow[]> {
  const bindings = ofTenant(store.external_bindings, tenantId);
  const ofPerson = await bindings.find({ kind: 'PERSON', object_id: personId }).toArray();
  const ids = { $in: [...employeeIds] };
  const ofEmployees = await bindings.find({ kind: 'EMPLOYEE', $or: [{ object_id: ids }, { others: ids }] }).toArray();
  return [...ofPerson, ...ofEmployees];
}

/**
 * Takes a person and its employments out of their bindings. One that others have or had too becomes theirs. What people
 * have decided about the records of a number goes where the person had it, or a decision is about the person.
 * @returns how many bindings changed
 */
export async function removeBindings(store: Store, subject: IngestSubject): Promise<number> {
  const { tenantId, personId, employeeIds, names, record } = subject;
  const bindings = ofTenant(store.external_bindings, tenantId);
  const own = new Set([personId, ...employeeIds]);
  const decided = { $or: [{ 'decisions.person_id': personId }, { 'decisions.record': record }] };
  await bindings.updateMany({ kind: 'EMPLOYEE', ...decided }, { $unset: { decisions: '' } });
  let changed = 0;
  for (const { binding_id: _id } of names) {
    changed += await untilWritten(ATTEMPTS, async () => {
      const row = await bindings.findOne({ _id });
      const ids = row === null ? [] : [...(row.others ?? []), row.object_id];
      const others = ids.filter((id) => !own.has(id));
      if (row === null || others.length === ids.length) return 0;
      const object_id = others.pop();
      // A batch that is being applied may change it too.
      const filter = { _id, object_id: row.object_id, others: row.others ?? { $exists: false } };
      const update = { $set: { object_id: object_id ?? '', others }, $unset: { decisions: '' as const } };
      const write = object_id === undefined ? { deleteOne: { filter } } : { updateOne: { filter, update } };
      const { matchedCount, deletedCount } = await bindings.bulkWrite([write]);
      return matchedCount + deletedCount || undefined;
    });
  }
  return changed;
}

/** Whether a chunk has a record of the person: by a name that the service would find it by, or by an id in its text. */
function concerns({ records }: IngestChunkRow, pair: Pair | undefined, subject: IngestSubject): boolean {
  const { tenantId, names, iin } = subject;
  const texts = [iin, ...names.map(({ external_id }) => external_id)].filter((text) => text !== '');
  if (texts.some((text) => records.includes(JSON.stringify(text)))) return true;
  if (pair === undefined) return false;
  const bound = new Set(names.map(({ binding_id }) => binding_id));
  const source = pair.source_type as IngestSource;
  return (JSON.parse(records) as unknown[]).some((record) => {
    const mapped = mapRecord(pair, record);
    if ('skipped' in mapped) return false;
    const names = [...namesOfIdentity(source, mapped), ...namesOfPerson(source, mapped)];
    return names.some((name) => bound.has(bindingId(tenantId, name)));
  });
}

/**
 * Batches that are accepted and not applied, or are just being accepted, and have a record of the person. What they
 * hold would come back: they must be applied first.
 */
export async function waitingBatches(store: Store, subject: IngestSubject): Promise<string[]> {
  const { waiting } = await chunksOf(store, subject);
  return [...waiting];
}

/** Chunks with records of the person: of batches that wait, and what no batch needs any more. */
async function chunksOf(store: Store, subject: IngestSubject) {
  const waiting = new Set<string>();
  const left: string[] = [];
  const requests = ofTenant(store.ingest_requests, subject.tenantId);
  for await (const chunk of ofTenant(store.ingest_chunks, subject.tenantId).find({})) {
    const request = await requests.findOne({ _id: chunk.request_id });
    if (!concerns(chunk, request ?? undefined, subject)) continue;
    const isAbandoned = request === null && chunk.create_time.getTime() < nowMs() - ABANDONED_AFTER_MS;
    if (request?.ended_at || isAbandoned) left.push(chunk._id);
    else waiting.add(chunk.request_id);
  }
  return { waiting, left };
}

/**
 * Removes the records and outcomes of the person from batches that are applied.
 * @returns how many rows were removed, and the ids of batches that wait, which must be applied first
 */
export async function removeIngestTraces(
  store: Store,
  subject: IngestSubject,
): Promise<{ readonly removed: number; readonly waiting: readonly string[] }> {
  const { tenantId, personId, employeeIds, iin, names, record } = subject;
  const { waiting, left } = await chunksOf(store, subject);
  if (waiting.size > 0) return { removed: 0, waiting: [...waiting] };
  const chunks = await ofTenant(store.ingest_chunks, tenantId).deleteMany({ _id: { $in: left } });
  let removed = chunks.deletedCount;
  const outcomes = ofTenant(store.ingest_outcomes, tenantId);
  const externalIds = [...new Set([iin, ...names.map(({ external_id }) => external_id)])].filter((id) => id !== '');
  const about = [
    { object_id: { $in: [personId, ...employeeIds] } },
    { external_id: { $in: externalIds } },
    { 'question.person_id': personId },
    { 'question.record': record },
  ];
  const requests = ofTenant(store.ingest_requests, tenantId).find({}, { projection: { _id: 1 } });
  for await (const { _id: request_id } of requests) {
    removed += (await outcomes.deleteMany({ request_id, $or: about })).deletedCount;
  }
  return { removed, waiting: [] };
}
