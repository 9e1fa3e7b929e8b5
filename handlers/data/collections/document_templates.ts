import { type CollectionDeclaration, newestFirst, query, type TitledRow, titledLife } from '../collection.ts';
import type { CatalogueStatus } from './document_types.ts';

/** The latest version of a template; `document_template_versions` holds every version. */
export interface DocumentTemplateRow extends TitledRow {
  version: number;
  type_id: string;
  category_id: string;
  status: CatalogueStatus;
  /** A JSON Schema object as JSON text: its keys (`$schema`, dots) are data here, never field paths. */
  variable_schema: string;
}

/** The index of templates by type. */
export const templatesOfType = { tenant_id: 1, type_id: 1, ...newestFirst } as const;

export const documentTemplates: CollectionDeclaration<DocumentTemplateRow> = {
  keeps: {
    holds: 'templates',
    until: 'the tenant is deleted',
    because: 'documents name them',
  },
  life: {
    version: 'kept',
    type_id: 'kept',
    category_id: 'kept',
    status: 'kept',
    variable_schema: 'kept',
    ...titledLife,
  },
  indexes: [
    { key: { tenant_id: 1, ...newestFirst }, serves: [query.find('templates')] },
    { key: templatesOfType, serves: [query.find('templates by type, or by profile')] },
  ],
};
