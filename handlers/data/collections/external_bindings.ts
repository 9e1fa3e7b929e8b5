import { type CollectionDeclaration, query } from '../collection.ts';

export type IngestSource = 'KEDO' | 'LEDGER';

export type IngestKind = 'PERSON' | 'ORGANIZATION' | 'DEPARTMENT' | 'EMPLOYEE' | 'JOB_TITLE';

/** What people have decided about a record that has an employee's natural id and names another person (D-29). */
export interface PersonDecision {
  /** The known person. */
  person_id: string;
  /** The record, by a digest of its IIN, name and date of birth. */
  record: string;
  is: 'SAME' | 'SUCCESSOR';
}

/** Which object an external id, or a `Ссылка` beside it, refers to. `_id` is a digest of its parts (`bindingId`). */
export interface ExternalBindingRow {
  _id: string;
  tenant_id: string;
  source_type: IngestSource;
  kind: IngestKind;
  external_id: string;
  /** Present only if the text is a natural id (`Ссылка`, …) beside an external id that was given. */
  is_link?: true;
  object_id: string;
  /** Ids of other employees who have or had the natural id, the latest last; missing for none. */
  others?: string[];
  /** Missing for none; of several about one record the last one counts. */
  decisions?: PersonDecision[];
  create_time: Date;
}

export const externalBindings: CollectionDeclaration<ExternalBindingRow> = {
  keeps: {
    holds: 'external ids of two source systems, with the ids of the objects, and what people have decided of them',
    until: 'the person is erased or the tenant deleted',
    because: 'the next batch finds the object by it',
  },
  life: {
    source_type: 'copied, removed',
    kind: 'copied, removed',
    external_id: 'copied, removed',
    is_link: 'copied, removed',
    object_id: 'copied, removed',
    others: 'internal, removed',
    decisions: 'internal, removed',
    create_time: 'copied, removed',
  },
  indexes: [
    {
      key: { tenant_id: 1, kind: 1, object_id: 1 },
      serves: [
        query.remove('seed: all bindings of a tenant'),
        query.find('ingest: the ids by which employees are known'),
      ],
    },
  ],
};
