/** One document for each Idempotency-Key, even if processes die, wait or race (faults 1 to 18). */
import { hash, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { MongoNetworkError, MongoOperationTimeoutError } from 'mongodb';
import { eventually } from '../../../scripts/kit/eventually.ts';
import { type Owner, TenantFixture } from '../../../scripts/world/documents.ts';
import { racedStore } from '../../../scripts/world/racing-store.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import { fingerprintOf } from '../../data/canonical-json.ts';
import type { IdempotencyClaimRow } from '../../data/collections/idempotency_claims.ts';
import { KEY_LIFETIME_MS, keyedOnce } from '../../data/idempotency.ts';
import { LEASE_MS, NO_LEASE } from '../../data/lease.ts';
import type { Writing } from '../../data/write-timeout.ts';
import { now, nowMs, setClockOffset } from '../../runtime/clock.ts';
import { linkUpload } from '../../storage/uploads.ts';
import { createDocument } from '../createDocument.ts';
import { draftOf } from './creation.ts';
import { writeDocument } from './write.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;
let owner: Owner;
let type: string;
let template: string;

afterEach(() => {
  setClockOffset(0);
});

/** A tenant of its own for each test, so that rows can be counted. */
async function fresh(): Promise<void> {
  fixture = await TenantFixture.create(store);
  owner = await fixture.owner();
  type = await fixture.type();
  template = await fixture.template(type, ['reason']);
}

type Body = Record<string, unknown>;
const bodyOf = (more: Body = {}): Body => ({ title: 'Приказ', type_id: type, template_id: template, ...more });
const create = (body: Body, key?: string, by: Owner = owner) => by.call(createDocument, { body }, key);
const documents = () => store.documents.find({ tenant_id: fixture.id, listed: true }).toArray();
const claims = () => store.idempotency_claims.find({ tenant_id: fixture.id }).toArray();
const later = (ms: number) => setClockOffset(nowMs() + ms - Date.now());

/** As if their time were over. */
const endLeases = () =>
  store.idempotency_claims.updateMany({ tenant_id: fixture.id }, { $set: { lease_until: new Date(0) } });

/** Leaves the claim of a process that dies while it creates the document. @returns the document's id */
async function deadClaim(body: Body, key: string, changes: Partial<IdempotencyClaimRow> = {}): Promise<string> {
  const { keyId } = await owner.caller();
  const resource_id = randomUUID();
  const at = nowMs() - LEASE_MS.creation - 1;
  await store.idempotency_claims.insertOne({
    _id: hash('sha256', `${keyId}\0createDocument\0${key}`, 'hex'),
    tenant_id: fixture.id,
    fingerprint: fingerprintOf(body as never),
    resource_id,
    state: 'RUNNING',
    lease_id: 'gone',
    lease_until: new Date(at + LEASE_MS.creation),
    expires_at: new Date(at + KEY_LIFETIME_MS),
    create_time: new Date(at),
    ...changes,
  });
  return resource_id;
}

test('of two bodies at once, one takes a key whose 24 hours are over', async () => {
  await fresh();
  const { answer: first } = await create(bodyOf(), 'k');
  later(KEY_LIFETIME_MS - 60_000);
  expect(await create(bodyOf(), 'k')).toMatchObject({ answer: { document: { id: first?.document.id } } });
  later(61_000);
  const [a, b] = await Promise.all([create(bodyOf({ number: '2' }), 'k'), create(bodyOf({ number: '3' }), 'k')]);
  expect([a?.error, b?.error].sort()).toEqual(['', 'IDEMPOTENCY_KEY_CONFLICT']);
  expect(await documents()).toHaveLength(2);
  expect(await claims()).toHaveLength(1);
});

test('a creation that loses its upload after it has claimed its key leaves the key free', async () => {
  await fresh();
  const lose = () => store.files.updateMany({ tenant_id: fixture.id }, { $set: { document_id: randomUUID() } });
  const raced = racedStore(store, 'idempotency_claims', 'findOneAndUpdate', lose);
  const racing = new TenantFixture(raced, fixture.id, fixture.ownerId);
  const racer = await racing.owner();
  const file_id = await racing.upload(racer);
  expect((await create({ title: 'Приказ', type_id: type, file_id }, 'k', racer)).error).toBe('FILE_ALREADY_LINKED');
  expect((await create(bodyOf(), 'k', racer)).error).toBe('');
});

describe('after a process died', () => {
  beforeAll(fresh);

  test('between the claim and all other writes, the next attempt waits for the lease and creates under the same id; another body is a conflict', async () => {
    const id = await deadClaim(bodyOf(), 'a', { lease_until: new Date(nowMs() + LEASE_MS.creation) });
    expect(await create(bodyOf(), 'a')).toMatchObject({ error: 'IDEMPOTENCY_IN_PROGRESS', retryAfterMs: 1000 });
    for (const other of [{ number: '2' }, { type_id: type.toUpperCase() }])
      expect((await create(bodyOf(other), 'a')).error).toBe('IDEMPOTENCY_KEY_CONFLICT');
    await endLeases();
    expect(await create(bodyOf(), 'a')).toMatchObject({ replayed: false, answer: { document: { id } } });
    expect(await create(bodyOf(), 'a')).toMatchObject({ replayed: true, answer: { document: { id } } });
    expect(await documents()).toHaveLength(1);
  });

  test('between link and insert, the next attempt recognises the link, and no other document can take the upload', async () => {
    const file_id = await fixture.upload(owner);
    const body = { title: 'Приказ', type_id: type, file_id };
    const id = await deadClaim(body, 'b');
    await linkUpload(await owner.caller(), file_id, id);
    expect((await create(body)).error).toBe('FILE_ALREADY_LINKED');
    expect(await create(body, 'b')).toMatchObject({ replayed: false, answer: { document: { id } } });
    expect((await store.files.findOne({ _id: file_id }))?.document_id).toBe(id);
  });

  test('between the insert and the end, the document is answered as it is, even if it would be refused by now', async () => {
    const id = await deadClaim(bodyOf(), 'c');
    const caller = await owner.caller();
    await writeDocument({ caller, storage: fixture.storage }, await draftOf(caller, bodyOf() as never, id), id);
    await store.document_types.updateOne({ _id: type }, { $set: { status: 'ARCHIVED' } });
    expect(await create(bodyOf(), 'c')).toMatchObject({ replayed: true, answer: { document: { id } } });
    await store.document_types.updateOne({ _id: type }, { $set: { status: 'ACTIVE' } });
    expect(await claims()).toContainEqual(expect.objectContaining({ resource_id: id, state: 'DONE' }));
    await store.documents.updateOne({ _id: id }, { $set: { listed: false } });
    await store.idempotency_claims.updateOne({ resource_id: id }, { $set: { state: 'RUNNING' } });
    expect((await create(bodyOf(), 'c')).error).toBe('DOCUMENT_NOT_FOUND');
  });

  test('many next attempts at once make one document', async () => {
    const id = await deadClaim(bodyOf(), 'd');
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => create(bodyOf(), 'd')));
    expect(outcomes.filter(({ error, replayed }) => error === '' && !replayed)).toHaveLength(1);
    expect(new Set(outcomes.flatMap(({ answer }) => answer?.document.id ?? []))).toEqual(new Set([id]));
    expect(await store.documents.countDocuments({ _id: id })).toBe(1);
  });

  test('a process that was paused beyond its lease answers with the document of the next attempt', async () => {
    const resumed = Promise.withResolvers<void>();
    const paused = Promise.withResolvers<void>();
    fixture.storage.before = async (call) => {
      if (call !== 'write') return;
      fixture.storage.before = () => {};
      paused.resolve();
      await resumed.promise;
    };
    const pausedCreation = create(bodyOf({ number: 'z' }), 'e');
    await paused.promise;
    await endLeases();
    const successor = await create(bodyOf({ number: 'z' }), 'e');
    resumed.resolve();
    const late = await pausedCreation;
    expect(successor).toMatchObject({ error: '', replayed: false });
    expect(late).toMatchObject({ error: '', replayed: true });
    expect(late.answer).toEqual(successor.answer);
    const [row, ...more] = await store.documents.find({ tenant_id: fixture.id, number: 'z' }).toArray();
    expect(more).toEqual([]);
    // The unused PDF keeps its note, for the sweeper; the document's own PDF has none.
    const notes = await store.unclaimed_objects.find({ tenant_id: fixture.id }).toArray();
    expect(notes).toHaveLength(1);
    expect(notes[0]?._id).not.toBe(row?.files[0]?.object.key);
  });

  test('after storage was down, nothing was made, and the next attempt need not wait', async () => {
    fixture.storage.down = true;
    const before = await documents();
    expect((await create(bodyOf(), 'f')).error).toBe('UNAVAILABLE');
    expect(await documents()).toHaveLength(before.length);
    expect((await create(bodyOf({ number: '1' }), 'f')).error).toBe('IDEMPOTENCY_KEY_CONFLICT');
    fixture.storage.down = false;
    const [claim] = await store.idempotency_claims.find({ tenant_id: fixture.id, state: 'RUNNING' }).toArray();
    expect(claim?.lease_until.getTime()).toBeLessThanOrEqual(now().getTime());
    const id = claim?.resource_id as string;
    expect(await create(bodyOf(), 'f')).toMatchObject({ replayed: false, answer: { document: { id } } });
  });

  test('a key whose claim was not acknowledged is freed once the database is reachable', async () => {
    const lost = new MongoNetworkError('connection closed');
    const claims = store.idempotency_claims;
    const take = claims.findOneAndUpdate.bind(claims) as (...args: unknown[]) => unknown;
    const taking = jest.spyOn(claims, 'findOneAndUpdate').mockImplementationOnce((async (...args: unknown[]) => {
      await take(...args);
      throw lost;
    }) as never);
    const away = jest.spyOn(claims, 'updateOne').mockRejectedValueOnce(lost);
    await expect(create(bodyOf({ number: '2' }), 'g')).rejects.toThrow(lost);
    const running = { tenant_id: fixture.id, state: 'RUNNING' } as const;
    const free = () => claims.findOne({ ...running, ...NO_LEASE });
    const claim = await eventually('a free key', async () => (await free()) ?? undefined);
    taking.mockRestore();
    away.mockRestore();
    const answer = { document: { id: claim.resource_id } };
    expect(await create(bodyOf({ number: '2' }), 'g')).toMatchObject({ replayed: false, answer });
  });

  test('a key that is claimed after its request gave up is freed at once', async () => {
    const scope = { tenantId: fixture.id, apiKeyId: 'a', operationId: 'createDocument', idempotencyKey: 'h' };
    const late = new MongoOperationTimeoutError('too late');
    const begun = Promise.withResolvers<unknown>();
    const hasty: Writing = (write) => {
      begun.resolve(write());
      return Promise.reject(late);
    };
    const attempt = await keyedOnce(
      store.idempotency_claims,
      scope,
      fingerprintOf(bodyOf() as never),
      hasty,
      () => {},
    )();
    await expect(attempt.claim()).rejects.toBe(late);
    await begun.promise;
    const taken = { tenant_id: fixture.id, resource_id: attempt.id };
    const claim = await eventually('a free key', async () => {
      return (await store.idempotency_claims.findOne({ ...taken, lease_until: { $lte: now() } })) ?? undefined;
    });
    expect(claim.lease_until.getTime()).toBeLessThan(claim.create_time.getTime() + LEASE_MS.creation);
  });
});
