/**
 * Who calls, and what they can reach. A handler gets collections only through its caller, already narrowed to the
 * tenant and to what the owner's profile sees (D-31), so that what is invisible cannot be told from what is absent.
 */
import type { Collection, Filter } from 'mongodb';
import type { ErrorName } from '../../generated/errors.ts';
import type { Scope } from '../../generated/operations.ts';
import { nowMs } from './clock.ts';
import { fail } from './errors.ts';
import { hashKey, isWellFormedKey } from './keys.ts';
import {
  allOf,
  type Page,
  type PageBinding,
  type PagedRow,
  type PageQuery,
  type PageTokens,
  readPage,
} from './page.ts';
import { employeeMarks, hiddenFields } from './permissions.ts';
import type {
  ApiKeyRow,
  DocumentCategoryRow,
  DocumentTemplateRow,
  DocumentTypeRow,
  EmployeeRow,
  PermissionProfile,
  Store,
  TenantRow,
  UserRow,
} from './store.ts';

/** A key with its owner and its tenant, as the store has them at this moment. */
export interface Credentials {
  readonly key: ApiKeyRow;
  readonly owner: UserRow;
  readonly tenant: TenantRow;
}

/**
 * Looks up a key with its owner and tenant in one round trip.
 * @returns nothing when the key is unknown, inactive, revoked or expired, or its owner was removed from the tenant
 */
export async function findCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  if (!isWellFormedKey(secret)) return undefined;
  const [found] = await store.api_keys
    .aggregate<ApiKeyRow & { owner: UserRow[]; tenant: TenantRow[] }>([
      { $match: { key_hash: hashKey(secret) } },
      { $lookup: { from: 'users', localField: 'owner_id', foreignField: '_id', as: 'owner' } },
      { $lookup: { from: 'tenants', localField: 'tenant_id', foreignField: '_id', as: 'tenant' } },
    ])
    .toArray();
  const owner = found?.owner[0];
  const tenant = found?.tenant[0];
  if (found === undefined || owner === undefined || tenant === undefined) return undefined;
  const usable =
    found.active &&
    found.revoked_at === null &&
    (found.expires_at === null || found.expires_at.getTime() > nowMs()) &&
    owner.removed_at === null &&
    owner.tenant_id === found.tenant_id;
  return usable ? { key: found, owner, tenant } : undefined;
}

/** Rows of one collection that the caller may see. */
export interface VisibleRows<Row extends PagedRow> {
  /** One page, newest first; `bound` names what the page token is bound to besides tenant and limit. */
  page(filter: Filter<Row>, query: PageQuery, bound: Omit<PageBinding, 'tenantId'>): Promise<Page<Row>>;
  /** One row by its id; nothing when it is absent or invisible, which are the same. */
  find(id: string): Promise<Row | undefined>;
  /** One row by its id, or the 404 of its kind. */
  get(id: string): Promise<Row>;
  /** The whole condition that a query of one's own must carry; nothing when the caller sees no row at all. */
  where(filter: Filter<Row>): Promise<object | undefined>;
}

/** Who calls: made for each request, and gone with it. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly tenant: { readonly id: string; readonly timeZone: string };
  readonly owner: { readonly id: string; readonly employeeId: string; readonly superAdmin: boolean };
  readonly profile: PermissionProfile;
  /** Redaction keys that the owner may not see. */
  readonly hidden: ReadonlySet<string>;
  readonly seesAllEmployees: boolean;
  readonly employees: VisibleRows<EmployeeRow>;
  readonly documentTypes: VisibleRows<DocumentTypeRow>;
  readonly documentCategories: VisibleRows<DocumentCategoryRow>;
  readonly documentTemplates: VisibleRows<DocumentTemplateRow>;
  /** Rows of the tenant by id, for expansions; not narrowed by the profile. */
  related<Row extends { _id: string }>(collection: Collection<Row>, ids: Iterable<string>): Promise<Map<string, Row>>;
  readonly store: Store;
}

/** `ingest:write` counts only on a key that a super-administrator created and whose owner is one now (D-31). */
function effectiveScopes({ key, owner }: Credentials): ReadonlySet<Scope> {
  const scopes = new Set(key.scopes);
  if (!(key.created_by_super_admin && owner.super_admin)) scopes.delete('ingest:write');
  return scopes;
}

/** Makes the caller of one request from what the store says now. */
export function callerOf(credentials: Credentials, store: Store, tokens: PageTokens): Caller {
  const { key, owner, tenant } = credentials;
  const { profile } = owner;
  const tenantFilter = { tenant_id: tenant._id };

  function visible<Row extends PagedRow>(
    collection: Collection<Row>,
    notFound: ErrorName,
    condition: () => object | undefined | Promise<object | undefined>,
  ): VisibleRows<Row> {
    const where = async (filter: object) => {
      const seen = await condition();
      return seen === undefined ? undefined : allOf(tenantFilter, seen, filter);
    };
    const find = async (id: string) => {
      const complete = await where({ _id: id });
      const row = complete === undefined ? null : await collection.findOne(complete as Filter<Row>);
      return (row as Row | null) ?? undefined;
    };
    return {
      where,
      async page(filter, query, bound) {
        const complete = (await where(filter)) ?? { _id: { $in: [] } };
        return readPage(collection, tokens, complete, query, { ...bound, tenantId: tenant._id });
      },
      find,
      get: async (id) => (await find(id)) ?? fail(notFound),
    };
  }

  async function seenEmployees(): Promise<object | undefined> {
    if (profile.employees.all) return { listed: true };
    const marks = employeeMarks(profile, owner.employee_id, await subtree(store, tenant._id, profile));
    return marks.length === 0
      ? undefined
      : { listed: true, visible_to: marks.length === 1 ? marks[0] : { $in: marks } };
  }

  const seenTypes = (field: '_id' | 'type_id') => () =>
    profile.document_types === 'all' ? {} : { [field]: { $in: profile.document_types } };

  return {
    keyId: key._id,
    scopes: effectiveScopes(credentials),
    tenant: { id: tenant._id, timeZone: tenant.time_zone },
    owner: { id: owner._id, employeeId: owner.employee_id, superAdmin: owner.super_admin },
    profile,
    hidden: hiddenFields(profile),
    seesAllEmployees: profile.employees.all,
    employees: visible(store.employees, 'EMPLOYEE_NOT_FOUND', seenEmployees),
    documentTypes: visible(store.document_types, 'INVALID_ARGUMENT', seenTypes('_id')),
    documentCategories: visible(store.document_categories, 'INVALID_ARGUMENT', () => ({})),
    documentTemplates: visible(store.document_templates, 'DOCUMENT_TEMPLATE_NOT_FOUND', seenTypes('type_id')),
    async related<Row extends { _id: string }>(collection: Collection<Row>, ids: Iterable<string>) {
      const wanted = [...new Set(ids)].filter((id) => id !== '');
      if (wanted.length === 0) return new Map<string, Row>();
      const filter = { _id: { $in: wanted }, ...tenantFilter } as unknown as Filter<Row>;
      const rows = (await collection.find(filter, { batchSize: wanted.length + 1 }).toArray()) as unknown as Row[];
      return new Map(rows.map((row) => [row._id, row]));
    },
    store,
  };
}

/** Ids of the profile's departments with all that stand below them. */
async function subtree(store: Store, tenantId: string, { employees }: PermissionProfile): Promise<string[]> {
  if (employees.departments.length === 0) return [];
  const rows = await store.departments
    .find({ tenant_id: tenantId, ancestor_ids: { $in: employees.departments } }, { projection: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}
