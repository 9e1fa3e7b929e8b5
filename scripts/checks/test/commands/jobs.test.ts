/**
 * Judges the database commands of the workers' jobs, on rows that give every job something to do: a run of the
 * conformance suite does not reach all jobs. It also shows that every listed poll is really one that the jobs make.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { writeRows } from '../../../../handlers/data/bulk.ts';
import type { EmployeeRow } from '../../../../handlers/data/collections/employees.ts';
import type { FileRow } from '../../../../handlers/data/collections/files.ts';
import { pendingEvent } from '../../../../handlers/data/outbox.ts';
import { collectionsOf, declarationOf, SHARDABLE, type Store } from '../../../../handlers/data/store.ts';
import { advanceStatuses } from '../../../../handlers/employees/write/advance-statuses.ts';
import { newEmployee } from '../../../../handlers/employees/write/employee-rows.ts';
import { newPerson } from '../../../../handlers/employees/write/person-rows.ts';
import { followPersons } from '../../../../handlers/employees/write/persons.ts';
import { sweepFiles } from '../../../../handlers/files/sweep-files.ts';
import { prepareStore } from '../../../../handlers/prepare-store.ts';
import { now } from '../../../../handlers/process/clock.ts';
import { createLogger } from '../../../../handlers/process/log.ts';
import { uploadKey } from '../../../../handlers/storage/storage.ts';
import { makeAttempt } from '../../../../handlers/webhooks/attempt.ts';
import { claimDue } from '../../../../handlers/webhooks/claim.ts';
import { overdueEndpoints } from '../../../../handlers/webhooks/deliver.ts';
import { pruneDeliveries } from '../../../../handlers/webhooks/prune-deliveries.ts';
import { relayEvents } from '../../../../handlers/webhooks/relay-events.ts';
import { Database } from '../../../testbed/database.ts';
import { DOWN, Outside, Receivers } from '../../../testbed/deliveries.ts';
import { draftRow } from '../../../testbed/document-row.ts';
import { MemoryStorage } from '../../../testbed/memory-storage.ts';
import type { Verdict } from './judge.ts';
import { watch } from './watch.ts';

const database = new Database();
const never = new AbortController().signal;
const NOW = new Date();
const PAST = new Date(0);
/** Used by the test itself; its commands are not judged. */
let own: Store;
let judged: Store;
let receivers: Receivers;
let verdicts: Verdict[] = [];
const polls = new Set<string>();

beforeAll(async () => {
  own = await database.open();
  const client = new MongoClient(database.uri);
  watch(client, (verdict) => verdicts.push(verdict));
  judged = collectionsOf(await client.connect(), database.name);
  receivers = new Receivers(own);
  await receivers.flag();
});

beforeEach(() => {
  verdicts = [];
});

afterAll(async () => {
  await judged.close();
  await own.close();
  await database.remove();
});

/** Expects that no command since the start of the test was wrong, and that each of these kinds was seen. */
function expectRight(...seen: string[]): void {
  expect(verdicts.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const kinds = new Set(verdicts.map(({ collection, command }) => `${collection}.${command}`));
  for (const kind of seen) expect(kinds).toContain(kind);
  for (const { poll } of verdicts) if (poll !== undefined) polls.add(poll);
}

const moment = { now: PAST, today: '2026-01-01' };
const employeeOf = (person: { _id: string; rev: number }, fields: object): EmployeeRow =>
  newEmployee(receivers.tenantId, person, fields, moment);

test('rows of an earlier version, and the daily job', async () => {
  const { status_due_on: _, ...early } = employeeOf({ _id: 'p', rev: 0 }, { end_date: '2020-01-01' });
  await own.employees.insertOne({ ...early, status: 'EMPLOYEE_STATUS_ACTIVE' } as EmployeeRow);
  await prepareStore(judged);
  expectRight('employees.update');
  verdicts = [];
  await advanceStatuses(judged, never, 1);
  expectRight('employees.find', 'employees.update');
});

test('a change of a person, its events, and rows that somebody else changed meanwhile', async () => {
  const person = { ...newPerson(receivers.tenantId, { last_name: 'A' }, PAST), rev: 2, outbox_at: NOW };
  const employment = employeeOf({ _id: person._id, rev: 1 }, {});
  const events = { pending_events: [pendingEvent('document.sent', NOW)], outbox_at: NOW };
  await receivers.endpoint();
  await own.persons.insertOne(person);
  await own.employees.insertOne(employment);
  await own.documents.insertOne(draftRow({ initiator_employee_id: 'x', tenant_id: receivers.tenantId, ...events }));
  await relayEvents(judged, { queued: () => {}, followed: (atMost) => followPersons(judged, now(), atMost) }, never);
  expectRight('employees.update', 'persons.update', 'documents.update', 'deliveries.insert');
  verdicts = [];
  const stale = { ...employment, rev: 0 };
  const overtaken = await writeRows(judged.employees, [
    { before: stale, after: { ...stale, work_email: 'b', rev: 1 } },
  ]);
  expect([...overtaken]).toEqual([employment._id]);
  expectRight('employees.update', 'employees.find');
});

test('a delivery: claimed, failed for good, its endpoint gone, removed from the log', async () => {
  const endpoint = await receivers.endpoint();
  await receivers.deliveries(endpoint, 2, { attempt_count: 7 });
  const outside = new Outside();
  outside.answer = () => DOWN;
  const means = { store: judged, send: outside.send, log: createLogger('silent'), random: () => 0 };
  const attempt = async () => {
    const claim = await claimDue(judged, receivers.tenantId, endpoint);
    if (claim === undefined) throw new Error('nothing is due');
    await makeAttempt(means, claim, never);
  };
  await attempt();
  expect((await overdueEndpoints(judged, [randomUUID()])).get(endpoint)).toBe(receivers.tenantId);
  await own.webhook_endpoints.deleteOne({ _id: endpoint });
  await attempt();
  await own.deliveries.updateMany({ endpoint_id: endpoint }, { $set: { ended_at: PAST } });
  await pruneDeliveries(judged);
  expect(await receivers.statuses(endpoint)).toEqual({});
  expectRight('deliveries.find', 'deliveries.update', 'deliveries.delete');
});

test('uploads: expired, forgotten, kept, and linked to no document', async () => {
  const tenant_id = receivers.tenantId;
  const file = (changes: Partial<FileRow>): FileRow => {
    const _id = randomUUID();
    const object = { key: uploadKey(tenant_id, _id), version: '1', size_bytes: 1, sha256: '' };
    return {
      _id,
      tenant_id,
      owner_id: 'o',
      filename: 'a.pdf',
      content_type: 'application/pdf',
      reserved_bytes: 1,
      status: 'FILE_UPLOAD_STATUS_UPLOADED',
      object,
      confirmed_at: NOW,
      document_id: '',
      linked_at: null,
      sweep_at: PAST,
      create_time: PAST,
      update_time: PAST,
      ...changes,
    };
  };
  await own.files.insertMany([
    file({ status: 'FILE_UPLOAD_STATUS_RESERVED', object: null }),
    file({ confirmed_at: PAST }),
    file({}),
    file({ document_id: randomUUID(), linked_at: PAST }),
  ]);
  await sweepFiles(judged, new MemoryStorage(), never);
  expectRight('files.update', 'files.delete', 'documents.update', 'documents.find', 'documents.insert');
});

test('every listed poll is made by some job', () => {
  const listed = SHARDABLE.flatMap((name) => (declarationOf(name).polls ?? []).map((poll) => poll.name));
  expect([...polls].toSorted()).toEqual(listed.toSorted());
});
