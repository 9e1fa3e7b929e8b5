/** `settings document-templates`: templates as files, and their versions. */

import { refuse } from '../../../conformance/command-line.ts';
import type { DocumentTemplateVersionRow } from '../../../handlers/data/collections/document_template_versions.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { CatalogueStatus } from '../../../handlers/data/collections/document_types.ts';
import { parseContent } from '../../../handlers/documents/templates/content.ts';
import { parseSchema } from '../../../handlers/documents/templates/schema.ts';
import { type Column, command, type Group, listing, type TenantContext, tableOf, take } from './command.ts';
import { find, kinds, row } from './lookup.ts';
import { importTemplate, publishVersion } from './publish.ts';
import { readTemplate, templateText } from './template-file.ts';
import { count, inputFile, shown, text } from './values.ts';

const columns: readonly Column<DocumentTemplateRow>[] = [
  ['TITLE', ({ title }) => title],
  ['VERSION', ({ version }) => String(version)],
  ['STATUS', ({ status }) => status],
  ['TYPE', ({ type_id }) => type_id],
  ['ID', ({ _id }) => _id],
];

const newestFirst = { create_time: -1, _id: -1 } as const;

const FORM = `
A template is one file, JSON or YAML:
  title: Справка с места работы
  type: Справка                      # the document type, by id or exact title
  variable_schema:                   # JSON Schema, in the subset that GET /document_templates describes
    type: object
    properties:
      employee_name: {type: string, title: ФИО работника, minLength: 1, maxLength: 200}
      salary: {type: number, title: Оклад, minimum: 0}
    required: [employee_name]
    additionalProperties: false
  content:
    locale: ru                       # or kk
    blocks:
      - {type: paragraph, text: "Справка дана {{employee_name}} от {{document.date}}."}
      - {type: paragraph, text: "Оклад: {{salary}} тенге.", when: salary}
      - {type: signatures, lines: [{title: Начальник отдела кадров, note: подпись}]}
Blocks are heading, paragraph, table, list, definitions, signatures, space and page_break. Export one to see them all.`;

const template = take.argument(row(kinds.document_template));
const file = take.required(inputFile('file'), 'the template; - for standard input');

/** A version of a template, the latest one unless another is wanted. */
async function versionOf(
  { store }: TenantContext,
  { _id, tenant_id, title, version: latest }: DocumentTemplateRow,
  version = latest,
): Promise<DocumentTemplateVersionRow> {
  const found = await store.document_template_versions.findOne({ _id: `${_id}:${version}`, tenant_id });
  return found ?? refuse(`The document template ${title} has no version ${version}; its latest is ${latest}.`);
}

/** The row, with the field that it stores as JSON text parsed. */
const asJson = (row: DocumentTemplateRow) => ({ ...row, variable_schema: JSON.parse(row.variable_schema) });

function changingStatus(about: string, status: CatalogueStatus) {
  return command({
    about,
    takes: { template },
    async run({ store, now }, { template }) {
      const { _id, tenant_id, title } = template;
      const set = { status, update_time: now };
      await store.document_templates.updateOne({ _id, tenant_id }, { $set: set });
      return { json: { ...template, ...set }, text: `The document template ${title} (${_id}) is ${status}.` };
    },
  });
}

export const documentTemplates: Group = {
  about: 'Document templates; a published version never changes.',
  examples: [
    'document-templates list --json',
    'document-templates show "Трудовой договор" --of 2',
    'document-templates export "Трудовой договор" --out contract.yaml',
    'document-templates import --file contract.yaml',
    'document-templates publish "Трудовой договор" --file contract.yaml',
  ],
  commands: {
    list: command({
      about: 'List the document templates of the tenant, newest first.',
      run: async ({ store, tenant }) =>
        listing(await store.document_templates.find({ tenant_id: tenant._id }).sort(newestFirst).toArray(), columns),
    }),
    show: command({
      about: 'Show a template with its variables; with --json also its content.',
      takes: { template, of: take.optional(count('version'), 'this version instead of the latest') },
      async run(at, { template, of }) {
        const { version, variable_schema, content, create_time } = await versionOf(at, template, of);
        const schema = parseSchema(variable_schema);
        const { title, status, version: latest } = template;
        const variables = tableOf(Object.entries(schema.properties), [
          ['VARIABLE', ([name]) => name],
          ['TYPE', ([, { type }]) => type],
          ['REQUIRED', ([name]) => (schema.required.includes(name) ? 'yes' : '')],
          ['TITLE', ([, { title = '' }]) => title],
        ]);
        return {
          json: { ...template, version, variable_schema: schema, content: parseContent(content) },
          text: [`${title}, version ${version} of ${latest}, ${status}, published ${shown(create_time)}`, variables],
        };
      },
    }),
    export: command({
      about: 'Write a template to a new file: JSON if its name ends in .json, otherwise YAML.',
      takes: {
        template,
        out: take.required(text('file'), 'where to'),
        of: take.optional(count('version'), 'this version instead of the latest'),
        force: take.flag('replace a file that exists'),
      },
      async run(at, { template, out, of, force }) {
        const { version, template_id, variable_schema, content } = await versionOf(at, template, of);
        const contents = {
          title: template.title,
          type: template.type_id,
          variable_schema: parseSchema(variable_schema),
          content: parseContent(content),
        };
        return {
          json: { template_id, version, file: out },
          text: `Wrote version ${version} of ${template.title} to ${out}.`,
          file: { path: out, text: templateText(out, contents), isForced: force },
        };
      },
    }),
    import: command({
      about: 'Create a template from a file, at version 1.',
      takes: { file },
      examples: ['document-templates import --file spravka.yaml'],
      form: FORM,
      async run(at, { file }) {
        const wanted = readTemplate(file, at.env.PDF_FONTS_DIR);
        const row = await importTemplate(at, await find(at, kinds.document_type, wanted.type), wanted);
        return { json: asJson(row), text: `Created the document template ${row.title}, version 1: ${row._id}` };
      },
    }),
    publish: command({
      about: 'Publish a file as the next version of a template. Earlier versions do not change.',
      takes: { template, file },
      examples: [
        'document-templates export "Приказ об отпуске" --out leave.yaml',
        'document-templates publish "Приказ об отпуске" --file leave.yaml',
      ],
      form: FORM,
      async run(at, { template, file }) {
        const wanted = readTemplate(file, at.env.PDF_FONTS_DIR);
        const type = await find(at, kinds.document_type, wanted.type);
        if (type._id !== template.type_id) {
          refuse(`The file is of the type ${type.title} (${type._id}); a template never changes its type.`);
        }
        const made = await publishVersion(at, template, wanted);
        const text = `Published version ${made.version} of the document template ${made.title} (${made._id}).`;
        return { json: asJson(made), text };
      },
    }),
    archive: changingStatus('Allow no new documents from the template.', 'ARCHIVED'),
    activate: changingStatus('Allow new documents again.', 'ACTIVE'),
  },
};
