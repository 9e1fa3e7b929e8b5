/** `settings document-templates`: templates as files, and their versions. */

import { parse, stringify } from 'yaml';
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import type { DocumentTemplateVersionRow } from '../../../handlers/data/collections/document_template_versions.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { CatalogueStatus, DocumentTypeRow } from '../../../handlers/data/collections/document_types.ts';
import { unlessThere } from '../../../handlers/data/writes.ts';
import { addFonts, fontsIn } from '../../../handlers/documents/pdf/faces.ts';
import { printProblems } from '../../../handlers/documents/pdf/filled-document.ts';
import { type Content, contentProblems, parseContent } from '../../../handlers/documents/templates/content.ts';
import { fillProblems } from '../../../handlers/documents/templates/fill.ts';
import { parseSchema, schemaProblems } from '../../../handlers/documents/templates/schema.ts';
import { textProblem } from '../../../handlers/employees/write/fields.ts';
import { todayIn } from '../../../handlers/runtime/day.ts';
import { messageOf, misuse, refuse } from '../../kit/command-line.ts';
import { type Column, command, type Group, type TenantContext, tableOf, take } from './command.ts';
import { find, kinds, listOf, newRow, row, rowsOf, setFields } from './lookup.ts';
import { rowShape, type Shape, same, shown } from './shape.ts';
import { preview } from './template-preview.ts';
import { count, type GivenFile, inputFile, text } from './values.ts';

const columns: readonly Column<DocumentTemplateRow>[] = [
  ['TITLE', 'title'],
  ['VERSION', 'version'],
  ['STATUS', 'status'],
  ['TYPE', 'type_id'],
  ['ID', '_id', 'id'],
];

const json: Shape<DocumentTemplateRow> = {
  ...rowShape('title', 'version', 'type_id', 'category_id', 'status', 'create_time', 'update_time'),
  variable_schema: ({ variable_schema }) => parseSchema(variable_schema),
};

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

interface TemplateFile {
  readonly title: string;
  /** The id or exact title of the document type. */
  readonly type: string;
  readonly variable_schema: object;
  readonly content: object;
}

const FILE_FIELDS = ['title', 'type', 'variable_schema', 'content'];

function objectOf({ path, text }: GivenFile): Record<string, unknown> {
  let value: unknown;
  try {
    // The YAML parser reads JSON, too.
    value = parse(text);
  } catch (error) {
    return refuse(`The file ${path} is neither JSON nor YAML: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse(`The file ${path} holds no template: it takes ${FILE_FIELDS.join(', ')}.`);
}

function titleProblem(title: unknown): string | null {
  if (typeof title !== 'string' || title.trim() === '') return 'must be a text';
  return title.length > 500 ? 'must have at most 500 characters' : textProblem(title);
}

/** What keeps a template of the right form from being printed, with the fonts that the server has, too. */
function printingProblems(content: Content, schema: VariableSchema, fontsDir: string | undefined): string[] {
  try {
    addFonts(fontsIn(fontsDir || undefined));
  } catch (error) {
    return [messageOf(error)];
  }
  return [...fillProblems(content, schema), ...printProblems(content, schema)];
}

/** Reads a template that may be published (D-16, D-17). @param fontsDir PDF_FONTS_DIR @throws Failure (refused) */
function readTemplate(file: GivenFile, fontsDir: string | undefined): TemplateFile {
  const { title, type, variable_schema, content, ...rest } = objectOf(file);
  const title_ = titleProblem(title);
  const inSchema = schemaProblems(variable_schema);
  const inContent = inSchema.length === 0 ? contentProblems(content, variable_schema as VariableSchema) : [];
  const isWhole = inSchema.length === 0 && inContent.length === 0;
  const problems = [
    ...Object.keys(rest).map((name) => `${name}: is not known; a template has ${FILE_FIELDS.join(', ')}`),
    ...(title_ === null ? [] : [`title: ${title_}`]),
    ...(typeof type === 'string' && type !== '' ? [] : ['type: must be the id or the title of a document type']),
    ...inSchema,
    ...inContent,
    ...(isWhole ? printingProblems(content as Content, variable_schema as VariableSchema, fontsDir) : []),
  ];
  if (problems.length > 0)
    refuse(`The file ${file.path} has problems; nothing was published or printed:\n  ${problems.join('\n  ')}`);
  return { title, type, variable_schema, content } as unknown as TemplateFile;
}

/** The text of a file: JSON if its name ends in `.json`, otherwise YAML. */
function templateText(path: string, file: TemplateFile): string {
  return path.endsWith('.json') ? `${JSON.stringify(file, null, 2)}\n` : stringify(file, { lineWidth: 120 });
}

const MOST_TRIES = 10;

function versionRow(
  { tenant, now }: TenantContext,
  template: string,
  version: number,
  file: TemplateFile,
): DocumentTemplateVersionRow {
  return {
    _id: `${template}:${version}`,
    tenant_id: tenant._id,
    template_id: template,
    version,
    variable_schema: JSON.stringify(file.variable_schema),
    content: JSON.stringify(file.content),
    create_time: now,
  };
}

/** Makes a version the latest one, unless a later one already is. */
async function advance(
  { store, now }: TenantContext,
  { tenant_id, template_id, version, variable_schema }: DocumentTemplateVersionRow,
): Promise<void> {
  await store.document_templates.updateOne(
    { _id: template_id, tenant_id, version: version - 1 },
    { $set: { version, variable_schema, update_time: now } },
  );
}

/** Makes a new template at version 1. It becomes the main template of its type if the type has none. */
async function importTemplate(
  at: TenantContext,
  type: DocumentTypeRow,
  file: TemplateFile,
): Promise<DocumentTemplateRow> {
  const { store, tenant, now } = at;
  const own = newRow(at);
  const first = versionRow(at, own._id, 1, file);
  const row: DocumentTemplateRow = {
    ...own,
    title: file.title,
    version: 1,
    type_id: type._id,
    category_id: type.category_id,
    status: 'ACTIVE',
    variable_schema: first.variable_schema,
  };
  // The version is written first: a template without its version could not be printed.
  await store.document_template_versions.insertOne(first);
  await store.document_templates.insertOne(row);
  const filter = { _id: type._id, tenant_id: tenant._id, template_id: '' };
  await store.document_types.updateOne(filter, { $set: { template_id: row._id, update_time: now } });
  return row;
}

/** Publishes the next version; a version that an interrupted run left counts. @returns the template at this version */
async function publishVersion(at: TenantContext, template: DocumentTemplateRow, file: TemplateFile) {
  const filter = { _id: template._id, tenant_id: template.tenant_id };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const latest = (await at.store.document_templates.findOne(filter)) ?? template;
    const row = versionRow(at, template._id, latest.version + 1, file);
    if (await unlessThere(() => at.store.document_template_versions.insertOne(row))) {
      await advance(at, row);
      await at.store.document_templates.updateOne(filter, { $set: { title: file.title } });
      const { version, variable_schema } = row;
      return { ...latest, title: file.title, version, variable_schema, update_time: at.now };
    }
    const other = await at.store.document_template_versions.findOne({ _id: row._id, tenant_id: template.tenant_id });
    if (other) await advance(at, other);
  }
  return refuse('Others publish versions of this template at the same time. Nothing was published; try again.');
}

const template = take.argument(row(kinds.document_template));
const file = take.required(inputFile('file'), 'the template; - for standard input');

/** A version of a template, the latest one unless another is wanted. */
async function versionOf(
  at: TenantContext,
  { _id, title, version: latest }: DocumentTemplateRow,
  version = latest,
): Promise<DocumentTemplateVersionRow> {
  const [found] = await rowsOf(at, 'document_template_versions', { _id: `${_id}:${version}` });
  return found ?? refuse(`The document template ${title} has no version ${version}; its latest is ${latest}.`);
}

/** A template that is not published, in the form of a version. */
function unpublished(file: GivenFile | undefined, fontsDir: string | undefined) {
  const { title, variable_schema, content } = readTemplate(file ?? misuse('Name a --file.'), fontsDir);
  return { title, version: 0, variable_schema: JSON.stringify(variable_schema), content: JSON.stringify(content) };
}

function changingStatus(about: string, status: CatalogueStatus) {
  return command({
    about,
    json,
    takes: { template },
    async run(at, { template }) {
      const of = await setFields(at, 'document_templates', template, { status, update_time: at.now });
      return { of, text: `The document template ${of.title} (${of._id}) is ${status}.` };
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
    list: listOf(
      'document_templates',
      'List the document templates of the tenant, newest first.',
      { create_time: -1, _id: -1 },
      json,
      columns,
    ),
    show: command({
      about: 'Show a template with its variables; with --json also its content.',
      reads: true,
      json: { ...json, ...same('content') },
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
          of: { ...template, version, variable_schema, content: parseContent(content) },
          text: [`${title}, version ${version} of ${latest}, ${status}, published ${shown(create_time)}`, variables],
        };
      },
    }),
    export: command({
      about: 'Write a template to a new file: JSON if its name ends in .json, otherwise YAML.',
      reads: true,
      json: same('template_id', 'version', 'file'),
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
          of: { template_id, version, file: out },
          text: `Wrote version ${version} of ${template.title} to ${out}.`,
          file: { path: out, text: templateText(out, contents), isForced: force },
        };
      },
    }),
    preview: command({
      about: 'Print a template with values as a PDF, without a document. What is refused here a creation refuses.',
      reads: true,
      json: same('version', 'file'),
      takes: {
        template: take.optionalArgument(row(kinds.document_template)),
        file: take.optional(inputFile('file'), 'a template that is not published, instead of one that is'),
        of: take.optional(count('version'), 'this version instead of the latest'),
        values: take.required(inputFile('file'), 'JSON: the template_values of a creation; - for standard input'),
        out: take.required(text('file'), 'where to'),
        title: take.optional(text('text'), 'the title of the document (default: that of the template)'),
        number: take.defaulting(text('text'), 'the number of the document', ''),
        date: take.optional(text('day'), 'the date of the document (default: today)'),
        organization: take.optional(row(kinds.organization), 'the organisation of the document: id or exact title'),
        force: take.flag('replace a file that exists'),
      },
      examples: [
        'document-templates preview "Трудовой договор" --values values.json --out contract.pdf',
        'document-templates preview --file contract.yaml --values values.json --out contract.pdf',
      ],
      async run(at, { template, file, of, values, out, force, organization, number, ...given }) {
        if ((template === undefined) === (file === undefined)) misuse('Name either a template or a --file.');
        const version = template
          ? { title: template.title, ...(await versionOf(at, template, of)) }
          : unpublished(file, at.env.PDF_FONTS_DIR);
        const { title = version.title, date = todayIn(at.tenant.time_zone) } = given;
        const document = { title, number, date, organization: organization?.title ?? '' };
        addFonts(fontsIn(at.env.PDF_FONTS_DIR || undefined));
        return {
          of: { version: version.version, file: out },
          text: `Wrote ${title} to ${out}.`,
          file: { path: out, text: await preview(version, document, values.text), isForced: force, isPrivate: true },
        };
      },
    }),
    import: command({
      about: 'Create a template from a file, at version 1.',
      json,
      takes: { file },
      examples: ['document-templates import --file spravka.yaml'],
      form: FORM,
      async run(at, { file }) {
        const wanted = readTemplate(file, at.env.PDF_FONTS_DIR);
        const row = await importTemplate(at, await find(at, kinds.document_type, wanted.type), wanted);
        return { of: row, text: `Created the document template ${row.title}, version 1: ${row._id}` };
      },
    }),
    publish: command({
      about: 'Publish a file as the next version of a template. Earlier versions do not change.',
      json,
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
        return { of: made, text };
      },
    }),
    archive: changingStatus('Allow no new documents from the template.', 'ARCHIVED'),
    activate: changingStatus('Allow new documents again.', 'ACTIVE'),
  },
};
