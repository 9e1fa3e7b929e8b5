/** Finds one row of the tenant by the text that a person gives: its id, or a name that only one row has. */

import { misuse, refuse } from '../../../conformance/command-line.ts';
import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import type { CollectionName, RowOf, Store } from '../../../handlers/data/store.ts';
import type { CommandContext, TenantContext, ValueType } from './command.ts';
import { idsBeginning } from './id-beginning.ts';

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
  return { noun, collection, field, named, placeholder, list: `${noun.replace(' ', '-')}s list` };
}

const TITLE = ['title', 'id or exact title'] as const;

export const kinds = {
  user: kind('user', 'users', 'label', 'id or label'),
  key: kind('key', 'api_keys', 'prefix', 'id or shown prefix'),
  department: kind('department', 'departments', ...TITLE),
  job_title: kind('job title', 'job_titles', ...TITLE),
  location: kind('location', 'locations', ...TITLE),
  organization: kind('organization', 'organizations', ...TITLE),
  employee: kind('employee', 'employees', 'employee_number', 'id or personnel number'),
  person: kind('person', 'persons', 'iin', 'id or IIN'),
  document: kind('document', 'documents', 'number', 'id or number'),
  document_type: kind('document type', 'document_types', ...TITLE, 'type'),
  document_category: {
    ...kind('document category', 'document_categories', ...TITLE, 'category'),
    list: 'document-categories list',
  },
  document_template: kind('document template', 'document_templates', ...TITLE, 'template'),
  webhook_endpoint: kind('webhook endpoint', 'webhook_endpoints', 'url', 'id or URL', 'endpoint'),
  login_method: kind('login method', 'login_methods', 'slug', 'its slug', 'slug'),
};

interface NamedRow {
  readonly _id: string;
  readonly tenant_id: string;
}

const SHOWN = 5;

/** @throws Failure (refused) when no row matches, or more than one */
export async function find<Name extends CollectionName>(
  { store, tenant }: TenantContext,
  { noun, collection, field, list }: Kind<Name>,
  wanted: string,
): Promise<RowOf<Name>> {
  const rows = store.db.collection<NamedRow>(collection);
  const byId = await rows.findOne({ _id: wanted, tenant_id: tenant._id });
  if (byId) return byId as unknown as RowOf<Name>;
  const byName = { tenant_id: tenant._id, [field]: wanted };
  const named = wanted === '' ? [] : await rows.find(byName).limit(SHOWN).toArray();
  const _id = idsBeginning(wanted);
  const isBeginning = named.length === 0 && _id !== undefined;
  const found = isBeginning ? await rows.find({ _id, tenant_id: tenant._id }).limit(SHOWN).toArray() : named;
  const [row, ...others] = found;
  if (!row) refuse(`There is no ${noun} "${wanted}" in the tenant ${tenant.name}. See: settings ${list}`);
  if (others.length > 0) {
    refuse(
      `More than one ${noun} is called "${wanted}", or has an id that begins so. Take the id: ${found.map(({ _id }) => _id).join(', ')}`,
    );
  }
  return row as unknown as RowOf<Name>;
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
