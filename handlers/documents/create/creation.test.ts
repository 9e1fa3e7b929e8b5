/** Creating documents: what each stage refuses, what the service fills in, and that nothing is ever half done. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createIndexes, type DocumentRow, type Store } from '../../data/store.ts';
import { nowMs, setClockOffset } from '../../process/clock.ts';
import { Database } from '../../testing/database.ts';
import { type Owner, World } from '../../testing/documents.ts';
import { createDocument } from '../createDocument.ts';

const database = new Database();
let store: Store;
let world: World;
let owner: Owner;
let type: string;
let template: string;

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  world = await World.create(store);
  owner = await world.owner();
  type = await world.type();
  template = await world.template(type, ['reason'], ['reason', 'place']);
});

afterEach(() => {
  setClockOffset(0);
  world.storage.down = false;
  world.storage.before = () => {};
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

type Body = Record<string, unknown>;
const minimal = (more: Body = {}): Body => ({ title: 'Приказ', type_id: type, template_id: template, ...more });
const create = (body: Body, key?: string, by: Owner = owner) => by.call(createDocument, { body }, key);
const rowOf = async (id: string | undefined) => (await store.documents.findOne({ _id: id ?? '' })) as DocumentRow;

/** Runs something that must be refused, and checks that no collection has a row more or less. */
async function refused(body: Body, key?: string, by: Owner = owner) {
  const before = await world.counts();
  const { error, fields } = await create(body, key, by);
  expect(await world.counts()).toEqual(before);
  return { error, fields };
}
const invalid = (...fields: string[]) => ({ error: 'INVALID_ARGUMENT', fields });

describe('a document from a template', () => {
  test('is printed from a version that an earlier release has published, which has no content', async () => {
    const early = await world.template(type, ['reason']);
    await store.document_template_versions.updateOne({ _id: `${early}:1` }, { $unset: { content: '' } });
    const { answer } = await create(minimal({ template_id: early, template_values: { reason: 'Отпуск' } }));
    expect(answer?.document.files).toMatchObject([{ file_type: 'FILE_TYPE_PDF' }]);
  });

  test('comes to no more than is printed, however often the template shows a value', async () => {
    const repeating = await world.template(type, ['reason']);
    const content = (times: number) =>
      JSON.stringify({ locale: 'ru', blocks: [{ type: 'paragraph', text: '{{reason}}'.repeat(times) }] });
    const publish = (times: number) =>
      store.document_template_versions.updateOne({ _id: `${repeating}:1` }, { $set: { content: content(times) } });
    const body = minimal({ template_id: repeating, template_values: { reason: 'ы'.repeat(100) } });
    await publish(2_000);
    const { answer } = await create(body);
    expect(answer?.document.files).toMatchObject([{ file_type: 'FILE_TYPE_PDF' }]);
    await publish(3_000);
    expect(await refused(body)).toEqual(invalid('template_values'));
    expect(await refused(body, randomUUID())).toEqual(invalid('template_values'));
  });

  test('has what was given, and what the service fills in', async () => {
    const organization_id = randomUUID();
    const titled = {
      tenant_id: world.tenant.id,
      title: 'ТОО «Пример»',
      create_time: new Date(),
      update_time: new Date(),
    };
    await store.organizations.insertOne({ _id: organization_id, ...titled });
    const department_id = randomUUID();
    await store.employees.updateOne({ _id: owner.employeeId }, { $set: { organization_id, department_id } });
    // 20:30 in UTC is the next day in Almaty, which is five hours ahead.
    setClockOffset(Date.parse('2026-03-02T20:30:00.000Z') - nowMs());
    const subject = await world.tenant.employee();
    const body = minimal({
      subject_employee_ids: [subject.toUpperCase()],
      template_values: { reason: 'Отпуск', place: 'Алматы' },
      number: 'Ж-118',
    });
    const { answer } = await create(body);
    const row = await rowOf(answer?.document.id);
    expect(answer?.document).toMatchObject({
      title: 'Приказ',
      type_id: type,
      number: 'Ж-118',
      date: '2026-03-03',
      organization_id,
      department_id,
      initiator_employee_id: owner.employeeId,
      subject_employee_ids: [subject],
      status: 'DOCUMENT_STATUS_DRAFT',
      files: [{ file_type: 'FILE_TYPE_PDF' }],
      route: { id: '', active: false, status: 'ROUTE_STATUS_UNSPECIFIED', steps: [] },
      completed_at: '',
    });
    expect(answer?.document.create_time).toBe(answer?.document.update_time);
    expect(row).toMatchObject({
      tenant_id: world.tenant.id,
      listed: true,
      rev: 1,
      template: { id: template, version: 2, values: '{"reason":"Отпуск","place":"Алматы"}' },
      actors: [owner.employeeId],
      visible_to: [owner.employeeId],
      search_text: 'приказ\0ж-118',
      pending_events: [],
    });
    const { object } = row.files[0] as DocumentRow['files'][0];
    const pieces: Uint8Array[] = [];
    for await (const piece of await world.storage.read(object)) pieces.push(piece);
    expect(Buffer.concat(pieces).subarray(0, 5).toString()).toBe('%PDF-');
    expect(object.size_bytes).toBe(Buffer.concat(pieces).length);
    expect(await store.unclaimed_objects.countDocuments({})).toBe(0);
  });

  test('takes an earlier version by its number, with the variables of that version', async () => {
    const { answer } = await create(minimal({ template_version: 1, template_values: { reason: 'x' } }));
    expect((await rowOf(answer?.document.id)).template?.version).toBe(1);
    expect(await refused(minimal({ template_version: 1, template_values: { place: 'x' } }))).toEqual(
      invalid('template_values.place'),
    );
    expect(await refused(minimal({ template_version: 3 }))).toEqual(invalid('template_version'));
  });

  test('null and empty text count as absent', async () => {
    const { answer } = await create(minimal({ file_id: null, number: '', date: '', organization_id: '' }));
    expect(answer?.document).toMatchObject({ number: '', files: [{ file_type: 'FILE_TYPE_PDF' }] });
    expect((await create(minimal({ file_id: '' }))).error).toBe('');
  });

  test('text is kept as it was given, whatever it may mean elsewhere', async () => {
    for (const title of [
      '<script>alert(1)</script>',
      "=cmd|' /C calc'!A0",
      'a\r\nb',
      '{"$gt":""}',
      '{{title}}',
      '../..',
    ]) {
      const { answer } = await create(minimal({ title, template_values: { reason: title } }));
      expect(answer?.document.title).toBe(title);
    }
  });
});

describe('a document from an upload', () => {
  test("has the upload's bytes, under the document's title", async () => {
    const file_id = await world.upload(owner);
    const { answer } = await create({
      title: 'Приказ/1',
      type_id: type,
      file_id: file_id.toUpperCase(),
      template_id: '',
    });
    const row = await rowOf(answer?.document.id);
    const file = await store.files.findOne({ _id: file_id });
    expect(row.files).toEqual([
      {
        file_id,
        file_type: 'FILE_TYPE_PDF',
        filename: 'Приказ 1.pdf',
        content_type: 'application/pdf',
        object: file?.object,
      },
    ]);
    expect(row.template).toBeNull();
    expect(file?.document_id).toBe(row._id);
  });

  test('an upload serves one document, whoever asks first', async () => {
    const file_id = await world.upload(owner);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create({ title: `№ ${i}`, type_id: type, file_id }, `race-${file_id}-${i}`)),
    );
    const errors = outcomes.map(({ error }) => error).sort();
    expect(errors).toEqual(['', ...Array.from({ length: 7 }, () => 'FILE_ALREADY_LINKED')]);
    expect(await store.documents.countDocuments({ 'files.file_id': file_id })).toBe(1);
    // The losers' keys are not used up, also where the claim was written before the race was lost.
    expect(await store.idempotency_claims.countDocuments({ state: 'RUNNING' })).toBe(0);
    const loser = outcomes.findIndex(({ error }) => error !== '');
    expect((await create(minimal(), `race-${file_id}-${loser}`)).error).toBe('');
  });

  test('is refused when it is not confirmed, or not the owner’s', async () => {
    const wanted = (file_id: string) => ({ title: 'Приказ', type_id: type, file_id });
    const reserved = await world.upload(owner);
    await store.files.updateOne({ _id: reserved }, { $set: { status: 'FILE_UPLOAD_STATUS_RESERVED', object: null } });
    expect(await refused(wanted(reserved))).toEqual({ error: 'FILE_INVALID_STATUS_TRANSITION', fields: [] });
    const foreign = await (await World.create(store)).upload(owner);
    const others = await world.upload(await world.owner());
    for (const id of [foreign, others, randomUUID()]) {
      expect(await refused(wanted(id))).toEqual({ error: 'FILE_NOT_FOUND', fields: [] });
    }
  });
});

describe('what is refused leaves no trace', () => {
  test('both sources or neither, and template fields beside a file', async () => {
    const neither = { template_id: undefined };
    for (const file_id of [undefined, null, '']) {
      expect(await refused(minimal({ ...neither, file_id }))).toEqual(invalid('template_id', 'file_id'));
      expect(await refused(minimal({ template_id: null, file_id }))).toEqual(invalid('template_id', 'file_id'));
    }
    const file_id = await world.upload(owner);
    expect(await refused(minimal({ file_id }))).toEqual(invalid('template_id', 'file_id'));
    const beside = { template_id: null, file_id, template_version: 1, template_values: {} };
    expect(await refused(minimal(beside))).toEqual(invalid('template_version', 'template_values'));
  });

  test('all that is wrong is named together, with what the store does not know', async () => {
    const ghost = randomUUID();
    const body = minimal({
      type_id: randomUUID(),
      organization_id: randomUUID(),
      subject_employee_ids: [owner.employeeId, ghost],
    });
    expect(await refused(body)).toEqual(
      invalid('type_id', 'organization_id', 'subject_employee_ids[1]', 'template_id'),
    );
    const values = { template_values: { a: 1, reason: 5 }, organization_id: ghost };
    expect((await refused(minimal(values))).fields.toSorted()).toEqual(
      ['organization_id', 'template_values.a', 'template_values.reason'].toSorted(),
    );
    const twice = [ghost, ghost.toUpperCase()];
    expect(await refused(minimal({ title: '\u200b', organization_id: ghost, subject_employee_ids: twice }))).toEqual(
      invalid(
        ...['title', 'subject_employee_ids', 'organization_id'],
        ...['subject_employee_ids[0]', 'subject_employee_ids[1]'],
      ),
    );
  });

  test("another tenant's rows and those out of view answer as unknown ones do", async () => {
    const other = await World.create(store);
    const foreignType = await other.type();
    const foreignTemplate = await other.template(foreignType, ['reason']);
    const foreigner = await other.tenant.employee();
    const hiddenType = await world.type();
    const hiddenTemplate = await world.template(hiddenType, ['reason']);
    const narrow = await world.owner({
      document_types: [type],
      employees: { all: false, departments: [], reports: false, self: true },
    });
    const describeAll = async (changes: Body) => {
      const before = await world.counts();
      const caller = await narrow.caller();
      const outcome = await narrow.call(createDocument, { body: minimal(changes) });
      expect(await world.counts()).toEqual(before);
      expect(caller.tenant.id).toBe(world.tenant.id);
      return outcome;
    };
    for (const [field, foreign, hidden, name] of [
      ['type_id', foreignType, hiddenType, 'type_id'],
      ['template_id', foreignTemplate, hiddenTemplate, 'template_id'],
      ['subject_employee_ids', [foreigner], [owner.employeeId], 'subject_employee_ids[0]'],
    ] as const) {
      const unknown = await describeAll({ [field]: Array.isArray(foreign) ? [randomUUID()] : randomUUID() });
      expect(unknown.fields).toContain(name);
      expect(await describeAll({ [field]: foreign })).toEqual(unknown);
      expect(await describeAll({ [field]: hidden })).toEqual(unknown);
    }
    expect((await create(minimal({ subject_employee_ids: [narrow.employeeId] }), undefined, narrow)).error).toBe('');
  });

  test('types that are archived, closed to the interface or to uploads; templates that are archived', async () => {
    const archived = await world.type({ status: 'ARCHIVED' });
    const closed = await world.type({ allow_api: false });
    const noUpload = await world.type({ allow_upload: false });
    for (const id of [archived, closed]) {
      const of = await world.template(id, []);
      expect(await refused(minimal({ type_id: id, template_id: of }))).toEqual(invalid('type_id'));
    }
    const file_id = await world.upload(owner);
    expect(await refused({ title: 'x', type_id: noUpload, file_id })).toEqual(invalid('type_id'));
    const printed = await world.template(noUpload, []);
    expect((await create(minimal({ type_id: noUpload, template_id: printed }))).error).toBe('');
    await store.document_templates.updateOne({ _id: printed }, { $set: { status: 'ARCHIVED' } });
    expect(await refused(minimal({ type_id: noUpload, template_id: printed }))).toEqual(invalid('template_id'));
    expect(await refused(minimal({ template_id: printed }))).toEqual(invalid('template_id'));
  });

  test('an owner who is no employee, or whose employee is a draft, deleted or terminated, comes before the type', async () => {
    const unfit = [
      { listed: false, status: 'CREATED' as const },
      { listed: false, deleted_at: new Date() },
      { status: 'EMPLOYEE_STATUS_TERMINATED' as const },
    ];
    for (const changes of unfit) {
      const one = await world.owner();
      await store.employees.updateOne({ _id: one.employeeId }, { $set: changes });
      const expected = { error: 'DOCUMENT_INITIATOR_NOT_FOUND', fields: [] };
      expect(await refused(minimal({ type_id: randomUUID() }), 'k', one)).toEqual(expected);
    }
    for (const employee of ['', randomUUID(), await (await World.create(store)).tenant.employee()]) {
      const one = await world.owner({}, employee);
      expect((await refused(minimal(), undefined, one)).error).toBe('DOCUMENT_INITIATOR_NOT_FOUND');
      expect(await refused(minimal({ file_id: randomUUID() }), undefined, one)).toEqual(
        invalid('template_id', 'file_id'),
      );
    }
  });
});
