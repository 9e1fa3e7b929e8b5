import { type CollectionDeclaration, query, SHORT_LIST, type TitledRow } from '../collection.ts';

export const organizations: CollectionDeclaration<TitledRow> = {
  indexes: [{ key: { tenant_id: 1, _id: 1 }, serves: [query.find('settings: organisations', SHORT_LIST)] }],
};
