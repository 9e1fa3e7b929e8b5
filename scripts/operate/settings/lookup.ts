/** Rows of the tenant by their kinds: found by the text that a person gives, an id or a name; listed, changed, removed. */

import { randomUUID } from 'node:crypto';
import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import { type OwnedRow, ofTenant } from '../../../handlers/data/of-tenant.ts';
import type { CollectionName, FindOptions, RowOf, Store } from '../../../handlers/data/store.ts';
import { misuse, refuse } from '../../kit/command-line.ts';
import { type Column, type CommandContext, command, listing, type TenantContext, type ValueType } from './command.ts';
import { idsBeginning } from './id-beginning.ts';
import type { Shape } from './shape.ts';
import { limitOf } from './values.ts';

interface Kind<Name extends CollectionName = CollectionName> {
  /** The word for messages: "department". */
  readonly noun: string;
  readonly collection: Name;
  /** The field that may be given instead of the id. */
  readonly field: string;
  /** How help says that: "id or exact title". */
  readonly named: string;
  readonly placeholder: string;
  readonly list: string;
}

function kind<Name extends CollectionName>(
  noun: string,
  collection: Name,
  field: string,
  named: string,
  placeholder = noun,
): Kind<Name> {
  return { noun, collection, field, named, placeholder, list: `${collection.replace('_', '-')} list` };
}

const TITLE = ['title', 'id or exact title'] as const;

export const kinds = {
  user: kind('user', 'users', 'label', 'id or label'),
  key: { ...kind('key', 'api_keys', 'prefix', 'id or shown prefix'), list: 'keys list' },
  department: kind('department', 'departments', ...TITLE),
  job_title: kind('job title', 'job_titles', ...TITLE),
  location: kind('location', 'locations', ...TITLE),
  organization: kind('organization', 'organizations', ...TITLE),
  employee: kind('employee', 'employees', 'employee_number', 'id or personnel number'),
  person: kind('person', 'persons', 'iin', 'id or IIN'),
  document: kind('document', 'documents', 'number', 'id or number'),
  document_type: kind('document type', 'document_types', ...TITLE, 'type'),
  document_category: kind('document category', 'document_categories', ...TITLE, 'category'),
  document_template: kind('document template', 'document_templates', ...TITLE, 'template'),
  webhook_endpoint: kind('webhook endpoint', 'webhook_endpoints', 'url', 'id or URL', 'endpoint'),
  login_method: kind('login method', 'login_methods', 'slug', 'its slug', 'slug'),
  trust_anchor: kind('trust anchor', 'trust_anchors', 'fingerprint', 'id or SHA-256 fingerprint', 'anchor'),
  delivery: kind('delivery', 'deliveries', '_id', 'id, or the id of an event that went to one endpoint'),
  ingest_request: {
    ...kind('ingest request', 'ingest_requests', '_id', 'ingest_request_id', 'request'),
    list: 'ingests list',
  },
};

/** Rows of the tenant that match. */
export async function rowsOf<Name extends CollectionName>(
  { store, tenant }: TenantContext,
  collection: Name,
  filter: object = {},
  options: FindOptions = {},
): Promise<RowOf<Name>[]> {
  const rows = ofTenant(store.db.collection<OwnedRow>(collection), tenant._id).find(filter, options);
  return (await rows.toArray()) as unknown as RowOf<Name>[];
}

/** Rows of the tenant by their ids, without those that are unknown. */
export async function rowsById<Name extends CollectionName>(at: TenantContext, name: Name, ids: readonly string[]) {
  const rows = await rowsOf(at, name, { _id: { $in: ids } });
  return new Map(rows.map((row) => [row._id, row]));
}

/** What every new row of the tenant begins with. */
export const newRow = ({ tenant, now }: TenantContext) => ({
  _id: randomUUID(),
  tenant_id: tenant._id,
  create_time: now,
  update_time: now,
});

/** Stores a new row, for a command that then says so. */
export async function insertTitled<Row extends OwnedRow & { readonly title: string }>(
  { store }: TenantContext,
  { noun, collection }: Kind,
  row: Row,
) {
  await store.db.collection<OwnedRow>(collection).insertOne(row);
  return { of: row, text: `Created the ${noun} ${row.title}: ${row._id}` };
}

/** Sets fields of a row. @returns the row as it is then */
export async function setFields<Row extends OwnedRow, Fields extends object>(
  { store }: TenantContext,
  collection: CollectionName,
  row: Row,
  fields: Fields,
): Promise<Row & Fields> {
  const { _id, tenant_id } = row;
  await store.db.collection<OwnedRow>(collection).updateOne({ _id, tenant_id }, { $set: fields });
  return { ...row, ...fields };
}

export async function removeRow({ store }: TenantContext, collection: CollectionName, { _id, tenant_id }: OwnedRow) {
  await store.db.collection<OwnedRow>(collection).deleteOne({ _id, tenant_id });
}

/** A command that lists the rows of the tenant. @param usual how many are shown, if not all */
export function listOf<Name extends CollectionName>(
  collection: Name,
  about: string,
  sort: FindOptions['sort'],
  json: Shape<RowOf<Name>>,
  columns: readonly Column<RowOf<Name>>[],
  usual?: number,
) {
  return command({
    about,
    reads: true,
    json,
    takes: { ...(usual && { limit: limitOf(usual) }) },
    run: async (at, { limit = 0 }) => listing(await rowsOf(at, collection, {}, { sort, limit }), columns),
  });
}

const SHOWN = { limit: 5 };

/** @throws Failure (refused) when no row matches, or more than one */
export async function find<Name extends CollectionName>(
  at: TenantContext,
  kind: Kind<Name>,
  wanted: string,
): Promise<RowOf<Name>> {
  const { noun, collection, field, list } = kind;
  const [byId] = await rowsOf(at, collection, { _id: wanted });
  if (byId) return byId;
  const named = wanted === '' ? [] : await rowsOf(at, collection, { [field]: wanted }, SHOWN);
  const _id = idsBeginning(wanted);
  const found = named.length === 0 && _id !== undefined ? await rowsOf(at, collection, { _id }, SHOWN) : named;
  const [row, ...others] = found;
  if (!row) refuse(`There is no ${noun} "${wanted}" in the tenant ${at.tenant.name}. See: settings ${list}`);
  if (others.length > 0) {
    refuse(
      `More than one ${noun} is called "${wanted}", or has an id that begins so. Take the id: ${found.map(({ _id }) => _id).join(', ')}`,
    );
  }
  return row;
}

export function row<Name extends CollectionName>(kind: Kind<Name>): ValueType<RowOf<Name>> {
  const { placeholder, named } = kind;
  return { placeholder, about: named, resolve: (at, text) => find(at, kind, text) };
}

/** The row that a person names; null for none. */
export function rowOrNone<Name extends CollectionName>(kind: Kind<Name>): ValueType<RowOf<Name> | null> {
  return { ...row(kind), resolve: (at, text) => (text === 'none' ? null : find(at, kind, text)) };
}

/** The id of the row that a person names; `''` for a word that means none. */
export function idOrNone<Name extends CollectionName>(
  kind: Kind<Name>,
  words: readonly string[] = ['none'],
): ValueType<string> {
  const { placeholder, named } = kind;
  const resolve = async (at: TenantContext, text: string) =>
    words.includes(text) ? '' : (await find(at, kind, text))._id;
  return { placeholder, about: named, resolve };
}

/** The tenant that `--tenant` names (by id or exact name); without `--tenant`, the only tenant that exists. */
export async function findTenant(store: Store, wanted: string | undefined): Promise<TenantRow> {
  const found = await store.tenants
    .find(wanted ? { $or: [{ _id: wanted }, { name: wanted }] } : {})
    .limit(50)
    .toArray();
  const [tenant, ...others] = found;
  if (tenant && others.length === 0) return tenant;
  const known = (tenant ? found : await store.tenants.find({}).limit(50).toArray()).map(
    ({ _id, name }) => `${name} (${_id})`,
  );
  if (known.length === 0) refuse('There is no tenant yet. Create one: settings tenants create NAME');
  const names = `  ${known.join('\n  ')}`;
  if (tenant && wanted) refuse(`More than one tenant has the name "${wanted}". Take the id:\n${names}`);
  if (wanted) refuse(`There is no tenant "${wanted}". These exist:\n${names}`);
  misuse(
    `There is more than one tenant. Say which: --tenant NAME_OR_ID, or the environment variable TENANT.\n${names}`,
  );
}

export const tenant: ValueType<TenantRow> = {
  placeholder: 'tenant',
  about: 'id or exact name',
  resolve: ({ store }: CommandContext, text) => findTenant(store, text),
};
