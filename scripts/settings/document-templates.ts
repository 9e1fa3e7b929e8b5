/** `settings document-templates`: templates as files, and their versions. */
import type { Command } from 'commander';
import type {
  CatalogueStatus,
  DocumentTemplateRow,
  DocumentTemplateVersionRow,
  DocumentTypeRow,
} from '../../handlers/data/store.ts';
import { parseContent } from '../../handlers/documents/templates/content.ts';
import { parseSchema } from '../../handlers/documents/templates/schema.ts';
import { limit, shown } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';
import { importTemplate, publishVersion } from './publish.ts';
import { readTemplate, writeTemplate } from './template-file.ts';

const templates: readonly Column<DocumentTemplateRow>[] = [
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

const template = (at: At, wanted: string) => find<DocumentTemplateRow>(at, kinds.document_template, wanted);

async function versionOf(
  { store }: At,
  row: DocumentTemplateRow,
  version: number,
): Promise<DocumentTemplateVersionRow> {
  const found = await store.document_template_versions.findOne({
    _id: `${row._id}:${version}`,
    tenant_id: row.tenant_id,
  });
  return found ?? refuse(`The document template ${row.title} has no version ${version}; its latest is ${row.version}.`);
}

async function setStatus(at: At, wanted: string, status: CatalogueStatus) {
  const row = await template(at, wanted);
  const set = { status, update_time: at.now };
  await at.store.document_templates.updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: set });
  return { json: { ...row, ...set }, text: `The document template ${row.title} (${row._id}) is ${status}.` };
}

/** The row, with the field that it stores as JSON text parsed. */
const asJson = (row: DocumentTemplateRow) => ({ ...row, variable_schema: JSON.parse(row.variable_schema) });

interface VersionFlag {
  readonly of?: number;
}

function addReading(command: Command, { inTenant, list }: Context): void {
  command
    .command('list')
    .description('List the document templates of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_templates.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, templates, rows);
      }),
    );
  command
    .command('show')
    .description('Show a template with its variables; with --json also its content.')
    .argument('<template>', 'id or exact title')
    .option('--of <version>', 'of this version instead of the latest', limit)
    .action(
      inTenant(async (at, wanted: string, { of }: VersionFlag) => {
        const row = await template(at, wanted);
        const version = await versionOf(at, row, of ?? row.version);
        const schema = parseSchema(version.variable_schema);
        const variables = Object.entries(schema.properties);
        const facts = `${row.title}, version ${version.version} of ${row.version}, ${row.status}, published ${shown(version.create_time)}`;
        const table = list(
          variables,
          [
            ['VARIABLE', ([name]) => name],
            ['TYPE', ([, { type }]) => type],
            ['REQUIRED', ([name]) => (schema.required.includes(name) ? 'yes' : '')],
            ['TITLE', ([, { title = '' }]) => title],
          ],
          [],
        );
        const content = parseContent(version.content);
        const json = { ...row, version: version.version, variable_schema: schema, content };
        return { json, text: `${facts}\n\n${table.text}` };
      }),
    );
  command
    .command('export')
    .description('Write a template to a new file: JSON where its name ends in .json, else YAML.')
    .argument('<template>', 'id or exact title')
    .requiredOption('--out <file>', 'where to')
    .option('--of <version>', 'this version instead of the latest', limit)
    .option('--force', 'replace a file that exists')
    .action(
      inTenant(async (at, wanted: string, flags: VersionFlag & { out: string; force?: boolean }) => {
        const row = await template(at, wanted);
        const version = await versionOf(at, row, flags.of ?? row.version);
        const file = {
          title: row.title,
          type: row.type_id,
          variable_schema: parseSchema(version.variable_schema),
          content: parseContent(version.content),
        };
        writeTemplate(flags.out, file, flags.force ?? false);
        const json = { template_id: row._id, version: version.version, file: flags.out };
        return { json, text: `Wrote version ${version.version} of ${row.title} to ${flags.out}.` };
      }),
    );
}

function addWriting(command: Command, { inTenant }: Context): void {
  const add = command
    .command('import')
    .description('Create a template from a file, at version 1.')
    .requiredOption('--file <file>', 'the template; - for standard input')
    .action(
      inTenant(async (at, flags: { file: string }) => {
        const file = await readTemplate(flags.file);
        const type = await find<DocumentTypeRow>(at, kinds.document_type, file.type);
        const row = await importTemplate(at, type, file);
        return { json: asJson(row), text: `Created the document template ${row.title}, version 1: ${row._id}` };
      }),
    );
  withExamples(add, ['document-templates import --file spravka.yaml']).addHelpText('after', FORM);
  const publish = command
    .command('publish')
    .description('Publish a file as the next version of a template. Earlier versions stay as they are.')
    .argument('<template>', 'id or exact title')
    .requiredOption('--file <file>', 'the template; - for standard input')
    .action(
      inTenant(async (at, wanted: string, flags: { file: string }) => {
        const row = await template(at, wanted);
        const file = await readTemplate(flags.file);
        const type = await find<DocumentTypeRow>(at, kinds.document_type, file.type);
        if (type._id !== row.type_id) {
          refuse(`The file is of the type ${type.title} (${type._id}); a template never changes its type.`);
        }
        const made = await publishVersion(at, row, file);
        const text = `Published version ${made.version} of the document template ${made.title} (${made._id}).`;
        return { json: asJson(made), text };
      }),
    );
  withExamples(publish, [
    'document-templates export "Приказ об отпуске" --out leave.yaml',
    'document-templates publish "Приказ об отпуске" --file leave.yaml',
  ]).addHelpText('after', FORM);
  for (const [name, status] of [
    ['archive', 'ARCHIVED'],
    ['activate', 'ACTIVE'],
  ] as const) {
    command
      .command(name)
      .description(status === 'ACTIVE' ? 'Allow new documents again.' : 'Allow no new documents from the template.')
      .argument('<template>', 'id or exact title')
      .action(inTenant((at, wanted: string) => setStatus(at, wanted, status)));
  }
}

export function documentTemplatesCommand(context: Context): Command {
  const command = group('document-templates', 'Document templates; a published version never changes.', [
    'document-templates list --json',
    'document-templates show "Трудовой договор" --of 2',
    'document-templates export "Трудовой договор" --out contract.yaml',
    'document-templates import --file contract.yaml',
    'document-templates publish "Трудовой договор" --file contract.yaml',
  ]);
  addReading(command, context);
  addWriting(command, context);
  return command;
}
