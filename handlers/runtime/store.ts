/**
 * The schema: every collection, its row type, and its indexes with the query each serves. Names in rows are the
 * contract's. Ids are random lower-case UUIDs (version 4) kept as strings; the estimate of `total_count` relies on
 * their being evenly spread. Absent text is `''`, as on the wire; `null` stands for an instant that has not come.
 */
import {
  type Collection,
  type CreateIndexesOptions,
  type Db,
  type IndexSpecification,
  MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import type { Scope } from '../../generated/operations.ts';

/** A customer. While `developer_api_enabled` is false every request of its keys gets FEATURE_FLAG.NOT_AVAILABLE. */
export interface TenantRow {
  _id: string;
  name: string;
  developer_api_enabled: boolean;
  /** IANA name; decides what "today" is (D-17). */
  time_zone: string;
  create_time: Date;
  update_time: Date;
}

/** What an owner may see (D-31). Read on every request, never cached. */
export interface PermissionProfile {
  /** A union; oneself is always seen. `departments` includes their sub-departments. */
  employees: { all: boolean; departments: string[]; reports: boolean; self: boolean };
  /** Redaction keys such as `persons.iin`. */
  hidden_fields: string[];
  documents: 'all' | 'all_but_confidential' | 'own';
  document_types: 'all' | string[];
}

/** A person who signs in to the application; keys run as one. `employee_id` is `''` for a user who is no employee. */
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

/** A key, without its secret: only the SHA-256 of it is kept (D-30). */
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

/** The contract's employee statuses, and the draft that no operation shows. */
export type StoredEmployeeStatus =
  | 'CREATED'
  | 'EMPLOYEE_STATUS_HIRED'
  | 'EMPLOYEE_STATUS_ACCEPTED'
  | 'EMPLOYEE_STATUS_ONBOARDING'
  | 'EMPLOYEE_STATUS_ACTIVE'
  | 'EMPLOYEE_STATUS_TERMINATED'
  | 'EMPLOYEE_STATUS_LEAVE'
  | 'EMPLOYEE_STATUS_ON_HOLD';

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
}

/** `ancestor_ids` holds the department itself and all above it, so that a subtree is one indexed query. */
export interface DepartmentRow {
  _id: string;
  tenant_id: string;
  organization_id: string;
  parent_id: string;
  ancestor_ids: string[];
  title: string;
  create_time: Date;
  update_time: Date;
}

/** Job titles, locations and organisations: a title in a tenant. */
export interface TitledRow {
  _id: string;
  tenant_id: string;
  title: string;
  create_time: Date;
  update_time: Date;
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

/** The latest version of a template; every version stands in `document_template_versions`. */
export interface DocumentTemplateRow extends TitledRow {
  version: number;
  type_id: string;
  category_id: string;
  status: CatalogueStatus;
  /** A JSON Schema object as JSON text: its keys (`$schema`, dots) are data here, never field paths. */
  variable_schema: string;
}

/** `_id` is `<template_id>:<version>`. */
export interface DocumentTemplateVersionRow {
  _id: string;
  tenant_id: string;
  template_id: string;
  version: number;
  variable_schema: string;
  create_time: Date;
}

/** The rate limit of one key (`_id`): the theoretical arrival time of GCRA, in milliseconds. */
export interface RateLimitRow {
  _id: string;
  tat: number;
  expires_at: Date;
}

/** Secrets that all processes of a deployment share when none is configured. */
export interface DeploymentSecretRow {
  _id: 'page_token';
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

/** Every index, with what it is for. */
export const indexes: Readonly<Record<CollectionName, readonly IndexDeclaration[]>> = {
  tenants: [],
  users: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: users of a tenant' }],
  api_keys: [
    { key: { key_hash: 1 }, options: { unique: true }, serves: 'admission of every request' },
    { key: { tenant_id: 1, create_time: -1, _id: -1 }, serves: 'settings: keys of a tenant' },
  ],
  employees: [
    { key: { tenant_id: 1, listed: 1, ...newestFirst }, serves: 'listEmployees of an owner who sees everybody' },
    { key: { tenant_id: 1, listed: 1, status: 1, ...newestFirst }, serves: 'listEmployees by status' },
    { key: { tenant_id: 1, listed: 1, department_id: 1, ...newestFirst }, serves: 'listEmployees by department_id' },
    { key: { tenant_id: 1, listed: 1, visible_to: 1, ...newestFirst }, serves: 'listEmployees of a restricted owner' },
    { key: { tenant_id: 1, listed: 1, status: 1, update_time: 1 }, serves: 'updated_since: pages and counts' },
    {
      key: { tenant_id: 1, listed: 1, status: 1, department_id: 1, update_time: 1 },
      serves: 'total_count under several filters',
    },
    { key: { tenant_id: 1, listed: 1, status: 1, _id: 1 }, serves: 'estimate of total_count, in all or by status' },
    { key: { tenant_id: 1, listed: 1, department_id: 1, _id: 1 }, serves: 'estimate of total_count by department' },
    { key: { tenant_id: 1, manager_id: 1 }, serves: 'clearing a deleted manager from the direct reports' },
    { key: { tenant_id: 1, person_id: 1 }, serves: "a person's employments" },
  ],
  persons: [{ key: { tenant_id: 1, _id: 1 }, serves: 'settings: persons of a tenant' }],
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
  rate_limits: [{ key: { expires_at: 1 }, options: { expireAfterSeconds: 60 }, serves: 'removal of idle buckets' }],
  deployment_secrets: [],
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
  rate_limits: RateLimitRow;
  deployment_secrets: DeploymentSecretRow;
}

export type CollectionName = keyof Rows;

/** The row type of a collection. */
export type RowOf<Name extends CollectionName> = Rows[Name];

export type { Collection, Filter } from 'mongodb';

/** The typed collections, and the connection that they live on. */
export type Store = { readonly [Name in CollectionName]: Collection<Rows[Name]> } & {
  readonly client: MongoClient;
  readonly db: Db;
  close(): Promise<void>;
};

/** How every client of the store connects. @param timeoutMs longest wait for one answer of the database */
export function clientOptions(timeoutMs: number): MongoClientOptions {
  return {
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    serverSelectionTimeoutMS: 1_500,
    connectTimeoutMS: 1_500,
    maxPoolSize: 50,
  };
}

/** Longest that the database may work on one read of a request. */
export const READ_TIME_MS = 4_000;

/**
 * Connects and returns the collections. Nothing is written; call {@link createIndexes} once at start.
 * @param uri a MongoDB connection string, or the embedded database's
 * @throws MongoServerSelectionError when nothing answers there
 */
export async function openStore(uri: string, database: string, timeoutMs = 60_000): Promise<Store> {
  const client = new MongoClient(uri, clientOptions(timeoutMs));
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
  const db = client.db(database);
  const collections = Object.fromEntries(
    (Object.keys(indexes) as CollectionName[]).map((name) => [name, db.collection(name)]),
  );
  return { ...collections, client, db, close: () => client.close() } as unknown as Store;
}

/** Creates what is missing of the collections' indexes; a repeat changes nothing. */
export async function createIndexes(store: Store): Promise<void> {
  for (const [name, declarations] of Object.entries(indexes)) {
    for (const { key, options } of declarations) await store.db.collection(name).createIndex(key, options);
  }
}

/** Whether operations may show the employee: neither a draft nor deleted. */
export function isListed(row: Pick<EmployeeRow, 'status' | 'deleted_at'>): boolean {
  return row.status !== 'CREATED' && row.deleted_at === null;
}

/** The mark under which a manager finds the direct reports. */
export function reportsOf(managerId: string): string {
  return `manager:${managerId}`;
}

/** The marks under which a restricted owner finds the employee: itself, its department, its manager (D-31). */
export function visibleTo(row: Pick<EmployeeRow, '_id' | 'department_id' | 'manager_id'>): string[] {
  const marks = [row._id];
  if (row.department_id !== '') marks.push(row.department_id);
  if (row.manager_id !== '') marks.push(reportsOf(row.manager_id));
  return marks;
}
