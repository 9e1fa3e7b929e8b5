import { type CollectionDeclaration, newestFirst, query, type TitledRow } from '../collection.ts';

export interface DocumentCategoryRow extends TitledRow {
  parent_id: string;
}

export const documentCategories: CollectionDeclaration<DocumentCategoryRow> = {
  keeps: {
    holds: 'categories of documents',
    until: 'the tenant is deleted',
    because: 'documents are found by them',
  },
  life: 'kept',
  indexes: [{ key: { tenant_id: 1, ...newestFirst }, serves: [query.find('categories')] }],
};
