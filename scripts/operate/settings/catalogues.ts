/** `settings document-types` and `document-categories`. */
import { randomUUID } from 'node:crypto';
import { refuse } from '../../../conformance/command-line.ts';
import type { DocumentCategoryRow } from '../../../handlers/data/collections/document_categories.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { CatalogueStatus, DocumentTypeRow } from '../../../handlers/data/collections/document_types.ts';
import { typeRow } from '../../testbed/tenant.ts';
import { type Column, command, type Group, listing, type TenantContext, take } from './command.ts';
import { idOrNone, kinds, row, rowOrNone } from './lookup.ts';
import { rowShape } from './shape.ts';
import { onOrOff, title, withoutUndefined } from './values.ts';

const yes = (value: boolean) => (value ? 'yes' : '');

const typeColumns: readonly Column<DocumentTypeRow>[] = [
  ['TITLE', ({ title }) => title],
  ['STATUS', ({ status }) => status],
  ['API', ({ allow_api }) => yes(allow_api)],
  ['UPLOAD', ({ allow_upload }) => yes(allow_upload)],
  ['CONFIDENTIAL', ({ confidential }) => yes(confidential)],
  ['ID', ({ _id }) => _id, 'id'],
];

const categoryColumns: readonly Column<DocumentCategoryRow>[] = [
  ['TITLE', ({ title }) => title],
  ['PARENT', ({ parent_id }) => parent_id],
  ['ID', ({ _id }) => _id, 'id'],
];

const typeJson = rowShape<DocumentTypeRow>()(
  'title',
  'category_id',
  'template_id',
  'status',
  'subject_type',
  'allow_api',
  'allow_upload',
  'confidential',
  'create_time',
  'update_time',
);
const categoryJson = rowShape<DocumentCategoryRow>()('title', 'parent_id', 'create_time', 'update_time');

const newestFirst = { create_time: -1, _id: -1 } as const;

const type = take.argument(row(kinds.document_type));
const category = idOrNone(kinds.document_category);

/** What creating and changing share. There are no defaults, so that a change knows what was given. */
const fields = {
  category_id: take.optional(category, 'id or exact title; none for no category'),
  subject_type: take.optionalAs('subject', title('text', 100), 'the kind of subject, such as EMPLOYEE; informative'),
  allow_api: take.optional(onOrOff, 'whether the interface may create documents of it'),
  allow_upload: take.optional(onOrOff, 'whether such a document may be made from an uploaded PDF'),
  confidential: take.optional(onOrOff, 'whether profiles that see all but confidential documents can see it'),
};

function templateId(type: DocumentTypeRow, template: DocumentTemplateRow | null): string {
  if (template === null || template.type_id === type._id) return template?._id ?? '';
  return refuse(`The document template ${template.title} (${template._id}) makes documents of another type.`);
}

async function change({ store, tenant, now }: TenantContext, row: DocumentTypeRow, set: Partial<DocumentTypeRow>) {
  const changed = { ...set, update_time: now };
  await store.document_types.updateOne({ _id: row._id, tenant_id: tenant._id }, { $set: changed });
  if (set.category_id !== undefined) {
    // A template shows the category of its type.
    const templates = { tenant_id: tenant._id, type_id: row._id };
    await store.document_templates.updateMany(templates, { $set: { category_id: set.category_id } });
  }
  return { of: { ...row, ...changed }, text: `Changed the document type ${set.title ?? row.title} (${row._id}).` };
}

function changingStatus(about: string, status: CatalogueStatus) {
  return command({ about, json: typeJson, takes: { type }, run: (at, { type }) => change(at, type, { status }) });
}

export const documentTypes: Group = {
  about: 'Document types: an archived type is listed, but refused when a document is created.',
  examples: [
    'document-types list',
    'document-types create "Приказ о премировании" --category "Приказы" --confidential on',
    'document-types update "Приказ о премировании" --allow-upload off',
    'document-types archive "Приказ о премировании"',
  ],
  commands: {
    list: command({
      about: 'List the document types of the tenant, newest first.',
      reads: true,
      json: typeJson,
      run: async ({ store, tenant }) =>
        listing(await store.document_types.find({ tenant_id: tenant._id }).sort(newestFirst).toArray(), typeColumns),
    }),
    create: command({
      about: 'Create a document type; the interface and uploads are allowed by default.',
      json: typeJson,
      takes: { title: take.argument(title(), 'its title'), ...fields },
      examples: ['document-types create "Приказ о премировании" --category "Приказы" --subject EMPLOYEE'],
      async run({ store, tenant, now }, { title, subject_type = '', ...given }) {
        const own = { tenant_id: tenant._id, create_time: now, update_time: now };
        const row = typeRow({ ...own, title, subject_type, ...withoutUndefined(given) });
        await store.document_types.insertOne(row);
        return { of: row, text: `Created the document type ${title}: ${row._id}` };
      },
    }),
    update: command({
      about: 'Change a document type.',
      json: typeJson,
      takes: {
        type,
        title: take.optional(title('text'), 'a new title'),
        template: take.optional(
          rowOrNone(kinds.document_template),
          'its main template, by id or exact title; none for no main template',
        ),
        ...fields,
      },
      lacking: 'Say what to change: see document-types update --help',
      examples: ['document-types update "Приказ о премировании" --confidential off --category none'],
      run: (at, { type, template, ...set }) => {
        const template_id = template === undefined ? undefined : templateId(type, template);
        return change(at, type, withoutUndefined({ ...set, template_id }));
      },
    }),
    archive: changingStatus('Allow no new documents of the type.', 'ARCHIVED'),
    activate: changingStatus('Allow new documents again.', 'ACTIVE'),
  },
};

export const documentCategories: Group = {
  about: 'Document categories: a tree.',
  examples: ['document-categories list', 'document-categories create "Приказы" --parent "Кадровые документы"'],
  commands: {
    list: command({
      about: 'List the document categories of the tenant, newest first.',
      reads: true,
      json: categoryJson,
      run: async ({ store, tenant }) =>
        listing(
          await store.document_categories.find({ tenant_id: tenant._id }).sort(newestFirst).toArray(),
          categoryColumns,
        ),
    }),
    create: command({
      about: 'Create a document category.',
      json: categoryJson,
      takes: {
        title: take.argument(title(), 'its title'),
        parent_id: take.defaulting(category, 'id or exact title; none for the top', 'none'),
      },
      async run({ store, tenant, now }, { title, parent_id }) {
        const row: DocumentCategoryRow = {
          _id: randomUUID(),
          tenant_id: tenant._id,
          title,
          parent_id,
          create_time: now,
          update_time: now,
        };
        await store.document_categories.insertOne(row);
        return { of: row, text: `Created the document category ${title}: ${row._id}` };
      },
    }),
  },
};
