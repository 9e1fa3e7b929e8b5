import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool, writerIn } from './test-tool.ts';

const { database, store } = await testDeployment();
const dir = testFolder();
const written = writerIn(dir);
let clockMs = Date.parse('2026-05-01T00:00:00Z');

/** One second passes from each command line to the next. */
const { run, words, json, refused, misused, fits } = settingsTool(() => {
  clockMs += 1_000;
  const now = new Date(clockMs);
  return { store, env: { ...database.env, TENANT: 'A' }, now: () => now };
});

const file = {
  title: 'Справка',
  type: 'Справка с места работы',
  variable_schema: {
    type: 'object',
    properties: { name: { type: 'string', title: 'ФИО', maxLength: 200 }, salary: { type: 'number' } },
    required: ['name'],
    additionalProperties: false,
  },
  content: { locale: 'ru', blocks: [{ type: 'paragraph', text: 'Дана {{name}}.' }] },
};

beforeAll(async () => {
  await run('tenants create A');
  await run('document-types create', file.type);
});

describe('document types and categories', () => {
  test('are created, changed, archived and activated', async () => {
    const parent = await json('document-categories create Кадры');
    const category = await json('document-categories create Приказы --parent Кадры');
    expect(category.parent_id).toBe(parent.id);
    const made = await json('document-types create Приказ --category Приказы --allow-upload off');
    expect(made).toMatchObject({ category_id: category.id, allow_api: true, allow_upload: false, status: 'ACTIVE' });
    const changes = ['--title', 'Приказ 2', '--confidential', 'on', '--allow-api', 'off', '--category', 'none'];
    await json('document-types update Приказ', ...changes);
    const row = await json('document-types archive "Приказ 2"');
    const changed = { title: 'Приказ 2', confidential: true, allow_api: false, category_id: '', status: 'ARCHIVED' };
    expect(row).toMatchObject({ id: made.id, ...changed });
    expect(row.update_time > row.create_time).toBe(true);
    expect((await json('document-types activate', made.id)).status).toBe('ACTIVE');
  });

  test('wrong usage and unknown names are reported', async () => {
    await misused('document-types update', file.type);
    await misused('document-types create x --allow-api maybe');
    expect(await refused('document-types archive nothing')).toContain('no document type');
    expect(await refused('document-types create x --category nothing')).toContain('no document category');
  });
});

describe('document templates', () => {
  let id = '';

  test('are imported from a file, and become the main one of their type', async () => {
    const made = await json('document-templates import --file', written('a.json', file));
    id = made.id;
    const { variable_schema } = file;
    expect(made).toMatchObject({ title: 'Справка', version: 1, status: 'ACTIVE', variable_schema });
    const type = await store.document_types.findOne({ title: file.type });
    expect([type?._id, type?.template_id]).toEqual([made.type_id, id]);
    const version = await store.document_template_versions.findOne({ _id: `${id}:1` });
    expect(JSON.parse(version?.content ?? '')).toEqual(file.content);
  });

  test('are exported as YAML or JSON and imported back unchanged', async () => {
    for (const name of ['out.yaml', 'out.json']) {
      const out = path.join(dir, name);
      await json('document-templates export Справка --out', out);
      const { type, ...rest } = parse(await readFile(out, 'utf8'));
      expect({ ...rest, type: file.type }).toEqual(file);
      expect(await refused('document-templates export Справка --out', out)).toContain('--force');
      const again = await json('document-templates import --file', out);
      expect(again.id).not.toBe(id);
      await store.document_templates.deleteOne({ _id: again.id });
    }
  });

  test('get versions, and an earlier one never changes', async () => {
    const first = await store.document_template_versions.findOne({ _id: `${id}:1` });
    const next = { ...file, title: 'Справка 2', content: { locale: 'kk', blocks: [] } };
    const made = await json('document-templates publish', id, '--file', written('b.json', next));
    expect([made.version, made.title]).toEqual([2, 'Справка 2']);
    expect(await store.document_template_versions.findOne({ _id: `${id}:1` })).toEqual(first);
    expect((await json('document-templates show', id)).content).toEqual(next.content);
    expect((await json('document-templates show --of 1', id)).content).toEqual(file.content);
    expect(await refused('document-templates show --of 3', id)).toContain('no version 3');
    expect(await words('document-templates show', id)).toMatch(/^name +string +yes +ФИО$/m);
  });

  test('several simultaneous publications make a version each', async () => {
    const files = [1, 2, 3].map((n) => written(`c${n}.json`, { ...file, title: `Справка ${n}` }));
    // What one shows is no longer stored when the next has ended.
    const said = await Promise.all(files.map((at) => words('document-templates publish', id, '--file', at, '--json')));
    expect(said.map((text) => JSON.parse(text).version).sort()).toEqual([3, 4, 5]);
    const row = await store.document_templates.findOne({ _id: id });
    expect(row?.version).toBe(5);
    expect(await store.document_template_versions.countDocuments({ template_id: id })).toBe(5);
  });

  test('an interrupted publication counts as published', async () => {
    const leftover = await store.document_template_versions.findOne({ _id: `${id}:5` });
    if (!leftover) throw new Error('version 5 is missing');
    await store.document_template_versions.insertOne({ ...leftover, _id: `${id}:6`, version: 6 });
    const made = await json('document-templates publish', id, '--file', written('d.json', file));
    expect(made.version).toBe(7);
    expect((await store.document_templates.findOne({ _id: id }))?.version).toBe(7);
  });

  test('all problems of a file are reported at once, and nothing is written', async () => {
    const wrong = {
      ...file,
      color: 'red',
      title: '',
      variable_schema: { ...file.variable_schema, properties: { name: { type: 'string', pattern: 'a' } } },
    };
    const err = await refused('document-templates publish', id, '--file', written('e.json', wrong));
    for (const part of ['color', 'title', 'pattern']) expect(err).toContain(part);
    const unknown = { ...file, content: { locale: 'ru', blocks: [{ type: 'paragraph', text: '{{nobody}} {{x' }] } };
    const said = await refused('document-templates publish', id, '--file', written('f.json', unknown));
    expect(said).toContain('nobody, which is no variable');
    expect(said).toContain('no placeholder');
    expect((await store.document_templates.findOne({ _id: id }))?.version).toBe(7);
  });

  test('a text with letters that are not printed is refused, with its place', async () => {
    const salary = { type: 'number', enum: [1] };
    const variable_schema = { ...file.variable_schema, properties: { ...file.variable_schema.properties, salary } };
    const blocks = [
      { type: 'signatures', lines: [{ title: 'Ж', note: '(明)' }], when: { variable: 'name', equals: '明' } },
    ];
    const content = { locale: 'ru', blocks, labels: { salary: { 1: 'שלום' } } };
    const strange = written('i.json', { ...file, variable_schema, content });
    const said = await refused('document-templates publish', id, '--file', strange);
    expect(said).toContain('blocks[0].lines[0].note: must be printable, but its character 2');
    expect(said).toContain('U+660E, for which the fonts');
    expect(said).toContain('labels.salary.1: must be printable, but its character 1');
    expect(said).not.toContain('when');
    expect((await store.document_templates.findOne({ _id: id }))?.version).toBe(7);
  });

  test('a file of another type, or none at all, is refused', async () => {
    await json('document-types create Другой');
    const other = written('g.json', { ...file, type: 'Другой' });
    expect(await refused('document-templates publish', id, '--file', other)).toContain('never changes its type');
    expect(await refused('document-templates import --file', path.join(dir, 'none'))).toContain('cannot be read');
    const broken = written('h.yaml', 'a: [');
    expect(await refused('document-templates import --file', broken)).toContain('neither JSON nor YAML');
  });

  test('are archived and activated', async () => {
    expect((await json('document-templates archive', id)).status).toBe('ARCHIVED');
    expect((await store.document_templates.findOne({ _id: id }))?.status).toBe('ARCHIVED');
    expect((await json('document-templates activate', id)).status).toBe('ACTIVE');
  });
});

test('the lists fit a terminal', async () => {
  for (const list of ['document-types', 'document-categories', 'document-templates']) await fits(list, 'list');
});
