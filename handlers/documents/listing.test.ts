/** Reading documents: what each profile shows, pages with equal times, filters without a search, and downloads. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { draftRow } from '../../scripts/testbed/document-row.ts';
import { type Owner, TenantFixture } from '../../scripts/testbed/documents.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import type { PermissionProfile } from '../data/collections/users.ts';
import { downloadDocument } from './downloadDocument.ts';
import { getDocument } from './getDocument.ts';
import { listDocuments } from './listDocuments.ts';
import { searchFields } from './search.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
});

let made = 0;
/** Creates a document of the tenant, one second newer than the one before. */
async function document(initiator: string, changes: Partial<DocumentRow> = {}): Promise<DocumentRow> {
  const create_time = new Date(Date.parse('2026-01-01T00:00:00.000Z') + 1_000 * ++made);
  const base = draftRow({ initiator_employee_id: initiator, tenant_id: fixture.id, create_time });
  const row = { ...base, ...searchFields(changes.title ?? base.title, changes.number ?? ''), ...changes };
  await store.documents.insertOne(row);
  return row;
}

const get = (owner: Owner, id: string) => owner.call(getDocument, { path: { document_id: id } });
async function idsOf(owner: Owner, query: object = {}): Promise<string[]> {
  const { answer, error } = await owner.call(listDocuments, { query });
  expect(error).toBe('');
  return (answer?.documents ?? []).map(({ id }) => id);
}

describe('who sees a document', () => {
  let plain: string;
  let secret: string;
  let initiator: Owner;
  let subject: Owner;
  let participant: Owner;

  beforeAll(async () => {
    plain = await fixture.type();
    secret = await fixture.type({ confidential: true });
    initiator = await fixture.owner();
    subject = await fixture.owner();
    participant = await fixture.owner();
  });

  /** A document of the type in each stage, with the lists of those who see it in that stage (D-15). */
  async function stages(type_id: string) {
    const draft = { type_id, subject_employee_ids: [subject.employeeId] };
    const sent = { visible_to: [initiator.employeeId, subject.employeeId] };
    const actors = [initiator.employeeId, participant.employeeId];
    const all = [initiator.employeeId, subject.employeeId, participant.employeeId];
    return {
      draft: await document(initiator.employeeId, draft),
      sent: await document(initiator.employeeId, { ...draft, ...sent }),
      active: await document(initiator.employeeId, { ...draft, actors, visible_to: all }),
      deleted: await document(initiator.employeeId, { ...draft, actors, visible_to: all, listed: false }),
    };
  }

  /** An owner with a profile; the stages in which this owner sees plain documents, and confidential ones. */
  type Case = [
    who: 'initiator' | 'subject' | 'participant' | 'stranger' | 'nobody',
    Partial<PermissionProfile>,
    string,
    string,
  ];

  test.each<[string, (plain: string, secret: string) => Case]>([
    ['own, all types: initiator', () => ['initiator', {}, 'draft sent active', 'draft sent active']],
    ['own, all types: subject', () => ['subject', {}, 'sent active', 'sent active']],
    ['own, all types: participant', () => ['participant', {}, 'active', 'active']],
    ['own, all types: stranger', () => ['stranger', {}, '', '']],
    ['own, all types: no employee', () => ['nobody', {}, '', '']],
    [
      'own, plain type: initiator',
      (p) => ['initiator', { document_types: [p] }, 'draft sent active', 'draft sent active'],
    ],
    ['own, plain type: subject', (p) => ['subject', { document_types: [p] }, 'sent active', '']],
    ['own, plain type: participant', (p) => ['participant', { document_types: [p] }, 'active', 'active']],
    ['own, no type: subject', () => ['subject', { document_types: [] }, '', '']],
    ['own, no type: participant', () => ['participant', { document_types: [] }, 'active', 'active']],
    ['all: stranger', () => ['stranger', { documents: 'all' }, 'draft sent active', 'draft sent active']],
    ['all: no employee', () => ['nobody', { documents: 'all' }, 'draft sent active', 'draft sent active']],
    [
      'all, secret type: stranger',
      (_, s) => ['stranger', { documents: 'all', document_types: [s] }, '', 'draft sent active'],
    ],
    [
      'all, secret type: initiator',
      (_, s) => ['initiator', { documents: 'all', document_types: [s] }, 'draft sent active', 'draft sent active'],
    ],
    [
      'all, secret type: subject',
      (_, s) => ['subject', { documents: 'all', document_types: [s] }, '', 'draft sent active'],
    ],
    ['all, no type: no employee', () => ['nobody', { documents: 'all', document_types: [] }, '', '']],
    ['but confidential: stranger', () => ['stranger', { documents: 'all_but_confidential' }, 'draft sent active', '']],
    [
      'but confidential: subject',
      () => ['subject', { documents: 'all_but_confidential' }, 'draft sent active', 'sent active'],
    ],
    [
      'but confidential: participant',
      () => ['participant', { documents: 'all_but_confidential' }, 'draft sent active', 'active'],
    ],
    ['but confidential: no employee', () => ['nobody', { documents: 'all_but_confidential' }, 'draft sent active', '']],
    [
      'but confidential, both types: stranger',
      (p, s) => ['stranger', { documents: 'all_but_confidential', document_types: [p, s] }, 'draft sent active', ''],
    ],
    [
      'but confidential, secret type: subject',
      (_, s) => ['subject', { documents: 'all_but_confidential', document_types: [s] }, '', 'sent active'],
    ],
    [
      'but confidential, plain type: subject',
      (p) => ['subject', { documents: 'all_but_confidential', document_types: [p] }, 'draft sent active', ''],
    ],
  ])('%s', async (_, caseOf) => {
    const [who, profile, plainSeen, secretSeen] = caseOf(plain, secret);
    const employees = { initiator, subject, participant, stranger: undefined, nobody: { employeeId: '' } };
    const owner = await fixture.owner(profile, employees[who]?.employeeId);
    for (const [type_id, seen] of [
      [plain, plainSeen],
      [secret, secretSeen],
    ] as const) {
      const rows = await stages(type_id);
      const expected = seen.split(' ').filter((stage) => stage !== '');
      const listed = await idsOf(owner, { limit: 1000, type_id: [type_id] });
      for (const [stage, row] of Object.entries(rows)) {
        const isSeen = expected.includes(stage);
        expect([stage, (await get(owner, row._id)).error]).toEqual([stage, isSeen ? '' : 'DOCUMENT_NOT_FOUND']);
        expect([stage, listed.includes(row._id)]).toEqual([stage, isSeen]);
      }
    }
    expect((await get(owner, randomUUID())).error).toBe('DOCUMENT_NOT_FOUND');
  });

  test('a document of another tenant is not found, even when it refers to the same ids', async () => {
    const all = await fixture.owner({ documents: 'all' });
    const foreign = await document(initiator.employeeId, { tenant_id: randomUUID(), type_id: plain });
    expect((await get(all, foreign._id)).error).toBe('DOCUMENT_NOT_FOUND');
    expect((await get(initiator, foreign._id)).error).toBe('DOCUMENT_NOT_FOUND');
    expect(await idsOf(all, { limit: 1000 })).not.toContain(foreign._id);
  });
});

describe('the list of documents', () => {
  let owner: Owner;
  let types: string[];
  let rows: DocumentRow[];

  beforeAll(async () => {
    fixture = await TenantFixture.create(store);
    types = [await fixture.type(), await fixture.type(), await fixture.type({ confidential: true })];
    owner = await fixture.owner();
    rows = [];
    const same = new Date('2026-05-05T05:05:05.005Z');
    for (let i = 0; i < 40; i++) {
      const create_time = i < 20 ? same : new Date(same.getTime() + i);
      rows.push(
        await document(i % 4 === 0 ? owner.employeeId : randomUUID(), { type_id: types[i % 3] ?? '', create_time }),
      );
    }
    rows.sort((a, b) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1));
  });

  async function walk(by: Owner, query: object): Promise<string[]> {
    const ids: string[] = [];
    for (let page_token = '', first = true; first || page_token !== ''; first = false) {
      const { answer, error } = await by.call(listDocuments, { query: { ...query, page_token } });
      expect(error).toBe('');
      ids.push(...(answer?.documents ?? []).map(({ id }) => id));
      page_token = answer?.next_page_token ?? '';
    }
    return ids;
  }

  test.each([1, 3, 7, 20, 39, 40, 41])(
    'has each document once, newest first, in pages of %i and in every view',
    async (limit) => {
      const two = types.slice(0, 2);
      const seenBy = (profile: Partial<PermissionProfile>) => fixture.owner(profile, owner.employeeId);
      const isOwn = (row: DocumentRow) => row.initiator_employee_id === owner.employeeId;
      const idsWhere = (matches: (row: DocumentRow) => boolean) => rows.filter(matches).map(({ _id }) => _id);
      expect(await walk(await seenBy({ documents: 'all' }), { limit })).toEqual(idsWhere(() => true));
      expect(await walk(await seenBy({}), { limit })).toEqual(idsWhere(isOwn));
      expect(await walk(await seenBy({ documents: 'all_but_confidential' }), { limit })).toEqual(
        idsWhere((row) => two.includes(row.type_id) || isOwn(row)),
      );
      expect(await walk(await seenBy({ documents: 'all', document_types: types.slice(1) }), { limit })).toEqual(
        idsWhere((row) => types.slice(1).includes(row.type_id) || isOwn(row)),
      );
    },
  );

  test('combines different filters by AND and repeated ones by OR, and takes ids in any case', async () => {
    const all = await fixture.owner({ documents: 'all' });
    const where = (matches: (row: DocumentRow) => boolean) => rows.filter(matches).map(({ _id }) => _id);
    const [a = '', b = ''] = types;
    expect(await idsOf(all, { type_id: [a.toUpperCase(), b, a] })).toEqual(
      where((row) => row.type_id === a || row.type_id === b),
    );
    const created_after = '2026-05-05T05:05:05.030Z';
    const late = (row: DocumentRow) => row.create_time > new Date(created_after);
    expect(await idsOf(all, { created_after, type_id: [b] })).toEqual(where((row) => late(row) && row.type_id === b));
  });

  test('rounds digits of created_after beyond the millisecond down', async () => {
    const all = await fixture.owner({ documents: 'all' });
    const newest = rows[0] as DocumentRow;
    const before = new Date(newest.create_time.getTime() - 1).toISOString();
    expect(await idsOf(all, { created_after: before.replace('Z', '999999Z') })).toEqual([newest._id]);
  });

  test('refuses a page token with a search that finds nothing, and takes it with filters of the same meaning', async () => {
    const all = await fixture.owner({ documents: 'all' });
    const query = { limit: 2, type_id: types.slice(0, 2), created_after: '2026-01-01T00:00:00Z', search: 'приказ' };
    const { answer } = await all.call(listDocuments, { query });
    const page_token = answer?.next_page_token ?? '';
    expect(page_token).not.toBe('');
    const again = (changes: object) => all.call(listDocuments, { query: { ...query, page_token, ...changes } });
    expect(await again({ search: 'ъъъъ' })).toMatchObject({ error: 'INVALID_ARGUMENT', fields: ['page_token'] });
    // The order of values, the time zone and the case of the text do not matter.
    const same = { type_id: [types[1], types[0]], created_after: '2026-01-01T05:00:00+05:00', search: 'ПРИКАЗ' };
    expect((await again(same)).error).toBe('');
  });
});

describe('a download', () => {
  let owner: Owner;
  let row: DocumentRow;

  beforeAll(async () => {
    owner = await fixture.owner();
    row = await document(owner.employeeId);
    const signature = {
      file_id: randomUUID(),
      file_type: 'FILE_TYPE_SIGNATURE' as const,
      filename: 'a.pdf.p7s',
      content_type: 'application/pkcs7-signature',
      object: { key: 'documents/signature', version: '2', size_bytes: 77, sha256: '' },
    };
    row.files.push(signature);
    await store.documents.updateOne({ _id: row._id }, { $push: { files: signature } });
  });
  const download = (file_id?: string) =>
    owner.call(downloadDocument, { path: { document_id: row._id }, query: file_id === undefined ? {} : { file_id } });

  test("gives the document's own PDF by default or the requested file, for five minutes", async () => {
    const [pdf, signature] = row.files as [DocumentRow['files'][0], DocumentRow['files'][0]];
    const { answer } = await download();
    expect(answer?.file).toEqual({
      file_id: pdf.file_id,
      file_type: 'FILE_TYPE_PDF',
      filename: 'draft.pdf',
      content_type: 'application/pdf',
      size_bytes: '1000',
    });
    const url = new URL(answer?.url ?? '');
    expect(url.pathname).toBe(`/${pdf.object.key}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({ version: '1', name: 'draft.pdf', lifetime: '300000' });
    const other = await download(signature.file_id);
    expect(other.answer?.file).toMatchObject({ file_id: signature.file_id, size_bytes: '77' });
  });
});
