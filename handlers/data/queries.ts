/**
 * Every query of the service: which index it uses, and how the amount that it examines grows, either with what it finds
 * or up to a named bound. Reads by `_id` need no entry. The test in `scripts/checks/plans/` does everything that the service
 * does and asks the database what each command examined. It fails on a command that examines more, or has no entry
 * here.
 */
import { type CollectionName, employeeKeys, type IndexKeys, searchedKeys } from './store.ts';

/** What a command does with the rows that it finds. */
export type Verb = 'find' | 'count' | 'distinct' | 'aggregate' | 'update' | 'delete' | 'findAndModify';

/** Why a query examines more than it finds, and how much more. */
export interface Exception {
  /**
   * `few`: at most as many keys as the bound in `handlers/employees/index-choice.ts`, on later pages also that many
   * documents; `own`: the documents in which one person takes part; `tenant`: the rows of the tenant; `listed`: a small
   * list of a tenant's rows, which a settings command or a job reads.
   */
  readonly upTo: 'few' | 'own' | 'tenant' | 'listed';
  readonly because: string;
  /** Whether it sorts what it examined in memory. */
  readonly sorts?: true;
}

export interface Query {
  readonly name: string;
  readonly collection: CollectionName;
  readonly verb: Verb;
  readonly index: IndexKeys;
  /** Whether the command names the index, because the planner may take a worse one. */
  readonly isHinted: boolean;
  /** If the test never runs this query: why. */
  readonly notRunBecause?: string;
  /** Undefined if the examined keys and documents grow only with what is found. */
  readonly exception?: Exception;
}

const newestFirst = { create_time: -1, _id: -1 } as const;
const outbox = { outbox_at: 1, tenant_id: 1 } as const;
const ofTenant = { tenant_id: 1, ...newestFirst } as const;
const listed = { tenant_id: 1, listed: 1 } as const;

function of(collection: CollectionName, verb: Verb, name: string, index: IndexKeys, exception?: Exception): Query {
  return { name, collection, verb, index, isHinted: false, ...(exception && { exception }) };
}

const hinted = (verb: Verb, name: string, index: IndexKeys, exception?: Exception): Query => ({
  ...of('employees', verb, name, index, exception),
  isHinted: true,
});

const few = {
  upTo: 'few',
  because: 'no index has both the filters and the order: keys are sorted; only the documents hold a position',
  sorts: true,
} as const;
const own = {
  upTo: 'own',
  because: 'filters are looked at in the documents of one person; MongoDB may sort those after a position',
  sorts: true,
} as const;
const unseen = { upTo: 'tenant', because: 'documents of types that the owner does not see are passed over' } as const;
const shown = { upTo: 'listed', because: 'a settings command filters and sorts a short list', sorts: true } as const;

/** All queries of the service. */
export const queries: readonly Query[] = [
  // Admission and the owner's reach
  of('api_keys', 'aggregate', 'the key of a request, with its owner and tenant', { key_hash: 1 }),
  of('departments', 'find', 'the subtree that a profile sees', { tenant_id: 1, ancestor_ids: 1 }),
  of('document_types', 'find', 'types, and those that are not confidential', ofTenant, {
    upTo: 'listed',
    because: 'a tenant has tens of types, and most are open',
  }),

  // Employees
  hinted('find', 'employees, or those of filters that many match', employeeKeys.newest, {
    upTo: 'tenant',
    because: 'keys of employees that do not match are passed over; given up after a second for the way of a few',
  }),
  hinted('find', 'employees by status', employeeKeys.ofStatus),
  hinted('find', 'employees by department', employeeKeys.ofDepartment, {
    upTo: 'few',
    because: 'of more than 200 departments keys are sorted, where few match',
    sorts: true,
  }),
  hinted('find', "an owner's reports and itself", employeeKeys.ofViewer, own),
  hinted('find', 'employees changed since, where few are', employeeKeys.changed, few),
  hinted('find', 'employees by department and more, where few are', employeeKeys.changedInDepartment, few),
  hinted('count', 'total_count, in all or by status', employeeKeys.idsOfStatus),
  hinted('count', 'total_count by department', employeeKeys.idsOfDepartment),
  hinted('count', 'total_count of reports and oneself', employeeKeys.ofViewer, own),
  hinted('count', 'whether few changed, and total_count', employeeKeys.changed),
  hinted('count', 'whether few are in departments, and total_count', employeeKeys.changedInDepartment),
  {
    ...hinted('count', 'whether few are in more than 200 departments', employeeKeys.ofDepartment),
    notRunBecause: 'the tenant of the test has fewer',
  },
  {
    ...hinted('find', 'the estimate of total_count, in all or by status', employeeKeys.idsOfStatus, {
      upTo: 'few',
      because: 'the id at rank 10,000 is found by keys',
    }),
    notRunBecause: 'the tenant of the test has fewer than 10,000',
  },
  {
    ...hinted('find', 'the estimate of total_count by department', employeeKeys.idsOfDepartment, {
      upTo: 'few',
      because: 'the id at rank 10,000 is found by keys',
    }),
    notRunBecause: 'the tenant of the test has fewer than 10,000',
  },
  of('employees', 'find', "a person's employments", { tenant_id: 1, person_id: 1 }),
  of('employees', 'find', 'the relay: employees with events', outbox),
  of('employees', 'find', 'the daily pass: employees whose dates change their status', { status_due_on: 1, _id: 1 }),
  of('persons', 'find', 'persons whose employments have to follow', outbox),
  {
    ...of('tenants', 'distinct', 'the daily pass: time zones in use', { time_zone: 1 }),
    notRunBecause: 'the embedded database looks through all tenants',
  },

  // Documents
  of('documents', 'find', 'documents', { ...listed, ...newestFirst }, unseen),
  of('documents', 'find', 'documents by type', { ...listed, type_id: 1, ...newestFirst }, unseen),
  {
    ...of('documents', 'find', 'documents of an actor', { ...listed, actors: 1, ...newestFirst }, own),
    notRunBecause: 'the embedded database takes the index of a person for it',
  },
  of('documents', 'find', 'documents of a person', { ...listed, visible_to: 1, ...newestFirst }, own),
  of(
    'documents',
    'find',
    'documents by search',
    { ...listed, search_keys: 1, ...newestFirst },
    {
      upTo: 'tenant',
      because: 'text that hardly any document has, of parts that many have, is looked for in each of those',
    },
  ),
  of('documents', 'count', 'how many documents have three characters', searchedKeys),
  {
    ...of('documents', 'find', 'where a slice of a search ends', searchedKeys, {
      upTo: 'tenant',
      because: 'the end of a slice of 5,000 is found by keys',
    }),
    isHinted: true,
    notRunBecause: 'the tenant of the test has fewer documents than a slice',
  },
  of('documents', 'find', 'the relay: documents with events', outbox),

  // Catalogues
  of('document_types', 'find', 'types by category', { tenant_id: 1, category_id: 1, ...newestFirst }),
  of('document_categories', 'find', 'categories', ofTenant),
  of('document_templates', 'find', 'templates', ofTenant),
  of('document_templates', 'find', 'templates by type', { tenant_id: 1, type_id: 1, ...newestFirst }),
  of('login_methods', 'find', 'login methods', { tenant_id: 1, slug: 1 }),
  of('trust_anchors', 'find', 'whose signatures count', { tenant_id: 1, fingerprint: 1 }, shown),

  // Events and deliveries
  of('webhook_endpoints', 'find', 'the endpoints of a tenant, at most 50', { tenant_id: 1, slot: 1 }),
  of('deliveries', 'find', 'endpoints with something due', { next_at: 1, endpoint_id: 1 }),
  of('deliveries', 'find', 'what is due at an endpoint, now or next', { endpoint_id: 1, status: 1, next_at: 1 }),
  of('deliveries', 'update', 'deliveries that are cancelled', { endpoint_id: 1, status: 1, next_at: 1 }),
  of('deliveries', 'find', 'pruning of the log', { ended_at: 1 }),

  // Files and ingest
  of('files', 'find', 'uploads whose time has come', { sweep_at: 1 }),
  of('unclaimed_objects', 'find', 'bytes that nothing refers to', { create_time: 1 }),
  of('ingest_requests', 'aggregate', 'tenants with something to apply', { ended_at: 1, _id: 1 }),
  of('ingest_requests', 'find', 'requests that wait, or are old', { ended_at: 1, _id: 1 }),
  of('ingest_requests', 'find', 'what is to be applied next', { tenant_id: 1, status: 1, accepted_order: 1 }, shown),
  of(
    'ingest_chunks',
    'find',
    'chunks whose request never came',
    { create_time: 1 },
    {
      upTo: 'listed',
      because: 'chunks of requests that wait for more than a day are passed over',
    },
  ),
  of('ingest_chunks', 'delete', 'the records of a request that is applied or refused', { request_id: 1, index: 1 }),

  // Settings
  of(
    'tenants',
    'find',
    'settings: a tenant by id or name',
    {},
    {
      upTo: 'listed',
      because: 'tenants are looked through for a name',
    },
  ),
  of('users', 'find', 'settings: users', { tenant_id: 1, _id: 1 }),
  of('api_keys', 'find', 'settings: keys', ofTenant),
  of('employees', 'find', 'settings: employees', employeeKeys.newest),
  of('persons', 'find', 'settings: persons', { tenant_id: 1, _id: 1 }),
  {
    ...of('departments', 'find', 'settings: departments', { tenant_id: 1, _id: 1 }),
    notRunBecause: 'the index of subtrees begins with the tenant too',
  },
  of('job_titles', 'find', 'settings: job titles', { tenant_id: 1, _id: 1 }, shown),
  of('locations', 'find', 'settings: locations', { tenant_id: 1, _id: 1 }, shown),
  of('organizations', 'find', 'settings: organisations', { tenant_id: 1, _id: 1 }, shown),
  of('deliveries', 'find', 'settings: the log of deliveries', ofTenant, {
    upTo: 'listed',
    because: 'those of one endpoint are looked for among the newest',
  }),
  of('deliveries', 'aggregate', 'settings: how many are pending', { endpoint_id: 1, status: 1, next_at: 1 }),
];
