/** Publishes versions of templates. A published version never changes (D-16). */
import { randomUUID } from 'node:crypto';
import { MongoServerError } from 'mongodb';
import { refuse } from '../../../conformance/command-line.ts';
import type { DocumentTemplateVersionRow } from '../../../handlers/data/collections/document_template_versions.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { DocumentTypeRow } from '../../../handlers/data/collections/document_types.ts';
import type { Store } from '../../../handlers/data/store.ts';
import type { TenantContext } from './command.ts';
import type { TemplateFile } from './template-file.ts';

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

/** Adds the row of a version; false if a row with this number already exists. */
async function added(store: Store, row: DocumentTemplateVersionRow): Promise<boolean> {
  try {
    await store.document_template_versions.insertOne(row);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) return false;
    throw error;
  }
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
export async function importTemplate(
  at: TenantContext,
  type: DocumentTypeRow,
  file: TemplateFile,
): Promise<DocumentTemplateRow> {
  const { store, tenant, now } = at;
  const first = versionRow(at, randomUUID(), 1, file);
  const row: DocumentTemplateRow = {
    _id: first.template_id,
    tenant_id: tenant._id,
    title: file.title,
    version: 1,
    type_id: type._id,
    category_id: type.category_id,
    status: 'ACTIVE',
    variable_schema: first.variable_schema,
    create_time: now,
    update_time: now,
  };
  // The version is written first: a template without its version could not be printed.
  await store.document_template_versions.insertOne(first);
  await store.document_templates.insertOne(row);
  const filter = { _id: type._id, tenant_id: tenant._id, template_id: '' };
  await store.document_types.updateOne(filter, { $set: { template_id: row._id, update_time: now } });
  return row;
}

/**
 * Publishes the next version. If two publish at once, each makes a version of its own. A version that an interrupted
 * run left behind counts as published.
 * @returns the template at the version that was made
 */
export async function publishVersion(at: TenantContext, template: DocumentTemplateRow, file: TemplateFile) {
  const filter = { _id: template._id, tenant_id: template.tenant_id };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const latest = (await at.store.document_templates.findOne(filter)) ?? template;
    const row = versionRow(at, template._id, latest.version + 1, file);
    if (await added(at.store, row)) {
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
