/** Finds one row of the tenant by the text that a person gives: its id, or a name that only one row has. */
import type { ApiKeyRow, CollectionName, UserRow } from '../../handlers/data/store.ts';
import type { At } from './context.ts';
import { refuse } from './failure.ts';

interface Named {
  readonly _id: string;
  readonly tenant_id: string;
}

interface Kind {
  /** The word for messages: "department". */
  readonly noun: string;
  readonly collection: CollectionName;
  /** The field that may be given instead of the id. */
  readonly field: string;
  /** The command that lists these rows. */
  readonly list: string;
}

const SHOWN = 5;

/** @throws Failure (refused) when no row matches, or more than one */
export async function find<Row extends Named>({ store, tenant }: At, kind: Kind, wanted: string): Promise<Row> {
  const rows = store.db.collection<Named>(kind.collection);
  const byId = await rows.findOne({ _id: wanted, tenant_id: tenant._id });
  if (byId) return byId as unknown as Row;
  const found =
    wanted === ''
      ? []
      : await rows
          .find({ tenant_id: tenant._id, [kind.field]: wanted })
          .limit(SHOWN)
          .toArray();
  const [row, ...others] = found;
  if (!row) refuse(`There is no ${kind.noun} "${wanted}" in the tenant ${tenant.name}. See: settings ${kind.list}`);
  if (others.length > 0) {
    refuse(`More than one ${kind.noun} is called "${wanted}". Take the id: ${found.map(({ _id }) => _id).join(', ')}`);
  }
  return row as unknown as Row;
}

export const kinds = {
  user: { noun: 'user', collection: 'users', field: 'label', list: 'users list' },
  key: { noun: 'key', collection: 'api_keys', field: 'prefix', list: 'keys list' },
  department: { noun: 'department', collection: 'departments', field: 'title', list: 'departments list' },
  job_title: { noun: 'job title', collection: 'job_titles', field: 'title', list: 'job-titles list' },
  location: { noun: 'location', collection: 'locations', field: 'title', list: 'locations list' },
  organization: { noun: 'organization', collection: 'organizations', field: 'title', list: 'organizations list' },
  employee: { noun: 'employee', collection: 'employees', field: 'employee_number', list: 'employees list' },
  person: { noun: 'person', collection: 'persons', field: 'iin', list: 'persons list' },
  document: { noun: 'document', collection: 'documents', field: 'number', list: 'documents list' },
  document_type: { noun: 'document type', collection: 'document_types', field: 'title', list: 'document-types list' },
  document_category: {
    ...{ noun: 'document category', collection: 'document_categories' },
    ...{ field: 'title', list: 'document-categories list' },
  },
  document_template: {
    ...{ noun: 'document template', collection: 'document_templates' },
    ...{ field: 'title', list: 'document-templates list' },
  },
  webhook_endpoint: {
    ...{ noun: 'webhook endpoint', collection: 'webhook_endpoints' },
    ...{ field: 'url', list: 'webhook-endpoints list' },
  },
  login_method: { noun: 'login method', collection: 'login_methods', field: 'slug', list: 'login-methods list' },
} as const satisfies Readonly<Record<string, Kind>>;

/** By id or label. */
export const findUser = (at: At, wanted: string): Promise<UserRow> => find(at, kinds.user, wanted);

/** By id, or by the prefix that lists show. */
export const findKey = (at: At, wanted: string): Promise<ApiKeyRow> => find(at, kinds.key, wanted);
