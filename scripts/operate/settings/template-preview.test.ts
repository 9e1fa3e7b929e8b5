/** The preview of a template is what a creation prints, and refuses what a creation refuses. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { createDocument } from '../../../handlers/documents/createDocument.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { type Owner, TenantFixture } from '../../world/documents.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { preview } from './template-preview.ts';
import { settingsTool, writerIn } from './test-tool.ts';

const { database, store } = await testDeployment();
const dir = testFolder();
const written = writerIn(dir);
const values = { name: 'Әсел Омарова', salary: 250000.5 };
const template = {
  title: 'Справка',
  type: 'Справка с места работы',
  variable_schema: {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 200 }, salary: { type: 'number' } },
    required: ['name'],
    additionalProperties: false,
  },
  content: { locale: 'ru', blocks: [{ type: 'paragraph', text: '{{document.date}}: {{name}}, {{salary}}.' }] },
};
let fixture: TenantFixture;
let owner: Owner;

const { json, refused, misused } = settingsTool(() => ({ store, env: { ...database.env, TENANT: fixture.id } }));

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  owner = await fixture.owner();
  await json('document-types create', template.type);
  await json('document-templates import --file', written('template.json', template));
});

test('prints to the byte what a document of the same values has, but for its id', async () => {
  const row = await store.document_templates.findOne({ tenant_id: fixture.id });
  const version = await store.document_template_versions.findOne({ tenant_id: fixture.id });
  if (row === null || version === null) throw new Error('the template was not published');
  const texts = { title: 'Бұйрық', number: '7-к', date: '2026-03-01' };
  const body = { ...texts, type_id: row.type_id, template_id: row._id, template_values: values };
  const { answer } = await owner.call(createDocument, { body });
  const id = answer?.document.id ?? '';
  const document = await store.documents.findOne({ _id: id });
  if (!document?.files[0]) throw new Error('the document has no file');
  const stored = await buffer(await fixture.storage.read(document.files[0].object));
  const printed = await preview(version, { ...texts, organization: '' }, JSON.stringify(values), id);
  expect(Buffer.from(printed).equals(stored)).toBe(true);
});

test('of a published version and of a file are the same', async () => {
  const given = ['--values', written('values.json', values), '--date', '2026-03-01', '--out'];
  const [published, unpublished] = [path.join(dir, 'a.pdf'), path.join(dir, 'b.pdf')];
  await json('document-templates preview Справка', ...given, published);
  await json('document-templates preview --file', path.join(dir, 'template.json'), ...given, unpublished);
  const bytes = await readFile(published);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await readFile(unpublished)).equals(bytes)).toBe(true);
});

test.each([
  ['a missing value', '{}', 'template_values.name is required.'],
  ['a number that is printed otherwise', '{"name": "x", "salary": -0}', 'template_values.salary'],
  ['a letter that no font has', '{"name": "\u0633"}', 'template_values.name'],
  ['what is no JSON', '{"name"', 'is not valid JSON'],
])('refuses %s', async (_what, text, words) => {
  const given = ['--values', written('wrong.json', text), '--out', path.join(dir, 'wrong.pdf')];
  expect(await refused('document-templates preview Справка', ...given)).toContain(words);
});

test('needs a template or a file', async () => {
  const given = ['--values', written('values.json', values), '--out', path.join(dir, 'c.pdf')];
  expect(await misused('document-templates preview', ...given)).toContain('--file');
});
