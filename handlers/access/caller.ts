/**
 * The caller, and what it can reach. A handler gets collections only through its caller, already narrowed to the tenant
 * and to what the owner's profile sees (D-31). So it cannot distinguish an invisible row from a missing one.
 */

import type { Scope } from '../../generated/contract.ts';
import type { CallErrorName } from '../answers/errors.ts';
import type { PermissionProfile, UserRow } from '../data/collections/users.ts';
import { type OwnedRow, ofTenant, type TenantCollection, type TenantRows, tenantRows } from '../data/of-tenant.ts';
import type { PageTokens } from '../data/page.ts';
import { type PagedRow, READ_TIME_MS } from '../data/reads.ts';
import type { Collection, CollectionName, Filter, RowOf, Store } from '../data/store.ts';
import { unhurried, type Writing } from '../data/write-timeout.ts';
import type { Credentials } from './keys.ts';
import { hiddenFields, seenDocuments, seenEmployees } from './permissions.ts';
import { type Conditions, VisibleRows } from './visible-rows.ts';

/** The caller of one request; a new one for each request. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly tenant: { readonly id: string; readonly timeZone: string };
  readonly owner: { readonly id: string; readonly employeeId: string };
  readonly profile: PermissionProfile;
  /** Redaction keys that the owner may not see. */
  readonly hidden: ReadonlySet<string>;
  readonly employees: VisibleRows<RowOf<'employees'>>;
  readonly documentTypes: VisibleRows<RowOf<'document_types'>>;
  readonly documentCategories: VisibleRows<RowOf<'document_categories'>>;
  readonly documentTemplates: VisibleRows<RowOf<'document_templates'>>;
  readonly documents: VisibleRows<RowOf<'documents'>>;
  /** The uploads that the owner reserved, with any key. */
  readonly files: VisibleRows<RowOf<'files'>>;
  /** All endpoints of the tenant, no matter who made them (D-24). */
  readonly webhookEndpoints: VisibleRows<RowOf<'webhook_endpoints'>>;
  /** Makes a write of the request, and waits for it no longer than a request may. */
  readonly writing: Writing;
  /** Rows of one collection of the tenant. The owner's permissions do not limit them. */
  inTenant<Name extends CollectionName>(name: Name): TenantRows<RowOf<Name>>;
}

async function idsOf<Row extends OwnedRow>(rows: TenantCollection<Row>, filter: Filter<Row>): Promise<string[]> {
  const found = await rows.find(filter, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS }).toArray();
  return found.map(({ _id }) => _id);
}

/** The conditions for the employees whom a user sees. */
export async function employeesSeenBy(
  store: Store,
  { tenant_id, employee_id, profile }: Pick<UserRow, 'tenant_id' | 'employee_id' | 'profile'>,
): Promise<Conditions> {
  if (profile.employees.all) return [{ listed: true }];
  const { departments: top } = profile.employees;
  const below = { ancestor_ids: { $in: top } };
  const departments = top.length === 0 ? [] : await idsOf(ofTenant(store.departments, tenant_id), below);
  return seenEmployees(profile, employee_id, departments).map((condition) => ({ listed: true, ...condition }));
}

/** `ingest:write` counts only if a super-administrator created the key and its owner is one now (D-31). */
function effectiveScopes({ key, owner }: Credentials): ReadonlySet<Scope> {
  const scopes = new Set(key.scopes);
  if (!(key.created_by_super_admin && owner.super_admin)) scopes.delete('ingest:write');
  return scopes;
}

/** Makes the caller of one request from the current rows of the store. @param writing how the request waits for writes */
export function callerOf(
  credentials: Credentials,
  store: Store,
  tokens: PageTokens,
  writing: Writing = unhurried,
): Caller {
  const { key, owner, tenant } = credentials;
  const { profile } = owner;

  async function documentsOfOwner(): Promise<Conditions> {
    const needed = profile.documents === 'all_but_confidential';
    const open = needed ? await idsOf(ofTenant(store.document_types, tenant._id), { confidential: false }) : [];
    return seenDocuments(profile, owner.employee_id, open).map((condition) => ({ listed: true, ...condition }));
  }

  const seenTypes = (field: '_id' | 'type_id') => () => [
    profile.document_types === 'all' ? {} : { [field]: { $in: profile.document_types } },
  ];

  function visible<Row extends PagedRow>(
    collection: Collection<Row>,
    notFound: CallErrorName,
    conditions: () => Conditions | Promise<Conditions>,
    ...moving: readonly string[]
  ): VisibleRows<Row> {
    return new VisibleRows({ store, collection, tokens, tenantId: tenant._id, notFound, conditions, moving });
  }

  return {
    keyId: key._id,
    scopes: effectiveScopes(credentials),
    tenant: { id: tenant._id, timeZone: tenant.time_zone },
    owner: { id: owner._id, employeeId: owner.employee_id },
    profile,
    hidden: hiddenFields(profile),
    employees: visible(
      store.employees,
      'EMPLOYEE_NOT_FOUND',
      () => employeesSeenBy(store, owner),
      'department_id',
      'visible_to',
    ),
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
