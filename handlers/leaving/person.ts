/**
 * Erases a person (D-35), in steps that may be repeated. A row of `erasures` notes which are done, and what the person's
 * own rows no longer tell, so that a killed command continues where it was. The order matters:
 *
 * - The bindings go first: a batch that is accepted from now on finds nobody, and makes a new person.
 * - The employments are deleted before what refers to them, so that requests can make no more of it.
 * - The rows of the person and its employments are emptied last: until then they say what is to be looked for.
 */
import { apiKeyLife } from '../data/collections/api_keys.ts';
import type { ErasureRow } from '../data/collections/erasures.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import { userLife } from '../data/collections/users.ts';
import { forgetDeleted } from '../data/engine.ts';
import { emptiedFields } from '../data/field-life.ts';
import { ofTenant } from '../data/of-tenant.ts';
import type { Store } from '../data/store.ts';
import { unlessThere, untilWritten } from '../data/writes.ts';
import { emptiedEmployee } from '../employees/write/employee-rows.ts';
import { deleteEmployee, writeEmployees } from '../employees/write/employees.ts';
import { witnessDigest } from '../ingest/apply/who-is-who.ts';
import {
  bindingsOfPerson,
  type IngestSubject,
  removeBindings,
  removeIngestTraces,
  waitingBatches,
} from './ingest-traces.ts';
import { type ObjectStorage, removeUpload } from './objects.ts';
import { draftsToRemove, type OpenWork, openWorkOf, redactDocuments, removeDraft } from './person-documents.ts';
import { PersonValues } from './person-values.ts';

const ATTEMPTS = 20;

/** What must end before a person can be erased: ids only. */
export interface Hindrance extends OpenWork {
  /** Batches with a record of the person that are not applied yet. */
  readonly waiting_batches: readonly string[];
}

/** The erasure is refused, or cannot go on yet; nothing of the step that it is in was changed. */
export class ErasureHindered extends Error {
  readonly hindrance: Hindrance;

  constructor(hindrance: Hindrance) {
    super('something of the person is still open');
    this.hindrance = hindrance;
  }
}

interface ErasureWork {
  readonly store: Store;
  /** Absent only where nothing is stored. */
  readonly storage: ObjectStorage | undefined;
  readonly tenantId: string;
  readonly personId: string;
  readonly now: Date;
  /** Called before each step with its number, from 1, and at its end with how many rows it changed. */
  readonly progress?: (step: StepName, number: number, changed?: number) => void;
}

/** What a step works with. */
interface StepContext extends ErasureWork {
  readonly erasure: ErasureRow;
  readonly person: PersonRow;
  readonly values: PersonValues;
}

const NOTHING_OPEN: Hindrance = { active_slots: [], open_documents: [], drafts_about_others: [], waiting_batches: [] };

const steps = {
  bindings: (at: StepContext) => removeBindings(at.store, subjectOf(at)),
  employments: async ({ store, tenantId, erasure, now }: StepContext) => {
    let deleted = 0;
    for (const id of erasure.employee_ids) {
      deleted += (await deleteEmployee(store, tenantId, id, now))?.deleted ? 1 : 0;
    }
    return deleted;
  },
  users: removeUsers,
  uploads: removeUploads,
  drafts: async ({ store, storage, tenantId, erasure }: StepContext) => {
    const drafts = await draftsToRemove(store, tenantId, erasure.employee_ids);
    for (const draft of drafts) await removeDraft(store, storage, draft);
    return drafts.length;
  },
  documents: ({ store, tenantId, erasure, values }: StepContext) =>
    redactDocuments(store, tenantId, erasure.employee_ids, values),
  batches: async (at: StepContext) => {
    const { removed, waiting } = await removeIngestTraces(at.store, subjectOf(at));
    if (waiting.length > 0) throw new ErasureHindered({ ...NOTHING_OPEN, waiting_batches: waiting });
    return removed;
  },
  rows: emptyRows,
} as const satisfies Readonly<Record<string, (at: StepContext) => Promise<number>>>;

export type StepName = keyof typeof steps;

export const STEP_NAMES = Object.keys(steps) as StepName[];

const subjectOf = ({ tenantId, personId, erasure, person }: Omit<StepContext, 'values'>) =>
  ({
    tenantId,
    personId,
    employeeIds: erasure.employee_ids,
    iin: person.iin,
    record: witnessDigest(person),
    names: erasure.names,
  }) satisfies IngestSubject;

/** The users who are one of the employments. */
const usersOf = ({ store, tenantId, erasure }: Pick<StepContext, 'store' | 'tenantId' | 'erasure'>) =>
  ofTenant(store.users, tenantId)
    .find({ employee_id: { $in: erasure.employee_ids } })
    .toArray();

/** Removes the person's users, and revokes their keys; names of others lose what is only this person's. */
async function removeUsers(at: StepContext): Promise<number> {
  const { store, tenantId, now, values } = at;
  const own = await usersOf(at);
  const ids = own.map(({ _id }) => _id);
  const [users, keys] = [ofTenant(store.users, tenantId), ofTenant(store.api_keys, tenantId)];
  await keys.updateMany({ owner_id: { $in: ids }, revoked_at: null }, { $set: { revoked_at: now } });
  await keys.updateMany({ owner_id: { $in: ids } }, { $set: emptiedFields(apiKeyLife) });
  for (const { _id, removed_at } of own) {
    const emptied = emptiedFields(userLife);
    const set = { ...emptied, label: `${emptied.label} ${_id}`, removed_at: removed_at ?? now, update_time: now };
    await users.updateOne({ _id }, { $set: set });
  }
  for await (const { _id, label } of users.find({})) {
    const without = values.withoutOwn(label);
    if (without !== label) await users.updateOne({ _id }, { $set: { label: `${without} ${_id}` } });
  }
  for await (const { _id, name } of keys.find({})) {
    const without = values.withoutOwn(name);
    if (without !== name) await keys.updateOne({ _id }, { $set: { name: without } });
  }
  return own.length;
}

/** Removes the uploads of the person's users that no document took. */
async function removeUploads(at: StepContext): Promise<number> {
  const { store, storage, tenantId } = at;
  const owner_id = { $in: (await usersOf(at)).map(({ _id }) => _id) };
  const uploads = await ofTenant(store.files, tenantId).find({ owner_id, document_id: '' }).toArray();
  for (const upload of uploads) {
    if (storage === undefined) throw new Error('nothing says where the bytes of uploads are');
    await removeUpload(store, storage, upload);
  }
  return uploads.length;
}

/** Empties the employments and removes the person; an employment that was made meanwhile goes with it. */
async function emptyRows(at: StepContext): Promise<number> {
  const { store, tenantId, personId, now, erasure } = at;
  const employees = ofTenant(store.employees, tenantId);
  const late = await employees.find({ person_id: personId }, { projection: { _id: 1 } }).toArray();
  const ids = [...new Set([...erasure.employee_ids, ...late.map(({ _id }) => _id)])];
  for (const id of ids) {
    await deleteEmployee(store, tenantId, id, now);
    await untilWritten(ATTEMPTS, async () => {
      const before = await employees.findOne({ _id: id });
      if (before === null) return true;
      const overtaken = await writeEmployees(store, tenantId, [{ before, after: emptiedEmployee(before) }]);
      return overtaken.size === 0 || undefined;
    });
  }
  await ofTenant(store.persons, tenantId).deleteOne({ _id: personId });
  return ids.length + 1;
}

/** An erasure as it would begin; nothing is written. @throws Error if there is no such person */
async function newErasure({ store, tenantId, personId, now }: ErasureWork): Promise<ErasureRow> {
  const employments = await ofTenant(store.employees, tenantId).find({ person_id: personId }).toArray();
  const employee_ids = employments.map(({ _id }) => _id);
  const bindings = await bindingsOfPerson(store, { tenantId, personId, employeeIds: employee_ids });
  return {
    _id: personId,
    tenant_id: tenantId,
    employee_ids,
    names: bindings.map(({ _id, external_id }) => ({ binding_id: _id, external_id })),
    done: [],
    begun_at: now,
    ended_at: null,
  };
}

/** The erasure of a person that has begun, or ended; null if there is none. */
export const erasureOf = (store: Store, tenantId: string, personId: string): Promise<ErasureRow | null> =>
  ofTenant(store.erasures, tenantId).findOne({ _id: personId });

/** What an erasure would meet: ids of what hinders it, and how much would go. */
interface ErasurePlan {
  readonly hindrance: Hindrance;
  readonly employee_ids: readonly string[];
  readonly bindings: number;
  readonly drafts: readonly string[];
  readonly users: readonly string[];
  /** Other persons with the same IIN: perhaps the same one, loaded by another source. Each is erased by its own id. */
  readonly same_iin: readonly string[];
}

/** Looks at what the erasure of a person would do; nothing is written. */
export async function erasurePlan(work: ErasureWork, person: PersonRow): Promise<ErasurePlan> {
  const { store, tenantId } = work;
  const erasure = await newErasure(work);
  const waiting_batches = await waitingBatches(store, subjectOf({ ...work, erasure, person }));
  const open = await openWorkOf(store, tenantId, erasure.employee_ids);
  const drafts = await draftsToRemove(store, tenantId, erasure.employee_ids);
  const sameIin = { iin: person.iin, _id: { $ne: person._id } };
  const same = person.iin === '' ? [] : await ofTenant(store.persons, tenantId).find(sameIin).toArray();
  return {
    same_iin: same.map(({ _id }) => _id),
    hindrance: { ...open, waiting_batches },
    employee_ids: erasure.employee_ids,
    bindings: erasure.names.length,
    drafts: drafts.map(({ _id }) => _id),
    users: (await usersOf({ store, tenantId, erasure })).map(({ _id }) => _id),
  };
}

/** The erasure that has begun before, or a new one, unless something hinders it. @throws ErasureHindered */
async function begin(work: ErasureWork): Promise<ErasureRow> {
  const { store, tenantId, personId } = work;
  const before = await erasureOf(store, tenantId, personId);
  if (before !== null) return before;
  const person = await ofTenant(store.persons, tenantId).findOne({ _id: personId });
  if (person === null) throw new Error('there is no such person');
  const { hindrance } = await erasurePlan(work, person);
  if (Object.values(hindrance).some((ids) => ids.length > 0)) throw new ErasureHindered(hindrance);
  const erasure = await newErasure(work);
  const isNew = await unlessThere(() => ofTenant(store.erasures, tenantId).insertOne(erasure));
  return isNew ? erasure : begin(work);
}

/**
 * Erases a person, or continues an erasure. Several commands may work on one at once: each step may be repeated.
 * @returns how many rows each step changed in this run
 * @throws ErasureHindered before the first step, or where a batch with the person was accepted meanwhile
 */
export async function erasePerson(work: ErasureWork): Promise<Partial<Record<StepName, number>>> {
  const { store, tenantId, personId, progress } = work;
  const erasure = await begin(work);
  const person = await ofTenant(store.persons, tenantId).findOne({ _id: personId });
  const changed: Partial<Record<StepName, number>> = {};
  if (person !== null) {
    const employments = await ofTenant(store.employees, tenantId)
      .find({ _id: { $in: erasure.employee_ids } })
      .toArray();
    const externalIds = erasure.names.map(({ external_id }) => external_id);
    const values = new PersonValues(person, employments, externalIds);
    const at = { ...work, erasure, person, values };
    for (const [place, name] of STEP_NAMES.entries()) {
      if (erasure.done.includes(name)) continue;
      progress?.(name, place + 1);
      const count = await steps[name](at);
      changed[name] = count;
      progress?.(name, place + 1, count);
      await ofTenant(store.erasures, tenantId).updateOne({ _id: personId }, { $addToSet: { done: name } });
    }
  }
  const own = ofTenant(store.erasures, tenantId);
  await own.updateOne({ _id: personId }, { $set: { names: [], done: [...STEP_NAMES] } });
  // Before its end is noted: an erasure that was killed here is repeated.
  await forgetDeleted(store.client, store.db);
  await own.updateOne({ _id: personId }, { $set: { ended_at: erasure.ended_at ?? work.now } });
  return changed;
}
