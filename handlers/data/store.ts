/**
 * The schema: every collection, its row type, and its indexes with the query that each serves. Rows use the names of
 * the contract. Ids are random lower-case UUIDs (version 4), stored as strings; the estimate of `total_count` relies on
 * their even distribution. Absent text is `''`, as on the wire; `null` stands for an instant that has not come.
 */
import {
  type Collection,
  type CreateIndexesOptions,
  type Db,
  type IndexSpecification,
  MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import type { enumerations } from '../../generated/enumerations.ts';
import type { Scope } from '../../generated/operations.ts';
import { failCommandsOfClosedConnections } from './closed-connections.ts';
import { engineOf } from './engine.ts';
import { type Primary, watchPrimary } from './write-time.ts';

/** The types of events that an endpoint can subscribe to. */
export type EventType = keyof typeof enumerations.webhook_event_type;

/** An event that is not relayed yet. It is written together with the change that it reports. */
export interface PendingEvent {
  id: string;
  type: EventType;
  occurred_at: Date;
}

/** A customer. While `developer_api_enabled` is false, every request with its keys gets FEATURE_FLAG.NOT_AVAILABLE. */
export interface TenantRow {
  _id: string;
  name: string;
  developer_api_enabled: boolean;
  /** When the flag was last switched on; events from before are sent to nobody (D-27). Absent if it never was off. */
  enabled_at?: Date;
  /** IANA name; decides what "today" is (D-17). */
  time_zone: string;
  create_time: Date;
  update_time: Date;
}

/** What the owner of a key may see (D-31). Read on every request, never cached. */
export interface PermissionProfile {
  /** A union; owners always see themselves. `departments` includes their sub-departments. */
  employees: { all: boolean; departments: string[]; reports: boolean; self: boolean };
  /** Redaction keys such as `persons.iin`. */
  hidden_fields: string[];
  documents: 'all' | 'all_but_confidential' | 'own';
  document_types: 'all' | string[];
}

/**
 * A person who signs in to the application. A key acts as a user. `employee_id` is `''` for a user who is no employee.
 */
export interface UserRow {
  _id: string;
  tenant_id: string;
  label: string;
  employee_id: string;
  super_admin: boolean;
  profile: PermissionProfile;
  removed_at: Date | null;
  create_time: Date;
  update_time: Date;
}

/** A key without its secret: only the SHA-256 of the key is kept (D-30). */
export interface ApiKeyRow {
  _id: string;
  tenant_id: string;
  owner_id: string;
  name: string;
  /** The first characters of the secret, for lists. */
  prefix: string;
  /** SHA-256 of the whole key, lower-case hex. */
  key_hash: string;
  scopes: Scope[];
  /** Whether a super-administrator created it: `ingest:write` counts only then (D-31). */
  created_by_super_admin: boolean;
  active: boolean;
  revoked_at: Date | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  create_time: Date;
}

/** The statuses that operations show. */
export const LISTED_STATUSES = [
  'EMPLOYEE_STATUS_HIRED',
  'EMPLOYEE_STATUS_ACCEPTED',
  'EMPLOYEE_STATUS_ONBOARDING',
  'EMPLOYEE_STATUS_ACTIVE',
  'EMPLOYEE_STATUS_TERMINATED',
  'EMPLOYEE_STATUS_LEAVE',
  'EMPLOYEE_STATUS_ON_HOLD',
] as const;

/** The contract's employee statuses, and the draft that no operation shows. */
export type StoredEmployeeStatus = 'CREATED' | (typeof LISTED_STATUSES)[number];

/**
 * Rows of employees and persons that an earlier version wrote lack the fields from `rev` on. All code reads a missing
 * field as 0, null, no events or `''`, according to its type.
 */
export interface EmployeeRow {
  _id: string;
  tenant_id: string;
  status: StoredEmployeeStatus;
  /** True unless the employee is a draft or deleted: what any operation may show. See {@link isListed}. */
  listed: boolean;
  /** Marks that make this row visible to a restricted owner; see {@link visibleTo}. */
  visible_to: string[];
  organization_id: string;
  department_id: string;
  job_title_id: string;
  manager_id: string;
  location_id: string;
  person_id: string;
  employee_number: string;
  start_date: string;
  /** Kept as given; shown only while TERMINATED (D-29). */
  end_date: string;
  work_email: string;
  deleted_at: Date | null;
  create_time: Date;
  update_time: Date;
  /** Grows by one with each change; a change is written only over the revision that it was computed from. */
  rev: number;
  /** The revision of the person whose changes have last been applied to this employment. */
  person_rev: number;
  pending_events: PendingEvent[];
  /** When the latest of the pending events was written; null while there is none. See `outbox.ts`. */
  outbox_at: Date | null;
  /** JSON text of an object with data that the interface never shows, such as vacation days; `''` for none. */
  details: string;
  /** The tenant's day, YYYY-MM-DD, on which the dates change the status; `''` when they never do. */
  status_due_on: string;
}

export interface PersonRow {
  _id: string;
  tenant_id: string;
  first_name: string;
  last_name: string;
  middle_name: string;
  birth_date: string;
  iin: string;
  personal_email: string;
  phone: string;
  create_time: Date;
  update_time: Date;
  /** Grows by one with each change of what is shown; see {@link EmployeeRow}. */
  rev: number;
  /** The revision that last changed a name or the IIN. */
  identity_rev: number;
  /** When the person last changed, while its employments may lack the change; otherwise null. */
  outbox_at: Date | null;
  /** JSON text of an object with data that the interface never shows, such as papers; `''` for none. */
  details: string;
}

/** `ancestor_ids` holds the department itself and all departments above it, so that a subtree is one indexed query. */
export interface DepartmentRow {
  _id: string;
  tenant_id: string;
  organization_id: string;
  parent_id: string;
  ancestor_ids: string[];
  title: string;
  create_time: Date;
  update_time: Date;
  /** As of {@link TitledRow}. */
  details?: string;
}

/** Job titles, locations and organisations: each is a title in a tenant. */
export interface TitledRow {
  _id: string;
  tenant_id: string;
  title: string;
  create_time: Date;
  update_time: Date;
  /**
   * JSON text of an object with data that the interface never shows, such as bank accounts; `''` or missing for none.
   */
  details?: string;
}

export interface LoginMethodRow {
  _id: string;
  tenant_id: string;
  slug: string;
  title: string;
  type: string;
  enabled: boolean;
}

export type CatalogueStatus = 'ACTIVE' | 'ARCHIVED';

export interface DocumentCategoryRow extends TitledRow {
  parent_id: string;
}

export interface DocumentTypeRow extends TitledRow {
  category_id: string;
  template_id: string;
  status: CatalogueStatus;
  subject_type: string;
  allow_api: boolean;
  allow_upload: boolean;
  confidential: boolean;
}

/** The latest version of a template; `document_template_versions` holds every version. */
export interface DocumentTemplateRow extends TitledRow {
  version: number;
  type_id: string;
  category_id: string;
  status: CatalogueStatus;
  /** A JSON Schema object as JSON text: its keys (`$schema`, dots) are data here, never field paths. */
  variable_schema: string;
}

/** `_id` is `<template_id>:<version>`. A version is never changed once it is published. */
export interface DocumentTemplateVersionRow {
  _id: string;
  tenant_id: string;
  template_id: string;
  version: number;
  variable_schema: string;
  /**
   * The content to print, as JSON text: the blocks of `handlers/documents/templates/content.ts`. Missing in versions
   * that an earlier release of the service wrote.
   */
  content?: string;
  create_time: Date;
}

/** Bytes in storage, pinned to one version of one object. */
export interface StoredObject {
  key: string;
  version: string;
  size_bytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
}

/**
 * An upload (D-23). It belongs to a user, not to an API key. Its bytes are stored under the storage key that
 * {@link uploadKey} returns; until it is confirmed nothing is known about them.
 */
export interface FileRow {
  _id: string;
  tenant_id: string;
  owner_id: string;
  filename: string;
  content_type: string;
  /** The size that the reservation announced. */
  reserved_bytes: number;
  status: 'FILE_UPLOAD_STATUS_RESERVED' | 'FILE_UPLOAD_STATUS_UPLOADED' | 'FILE_UPLOAD_STATUS_EXPIRED';
  /** Set by the confirmation, and never changed after it. */
  object: StoredObject | null;
  confirmed_at: Date | null;
  /** The document that uses it, or `''`; written before the document itself, so that two documents can never use it. */
  document_id: string;
  linked_at: Date | null;
  /** When the sweeper must check it next; null for a file that belongs to a document. */
  sweep_at: Date | null;
  create_time: Date;
  update_time: Date;
}

/**
 * A signature value that was accepted for one act; it cannot prove another one (D-21). `_id` is the tenant's id, `:`,
 * and the value's `VerifiedCms.identity`.
 */
export interface AcceptedSignatureRow {
  _id: string;
  tenant_id: string;
  document_id: string;
  participant_id: string;
  create_time: Date;
}

/**
 * Written before the bytes under `_id` (an object's storage key), to note that nothing refers to them yet; removed once
 * a row refers to them. By these rows, bytes that a crash left behind are found.
 */
export interface UnclaimedObjectRow {
  _id: string;
  tenant_id: string;
  create_time: Date;
}

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

/** A claim on an Idempotency-Key (`_id` is a digest of key, operation and header); see `once.ts`. */
export interface IdempotencyClaimRow {
  _id: string;
  tenant_id: string;
  /** SHA-256 of the body's canonical JSON. */
  fingerprint: string;
  /** The id of the created object. The claim fixes it, so that every attempt creates the same object. */
  resource_id: string;
  state: 'RUNNING' | 'DONE';
  /** Until then no other attempt may take over a running claim. */
  lease_until: Date;
  expires_at: Date;
  create_time: Date;
}

/** A certificate authority whose signers a tenant accepts (D-21). */
export interface TrustAnchorRow {
  _id: string;
  tenant_id: string;
  title: string;
  /** The certificate, DER in base64. */
  certificate: string;
  /** SHA-256 of the DER, lower-case hex. */
  fingerprint: string;
  not_before: Date;
  not_after: Date;
  create_time: Date;
}

/** A subscription of a tenant's URL to events (D-24). */
export interface WebhookEndpointRow {
  _id: string;
  tenant_id: string;
  /** Canonical, as `URL.href` writes it. */
  url: string;
  event_types: string[];
  status: 'ACTIVE' | 'DISABLED';
  disabled_reason: '' | 'CONSECUTIVE_FAILURES' | 'MANUAL';
  disabled_at: Date | null;
  /** The secret, encrypted and bound to this row's id. */
  sealed_secret: string;
  /** One of the tenant's 50 places; a unique index makes the limit exact. */
  slot: number;
  /**
   * The latest deliveries, one after another, that failed for good. The 20th disables the endpoint; a success empties
   * this.
   */
  failed_delivery_ids: string[];
  create_time: Date;
  update_time: Date;
}

/** One attempt of a delivery, as the log shows it. */
export interface DeliveryAttempt {
  at: Date;
  /** The receiver's status code, or 0. */
  status_code: number;
  /** A class such as `timeout`; `''` if a status was received. */
  error: string;
  duration_ms: number;
}

/** One event on its way to one endpoint. `_id` is `<event_id>:<endpoint_id>`, so that it can exist only once. */
export interface DeliveryRow {
  _id: string;
  tenant_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  occurred_at: Date;
  /** The identifier in the envelope's `data`, with its name there. */
  subject: { name: 'employee_id' | 'document_id'; id: string };
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** When the next attempt is due; null once the delivery has ended. */
  next_at: Date | null;
  /** Counted before each send. */
  attempt_count: number;
  /** Holder of the lease, the only one that may write to it; `''` between attempts. `lease_until` is database time. */
  lease_id: string;
  lease_until: Date;
  attempts: DeliveryAttempt[];
  create_time: Date;
  ended_at: Date | null;
}

export type IngestSource = 'KEDO' | 'LEDGER';
export type IngestKind = 'PERSON' | 'ORGANIZATION' | 'DEPARTMENT' | 'EMPLOYEE' | 'JOB_TITLE';

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
  create_time: Date;
}

/** An accepted batch (D-29). The insert of this row accepts it, and comes after its chunks. */
export interface IngestRequestRow {
  _id: string;
  tenant_id: string;
  api_key_id: string;
  /** Grows within the tenant, independently of clocks; requests are applied in this order. */
  accepted_order: number;
  /**
   * A digest of the API key's id and the Idempotency-Key; a new request after `key_expires_at` replaces it by another.
   */
  key_hash: string;
  key_expires_at: Date;
  source_type: string;
  payload_type: string;
  create_missing: boolean;
  record_count: number;
  chunk_count: number;
  status: 'ACCEPTED' | 'APPLYING' | 'APPLIED';
  /** How many chunks are applied. */
  cursor: number;
  counts: { created: number; updated: number; unchanged: number; skipped: number };
  /**
   * The planned outcome of each record of a chunk, one letter each, noted before anything of the chunk is written. So a
   * repetition after a crash, which finds less to do, still reports the same.
   */
  planned?: { chunk: number; outcomes: string } | null;
  lease_id: string;
  lease_until: Date;
  create_time: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** Records of a batch, in order. `_id` is `<request id>:<index>`. */
export interface IngestChunkRow {
  _id: string;
  tenant_id: string;
  request_id: string;
  index: number;
  first_record: number;
  /** JSON text of an array: of each record only the known fields of its pair; see `handlers/ingest/reduce.ts`. */
  records: string;
  create_time: Date;
}

/** The last {@link IngestRequestRow.accepted_order} of a tenant (`_id`); some of the numbers never became a request. */
export interface IngestSequenceRow {
  _id: string;
  tenant_id: string;
  value: number;
}

/** The outcome of a record. `_id` is `<request id>:<record's index>`. */
export interface IngestOutcomeRow {
  _id: string;
  tenant_id: string;
  request_id: string;
  index: number;
  external_id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Why it was skipped; a sentence without values. */
  reason: string;
  /** The references that are still unknown although the record was applied, by their names in the record. */
  unresolved: string[];
  /** What people should know of it besides; a sentence without values. Rows of an earlier version have none. */
  note?: string;
  object_id: string;
  create_time: Date;
}

/**
 * The rate limit of one key, or of a peer's failed authentications: the theoretical arrival time of GCRA, in
 * milliseconds.
 */
export interface RateLimitRow {
  /** The key's id, or `peer:` and the address. */
  _id: string;
  /** The theoretical arrival time (GCRA), in milliseconds since the epoch by the database's clock. */
  tat: number;
  /** When a process last asked. */
  at: number;
  /** How many tokens it got. */
  granted: number;
  expires_at: Date;
}

/** Secrets that all processes of a deployment share if none is configured. */
export interface DeploymentSecretRow {
  _id: 'page_token' | 'storage' | 'webhook_secret';
  value: string;
  create_time: Date;
}

interface IndexDeclaration {
  readonly key: IndexSpecification;
  readonly options?: CreateIndexesOptions;
  /** The query that it serves. */
  readonly serves: string;
}

const newestFirst = { create_time: -1, _id: -1 } as const;
const listed = { tenant_id: 1, listed: 1 } as const;

/** The keys of an index, in order: a query names the index that it uses by them. */
export type IndexKeys = Readonly<Record<string, 1 | -1>>;

/**
 * Indexes of employees that queries name. The database's planner tries several for a moment, and may choose one that is
 * good for the beginning of the list but then reads the whole tenant. See `handlers/employees/index-choice.ts`.
 */
export const employeeKeys = {
  newest: { ...listed, ...newestFirst, update_time: 1, status: 1, department_id: 1 },
  ofStatus: { ...listed, status: 1, ...newestFirst },
  ofDepartment: { ...listed, department_id: 1, ...newestFirst },
  ofViewer: { ...listed, visible_to: 1, ...newestFirst },
  changed: { ...listed, status: 1, update_time: 1, ...newestFirst },
  changedInDepartment: { ...listed, status: 1, department_id: 1, update_time: 1, ...newestFirst },
  idsOfStatus: { ...listed, status: 1, _id: 1 },
  idsOfDepartment: { ...listed, department_id: 1, _id: 1 },
} as const satisfies Readonly<Record<string, IndexKeys>>;

/** The index of documents by their search keys. */
export const searchedKeys = { ...listed, search_keys: 1, ...newestFirst } as const satisfies IndexKeys;

/** The condition for rows with pending events: a range, so that a partial index serves it. */
export const HAS_EVENTS = { outbox_at: { $gt: new Date(0) } };

/** The relay reads the rows with events of all tenants; there are few of them. */
const outboxIndex: IndexDeclaration = {
  key: { outbox_at: 1, tenant_id: 1 },
  options: { partialFilterExpression: HAS_EVENTS },
  serves: 'the relay: rows of every tenant with pending events',
};

/**
 * The key of every sharded collection: the rows of a tenant are stored together, and those of a large one can be split.
 */
export const SHARD_KEY = { tenant_id: 1, _id: 1 } as const;

/** The shard key must be indexed before a collection is sharded. Looking up a row by its id alone does not need it. */
const shardKeyIndex: IndexDeclaration = { key: SHARD_KEY, serves: 'the shard key, where the collection is sharded' };

/** Every index, with its purpose. */
export const indexes: Readonly<Record<CollectionName, readonly IndexDeclaration[]>> = {
  tenants: [{ key: { time_zone: 1 }, serves: 'the daily pass: the time zones in use' }],
  users: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: users of a tenant' }],
  api_keys: [
    { key: { key_hash: 1 }, options: { unique: true }, serves: 'admission of every request' },
    { key: { tenant_id: 1, create_time: -1, _id: -1 }, serves: 'settings: keys of a tenant' },
  ],
  employees: [
    {
      key: employeeKeys.newest,
      serves: 'listEmployees of an owner who sees everybody; under filters that very many match, by its keys',
    },
    { key: employeeKeys.ofStatus, serves: 'listEmployees by status' },
    { key: employeeKeys.ofDepartment, serves: 'listEmployees by department_id, or of an owner who sees departments' },
    { key: employeeKeys.ofViewer, serves: 'listEmployees of an owner who sees reports or only itself' },
    { key: employeeKeys.changed, serves: 'listEmployees by updated_since that few match, and its total_count' },
    {
      key: employeeKeys.changedInDepartment,
      serves: 'listEmployees by department_id and another filter that few match, and its total_count',
    },
    { key: employeeKeys.idsOfStatus, serves: 'total_count and its estimate, in all or by status' },
    { key: employeeKeys.idsOfDepartment, serves: 'total_count and its estimate by department' },
    { key: { tenant_id: 1, manager_id: 1 }, serves: 'clearing a deleted manager from the direct reports' },
    { key: { tenant_id: 1, person_id: 1 }, serves: "a person's employments" },
    {
      key: { status_due_on: 1, _id: 1 },
      options: { partialFilterExpression: { status_due_on: { $gt: '' } } },
      serves: 'the daily pass: employees of every tenant whose dates change their status',
    },
    outboxIndex,
    shardKeyIndex,
  ],
  persons: [{ key: SHARD_KEY, serves: 'the shard key, and settings: persons of a tenant' }, outboxIndex],
  departments: [
    { key: { tenant_id: 1, ancestor_ids: 1 }, serves: 'the subtree that a profile sees' },
    { key: { tenant_id: 1, _id: 1 }, serves: 'settings: departments of a tenant' },
  ],
  job_titles: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: job titles of a tenant' }],
  locations: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: locations of a tenant' }],
  organizations: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: organisations of a tenant' }],
  login_methods: [{ key: { tenant_id: 1, slug: 1 }, options: { unique: true }, serves: 'listLoginMethods' }],
  document_categories: [{ key: { tenant_id: 1, ...newestFirst }, serves: 'listDocumentCategories' }],
  document_types: [
    { key: { tenant_id: 1, ...newestFirst }, serves: 'listDocumentTypes' },
    { key: { tenant_id: 1, category_id: 1, ...newestFirst }, serves: 'listDocumentTypes by category_id' },
  ],
  document_templates: [
    { key: { tenant_id: 1, ...newestFirst }, serves: 'listDocumentTemplates' },
    { key: { tenant_id: 1, type_id: 1, ...newestFirst }, serves: 'listDocumentTemplates by type_id or by profile' },
  ],
  document_template_versions: [
    { key: { tenant_id: 1, template_id: 1, version: -1 }, serves: 'settings: versions of a template' },
  ],
  documents: [
    { key: { tenant_id: 1, listed: 1, ...newestFirst }, serves: 'listDocuments of an owner who sees all' },
    { key: { tenant_id: 1, listed: 1, type_id: 1, ...newestFirst }, serves: 'listDocuments by type_id' },
    { key: { tenant_id: 1, listed: 1, actors: 1, ...newestFirst }, serves: 'listDocuments of actors' },
    { key: { tenant_id: 1, listed: 1, visible_to: 1, ...newestFirst }, serves: 'listDocuments of subjects and actors' },
    { key: searchedKeys, serves: 'listDocuments by search' },
    outboxIndex,
    shardKeyIndex,
  ],
  files: [{ key: { sweep_at: 1 }, serves: 'the sweeper: uploads of every tenant whose time has come' }, shardKeyIndex],
  accepted_signatures: [],
  unclaimed_objects: [{ key: { create_time: 1 }, serves: 'the sweeper: bytes of every tenant that nothing refers to' }],
  idempotency_claims: [
    { key: { expires_at: 1 }, options: { expireAfterSeconds: 3_600 }, serves: 'removal of claims whose time is over' },
  ],
  trust_anchors: [
    { key: { tenant_id: 1, fingerprint: 1 }, options: { unique: true }, serves: 'verification of signatures' },
  ],
  webhook_endpoints: [
    { key: { tenant_id: 1, slot: 1 }, options: { unique: true }, serves: 'the endpoints of a tenant, at most 50' },
  ],
  deliveries: [
    { key: { endpoint_id: 1, status: 1, next_at: 1 }, serves: 'what is due at an endpoint' },
    {
      key: { next_at: 1, endpoint_id: 1 },
      options: { partialFilterExpression: { next_at: { $gt: new Date(0) } } },
      serves: 'the watch: what is due at endpoints of every tenant',
    },
    { key: { tenant_id: 1, create_time: -1, _id: -1 }, serves: 'settings: the log of deliveries' },
    { key: { ended_at: 1 }, serves: 'pruning of the log of every tenant' },
    shardKeyIndex,
  ],
  external_bindings: [{ key: { tenant_id: 1, kind: 1, object_id: 1 }, serves: 'bindings of an object' }],
  ingest_requests: [
    { key: { tenant_id: 1, status: 1, accepted_order: 1 }, serves: 'what is to be applied next' },
    { key: { ended_at: 1, _id: 1 }, serves: 'what is not applied yet, and what ended 30 days ago, of every tenant' },
    { key: { key_hash: 1 }, options: { unique: true }, serves: 'acceptance: a key is used up once' },
  ],
  ingest_chunks: [
    { key: { request_id: 1, index: 1 }, serves: 'the records of a batch' },
    { key: { create_time: 1 }, serves: 'the sweeper: chunks of every tenant whose request never came' },
  ],
  ingest_sequences: [],
  ingest_outcomes: [
    { key: { tenant_id: 1, request_id: 1, index: 1 }, serves: 'settings: what became of each record' },
    { key: { create_time: 1 }, serves: 'removal after 30 days, of every tenant' },
  ],
  rate_limits: [{ key: { expires_at: 1 }, options: { expireAfterSeconds: 60 }, serves: 'removal of idle buckets' }],
  deployment_secrets: [],
};

/** The keys of indexes that earlier versions declared and that others have replaced. */
export const retiredIndexes: { readonly [Name in CollectionName]?: readonly IndexKeys[] } = {
  employees: [
    { ...listed, ...newestFirst },
    { ...listed, status: 1, update_time: 1 },
    { ...listed, status: 1, department_id: 1, update_time: 1 },
    { outbox_at: 1 },
  ],
  persons: [{ outbox_at: 1 }],
  documents: [{ outbox_at: 1 }],
};

interface Rows {
  tenants: TenantRow;
  users: UserRow;
  api_keys: ApiKeyRow;
  employees: EmployeeRow;
  persons: PersonRow;
  departments: DepartmentRow;
  job_titles: TitledRow;
  locations: TitledRow;
  organizations: TitledRow;
  login_methods: LoginMethodRow;
  document_categories: DocumentCategoryRow;
  document_types: DocumentTypeRow;
  document_templates: DocumentTemplateRow;
  document_template_versions: DocumentTemplateVersionRow;
  documents: DocumentRow;
  files: FileRow;
  accepted_signatures: AcceptedSignatureRow;
  unclaimed_objects: UnclaimedObjectRow;
  idempotency_claims: IdempotencyClaimRow;
  trust_anchors: TrustAnchorRow;
  webhook_endpoints: WebhookEndpointRow;
  deliveries: DeliveryRow;
  external_bindings: ExternalBindingRow;
  ingest_requests: IngestRequestRow;
  ingest_chunks: IngestChunkRow;
  ingest_sequences: IngestSequenceRow;
  ingest_outcomes: IngestOutcomeRow;
  rate_limits: RateLimitRow;
  deployment_secrets: DeploymentSecretRow;
}

export type CollectionName = keyof Rows;

/** The row type of a collection. */
export type RowOf<Name extends CollectionName> = Rows[Name];

export type { Collection, Filter, FindOptions, UpdateFilter as Update } from 'mongodb';

/** The typed collections and their connection. */
export type Store = { readonly [Name in CollectionName]: Collection<Rows[Name]> } & {
  readonly client: MongoClient;
  readonly db: Db;
  readonly primary: Primary;
  close(): Promise<void>;
};

/**
 * A server counts the database as away after this long without a sign of life, in milliseconds. A repeated read may
 * already have waited half a second for the driver's next check; both together must stay below two seconds.
 */
const REACH_MS = 1_400;

/**
 * How often the driver checks the database, in milliseconds; the driver allows no shorter time. A database that accepts
 * connections but does not answer is noticed after this plus {@link REACH_MS}, and given up after REACH_MS more.
 */
const LOOK_EVERY_MS = 500;

/**
 * A write that no majority has after this share of the longest wait for an answer is refused. Together with the wait
 * for a primary before it, this stays below four seconds. A member that followed a frozen primary takes longer than
 * that to follow the next one.
 */
const MAJORITY_SHARE = 0.35;

/**
 * How every client of the store connects. Write and read concerns are set here, because options override the connection
 * string. A write is acknowledged once a majority has it in its journal; reads go to the primary, so they see it.
 * @param timeoutMs longest wait for one answer of the database
 * @param reachMs longest wait for a connection, and for the answer to a check whether the database is there
 */
export function clientOptions(timeoutMs: number, reachMs = REACH_MS): MongoClientOptions {
  return {
    // As separate options: a part in the connection string would override one object that holds all of them.
    w: 'majority',
    journal: true,
    wtimeoutMS: Math.floor(MAJORITY_SHARE * timeoutMs),
    readPreference: 'primary',
    readConcernLevel: 'local',
    retryReads: true,
    retryWrites: true,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    serverSelectionTimeoutMS: reachMs,
    connectTimeoutMS: reachMs,
    heartbeatFrequencyMS: LOOK_EVERY_MS,
    maxPoolSize: 50,
  };
}

/** How long the database may work on one read of a request, in milliseconds. */
export const READ_TIME_MS = 4_000;

/**
 * Connects and returns the collections. Nothing is written; call {@link createIndexes} once at start.
 * @param uri a MongoDB connection string, or the embedded database's
 * @throws MongoServerSelectionError when nothing answers there
 */
export async function openStore(uri: string, database: string, timeoutMs = 60_000, reachMs?: number): Promise<Store> {
  const client = new MongoClient(uri, clientOptions(timeoutMs, reachMs));
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  return collectionsOf(client, database);
}

/** The collections of a client that may still be connecting. */
export function collectionsOf(client: MongoClient, database: string): Store {
  failCommandsOfClosedConnections();
  const db = client.db(database);
  const collections = Object.fromEntries(
    (Object.keys(indexes) as CollectionName[]).map((name) => [name, db.collection(name)]),
  );
  const primary = watchPrimary(client);
  return { ...collections, client, db, primary, close: () => client.close() } as unknown as Store;
}

/** Creates the missing indexes of all collections; a second call changes nothing. */
export async function createIndexes(store: Store): Promise<void> {
  const quorum = await indexQuorum(store.client);
  // All at a time: a start with all indexes in place would otherwise wait for an answer for each collection in turn.
  await Promise.all(
    Object.entries(indexes).map(async ([name, declarations]) => {
      const wanted = declarations.map(({ key, options }) => ({ ...options, key: key as Record<string, 1 | -1> }));
      if (wanted.length > 0) await store.db.collection(name).createIndexes(wanted, quorum);
    }),
  );
}

/**
 * How many members must have built an index before it counts as created. By default all of them must, so one member
 * that is down would keep the service from starting. A standalone server does not know this option.
 */
export async function indexQuorum(client: MongoClient): Promise<{ commitQuorum?: 'majority' }> {
  const { hasSnapshots } = await engineOf(client);
  return hasSnapshots ? { commitQuorum: 'majority' } : {};
}

/** Whether operations may show the employee: neither a draft nor deleted. */
export function isListed(row: Pick<EmployeeRow, 'status' | 'deleted_at'>): boolean {
  return row.status !== 'CREATED' && row.deleted_at === null;
}

/** The mark by which a manager finds the direct reports. */
export function reportsOf(managerId: string): string {
  return `manager:${managerId}`;
}

/** The marks by which a restricted owner finds the employee: its own id, its department, its manager (D-31). */
export function visibleTo(row: Pick<EmployeeRow, '_id' | 'department_id' | 'manager_id'>): string[] {
  const marks = [row._id];
  if (row.department_id !== '') marks.push(row.department_id);
  if (row.manager_id !== '') marks.push(reportsOf(row.manager_id));
  return marks;
}
