import { type CollectionDeclaration, newestFirst, query, type TitledRow, titledLife } from '../collection.ts';

export interface DocumentCategoryRow extends TitledRow {
  parent_id: string;
}

export const documentCategories: CollectionDeclaration<DocumentCategoryRow> = {
  keeps: {
    holds: 'categories of documents',
    until: 'the tenant is deleted',
    because: 'documents are found by them',
  },
  life: {
    parent_id: 'kept',
    ...titledLife,
  },
  indexes: [{ key: { tenant_id: 1, ...newestFirst }, serves: [query.find('categories')] }],
};
