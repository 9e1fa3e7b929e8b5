import { type CollectionDeclaration, query, SHARD_KEY, type TitledRow, titledLife } from '../collection.ts';

/** `ancestor_ids` holds the department itself and all departments above it, so that a subtree is one indexed query. */
export interface DepartmentRow extends TitledRow {
  organization_id: string;
  parent_id: string;
  ancestor_ids: string[];
}

export const departments: CollectionDeclaration<DepartmentRow> = {
  keeps: {
    holds: 'departments',
    until: 'the tenant is deleted',
    because: 'they are the structure of the organisation',
  },
  life: {
    organization_id: 'kept',
    parent_id: 'kept',
    ancestor_ids: 'kept',
    ...titledLife,
  },
  indexes: [
    { key: { tenant_id: 1, ancestor_ids: 1 }, serves: [query.find('the subtree that a profile sees')] },
    { key: SHARD_KEY, serves: [query.find('settings: departments')] },
  ],
};
