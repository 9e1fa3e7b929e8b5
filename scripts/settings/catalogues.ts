/** `settings document-types` and `document-categories`. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type {
  CatalogueStatus,
  DocumentCategoryRow,
  DocumentTemplateRow,
  DocumentTypeRow,
} from '../../handlers/data/store.ts';
import { onOrOff, titleOf } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { misuse, refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';

const yes = (value: boolean) => (value ? 'yes' : '');

const types: readonly Column<DocumentTypeRow>[] = [
  ['TITLE', ({ title }) => title],
  ['STATUS', ({ status }) => status],
  ['API', ({ allow_api }) => yes(allow_api)],
  ['UPLOAD', ({ allow_upload }) => yes(allow_upload)],
  ['CONFIDENTIAL', ({ confidential }) => yes(confidential)],
  ['ID', ({ _id }) => _id],
];

const categories: readonly Column<DocumentCategoryRow>[] = [
  ['TITLE', ({ title }) => title],
  ['PARENT', ({ parent_id }) => parent_id],
  ['ID', ({ _id }) => _id],
];

const newestFirst = { create_time: -1, _id: -1 } as const;

const typeOf = (at: At, wanted: string) => find<DocumentTypeRow>(at, kinds.document_type, wanted);

/** The category's id; `''` for `none`. */
async function categoryId(at: At, wanted: string): Promise<string> {
  return wanted === 'none' ? '' : (await find<DocumentCategoryRow>(at, kinds.document_category, wanted))._id;
}

async function templateId(at: At, type: DocumentTypeRow, wanted: string): Promise<string> {
  if (wanted === 'none') return '';
  const template = await find<DocumentTemplateRow>(at, kinds.document_template, wanted);
  if (template.type_id === type._id) return template._id;
  return refuse(`The document template ${template.title} (${template._id}) makes documents of another type.`);
}

interface TypeFlags {
  title?: string;
  category?: string;
  subject?: string;
  allowApi?: boolean;
  allowUpload?: boolean;
  confidential?: boolean;
  template?: string;
}

/** The flags that creating and changing share. They have no defaults, so that a change knows which flags were given. */
function withTypeFlags(command: Command): Command {
  return command
    .option('--category <category>', 'id or exact title; none for no category')
    .option('--subject <text>', 'whom it is about, such as EMPLOYEE; informative', titleOf(100))
    .option('--allow-api <on|off>', 'whether the interface may create documents of it', onOrOff)
    .option('--allow-upload <on|off>', 'whether such a document may be made from an uploaded PDF', onOrOff)
    .option('--confidential <on|off>', 'whether profiles that see all but confidential documents see it', onOrOff);
}

async function change(at: At, wanted: string, flags: TypeFlags, status?: CatalogueStatus) {
  const { store, tenant, now } = at;
  const row = await typeOf(at, wanted);
  const set: Partial<DocumentTypeRow> = {
    ...(flags.title !== undefined && { title: flags.title }),
    ...(flags.category !== undefined && { category_id: await categoryId(at, flags.category) }),
    ...(flags.subject !== undefined && { subject_type: flags.subject }),
    ...(flags.allowApi !== undefined && { allow_api: flags.allowApi }),
    ...(flags.allowUpload !== undefined && { allow_upload: flags.allowUpload }),
    ...(flags.confidential !== undefined && { confidential: flags.confidential }),
    ...(flags.template !== undefined && { template_id: await templateId(at, row, flags.template) }),
    ...(status && { status }),
  };
  if (Object.keys(set).length === 0) misuse('Say what to change: see document-types update --help');
  const changed = { ...set, update_time: now };
  await store.document_types.updateOne({ _id: row._id, tenant_id: tenant._id }, { $set: changed });
  if (set.category_id !== undefined) {
    // A template shows the category of its type.
    const templates = { tenant_id: tenant._id, type_id: row._id };
    await store.document_templates.updateMany(templates, { $set: { category_id: set.category_id } });
  }
  return { json: { ...row, ...changed }, text: `Changed the document type ${set.title ?? row.title} (${row._id}).` };
}

export function documentTypesCommand({ inTenant, list }: Context): Command {
  const command = group('document-types', 'Document types: an archived one is listed, and refused at creation.', [
    'document-types list',
    'document-types create "Приказ о премировании" --category "Приказы" --confidential on',
    'document-types update "Приказ о премировании" --allow-upload off',
    'document-types archive "Приказ о премировании"',
  ]);
  command
    .command('list')
    .description('List the document types of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_types.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, types, rows);
      }),
    );
  const create = command
    .command('create')
    .description('Create a document type; the interface and uploads are allowed unless told otherwise.')
    .argument('<title>', 'its title', titleOf());
  withTypeFlags(create).action(
    inTenant(async (at, title: string, flags: TypeFlags) => {
      const row: DocumentTypeRow = {
        _id: randomUUID(),
        tenant_id: at.tenant._id,
        title,
        category_id: await categoryId(at, flags.category ?? 'none'),
        template_id: '',
        status: 'ACTIVE',
        subject_type: flags.subject ?? '',
        allow_api: flags.allowApi ?? true,
        allow_upload: flags.allowUpload ?? true,
        confidential: flags.confidential ?? false,
        create_time: at.now,
        update_time: at.now,
      };
      await at.store.document_types.insertOne(row);
      return { json: row, text: `Created the document type ${title}: ${row._id}` };
    }),
  );
  withExamples(create, ['document-types create "Приказ о премировании" --category "Приказы" --subject EMPLOYEE']);
  const update = command
    .command('update')
    .description('Change a document type.')
    .argument('<type>', 'id or exact title')
    .option('--title <text>', 'a new title', titleOf())
    .option('--template <template>', 'its main template, by id or exact title; none for no main template');
  withTypeFlags(update).action(inTenant((at, wanted: string, flags: TypeFlags) => change(at, wanted, flags)));
  withExamples(update, ['document-types update "Приказ о премировании" --confidential off --category none']);
  for (const [name, status] of [
    ['archive', 'ARCHIVED'],
    ['activate', 'ACTIVE'],
  ] as const) {
    command
      .command(name)
      .description(status === 'ACTIVE' ? 'Allow new documents again.' : 'Allow no new documents of the type.')
      .argument('<type>', 'id or exact title')
      .action(inTenant((at, wanted: string) => change(at, wanted, {}, status)));
  }
  return command;
}

export function documentCategoriesCommand({ inTenant, list }: Context): Command {
  const command = group('document-categories', 'Document categories: a tree.', [
    'document-categories list',
    'document-categories create "Приказы" --parent "Кадровые документы"',
  ]);
  command
    .command('list')
    .description('List the document categories of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_categories.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, categories, rows);
      }),
    );
  command
    .command('create')
    .description('Create a document category.')
    .argument('<title>', 'its title', titleOf())
    .option('--parent <category>', 'id or exact title; none for the top', 'none')
    .action(
      inTenant(async (at, title: string, flags: { parent: string }) => {
        const row: DocumentCategoryRow = {
          _id: randomUUID(),
          tenant_id: at.tenant._id,
          title,
          parent_id: await categoryId(at, flags.parent),
          create_time: at.now,
          update_time: at.now,
        };
        await at.store.document_categories.insertOne(row);
        return { json: row, text: `Created the document category ${title}: ${row._id}` };
      }),
    );
  return command;
}
