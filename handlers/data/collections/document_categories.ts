import { type CollectionDeclaration, newestFirst, query, type TitledRow } from '../collection.ts';

export interface DocumentCategoryRow extends TitledRow {
  parent_id: string;
}

export const documentCategories: CollectionDeclaration<DocumentCategoryRow> = {
  indexes: [{ key: { tenant_id: 1, ...newestFirst }, serves: [query.find('categories')] }],
};
