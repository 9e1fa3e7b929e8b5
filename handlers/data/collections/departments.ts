import { type CollectionDeclaration, query, type TitledRow } from '../collection.ts';

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
    title: 'kept',
    create_time: 'kept',
    update_time: 'kept',
    details: 'kept',
  },
  indexes: [
    { key: { tenant_id: 1, ancestor_ids: 1 }, serves: [query.find('the subtree that a profile sees')] },
    { key: { tenant_id: 1, _id: 1 }, serves: [query.find('settings: departments')] },
  ],
};
