import { type CollectionDeclaration, query } from '../collection.ts';

export interface LoginMethodRow {
  _id: string;
  tenant_id: string;
  slug: string;
  title: string;
  type: string;
  enabled: boolean;
}

export const loginMethods: CollectionDeclaration<LoginMethodRow> = {
  keeps: {
    holds: 'login methods',
    until: 'the tenant is deleted',
    because: 'they are settings',
  },
  life: {
    slug: 'kept',
    title: 'kept',
    type: 'kept',
    enabled: 'kept',
  },
  indexes: [{ key: { tenant_id: 1, slug: 1 }, options: { unique: true }, serves: [query.find('login methods')] }],
};
