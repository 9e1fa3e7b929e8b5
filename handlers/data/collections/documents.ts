import type { Document } from '../../../generated/client/types.gen.ts';
import {
  type CollectionDeclaration,
  hinted,
  type IndexKeys,
  listed,
  newestFirst,
  outboxIndex,
  outboxPoll,
  query,
  SHARD_KEY,
  shardKeyIndex,
} from '../collection.ts';
import type { RowLife } from '../field-life.ts';
import type { PendingEvent } from '../outbox.ts';
import type { StoredObject } from './files.ts';

export type StoredDocumentStatus =
  | 'DOCUMENT_STATUS_DRAFT'
  | 'DOCUMENT_STATUS_ON_APPROVAL'
  | 'DOCUMENT_STATUS_ON_SIGN'
  | 'DOCUMENT_STATUS_COMPLETED'
  | 'DOCUMENT_STATUS_REJECTED'
  | 'DOCUMENT_STATUS_CHANGE_REQUESTED'
  | 'DOCUMENT_STATUS_REVOKED';

/** A file of a document. */
export interface StoredDocumentFile {
  file_id: string;
  file_type: 'FILE_TYPE_PDF' | 'FILE_TYPE_SIGNATURE' | 'FILE_TYPE_SIGNED_PDF';
  filename: string;
  content_type: string;
  object: StoredObject;
}

/** The action of a participant in its slot; ids, times and digests only. */
export interface SlotAction {
  at: Date;
  /** The key that acted; `''` for the interactive application. */
  api_key_id: string;
  comment: string;
  /** SHA-256 of the PDF that was signed, lower-case hex; `''` where nothing was signed. */
  pdf_sha256: string;
  /** For an EDS slot: the file with the CMS, and the serial number of its certificate in hex; otherwise `''`. */
  signature_file_id: string;
  certificate_serial: string;
}

export interface StoredParticipant {
  id: string;
  employee_id: string;
  key_type: 'SIMPLE' | 'EDS';
  status:
    | 'PARTICIPANT_STATUS_PENDING'
    | 'PARTICIPANT_STATUS_ACTIVE'
    | 'PARTICIPANT_STATUS_APPROVED'
    | 'PARTICIPANT_STATUS_SIGNED'
    | 'PARTICIPANT_STATUS_REJECTED'
    | 'PARTICIPANT_STATUS_CHANGE_REQUESTED'
    | 'PARTICIPANT_STATUS_SKIPPED';
  action: SlotAction | null;
}

export interface StoredStep {
  id: string;
  index: number;
  step_type: 'STEP_TYPE_APPROVAL' | 'STEP_TYPE_SIGNING';
  rule: 'STEP_RULE_ALL' | 'STEP_RULE_ANY';
  status:
    | 'STEP_STATUS_PENDING'
    | 'STEP_STATUS_ACTIVE'
    | 'STEP_STATUS_COMPLETED'
    | 'STEP_STATUS_REJECTED'
    | 'STEP_STATUS_CANCELLED';
  participants: StoredParticipant[];
}

export interface StoredRoute {
  id: string;
  status:
    | 'ROUTE_STATUS_DRAFT'
    | 'ROUTE_STATUS_ACTIVE'
    | 'ROUTE_STATUS_COMPLETED'
    | 'ROUTE_STATUS_REJECTED'
    | 'ROUTE_STATUS_CANCELLED';
  steps: StoredStep[];
}

/** A document with its whole route. Every change of it is one conditional write, which includes its events. */
export interface DocumentRow {
  _id: string;
  tenant_id: string;
  /** False once deleted: then no operation shows it. */
  listed: boolean;
  /** Grows by one with each change; a change is written only over the revision that it was computed from. */
  rev: number;
  title: string;
  type_id: string;
  number: string;
  date: string;
  organization_id: string;
  department_id: string;
  initiator_employee_id: string;
  subject_employee_ids: string[];
  status: StoredDocumentStatus;
  files: StoredDocumentFile[];
  /** Null until one is set. */
  route: StoredRoute | null;
  /** The template that it was made from; null for a document made from an upload. `values` is JSON text. */
  template: { id: string; version: number; values: string } | null;
  /** Employees who see it with any type: the initiator, and participants from their step's activation (D-15). */
  actors: string[];
  /** Employees who see it if their profile sees its type: the actors, and after the first sending also the subjects. */
  visible_to: string[];
  /** Title and number, folded for the search, and the keys for its index; see `handlers/documents/search.ts`. */
  search_text: string;
  search_keys: string[];
  pending_events: PendingEvent[];
  /** When the latest of the pending events was written; null while there is none. See `outbox.ts`. */
  outbox_at: Date | null;
  create_time: Date;
  update_time: Date;
  completed_at: Date | null;
  deleted_at: Date | null;
}

export const documentLife = {
  listed: 'internal, kept',
  rev: 'internal, kept',
  title: ['searched', '', 'redacted'],
  type_id: 'filtered, kept',
  number: ['searched', '', 'redacted'],
  date: ['shown', ''],
  organization_id: ['shown', ''],
  department_id: ['shown', ''],
  initiator_employee_id: ['shown', ''],
  subject_employee_ids: ['shown', []],
  status: 'shown, kept',
  files: ['shown', [], 'redacted'],
  route: ['of_others', null, 'redacted'],
  template: ['copied', null, 'redacted'],
  actors: ['internal', []],
  visible_to: ['internal', []],
  search_text: ['internal', ''],
  search_keys: ['internal', []],
  pending_events: 'internal, kept',
  outbox_at: 'internal, kept',
  create_time: 'filtered, kept',
  update_time: 'shown, kept',
  completed_at: 'shown, kept',
  deleted_at: 'internal, kept',
} satisfies RowLife<DocumentRow, Document>;

/** The condition for documents that circulate: a partial index holds only these. */
export const CIRCULATES = { 'route.status': { $eq: 'ROUTE_STATUS_ACTIVE' } } as const;

/** Indexes of documents that filters and queries name. */
export const documentKeys = {
  newest: { ...listed, ...newestFirst },
  ofType: { ...listed, type_id: 1, ...newestFirst },
  searched: { ...listed, search_keys: 1, ...newestFirst },
  circulating: { tenant_id: 1, ...newestFirst },
} as const satisfies Readonly<Record<string, IndexKeys>>;

const OWN = {
  upTo: 'own',
  because: 'filters are looked at in the documents of one person; MongoDB may sort those after a position',
  sorts: true,
} as const;
const UNSEEN = { upTo: 'tenant', because: 'documents of types that the owner does not see are passed over' } as const;

export const documents: CollectionDeclaration<DocumentRow, Document> = {
  keeps: {
    holds: 'documents with their routes; of deleted ones too',
    until: 'the tenant is deleted, and drafts about one person until that person is erased',
    because: 'what was sent is evidence; how long a tenant must keep it is not for this service to decide',
  },
  life: documentLife,
  indexes: [
    { key: documentKeys.newest, serves: [query.find('documents', UNSEEN)] },
    { key: documentKeys.ofType, serves: [query.find('documents by type', UNSEEN)] },
    { key: { ...listed, actors: 1, ...newestFirst }, serves: [query.find('documents of an actor', OWN)] },
    { key: { ...listed, visible_to: 1, ...newestFirst }, serves: [query.find('documents of a person', OWN)] },
    {
      key: documentKeys.searched,
      serves: [
        query.find('documents by search', {
          upTo: 'tenant',
          because: 'text that hardly any document has, of parts that many have, is looked for in each of those',
        }),
        query.count('how many documents have three characters'),
        hinted.find('where a slice of a search ends', {
          upTo: 'tenant',
          because: 'the end of a slice is found by keys',
        }),
      ],
    },
    {
      key: documentKeys.circulating,
      options: { partialFilterExpression: CIRCULATES },
      serves: [
        hinted.find('settings: documents that wait for somebody', {
          upTo: 'tenant',
          because: 'employees are looked for in all documents that circulate',
        }),
      ],
    },
    outboxIndex('the relay: documents with events'),
    shardKeyIndex,
  ],
  shardKey: SHARD_KEY,
  polls: [outboxPoll('events of documents')],
};
