import { type CollectionDeclaration, query, SHORT_LIST, type TitledRow, titledLife } from '../collection.ts';

export const locations: CollectionDeclaration<TitledRow> = {
  keeps: {
    holds: 'locations',
    until: 'the tenant is deleted',
    because: 'they are the structure of the organisation',
  },
  life: titledLife,
  indexes: [{ key: { tenant_id: 1, _id: 1 }, serves: [query.find('settings: locations', SHORT_LIST)] }],
};
