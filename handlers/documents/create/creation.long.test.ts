/** Creating documents: what the rows hold, and which refusals the conformance suite does not try. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bytesOf } from '../../../scripts/testbed/disk-storage.ts';
import { type Owner, TenantFixture } from '../../../scripts/testbed/documents.ts';
import { testDeployment } from '../../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import { now } from '../../runtime/clock.ts';
import { createDocument } from '../createDocument.ts';
import { addFonts, fontsIn } from '../pdf/faces.ts';
import { readText } from '../pdf/testing/read-text.ts';
import { creationViolations } from './creation.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;
let owner: Owner;
let type: string;
let template: string;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  owner = await fixture.owner();
  type = await fixture.type();
  template = await fixture.template(type, ['reason'], ['reason', 'place']);
});

type Body = Record<string, unknown>;
const minimal = (more: Body = {}): Body => ({ title: 'Приказ', type_id: type, template_id: template, ...more });
const create = (body: Body, key?: string, by: Owner = owner) => by.call(createDocument, { body }, key);
const rowOf = async (id: string | undefined) => (await store.documents.findOne({ _id: id ?? '' })) as DocumentRow;

/** Runs a creation that must be refused, and checks that no collection gains or loses a row. */
async function refused(body: Body, key?: string, by: Owner = owner) {
  const before = await fixture.counts();
  const { error, fields } = await create(body, key, by);
  expect(await fixture.counts()).toEqual(before);
  return { error, fields };
}
const invalid = (...fields: string[]) => ({ error: 'INVALID_ARGUMENT', fields });

describe('a document from a template', () => {
  test('is printed from a version without content, which an earlier release published', async () => {
    const early = await fixture.template(type, ['reason']);
    await store.document_template_versions.updateOne({ _id: `${early}:1` }, { $unset: { content: '' } });
    const { answer } = await create(minimal({ template_id: early, template_values: { reason: 'Отпуск' } }));
    expect(answer?.document.files).toMatchObject([{ file_type: 'FILE_TYPE_PDF' }]);
  });

  test.each([
    ['its own organisation', true, 'ТОО'],
    ['that of its initiator, if it names none', false, 'ТОО'],
    ['code points, where no face has a letter of its name', true, 'ТОО 明'],
  ])('is printed with %s', async (_what, isNamed, title) => {
    const [usual, named] = [randomUUID(), randomUUID()];
    const row = { tenant_id: fixture.id, create_time: now(), update_time: now() };
    await store.organizations.insertMany([usual, named].map((_id) => ({ ...row, _id, title: `${title}${_id}` })));
    await store.employees.updateOne({ _id: owner.employeeId }, { $set: { organization_id: usual } });
    const { answer } = await create(minimal(isNamed ? { organization_id: named } : {}));
    const { object } = (await rowOf(answer?.document.id)).files[0] ?? {};
    if (!object) throw new Error('the document has no file');
    const text = readText(await bytesOf(await fixture.storage.read(object))).map((run) => run.text);
    const expected = `${title.replace(' 明', 'U+660E')}${isNamed ? named : usual}`;
    expect(text.join('').replace(/\s/g, '')).toContain(expected);
  });

  test('is refused when it would be too large to print, also when its template repeats one value', async () => {
    const repeating = await fixture.template(type, ['reason']);
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

  describe('with letters that are not printed', () => {
    const content = (...blocks: object[]) => JSON.stringify({ locale: 'ru', blocks });
    const publish = (text: string) =>
      store.document_template_versions.updateOne({ _id: `${template}:2` }, { $set: { content: text } });
    const names = (...fields: string[]) => invalid(...fields.map((name) => `template_values.${name}`));
    const printed = { type: 'paragraph', text: '{{reason}}' };
    afterEach(() => addFonts([]));

    test('is refused, and each field is named', async () => {
      await publish(content(printed));
      const values = { reason: 'Отпуск 明', place: '明' };
      expect(await refused(minimal({ template_values: values }))).toEqual(names('reason'));
      const all = minimal({ title: '😀 明', number: 'א', template_values: values });
      expect(await refused(all)).toEqual(invalid('title', 'number', 'template_values.reason'));
      // A request that is refused anyway names them, too.
      expect(await refused({ ...all, type_id: randomUUID() })).toEqual(
        invalid('type_id', 'title', 'number', 'template_values.reason'),
      );
    });

    test('is still replayed after the fonts were removed', async () => {
      await publish(content(printed));
      const body = minimal({ template_values: { reason: '明' } });
      const key = randomUUID();
      addFonts(fontsIn(join(import.meta.dirname, '../pdf/testing/fonts')));
      const { answer } = await create(body, key);
      addFonts([]);
      expect((await create(body, key)).answer).toEqual(answer);
      expect(await refused(body, randomUUID())).toEqual(names('reason'));
    });
  });

  test('has the values that the service fills in', async () => {
    const body = minimal({ template_values: { reason: 'Отпуск', place: 'Алматы' }, number: 'Ж-118' });
    const { answer } = await create(body);
    expect(await rowOf(answer?.document.id)).toMatchObject({
      tenant_id: fixture.id,
      listed: true,
      rev: 1,
      template: { id: template, version: 2, values: '{"reason":"Отпуск","place":"Алматы"}' },
      actors: [owner.employeeId],
      visible_to: [owner.employeeId],
      search_text: 'приказ\0ж-118',
      pending_events: [],
    });
    expect(await store.unclaimed_objects.countDocuments({})).toBe(0);
  });
});

describe('a refused creation, which leaves no trace,', () => {
  test('says whether no source or both are given, and nothing of them beside one of a wrong form', async () => {
    const said = async (more: Body) =>
      (await creationViolations({ caller: await owner.caller(), body: minimal(more), wrong: new Set() } as never)).map(
        ({ field, description }) => `${field} ${description}`,
      );
    expect(await said({ template_id: undefined })).toEqual([
      'template_id is required, unless file_id is given',
      'file_id is required, unless template_id is given',
    ]);
    expect(await said({ file_id: randomUUID() })).toEqual([
      'template_id must not be given beside file_id',
      'file_id must not be given beside template_id',
    ]);
    const judged = { caller: await owner.caller(), body: minimal(), wrong: new Set(['file_id']) };
    expect(await creationViolations(judged as never)).toEqual([]);
  });

  test('names all wrong fields together, with ids that the store does not know', async () => {
    const ghost = randomUUID();
    const body = minimal({
      type_id: randomUUID(),
      organization_id: randomUUID(),
      subject_employee_ids: [owner.employeeId, ghost],
    });
    // Whether the template belongs to a type that is not known, nobody can say.
    expect(await refused(body)).toEqual(invalid('type_id', 'organization_id', 'subject_employee_ids[1]'));
    for (const title of ['\u2800', '\ufff9\ufffb', '\u3164 \u0301', '\ufe0f\u200d']) {
      expect(await refused(minimal({ title }))).toEqual(invalid('title'));
    }
    const twice = [ghost, ghost.toUpperCase()];
    expect(await refused(minimal({ title: '\u200b', organization_id: ghost, subject_employee_ids: twice }))).toEqual(
      invalid('title', 'subject_employee_ids', 'organization_id', 'subject_employee_ids[0]', 'subject_employee_ids[1]'),
    );
  });

  test('names an initiator that is a draft, deleted, unknown or of another tenant before an unknown type', async () => {
    for (const changes of [
      { listed: false, status: 'CREATED' as const },
      { listed: false, deleted_at: new Date() },
    ]) {
      const one = await fixture.owner();
      await store.employees.updateOne({ _id: one.employeeId }, { $set: changes });
      const expected = { error: 'DOCUMENT_INITIATOR_NOT_FOUND', fields: [] };
      expect(await refused(minimal({ type_id: randomUUID() }), 'k', one)).toEqual(expected);
    }
    for (const employee of [randomUUID(), await (await TenantFixture.create(store)).employee()]) {
      const one = await fixture.owner({}, employee);
      expect((await refused(minimal(), undefined, one)).error).toBe('DOCUMENT_INITIATOR_NOT_FOUND');
    }
  });
});
