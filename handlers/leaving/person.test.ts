/** What an erasure leaves, wherever it is killed, and what it refuses (D-35). */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DiskBed, openDiskBed } from '../../scripts/world/disk-storage.ts';
import { draftRow } from '../../scripts/world/document-row.ts';
import { accept, appliedAsChecked, killedInTurn } from '../../scripts/world/ingest.ts';
import {
  approved,
  digestOfKey,
  KNOWN,
  type KnownPerson,
  keysNamingIn,
  knownPerson,
  relayed,
  routeOf,
  rowsNaming,
} from '../../scripts/world/person-with-every-field.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { AuditEntryRow } from '../data/collections/audit_entries.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { type CollectionName, collectionNames, declarationOf, type Store } from '../data/store.ts';
import { applyIngest } from '../ingest/apply/apply-ingest.ts';
import { now } from '../runtime/clock.ts';
import { ErasureHindered, erasePerson, erasureOf, STEP_NAMES } from './person.ts';
import { personCopy } from './person-copy.ts';

const { store } = await testDeployment();
let disk: DiskBed;
let known: KnownPerson;

beforeAll(async () => {
  disk = await openDiskBed();
  known = await knownPerson(store, disk.storage);
});
afterAll(() => disk.stop());

const erase = (on: Store = store) =>
  erasePerson({ store: on, storage: disk.storage, tenantId: known.tenant.id, personId: known.personId, now: now() });

const hindrance = () =>
  erase().then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof ErasureHindered)) throw error;
      return error.hindrance;
    },
  );

describe('an erasure is refused, and nothing is written,', () => {
  const own = () => known.employeeIds[0] ?? '';
  /** A document that is there only during one attempt. */
  async function withDocument(changes: Partial<DocumentRow>) {
    const row = draftRow({
      initiator_employee_id: known.otherEmployeeId,
      tenant_id: known.tenant.id,
      files: [],
      ...changes,
    });
    await store.documents.insertOne(row);
    const found = await hindrance();
    await store.documents.deleteOne({ _id: row._id });
    return { found, id: row._id };
  }

  test('while a slot waits for the person', async () => {
    const active = { ...approved(own(), ''), status: 'PARTICIPANT_STATUS_ACTIVE' as const, action: null };
    const { found, id } = await withDocument({
      status: 'DOCUMENT_STATUS_ON_APPROVAL',
      route: routeOf(active),
      actors: [known.otherEmployeeId, own()],
    });
    expect(found).toMatchObject({ active_slots: [id], open_documents: [] });
  });

  test('while a document of the person circulates or was sent back', async () => {
    for (const status of ['DOCUMENT_STATUS_ON_SIGN', 'DOCUMENT_STATUS_CHANGE_REQUESTED'] as const) {
      const { found, id } = await withDocument({ status, initiator_employee_id: own(), actors: [own()] });
      expect(found).toMatchObject({ active_slots: [], open_documents: [id] });
    }
  });

  test('while a draft is about others too', async () => {
    const { found, id } = await withDocument({ subject_employee_ids: [own(), known.otherEmployeeId] });
    expect(found).toMatchObject({ drafts_about_others: [id] });
  });

  test('while a batch with the person waits, by any of its names', async () => {
    const records = [{ external_id: KNOWN.externalPerson, phone: '+77000000002' }];
    const id = await accept(store, known.tenant.id, { pair: 'KEDO/PERSONS', records });
    expect(await hindrance()).toMatchObject({ waiting_batches: [id] });
    await applyIngest(store, known.tenant.id, new AbortController().signal);
    const back = [{ external_id: KNOWN.externalPerson, phone: KNOWN.phone }];
    await appliedAsChecked(store, known.tenant.id, { pair: 'KEDO/PERSONS', records: back });
    expect(await erasureOf(store, known.tenant.id, known.personId)).toBeNull();
  });
});

test('the copy has everything of the person, and nothing of anybody else', async () => {
  const person = await store.persons.findOne({ _id: known.personId });
  if (person === null) throw new Error('no person');
  const operator = { operator: 'the operator', os_user: 'the user', host: 'the machine', pid: 998_877_665 };
  const entry: AuditEntryRow = {
    _id: randomUUID(),
    tenant_id: known.tenant.id,
    command: 'persons update',
    ...operator,
    about: { person: known.personId },
    results: [],
    fields: ['phone'],
    outcome: 'DONE',
    at: now(),
    ended_at: now(),
  };
  await store.audit_entries.insertOne(entry);
  const shared = draftRow({
    tenant_id: known.tenant.id,
    initiator_employee_id: known.otherEmployeeId,
    subject_employee_ids: [...known.employeeIds, known.otherEmployeeId],
    title: 'О нас обоих',
    number: 'на двоих',
    files: [],
  });
  await store.documents.insertOne(shared);
  const copy = await personCopy(store, known.tenant.id, person);
  await store.documents.deleteOne({ _id: shared._id });
  const text = JSON.stringify(copy.parts);
  expect(text).toContain(shared._id);
  for (const value of [shared.title, shared.number]) expect(text).not.toContain(value);
  for (const value of Object.values(KNOWN)) expect(text).toContain(value);
  expect(copy.parts.audit).toEqual([expect.objectContaining({ id: entry._id, command: entry.command })]);
  const other = await store.employees.findOne({ _id: known.otherEmployeeId });
  for (const value of ['Сейітова', '900131000001', known.otherEmployeeId, other?.person_id, ...Object.values(operator)])
    expect(text).not.toContain(String(value));
  expect(copy.files.map(({ file }) => file.object.key)).toEqual(expect.arrayContaining([...known.evidence]));
});

/** The fields of a row that hold anything. */
const filled = (row: object) => Object.entries(row).flatMap(([field, value]) => (value && String(value) ? field : []));
/** What a row that an erasure empties keeps. */
const KEPT = ['_id', 'tenant_id', 'create_time', 'update_time', 'rev', 'status'];
const OF_EVENTS = ['deleted_at', 'pending_events', 'outbox_at'];

const allRows = () =>
  Promise.all(
    collectionNames.map(
      async (name) => [name, await store.db.collection<{ _id: string }>(name).find({}).toArray()] as const,
    ),
  );

/** What an erasure does to a collection by what is said of its fields. */
function fateOf(name: CollectionName): string {
  const { life } = declarationOf(name);
  const fates = Object.values<unknown>(life).map((one) =>
    typeof one === 'string' ? one.split(', ').at(-1) : 'emptied',
  );
  return fates.includes('emptied') ? 'emptied' : [...new Set(fates)].join();
}

test('killed before each of its writes in turn, it ends, and the person is only where the evidence is', async () => {
  const others = () => store.persons.find({ tenant_id: known.tenant.id, _id: { $ne: known.personId } }).toArray();
  const before = await others();
  const rows = await allRows();
  const employments = await store.employees.find({ person_id: known.personId }).toArray();
  expect(new Set([...employments.flatMap(filled), ...OF_EVENTS])).toEqual(new Set(Object.keys(employments[0] ?? {})));
  expect(await killedInTurn(store, erase)).toBeGreaterThan(STEP_NAMES.length);
  expect(await rowsNaming(store)).toEqual({});
  expect(keysNamingIn(join(disk.dir, 'objects'))).toEqual(known.evidence.map(digestOfKey).toSorted());
  expect(await others()).toEqual(before);
  const left = new Map((await allRows()).flatMap(([name, are]) => are.map((row) => [name + row._id, row])));
  for (const [name, were] of rows) {
    const fates = were.map((row) => {
      const now = left.get(name + row._id);
      return isDeepStrictEqual(now, row) ? 'kept' : now ? 'emptied' : 'removed';
    });
    const met = ['emptied', 'removed', 'kept'].find((fate) => fates.some((one) => one === fate)) ?? fateOf(name);
    expect([name, met]).toEqual([name, fateOf(name)]);
  }
});

test('what stays are ids: deleted employments with their event, routes, users without keys', async () => {
  const rows = await store.employees.find({ _id: { $in: [...known.employeeIds] } }).toArray();
  for (const row of rows) {
    expect(filled(row).toSorted()).toEqual([...KEPT, ...OF_EVENTS].toSorted());
    expect(row.pending_events.map(({ type }) => type).filter((type) => type === 'employee.deleted')).toHaveLength(1);
  }
  expect((await store.employees.findOne({ _id: known.otherEmployeeId }))?.manager_id).toBe('');
  const sent = await store.documents.findOne({ _id: known.sentId });
  expect(sent?.title).toBe('Приказ о приёме [erased]');
  expect(sent?.route?.steps[0]?.participants[0]?.employee_id).toBe(known.employeeIds[0]);
  const [user] = await store.users.find({ employee_id: known.employeeIds[0] ?? '' }).toArray();
  expect(user?.removed_at).not.toBeNull();
  expect((await store.api_keys.findOne({ owner_id: user?._id ?? '' }))?.revoked_at).not.toBeNull();
  expect(await erasureOf(store, known.tenant.id, known.personId)).toMatchObject({
    names: [],
    ended_at: expect.any(Date),
  });
});

test('its deletion is delivered, and no delivery ever names anything but ids', async () => {
  await relayed(store);
  const deliveries = await store.deliveries.find({ tenant_id: known.tenant.id }).toArray();
  const deleted = deliveries.filter(({ event_type }) => event_type === 'employee.deleted');
  expect(deleted.map(({ subject }) => subject.id).toSorted()).toEqual([...known.employeeIds].toSorted());
  expect(deliveries.length).toBeGreaterThan(deleted.length);
  expect(await rowsNaming(store)).toEqual({});
});

test('a later batch with the person makes a new one', async () => {
  const records = [{ external_id: KNOWN.externalPerson, last_name: KNOWN.last, iin: KNOWN.iin }];
  await appliedAsChecked(store, known.tenant.id, { pair: 'KEDO/PERSONS', records });
  const found = await store.persons.find({ tenant_id: known.tenant.id, iin: KNOWN.iin }).toArray();
  expect(found).toHaveLength(1);
  expect(found[0]?._id).not.toBe(known.personId);
});
