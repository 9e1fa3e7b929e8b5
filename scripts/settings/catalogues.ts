/** `settings document-types`, `document-categories` and `document-templates`: lists. */
import type { Command } from 'commander';
import type { DocumentCategoryRow, DocumentTemplateRow, DocumentTypeRow } from '../../handlers/runtime/store.ts';
import { type Column, type Context, group } from './context.ts';

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

const templates: readonly Column<DocumentTemplateRow>[] = [
  ['TITLE', ({ title }) => title],
  ['VERSION', ({ version }) => String(version)],
  ['STATUS', ({ status }) => status],
  ['TYPE', ({ type_id }) => type_id],
  ['ID', ({ _id }) => _id],
];

const newestFirst = { create_time: -1, _id: -1 } as const;

export function documentTypesCommand({ inTenant, list }: Context): Command {
  const command = group('document-types', 'Document types.', ['document-types list']);
  command
    .command('list')
    .description('List the document types of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_types.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, types, rows);
      }),
    );
  return command;
}

export function documentCategoriesCommand({ inTenant, list }: Context): Command {
  const command = group('document-categories', 'Document categories: a tree.', ['document-categories list']);
  command
    .command('list')
    .description('List the document categories of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_categories.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, categories, rows);
      }),
    );
  return command;
}

export function documentTemplatesCommand({ inTenant, list }: Context): Command {
  const command = group('document-templates', 'Document templates, each at its latest version.', [
    'document-templates list --json',
  ]);
  command
    .command('list')
    .description('List the document templates of the tenant, newest first.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.document_templates.find({ tenant_id: tenant._id }).sort(newestFirst).toArray();
        return list(rows, templates, rows);
      }),
    );
  return command;
}
