/** Moving a document over HTTP: what the rows and storage keep of it, and what the conformance suite does not try. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type JsonAnswer } from '../../../scripts/testbed/ask.ts';
import { draftRow } from '../../../scripts/testbed/document-row.ts';
import { newAuthority, newSigner } from '../../../scripts/testbed/eds/folder.ts';
import { makeCms } from '../../../scripts/testbed/eds/signatures.ts';
import type { RunningServer } from '../../../scripts/testbed/server.ts';
import { SEES_ALL, TestTenant } from '../../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import type { PermissionProfile } from '../../data/collections/users.ts';
import { now } from '../../process/clock.ts';
import { type Folder, openFolder } from '../../storage/folder.ts';

const deployment = await testDeployment();
const { store } = deployment;
let server: RunningServer;
/** The folder where the server keeps files. Every document of this test has the same PDF. */
const files = join(deployment.folder, 'files');
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

  async post(documentId: string, action: string, body?: object): Promise<JsonAnswer> {
    const key = await tenant.key({ owner_id: this.#userId, created_by_super_admin: false });
    return ask('POST', `${server.url}/developer/v1/documents/${documentId}/_${action}`, key, body);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ, and the conformance suite checks their shapes
type Body = any;

async function person(profile: Partial<PermissionProfile> = {}, employee?: string): Promise<Person> {
  const employeeId = employee ?? (await tenant.employee());
  const userId = await tenant.user({
    employee_id: employeeId,
    profile: { ...SEES_ALL, documents: 'own', ...profile },
  });
  return new Person(employeeId, userId);
}

let initiator: Person;
let approver: Person;
let deputy: Person;
let signer: Person;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  // Without a worker: what is left unclaimed must not be swept away before a test looks.
  server = await deployment.start({ ROLE: 'api' });
  folder = await openFolder(files);
  main = await pdfFile();
  initiator = await person();
  approver = await person();
  deputy = await person();
  signer = await person();
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
const reasonOf = ({ status, reason }: JsonAnswer) => [status, reason];
const INVALID = [400, 'INVALID_ARGUMENT'];
const STATE = [400, 'DOCUMENT.INVALID_STATUS_TRANSITION'];
const NOT_ALLOWED = [403, 'DOCUMENT.ACTION_NOT_ALLOWED'];

async function draft(): Promise<string> {
  const row = draftRow({ tenant_id: tenant.id, initiator_employee_id: initiator.employeeId, files: [main] });
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

test('the signed PDF has the name of the document', async () => {
  const id = await sent(signing(signer));
  expect((await signer.post(id, 'sign')).status).toBe(200);
  const [, sheet] = (await rowOf(id)).files;
  expect(sheet).toMatchObject({ filename: 'Тестовый приказ.signed.pdf', content_type: 'application/pdf' });
});

test('a participant who may not take part is named by the exact path', async () => {
  const participants = [...who(deputy), { employee_id: randomUUID() }];
  const steps = [approval(approver), signing(signer), { ...signing(), participants }];
  const answer = await initiator.post(await draft(), 'set_route', { steps });
  expect(reasonOf(answer)).toEqual(INVALID);
  expect(answer.fields).toEqual(['steps[2].participants[1].employee_id']);
});

test('an owner without an employee may not act', async () => {
  const nobody = await person({ documents: 'all' }, '');
  const id = await sent(signing(signer));
  expect(reasonOf(await nobody.post(id, 'sign'))).toEqual(INVALID);
  expect(reasonOf(await nobody.post(id, 'send'))).toEqual(NOT_ALLOWED);
});

test('an approval takes an empty participant_id and an empty comment as absent', async () => {
  const id = await sent(approval(approver, deputy), signing(signer));
  const [own] = (await rowOf(id)).route?.steps[0]?.participants ?? [];
  expect((await approver.post(id, 'approve', { participant_id: own?.id, comment: '' })).status).toBe(200);
  expect((await deputy.post(id, 'approve', { participant_id: '' })).status).toBe(200);
});

test('a SIMPLE slot records who signed what with which key', async () => {
  const id = await sent(signing(signer, deputy));
  expect((await signer.post(id, 'sign', {})).status).toBe(200);
  const row = await rowOf(id);
  const action = row.route?.steps[0]?.participants[0]?.action;
  const key = await store.api_keys.findOne({ _id: action?.api_key_id ?? '' });
  expect(key?.tenant_id).toBe(tenant.id);
  expect(action).toMatchObject({ pdf_sha256: row.files[0]?.object.sha256, at: row.update_time, comment: '' });
});

describe('a qualified signature', () => {
  const eds = (...people: Person[]) => ({
    step_type: 'STEP_TYPE_SIGNING',
    participants: people.map(({ employeeId }) => ({ employee_id: employeeId, key_type: 'EDS' })),
  });

  test('is verified after every check of state, and is listed with the document that it completes', async () => {
    const authority = newAuthority('ec', now());
    const { fingerprint256, validFromDate, validToDate } = new X509Certificate(authority.certificate);
    await store.trust_anchors.insertOne({
      _id: randomUUID(),
      tenant_id: tenant.id,
      title: 'Test CA',
      certificate: Buffer.from(authority.certificate).toString('base64'),
      fingerprint: fingerprint256,
      not_before: validFromDate,
      not_after: validToDate,
      create_time: now(),
    });
    // Every person of a test's tenant has this IIN.
    const identity = newSigner(authority, { iin: '900131000001', kind: 'ec' }, now());
    const cms = (content: Uint8Array) => ({
      signature: {
        format: 'CMS',
        value: Buffer.from(makeCms({ content, signers: [identity], at: now() })).toString('base64'),
      },
    });
    const id = await sent(approval(approver), eds(signer, deputy));
    await approver.post(id, 'approve');
    expect(reasonOf(await approver.post(id, 'sign', cms(Buffer.from('other'))))).toEqual(STATE);

    expect((await signer.post(id, 'sign', cms(PDF))).status).toBe(200);
    expect(reasonOf(await signer.post(id, 'sign', cms(PDF)))).toEqual(STATE);
    const done = await deputy.post(id, 'sign', cms(PDF));
    expect(done.body.document.files.map(({ file_type }: Body) => file_type)).toEqual([
      'FILE_TYPE_PDF',
      'FILE_TYPE_SIGNATURE',
      'FILE_TYPE_SIGNATURE',
      'FILE_TYPE_SIGNED_PDF',
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

test('the largest route can be set, sent and started', async () => {
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
