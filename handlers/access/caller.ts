/**
 * The caller, and what it can reach. A handler gets collections only through its caller, already narrowed to the tenant
 * and to what the owner's profile sees (D-31). So it cannot distinguish an invisible row from a missing one.
 */
import type { ErrorName } from '../../generated/errors.ts';
import type { Scope } from '../../generated/operations.ts';
import type { DocumentCategoryRow } from '../data/collections/document_categories.ts';
import type { DocumentTemplateRow } from '../data/collections/document_templates.ts';
import type { DocumentTypeRow } from '../data/collections/document_types.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import type { EmployeeRow } from '../data/collections/employees.ts';
import type { FileRow } from '../data/collections/files.ts';
import type { PermissionProfile } from '../data/collections/users.ts';
import type { WebhookEndpointRow } from '../data/collections/webhook_endpoints.ts';
import { limitedTo, ofTenant, ownedBy } from '../data/of-tenant.ts';
import type { PageTokens } from '../data/page.ts';
import { findRaw, Layout, type RawRow } from '../data/raw-row.ts';
import type { PagedRow } from '../data/reads.ts';
import { READ_TIME_MS } from '../data/reads.ts';
import type { Collection, CollectionName, Filter, RowOf, Store, Update } from '../data/store.ts';
import { unhurried, type Writing } from '../data/write-time.ts';
import { unlessThere } from '../data/writes.ts';
import type { Credentials } from './keys.ts';
import { hiddenFields, seenDocuments, seenEmployees } from './permissions.ts';
import { type Conditions, VisibleRows } from './visible-rows.ts';

/**
 * Rows of the tenant, not narrowed by a profile: for expansions, for catalogues that everybody sees, and for every
 * write. Before a write, find the row through {@link VisibleRows}.
 */
export interface TenantRows<Row> {
  /** The given fields of rows, by id, in one query; ids that are `''` or unknown are left out. */
  byId<Field extends keyof Row & string>(
    ids: Iterable<string>,
    fields: readonly Field[],
  ): Promise<Map<string, Pick<Row, Field>>>;
  /** The same as BSON. */
  byId<Field extends string>(ids: Iterable<string>, layout: Layout<Field>): Promise<Map<string, RawRow<Field>>>;
  list(filter: Filter<Row>, order: Readonly<Record<string, 1 | -1>>): Promise<Row[]>;
  /** The whole row that matches; undefined if none does. */
  first(filter: Filter<Row>): Promise<Row | undefined>;
  /** @returns false if a row with its id exists already */
  insert(row: Row): Promise<boolean>;
  /** Writes rows whose ids nobody else can have, in one command. */
  insertAll(rows: readonly Row[]): Promise<void>;
  /** Changes the row that matches the filter, in one write. @returns the changed row; undefined if none matches */
  change(filter: Filter<Row>, update: Update<Row>): Promise<Row | undefined>;
  /** @returns whether a row matched */
  remove(filter: Filter<Row>): Promise<boolean>;
  /** Removes every row that matches. */
  removeAll(filter: Filter<Row>): Promise<void>;
}

/** The caller of one request; a new one for each request. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly tenant: { readonly id: string; readonly timeZone: string };
  readonly owner: { readonly id: string; readonly employeeId: string; readonly superAdmin: boolean };
  readonly profile: PermissionProfile;
  /** Redaction keys that the owner may not see. */
  readonly hidden: ReadonlySet<string>;
  readonly employees: VisibleRows<EmployeeRow>;
  readonly documentTypes: VisibleRows<DocumentTypeRow>;
  readonly documentCategories: VisibleRows<DocumentCategoryRow>;
  readonly documentTemplates: VisibleRows<DocumentTemplateRow>;
  readonly documents: VisibleRows<DocumentRow>;
  /** The uploads that the owner reserved, with any key. */
  readonly files: VisibleRows<FileRow>;
  /** All endpoints of the tenant, no matter who made them (D-24). */
  readonly webhookEndpoints: VisibleRows<WebhookEndpointRow>;
  /** Makes a write of the request, and waits for it no longer than a request may. */
  readonly writing: Writing;
  /** Rows of one collection of the tenant. The owner's permissions do not limit them. */
  inTenant<Name extends CollectionName>(name: Name): TenantRows<RowOf<Name>>;
}

/** Ids of the tenant's document types that are not confidential. */
async function openTypes(store: Store, tenantId: string): Promise<string[]> {
  const rows = await ofTenant(store.document_types, tenantId)
    .find({ confidential: false }, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Ids of the profile's departments and of all departments below them. */
async function subtree(store: Store, tenantId: string, { employees }: PermissionProfile): Promise<string[]> {
  if (employees.departments.length === 0) return [];
  const rows = await ofTenant(store.departments, tenantId)
    .find({ ancestor_ids: { $in: employees.departments } }, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** `ingest:write` counts only if a super-administrator created the key and its owner is one now (D-31). */
function effectiveScopes({ key, owner }: Credentials): ReadonlySet<Scope> {
  const scopes = new Set(key.scopes);
  if (!(key.created_by_super_admin && owner.super_admin)) scopes.delete('ingest:write');
  return scopes;
}

/**
 * Makes the caller of one request from the current rows of the store. @param writing how the request waits for its
 * writes
 */
export function callerOf(
  credentials: Credentials,
  store: Store,
  tokens: PageTokens,
  writing: Writing = unhurried,
): Caller {
  const { key, owner, tenant } = credentials;
  const { profile } = owner;

  async function employeesOfOwner(): Promise<Conditions> {
    if (profile.employees.all) return [{ listed: true }];
    const departments = await subtree(store, tenant._id, profile);
    return seenEmployees(profile, owner.employee_id, departments).map((condition) => ({ listed: true, ...condition }));
  }

  async function documentsOfOwner(): Promise<Conditions> {
    const needed = profile.documents === 'all_but_confidential';
    const open = needed ? await openTypes(store, tenant._id) : [];
    return seenDocuments(profile, owner.employee_id, open).map((condition) => ({ listed: true, ...condition }));
  }

  const seenTypes = (field: '_id' | 'type_id') => () => [
    profile.document_types === 'all' ? {} : { [field]: { $in: profile.document_types } },
  ];

  function visible<Row extends PagedRow>(
    collection: Collection<Row>,
    notFound: ErrorName,
    conditions: () => Conditions | Promise<Conditions>,
    ...moving: readonly string[]
  ): VisibleRows<Row> {
    return new VisibleRows({ store, collection, tokens, tenantId: tenant._id, notFound, conditions, moving });
  }

  return {
    keyId: key._id,
    scopes: effectiveScopes(credentials),
    tenant: { id: tenant._id, timeZone: tenant.time_zone },
    owner: { id: owner._id, employeeId: owner.employee_id, superAdmin: owner.super_admin },
    profile,
    hidden: hiddenFields(profile),
    employees: visible(store.employees, 'EMPLOYEE_NOT_FOUND', employeesOfOwner, 'department_id', 'visible_to'),
    documentTypes: visible(store.document_types, 'INVALID_ARGUMENT', seenTypes('_id')),
    documentCategories: visible(store.document_categories, 'INVALID_ARGUMENT', () => [{}]),
    documentTemplates: visible(
      store.document_templates,
      'DOCUMENT_TEMPLATE_NOT_FOUND',
      seenTypes('type_id'),
      'type_id',
    ),
    // Documents do not move: they keep their type, and an employee who sees one keeps seeing it in the same way.
    documents: visible(store.documents, 'DOCUMENT_NOT_FOUND', documentsOfOwner),
    files: visible(store.files, 'FILE_NOT_FOUND', () => [{ owner_id: owner._id }]),
    webhookEndpoints: visible(store.webhook_endpoints, 'WEBHOOK_ENDPOINT_NOT_FOUND', () => [{}]),
    writing,
    inTenant: (name) => tenantRows(store, name, tenant._id, writing),
  };
}

/** Rows of one collection in one tenant: for handlers through {@link Caller.inTenant}, and for the settings tool. */
export function tenantRows<Name extends CollectionName>(
  store: Store,
  name: Name,
  tenantId: string,
  writing: Writing = unhurried,
): TenantRows<RowOf<Name>> {
  const collection = store.db.collection<{ _id: string }>(name);
  type Row = RowOf<Name>;
  const within = (filter: object) => limitedTo(tenantId, filter) as Filter<{ _id: string }>;
  const byId = async (ids: Iterable<string>, fields: readonly string[] | Layout<string>) => {
    const wanted = new Set(ids);
    wanted.delete('');
    if (wanted.size === 0) return new Map();
    const filter = within({ _id: { $in: [...wanted] } });
    const options = { batchSize: wanted.size + 1, hint: { _id: 1 }, maxTimeMS: READ_TIME_MS };
    if (fields instanceof Layout) return mapById(await findRaw(store, collection, fields, filter, options));
    const projection = Object.fromEntries(fields.map((field) => [field, 1]));
    return mapById(await collection.find(filter, { ...options, projection }).toArray());
  };
  return {
    byId,
    async list(filter, order) {
      const rows = await collection.find(within(filter), { maxTimeMS: READ_TIME_MS }).sort(order).toArray();
      return rows as unknown as Row[];
    },
    async first(filter) {
      const row = await collection.findOne(within(filter), { maxTimeMS: READ_TIME_MS });
      return (row as Row | null) ?? undefined;
    },
    async insert(row) {
      const own = ownedBy(tenantId, row as object);
      return unlessThere(() => writing(() => collection.insertOne(own as never)));
    },
    async insertAll(rows) {
      const own = rows.map((row) => ownedBy(tenantId, row as object));
      await writing(() => collection.insertMany(own as never, { ordered: false }));
    },
    async change(filter, update) {
      const options = { returnDocument: 'after' as const };
      const row = await writing(() => collection.findOneAndUpdate(within(filter), update as object, options));
      return (row as Row | null) ?? undefined;
    },
    remove: async (filter) => (await writing(() => collection.deleteOne(within(filter)))).deletedCount === 1,
    async removeAll(filter) {
      await writing(() => collection.deleteMany(within(filter)));
    },
  };
}

const mapById = <Row extends { readonly _id: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row._id, row]));
