/** Creating documents: what the rows hold, and which refusals the conformance suite does not try. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Owner, TenantFixture } from '../../../scripts/world/documents.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import { now } from '../../runtime/clock.ts';
import { createDocument } from '../createDocument.ts';
import { readText } from '../pdf/testing/read-text.ts';

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
    const text = readText(await buffer(await fixture.storage.read(object))).map((run) => run.text);
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

  test('is refused for letters that are not printed, and each field is named', async () => {
    const content = JSON.stringify({ locale: 'ru', blocks: [{ type: 'paragraph', text: '{{reason}}' }] });
    await store.document_template_versions.updateOne({ _id: `${template}:2` }, { $set: { content } });
    const values = { reason: 'Отпуск 明', place: '明' };
    expect(await refused(minimal({ template_values: values }))).toEqual(invalid('template_values.reason'));
    const all = minimal({ title: '😀 明', number: 'א', template_values: values });
    expect(await refused(all)).toEqual(invalid('title', 'number', 'template_values.reason'));
    // A request that is refused anyway names them, too.
    expect(await refused({ ...all, type_id: randomUUID() })).toEqual(
      invalid('type_id', 'title', 'number', 'template_values.reason'),
    );
  });
});

describe('a refused creation, which leaves no trace,', () => {
  test('names a title that shows nothing, subjects of whom one is named twice, and two sources', async () => {
    for (const title of ['\u2800', '\ufff9\ufffb', '\u3164 \u0301', '\ufe0f\u200d']) {
      expect(await refused(minimal({ title }))).toEqual(invalid('title'));
    }
    const twice = [owner.employeeId, owner.employeeId.toUpperCase()];
    expect(await refused(minimal({ subject_employee_ids: twice }))).toEqual(invalid('subject_employee_ids'));
    expect(await refused(minimal({ file_id: randomUUID() }))).toEqual(invalid('template_id', 'file_id'));
  });

  test('names an initiator that is a draft or deleted before an unknown type', async () => {
    for (const changes of [
      { listed: false, status: 'CREATED' as const },
      { listed: false, deleted_at: new Date() },
    ]) {
      const one = await fixture.owner();
      await store.employees.updateOne({ _id: one.employeeId }, { $set: changes });
      const expected = { error: 'DOCUMENT_INITIATOR_NOT_FOUND', fields: [] };
      expect(await refused(minimal({ type_id: randomUUID() }), 'k', one)).toEqual(expected);
    }
  });
});
