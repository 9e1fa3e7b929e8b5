import { type CollectionDeclaration, query, SHORT_LIST, type TitledRow } from '../collection.ts';

export const jobTitles: CollectionDeclaration<TitledRow> = {
  indexes: [{ key: { tenant_id: 1, _id: 1 }, serves: [query.find('settings: job titles', SHORT_LIST)] }],
};
