import { type CollectionDeclaration, newestFirst, query, type TitledRow, titledLife } from '../collection.ts';

export type CatalogueStatus = 'ACTIVE' | 'ARCHIVED';

export interface DocumentTypeRow extends TitledRow {
  category_id: string;
  template_id: string;
  status: CatalogueStatus;
  subject_type: string;
  allow_api: boolean;
  allow_upload: boolean;
  confidential: boolean;
}

/** The index of types by category. */
export const typesOfCategory = { tenant_id: 1, category_id: 1, ...newestFirst } as const;

export const documentTypes: CollectionDeclaration<DocumentTypeRow> = {
  keeps: {
    holds: 'types of documents',
    until: 'the tenant is deleted',
    because: 'documents name them',
  },
  life: {
    category_id: 'kept',
    template_id: 'kept',
    status: 'kept',
    subject_type: 'kept',
    allow_api: 'kept',
    allow_upload: 'kept',
    confidential: 'kept',
    ...titledLife,
  },
  indexes: [
    {
      key: { tenant_id: 1, ...newestFirst },
      serves: [
        query.find('types, and those that are not confidential', {
          upTo: 'listed',
          because: 'a tenant has tens of types, and most are open',
        }),
      ],
    },
    { key: typesOfCategory, serves: [query.find('types by category')] },
  ],
};
