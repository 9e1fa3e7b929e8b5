/** Signing while another change is written first, or storage fails. Unlike other acts, it stores before it writes. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { draftRow } from '../../scripts/world/document-row.ts';
import { type Owner, TenantFixture } from '../../scripts/world/documents.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { sendDocument } from './sendDocument.ts';
import { setDocumentRoute } from './setDocumentRoute.ts';
import { signDocument } from './signDocument.ts';

const PDF = '%PDF-1.7\nsigned bytes\n';
const { store } = await testDeployment();
let fixture: TenantFixture;
let signer: Owner;
let path: { document_id: string };

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
});

/** Each test begins with a document that needs only the signature of its initiator. */
beforeEach(async () => {
  fixture.storage.before = () => {};
  await store.unclaimed_objects.deleteMany({});
  signer = await fixture.owner();
  const object = await fixture.storage.write(`documents/${randomUUID()}`, 'application/pdf', Buffer.from(PDF));
  const row = draftRow({ tenant_id: fixture.id, initiator_employee_id: signer.employeeId });
  const files = row.files.map((file) => ({ ...file, object }));
  await store.documents.insertOne({ ...row, files });
  path = { document_id: row._id };
  const steps = [{ step_type: 'STEP_TYPE_SIGNING', participants: [{ employee_id: signer.employeeId }] }];
  expect((await signer.call(setDocumentRoute, { path, body: { steps } })).error).toBe('');
  expect((await signer.call(sendDocument, { path })).error).toBe('');
});

const rowOf = async () => (await store.documents.findOne({ _id: path.document_id })) as DocumentRow;
const typesOf = ({ files }: DocumentRow) => files.map(({ file_type }) => file_type);

/** Runs `deed` before the signed PDF is stored for the first time. @returns how often a PDF has been stored so far */
function beforeStoring(deed: () => Promise<unknown>): () => number {
  let times = 0;
  fixture.storage.before = async (call) => {
    if (call !== 'write') return;
    times += 1;
    if (times === 1) await deed();
  };
  return () => times;
}

test('the last signature stores the signed PDF and completes the document in one write', async () => {
  const { rev } = await rowOf();
  expect((await signer.call(signDocument, { path, body: {} })).error).toBe('');
  const row = await rowOf();
  expect([row.rev, row.status]).toEqual([rev + 1, 'DOCUMENT_STATUS_COMPLETED']);
  expect(typesOf(row)).toEqual(['FILE_TYPE_PDF', 'FILE_TYPE_SIGNED_PDF']);
  expect(row.files[1]).toMatchObject({ filename: 'Тестовый приказ.signed.pdf', content_type: 'application/pdf' });
  const { keyId } = await signer.caller();
  const facts = { at: row.update_time, api_key_id: keyId, pdf_sha256: row.files[0]?.object.sha256 };
  expect(row.route?.steps[0]?.participants[0]?.action).toMatchObject(facts);
  expect(await store.unclaimed_objects.countDocuments({})).toBe(0);
});

test('the signed PDF is made again when that write is lost, and the sweeper removes the first one', async () => {
  const stored = beforeStoring(() => store.documents.updateOne({ _id: path.document_id }, { $inc: { rev: 1 } }));
  expect((await signer.call(signDocument, { path, body: {} })).error).toBe('');
  expect(stored()).toBe(2);
  const row = await rowOf();
  expect(typesOf(row)).toEqual(['FILE_TYPE_PDF', 'FILE_TYPE_SIGNED_PDF']);
  const left = await store.unclaimed_objects.find({}).toArray();
  expect(left).toHaveLength(1);
  expect(left.map(({ _id }) => _id)).not.toContain(row.files[1]?.object.key);
});

test('a failure of storage changes nothing', async () => {
  const before = await rowOf();
  beforeStoring(async () => {
    fixture.storage.down = true;
  });
  const { error } = await signer.call(signDocument, { path, body: {} });
  fixture.storage.down = false;
  expect(error).toBe('UNAVAILABLE');
  expect(await rowOf()).toEqual(before);
});
