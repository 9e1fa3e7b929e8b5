import type { Employee } from '../../../generated/client/types.gen.ts';
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

export const employeeLife = {
  status: ['filtered', 'EMPLOYEE_STATUS_TERMINATED'],
  listed: ['internal', false],
  visible_to: ['internal', []],
  organization_id: ['shown', ''],
  department_id: ['filtered', ''],
  job_title_id: ['shown', ''],
  manager_id: ['of_others', ''],
  location_id: ['shown', ''],
  person_id: ['copied', ''],
  employee_number: ['shown', ''],
  start_date: ['shown', ''],
  end_date: ['shown', ''],
  work_email: ['hideable', ''],
  deleted_at: 'copied, kept',
  create_time: 'shown, kept',
  update_time: 'filtered, kept',
  rev: 'internal, kept',
  person_rev: ['internal', 0],
  pending_events: 'internal, kept',
  outbox_at: 'internal, kept',
  details: ['copied', ''],
  status_due_on: ['internal', ''],
} satisfies RowLife<EmployeeRow, Employee>;

/** Whether operations may show the employee: neither a draft nor deleted. */
export function isListed(row: Pick<EmployeeRow, 'status' | 'deleted_at'>): boolean {
  return row.status !== 'CREATED' && row.deleted_at === null;
}

/** Whether the employee may act, begin a document and take part in one (D-37). */
export function isEmployed(row: Pick<EmployeeRow, 'status' | 'deleted_at'> | undefined): boolean {
  return row !== undefined && isListed(row) && row.status !== 'EMPLOYEE_STATUS_TERMINATED';
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

/**
 * Indexes of employees that queries name. The database's planner tries several for a moment, and may choose one that is
 * good for the beginning of the list but then reads the whole tenant. See `handlers/employees/list.ts`.
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

const FEW = {
  upTo: 'few',
  because: 'no index has both the filters and the order: keys are sorted; only the documents hold a position',
  sorts: true,
} as const;
const OWN = {
  upTo: 'own',
  because: 'filters are looked at in the rows of one person; MongoDB may sort those after a position',
  sorts: true,
} as const;
const RANK = { upTo: 'few', because: 'the id at the rank of the sample is found by keys' } as const;

export const employees: CollectionDeclaration<EmployeeRow, Employee> = {
  keeps: {
    holds: 'employments; a deleted one is marked, and after the erasure of its person an empty row with its id',
    until: 'the tenant is deleted',
    because: 'routes, events and deliveries name the id',
  },
  life: employeeLife,
  indexes: [
    {
      key: employeeKeys.newest,
      serves: [
        hinted.find('employees, or those of filters that many match', {
          upTo: 'tenant',
          because: 'keys of employees that do not match are passed over; given up after a second for the way of a few',
        }),
        query.find('settings: employees'),
      ],
    },
    { key: employeeKeys.ofStatus, serves: [hinted.find('employees by status')] },
    {
      key: employeeKeys.ofDepartment,
      serves: [
        hinted.find('employees by department', {
          upTo: 'few',
          because: 'of very many departments keys are sorted, where few match',
          sorts: true,
        }),
        hinted.count('whether few are in very many departments'),
      ],
    },
    {
      key: employeeKeys.ofViewer,
      serves: [
        hinted.find("an owner's reports and itself", OWN),
        hinted.count('total_count of reports and oneself', OWN),
      ],
    },
    {
      key: employeeKeys.changed,
      serves: [
        hinted.find('employees changed since, where few are', FEW),
        hinted.count('whether few changed, and total_count'),
      ],
    },
    {
      key: employeeKeys.changedInDepartment,
      serves: [
        hinted.find('employees by department and more, where few are', FEW),
        hinted.count('whether few are in departments, and total_count'),
      ],
    },
    {
      key: employeeKeys.idsOfStatus,
      serves: [
        hinted.count('total_count, in all or by status'),
        hinted.find('the estimate of total_count, in all or by status', RANK),
      ],
    },
    {
      key: employeeKeys.idsOfDepartment,
      serves: [
        hinted.count('total_count by department'),
        hinted.find('the estimate of total_count by department', RANK),
      ],
    },
    { key: { tenant_id: 1, manager_id: 1 }, serves: [query.update('direct reports lose a deleted manager')] },
    { key: { tenant_id: 1, person_id: 1 }, serves: [query.find("a person's employments")] },
    { key: { tenant_id: 1, employee_number: 1 }, serves: [query.find('ingest: the employees of a personnel number')] },
    {
      key: { status_due_on: 1, _id: 1 },
      options: { partialFilterExpression: { status_due_on: { $gt: '' } } },
      serves: [query.find('the daily pass: employees of every tenant whose dates change their status')],
    },
    outboxIndex('the relay: employees with events'),
    shardKeyIndex,
  ],
  shardKey: SHARD_KEY,
  polls: [
    outboxPoll('events of employees'),
    {
      name: 'employees whose day has come',
      filter: ['status_due_on'],
      sometimes: '$or',
      why: 'a read a minute of a partial index that holds only rows whose dates will change them',
    },
  ],
};
