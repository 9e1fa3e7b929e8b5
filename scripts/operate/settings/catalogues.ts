/** `settings document-types` and `document-categories`. */
import type { DocumentCategoryRow } from '../../../handlers/data/collections/document_categories.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { CatalogueStatus, DocumentTypeRow } from '../../../handlers/data/collections/document_types.ts';
import { refuse } from '../../kit/command-line.ts';
import { typeRow } from '../../world/tenant.ts';
import { type Column, command, type Group, type TenantContext, take } from './command.ts';
import { idOrNone, insertTitled, kinds, listOf, newRow, row, rowOrNone, setFields } from './lookup.ts';
import { rowShape } from './shape.ts';
import { onOrOff, title, withoutUndefined } from './values.ts';

const typeColumns: readonly Column<DocumentTypeRow>[] = [
  ['TITLE', 'title'],
  ['STATUS', 'status'],
  ['API', 'allow_api'],
  ['UPLOAD', 'allow_upload'],
  ['CONFIDENTIAL', 'confidential'],
  ['ID', '_id', 'id'],
];

const categoryColumns: readonly Column<DocumentCategoryRow>[] = [
  ['TITLE', 'title'],
  ['PARENT', 'parent_id'],
  ['ID', '_id', 'id'],
];

const typeJson = rowShape(
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
const categoryJson = rowShape('title', 'parent_id', 'create_time', 'update_time');

const newestFirst = { create_time: -1, _id: -1 } as const;

const type = take.argument(row(kinds.document_type));
const category = idOrNone(kinds.document_category);

/** What creating and changing share. There are no defaults, so that a change knows what was given. */
const fields = {
  category_id: take.optional(category, 'id or exact title; none for no category'),
  subject_type: take.optional(title('text', 100), 'the kind of subject, such as EMPLOYEE; informative', 'subject'),
  allow_api: take.optional(onOrOff, 'whether the interface may create documents of it'),
  allow_upload: take.optional(onOrOff, 'whether such a document may be made from an uploaded PDF'),
  confidential: take.optional(onOrOff, 'whether profiles that see all but confidential documents can see it'),
};

function templateId(type: DocumentTypeRow, template: DocumentTemplateRow | null): string {
  if (template === null || template.type_id === type._id) return template?._id ?? '';
  return refuse(`The document template ${template.title} (${template._id}) makes documents of another type.`);
}

async function change(at: TenantContext, row: DocumentTypeRow, set: Partial<DocumentTypeRow>) {
  const of = await setFields(at, 'document_types', row, { ...set, update_time: at.now });
  if (set.category_id !== undefined) {
    // A template shows the category of its type.
    const templates = { tenant_id: row.tenant_id, type_id: row._id };
    await at.store.document_templates.updateMany(templates, { $set: { category_id: set.category_id } });
  }
  return { of, text: `Changed the document type ${of.title} (${of._id}).` };
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
    list: listOf(
      'document_types',
      'List the document types of the tenant, newest first.',
      newestFirst,
      typeJson,
      typeColumns,
    ),
    create: command({
      about: 'Create a document type; the interface and uploads are allowed by default.',
      json: typeJson,
      takes: { title: take.argument(title(), 'its title'), ...fields },
      examples: ['document-types create "Приказ о премировании" --category "Приказы" --subject EMPLOYEE'],
      run(at, { title, subject_type = '', ...given }) {
        const row = typeRow({ ...newRow(at), title, subject_type, ...withoutUndefined(given) });
        return insertTitled(at, kinds.document_type, row);
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
    list: listOf(
      'document_categories',
      'List the document categories of the tenant, newest first.',
      newestFirst,
      categoryJson,
      categoryColumns,
    ),
    create: command({
      about: 'Create a document category.',
      json: categoryJson,
      takes: {
        title: take.argument(title(), 'its title'),
        parent_id: take.defaulting(category, 'id or exact title; none for the top', 'none'),
      },
      run: (at, fields) => insertTitled(at, kinds.document_category, { ...newRow(at), ...fields }),
    }),
  },
};
