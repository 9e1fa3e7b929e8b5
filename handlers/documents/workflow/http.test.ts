/** The five operations that move a document, over HTTP, with several owners who see different things. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAuthority, newSigner } from '../../../scripts/eds/folder.ts';
import { makeCms } from '../../../scripts/eds/signatures.ts';
import { addTrustAnchor } from '../../../scripts/settings/trust-anchors.ts';
import type { DocumentRow, PermissionProfile, Store } from '../../data/store.ts';
import { now } from '../../process/clock.ts';
import { type Folder, openFolder } from '../../storage/folder.ts';
import { Database } from '../../testing/database.ts';
import { draftRow } from '../../testing/document-row.ts';
import { type RunningServer, ready, startServer } from '../../testing/processes.ts';
import { SEES_ALL, TestTenant } from '../../testing/tenant.ts';

const database = new Database();
let store: Store;
let server: RunningServer;
/** The folder where the server keeps files. Every document of this test has the same PDF. */
const files = mkdtempSync(join(tmpdir(), 'workflow-'));
const PDF = Buffer.from('%PDF-1.7\nsigned bytes\n');
let folder: Folder;
let main: DocumentRow['files'][0];
let tenant: TestTenant;

/** An owner with an employee. Each request uses a new key, so that no rate limit applies. */
class Person {
  readonly employeeId: string;
  readonly #userId: string;

  constructor(employeeId: string, userId: string) {
    this.employeeId = employeeId;
    this.#userId = userId;
  }

  async post(documentId: string, action: string, body?: object): Promise<{ status: number; body: Body }> {
    const key = await tenant.key({ owner_id: this.#userId, created_by_super_admin: false });
    const answer = await fetch(`${server.url}/developer/v1/documents/${documentId}/_${action}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ, and the conformance suite checks their shapes
type Body = any;

async function person(profile: Partial<PermissionProfile> = {}, employee?: string): Promise<Person> {
  const [userId, employeeId] = [randomUUID(), employee ?? (await tenant.employee())];
  await store.users.insertOne({
    ...{ _id: userId, tenant_id: tenant.id, label: 'test', employee_id: employeeId, super_admin: false },
    ...{ profile: { ...SEES_ALL, documents: 'own', ...profile }, removed_at: null },
    ...{ create_time: now(), update_time: now() },
  });
  return new Person(employeeId, userId);
}

let initiator: Person;
let approver: Person;
let deputy: Person;
let signer: Person;
let subject: Person;
/** Sees every document and takes part in none. */
let clerk: Person;

beforeAll(async () => {
  store = await database.open();
  tenant = await TestTenant.create(store);
  // Without a relay, so that events stay in the rows.
  server = await startServer({ ...database.env, STORAGE_DIR: files, ROLE: 'api' });
  folder = await openFolder(files);
  main = await pdfFile();
  await ready(server);
  initiator = await person();
  approver = await person();
  deputy = await person();
  signer = await person();
  subject = await person();
  clerk = await person({ documents: 'all' });
});

afterAll(async () => {
  expect(await server.process.stop()).toBe(0);
  await store.close();
  await database.remove();
  rmSync(files, { recursive: true, force: true });
});

async function pdfFile(): Promise<DocumentRow['files'][0]> {
  const key = `documents/${tenant.id}/test`;
  const written = await folder.draft(Readable.from([PDF]));
  const version = await written.commit(key);
  const object = { key, version, size_bytes: written.size_bytes, sha256: written.sha256 };
  const named = { filename: 'order.pdf', content_type: 'application/pdf' };
  return { file_id: randomUUID(), file_type: 'FILE_TYPE_PDF', ...named, object };
}

const rowOf = async (id: string) => (await store.documents.findOne({ _id: id })) as DocumentRow;
const eventsOf = async (id: string) => (await rowOf(id)).pending_events.map(({ type }) => type);
const reasonOf = ({ status, body }: { status: number; body: Body }) => [status, body.details?.[0]?.reason];
const fieldsOf = ({ body }: { body: Body }) =>
  body.details
    .find((detail: Body) => detail['@type'].endsWith('BadRequest'))
    ?.field_violations.map(({ field }: Body) => field);
const INVALID = [400, 'INVALID_ARGUMENT'];
const STATE = [400, 'DOCUMENT.INVALID_STATUS_TRANSITION'];
const NOT_FOUND = [404, 'DOCUMENT_NOT_FOUND'];
const NOT_ALLOWED = [403, 'DOCUMENT.ACTION_NOT_ALLOWED'];

async function draft(changes: Partial<DocumentRow> = {}): Promise<string> {
  const row = draftRow({
    tenant_id: tenant.id,
    initiator_employee_id: initiator.employeeId,
    subject_employee_ids: [subject.employeeId],
    files: [main],
    ...changes,
  });
  await store.documents.insertOne(row);
  return row._id;
}

const who = (...people: Person[]) => people.map(({ employeeId }) => ({ employee_id: employeeId }));
const approval = (...people: Person[]) => ({ step_type: 'STEP_TYPE_APPROVAL', participants: who(...people) });
const signing = (...people: Person[]) => ({ step_type: 'STEP_TYPE_SIGNING', participants: who(...people) });

async function sent(...steps: object[]): Promise<string> {
  const id = await draft();
  expect((await initiator.post(id, 'set_route', { steps })).status).toBe(200);
  expect((await initiator.post(id, 'send')).status).toBe(200);
  return id;
}

describe('a document on its way', () => {
  test('from a draft to completion, seen by those whose turn it is', async () => {
    const id = await draft();
    const routed = await initiator.post(id, 'set_route', { steps: [approval(approver), signing(signer)] });
    expect(routed.body.document).toMatchObject({
      status: 'DOCUMENT_STATUS_DRAFT',
      route: { active: false, status: 'ROUTE_STATUS_DRAFT' },
    });
    expect(reasonOf(await approver.post(id, 'approve'))).toEqual(NOT_FOUND);
    const out = await initiator.post(id, 'send', {});
    expect(out.body.document).toMatchObject({ status: 'DOCUMENT_STATUS_ON_APPROVAL', route: { active: true } });
    expect(reasonOf(await signer.post(id, 'sign'))).toEqual(NOT_FOUND);
    expect(reasonOf(await subject.post(id, 'approve'))).toEqual(INVALID);

    const approved = await approver.post(id, 'approve', { comment: 'Согласовано.' });
    expect(approved.body.document.status).toBe('DOCUMENT_STATUS_ON_SIGN');
    expect(reasonOf(await approver.post(id, 'approve'))).toEqual(STATE);
    const done = await signer.post(id, 'sign');
    expect(done.status).toBe(200);
    expect(done.body.document).toMatchObject({
      status: 'DOCUMENT_STATUS_COMPLETED',
      route: { active: false, status: 'ROUTE_STATUS_COMPLETED' },
    });
    expect(done.body.document.completed_at).toBe(done.body.document.update_time);
    expect(reasonOf(await signer.post(id, 'sign'))).toEqual(STATE);
    expect(reasonOf(await signer.post(id, 'reject', { comment: 'Поздно' }))).toEqual(INVALID);
    expect(await eventsOf(id)).toEqual([
      'document.sent',
      'document.approval_started',
      'document.signing_started',
      'document.completed',
    ]);
    expect(done.body.document.files.map(({ file_type }: Body) => file_type)).toEqual([
      'FILE_TYPE_PDF',
      'FILE_TYPE_SIGNED_PDF',
    ]);
    const [, sheet] = (await rowOf(id)).files;
    expect((await folder.size(sheet?.object ?? main.object)) ?? 0).toBeGreaterThan(1_000);
    expect(sheet).toMatchObject({ filename: 'Тестовый приказ.signed.pdf', content_type: 'application/pdf' });
    expect(await store.unclaimed_objects.countDocuments({})).toBe(0);
  });
});

describe('setting a route', () => {
  const set = async (steps: object[], id?: string) => initiator.post(id ?? (await draft()), 'set_route', { steps });

  test('what the body alone forbids is named, also for a document that nobody sees', async () => {
    const eds = { employee_id: approver.employeeId, key_type: 'EDS' };
    const wrong: [string, object[]][] = [
      ['steps', [approval(approver)]],
      ['steps[1].step_type', [signing(signer), approval(approver)]],
      ['steps[0].participants[0].key_type', [{ ...approval(), participants: [eds] }, signing(signer)]],
      ['steps[0].participants[1].employee_id', [signing(signer, signer)]],
      ['steps[0].participants', [signing()]],
      ['steps', []],
      ['steps[0].participants', [signing(...Array.from({ length: 51 }, () => signer))]],
      ['steps', Array.from({ length: 21 }, () => signing(signer))],
    ];
    for (const [field, steps] of wrong) {
      const answer = await set(steps, randomUUID());
      expect({ field, is: reasonOf(answer) }).toEqual({ field, is: INVALID });
      expect(fieldsOf(answer)).toContain(field);
    }
  });

  test('an id in upper case is the same employee', async () => {
    const upper = { employee_id: signer.employeeId.toUpperCase() };
    const twice = await set([{ ...signing(), participants: [...who(signer), upper] }]);
    expect(fieldsOf(twice)).toEqual(['steps[0].participants[1].employee_id']);
    const once = await set([{ ...signing(), participants: [{ ...upper, key_type: '' }], rule: '' }]);
    expect(once.body.document.route.steps).toMatchObject([
      { index: 0, rule: 'STEP_RULE_ALL', participants: [{ employee_id: signer.employeeId, key_type: 'SIMPLE' }] },
    ]);
  });

  test('participants must be seen by the initiator and work there', async () => {
    const terminated = await tenant.employee();
    await store.employees.updateOne({ _id: terminated }, { $set: { status: 'EMPLOYEE_STATUS_TERMINATED' } });
    const gone = await tenant.employee();
    await store.employees.updateOne({ _id: gone }, { $set: { listed: false, deleted_at: now() } });
    const foreign = await (await TestTenant.create(store)).employee();
    const steps = [approval(approver), signing(signer)];
    for (const employee_id of [terminated, gone, foreign, randomUUID()]) {
      const answer = await set([...steps, { ...signing(), participants: [...who(deputy), { employee_id }] }]);
      expect(reasonOf(answer)).toEqual(INVALID);
      expect(fieldsOf(answer)).toEqual(['steps[2].participants[1].employee_id']);
    }
    const narrow = await person({ employees: { all: false, departments: [], reports: false, self: true } });
    const own = await draft({ initiator_employee_id: narrow.employeeId, visible_to: [narrow.employeeId] });
    const hidden = await narrow.post(own, 'set_route', { steps: [signing(signer, narrow)] });
    expect(fieldsOf(hidden)).toEqual(['steps[0].participants[0].employee_id']);
    expect((await narrow.post(own, 'set_route', { steps: [signing(narrow)] })).status).toBe(200);
  });

  test("replaces the route before it, is the initiator's alone, and ends with the sending", async () => {
    const id = await draft();
    const first = await set([signing(signer)], id);
    const second = await set([approval(approver), signing(signer)], id);
    expect(second.body.document.route.steps).toHaveLength(2);
    expect(second.body.document.route.id).not.toBe(first.body.document.route.id);
    const steps = [signing(clerk)];
    expect(reasonOf(await clerk.post(id, 'set_route', { steps }))).toEqual(NOT_ALLOWED);
    expect(reasonOf(await deputy.post(id, 'set_route', { steps }))).toEqual(NOT_FOUND);
    expect((await initiator.post(id, 'send')).status).toBe(200);
    expect(reasonOf(await set([signing(signer)], id))).toEqual(STATE);
    expect((await rowOf(id)).route?.id).toBe(second.body.document.route.id);
  });
});

describe('refusals', () => {
  test('sending needs the initiator, then a route, then that it was not sent', async () => {
    const id = await draft();
    expect(reasonOf(await clerk.post(id, 'send'))).toEqual(NOT_ALLOWED);
    expect(reasonOf(await initiator.post(id, 'send'))).toEqual(STATE);
    await initiator.post(id, 'set_route', { steps: [signing(signer)] });
    expect((await initiator.post(id, 'send')).status).toBe(200);
    expect(reasonOf(await initiator.post(id, 'send'))).toEqual(STATE);
    expect(await eventsOf(id)).toEqual(['document.sent', 'document.signing_started']);
    expect(reasonOf(await initiator.post(randomUUID(), 'send'))).toEqual(NOT_FOUND);
    expect(reasonOf(await initiator.post(id, 'send', { a: 1 }))).toEqual(INVALID);
  });

  test('an owner without an employee acts nowhere', async () => {
    const nobody = await person({ documents: 'all' }, '');
    const id = await sent(signing(signer));
    expect(reasonOf(await nobody.post(id, 'sign'))).toEqual(INVALID);
    expect(reasonOf(await nobody.post(id, 'send'))).toEqual(NOT_ALLOWED);
  });

  test('acting in the wrong kind of step, or in the slot of another', async () => {
    const id = await sent(approval(approver, deputy), signing(signer));
    const slots = (await rowOf(id)).route?.steps[0]?.participants ?? [];
    const [own, other] = slots.map((slot) => slot.id);
    expect(reasonOf(await approver.post(id, 'sign'))).toEqual(INVALID);
    const foreign = await approver.post(id, 'approve', { participant_id: other });
    expect([...reasonOf(foreign), ...fieldsOf(foreign)]).toEqual([...INVALID, 'participant_id']);
    const named = { participant_id: own?.toUpperCase(), comment: '' };
    expect((await approver.post(id, 'approve', named)).body.document.status).toBe('DOCUMENT_STATUS_ON_APPROVAL');
    expect(reasonOf(await approver.post(id, 'approve', named))).toEqual(STATE);
    expect(reasonOf(await approver.post(id, 'approve', { participant_id: other }))).toEqual(STATE);
    expect(reasonOf(await approver.post(id, 'sign'))).toEqual(STATE);
    expect((await deputy.post(id, 'approve', { participant_id: '' })).status).toBe(200);
  });

  test('a rejection says why, of the document of the path', async () => {
    const id = await sent(approval(approver, deputy), signing(signer));
    const before = await rowOf(id);
    const bodies: [string, object | undefined][] = [
      ['comment', {}],
      ['comment', { comment: '' }],
      ['comment', { comment: ' \t\n\u00a0\u3000' }],
      ['comment', { comment: '\u200b\u2060\ufeff\u00ad\u3164' }],
      ['comment', { comment: 7 }],
      ['comment', { comment: 'я'.repeat(2_001) }],
      ['document_id', { comment: 'нет', document_id: randomUUID() }],
      ['participant_id', { comment: 'нет', participant_id: randomUUID() }],
      ['body', undefined],
    ];
    for (const [field, body] of bodies) {
      const answer = await approver.post(id, 'reject', body);
      expect({ field, is: reasonOf(answer) }).toEqual({ field, is: INVALID });
      expect(fieldsOf(answer)).toEqual([field]);
    }
    expect(reasonOf(await signer.post(id, 'reject', { comment: 'нет' }))).toEqual(NOT_FOUND);
    expect(reasonOf(await initiator.post(id, 'reject', { comment: 'нет' }))).toEqual(INVALID);
    expect(await rowOf(id)).toEqual(before);
    const done = await approver.post(id, 'reject', { comment: '👍'.repeat(2_000), document_id: id.toUpperCase() });
    expect(done.body.document).toMatchObject({ status: 'DOCUMENT_STATUS_REJECTED', completed_at: '' });
    expect(reasonOf(await approver.post(id, 'approve'))).toEqual(STATE);
    expect(reasonOf(await deputy.post(id, 'approve'))).toEqual(INVALID);
    expect((await eventsOf(id)).slice(2)).toEqual(['document.rejected']);
  });

  test('a simple slot takes no signature, and keeps who signed what with which key', async () => {
    const id = await sent(signing(signer, deputy));
    const signature = { format: 'CMS', value: 'MIIB' };
    expect(reasonOf(await signer.post(id, 'sign', { signature }))).toEqual(INVALID);
    expect((await signer.post(id, 'sign', {})).status).toBe(200);
    const row = await rowOf(id);
    const action = row.route?.steps[0]?.participants[0]?.action;
    const key = await store.api_keys.findOne({ _id: action?.api_key_id ?? '' });
    expect(key?.tenant_id).toBe(tenant.id);
    expect(action).toMatchObject({ pdf_sha256: row.files[0]?.object.sha256, at: row.update_time, comment: '' });
  });

  test('a deleted document is not there', async () => {
    const id = await draft({ listed: false, deleted_at: now() });
    for (const action of ['send', 'approve', 'sign']) {
      expect(reasonOf(await initiator.post(id, action))).toEqual(NOT_FOUND);
    }
  });
});

describe('a qualified signature', () => {
  const eds = (...people: Person[]) => ({
    step_type: 'STEP_TYPE_SIGNING',
    participants: people.map(({ employeeId }) => ({ employee_id: employeeId, key_type: 'EDS' })),
  });

  test('is verified after every check of state, and listed with the document that it completes', async () => {
    const authority = newAuthority('ec', now());
    await addTrustAnchor(store, tenant.id, { title: 'Test CA', der: authority.certificate }, now());
    // Every person of a test's tenant has this IIN.
    const identity = newSigner(authority, { iin: '900131000001', kind: 'ec' }, now());
    const cms = (content: Uint8Array) => ({
      signature: {
        format: 'CMS',
        value: Buffer.from(makeCms({ content, signers: [identity], at: now() })).toString('base64'),
      },
    });
    const id = await sent(approval(approver), eds(signer, deputy));
    // The approver's active slot is one of an approval step, so the signature is not looked at.
    expect(reasonOf(await approver.post(id, 'sign', cms(Buffer.from('other'))))).toEqual(INVALID);
    await approver.post(id, 'approve');
    expect(reasonOf(await approver.post(id, 'sign', cms(Buffer.from('other'))))).toEqual(STATE);

    const before = await rowOf(id);
    const unsigned = await signer.post(id, 'sign', {});
    expect([...reasonOf(unsigned), ...fieldsOf(unsigned)]).toEqual([...INVALID, 'signature']);
    const forged = await signer.post(id, 'sign', cms(Buffer.from('%PDF-1.7\nother bytes\n')));
    expect([...reasonOf(forged), ...fieldsOf(forged)]).toEqual([...INVALID, 'signature.value']);
    expect(await rowOf(id)).toEqual(before);

    expect((await signer.post(id, 'sign', cms(PDF))).status).toBe(200);
    expect(reasonOf(await signer.post(id, 'sign', cms(PDF)))).toEqual(STATE);
    const done = await deputy.post(id, 'sign', cms(PDF));
    expect(done.body.document.files.map(({ file_type }: Body) => file_type)).toEqual([
      ...['FILE_TYPE_PDF', 'FILE_TYPE_SIGNATURE', 'FILE_TYPE_SIGNATURE', 'FILE_TYPE_SIGNED_PDF'],
    ]);
    const row = await rowOf(id);
    const serial = new X509Certificate(identity.certificate).serialNumber.toLowerCase();
    expect(row.route?.steps[1]?.participants.map(({ action }) => action)).toMatchObject([
      { signature_file_id: row.files[1]?.file_id, certificate_serial: serial, pdf_sha256: main.object.sha256 },
      { signature_file_id: row.files[2]?.file_id, certificate_serial: serial, pdf_sha256: main.object.sha256 },
    ]);
    expect(await store.unclaimed_objects.countDocuments({})).toBe(0);
  });
});

test('the largest route is set, sent and begun', async () => {
  const people = await Promise.all(Array.from({ length: 50 }, () => tenant.employee()));
  const participants = people.map((employee_id) => ({ employee_id }));
  const steps = Array.from({ length: 20 }, () => ({ step_type: 'STEP_TYPE_SIGNING', participants }));
  const id = await draft();
  const set = await initiator.post(id, 'set_route', { steps });
  expect(set.status).toBe(200);
  expect(set.body.document.route.steps.map((step: Body) => step.participants.length)).toEqual(Array(20).fill(50));
  expect((await initiator.post(id, 'send')).body.document.status).toBe('DOCUMENT_STATUS_ON_SIGN');
  expect((await rowOf(id)).actors).toHaveLength(51);
});
