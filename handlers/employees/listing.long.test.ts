/** Lists and counts of employees by every way that a plan may choose equal those of a plain scan of all rows. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomOf } from '../../scripts/kit/random.ts';
import { type Owner, TenantFixture } from '../../scripts/world/documents.ts';
import { employeeRow } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { type EmployeeRow, reportsOf } from '../data/collections/employees.ts';
import type { FilterQuery } from '../data/list.ts';
import { countList } from '../data/list-read.ts';
import { countPlan, employeeList, pagePlan } from './list.ts';

const STATUSES = [
  'EMPLOYEE_STATUS_HIRED',
  'EMPLOYEE_STATUS_ACCEPTED',
  'EMPLOYEE_STATUS_ONBOARDING',
  'EMPLOYEE_STATUS_ACTIVE',
  'EMPLOYEE_STATUS_TERMINATED',
  'EMPLOYEE_STATUS_LEAVE',
  'EMPLOYEE_STATUS_ON_HOLD',
  'CREATED',
] as const;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const { store } = await testDeployment();
const departments = Array.from({ length: 8 }, () => randomUUID());
let fixture: TenantFixture;
let rows: EmployeeRow[];
let manager: string;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  manager = await fixture.employee(1e9);
  const seeded = randomOf('7');
  const made = Array.from({ length: 300 }, (): EmployeeRow => {
    const status = seeded.pick(STATUSES);
    const department_id = departments[seeded.int(9)] ?? '';
    const manager_id = seeded.int(12) === 0 ? manager : '';
    const createMs = START_MS + seeded.int(80) * 1_000;
    const listed = status !== 'CREATED';
    const times = { create_time: new Date(createMs), update_time: new Date(createMs + seeded.int(100) * 1_000) };
    return employeeRow({ tenant_id: fixture.id, department_id, manager_id, status, listed, ...times });
  });
  await store.employees.insertMany(made);
  const times = { create_time: new Date(START_MS), update_time: new Date(START_MS) };
  const common = { tenant_id: fixture.id, organization_id: '', parent_id: '', title: 'x', ...times };
  await store.departments.insertMany(departments.map((_id) => ({ _id, ancestor_ids: [_id], ...common })));
  rows = await store.employees.find({ tenant_id: fixture.id }).toArray();
});

/** The list as if few employees matched, no matter how many do, and as if many did. */
const listOfFew: typeof employeeList = {
  ...employeeList,
  plan: (seen, asked) => pagePlan(seen, asked).ifFew?.plan ?? pagePlan(seen, asked),
};
const listOfMany: typeof employeeList = {
  ...employeeList,
  plan: (seen, asked) => ({ ...pagePlan(seen, asked), ifFew: undefined }),
};

type Query = FilterQuery<'listEmployees'>;
const since = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString();
const sights: readonly (readonly [string, readonly number[] | 'all', boolean])[] = [
  ['everybody', 'all', false],
  ['two departments and reports', [0, 1], true],
  ['all departments', [0, 1, 2, 3, 4, 5, 6, 7], false],
  ['reports', [], true],
  ['only itself', [], false],
];
const queries: readonly Query[] = [
  {},
  { status: ['EMPLOYEE_STATUS_LEAVE'] },
  { status: ['EMPLOYEE_STATUS_LEAVE', 'EMPLOYEE_STATUS_UNSPECIFIED'] },
  { department_id: [departments[1] ?? '', departments[5] ?? ''] },
  { department_id: ['unknown'] },
  { updated_since: since(90) },
  { status: ['EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE'], department_id: departments.slice(0, 3) },
  { status: ['EMPLOYEE_STATUS_ACTIVE'], department_id: departments.slice(1, 6), updated_since: since(60) },
];

function expectedOf(owner: Owner, departmentIds: readonly string[] | 'all', reports: boolean, query: Query) {
  const marks = [...(departmentIds === 'all' ? [] : departmentIds), owner.employeeId];
  if (reports) marks.push(reportsOf(owner.employeeId));
  return rows
    .filter(({ listed }) => listed)
    .filter(({ visible_to }) => departmentIds === 'all' || visible_to.some((mark) => marks.includes(mark)))
    .filter(({ status }) => (query.status as readonly string[] | undefined)?.includes(status) ?? true)
    .filter(({ department_id }) => query.department_id?.includes(department_id) ?? true)
    .filter(({ update_time }) => update_time >= new Date(query.updated_since ?? 0))
    .sort((a, b) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1))
    .map(({ _id }) => _id);
}

describe.each(sights)('an owner who sees %s', (_, seen, reports) => {
  let owner: Owner;
  const departmentIds = seen === 'all' ? ('all' as const) : seen.map((i) => departments[i] ?? '');

  beforeAll(async () => {
    const employees = {
      all: seen === 'all',
      departments: departmentIds === 'all' ? [] : [...departmentIds],
      reports,
      self: true,
    };
    owner = await fixture.owner({ employees }, manager);
  });

  test.each(queries)('gets the expected employees for %j, by each query plan and page by page', async (query) => {
    const { employees } = await owner.caller();
    const expected = expectedOf(owner, departmentIds, reports, query);
    for (const list of [employeeList, listOfFew, listOfMany]) {
      const found: string[] = [];
      for (let page_token = ''; ; ) {
        const page = await employees.page(list, { ...query, limit: 60, page_token });
        found.push(...page.rows.map(({ _id }) => _id));
        page_token = page.nextPageToken;
        if (page_token === '') break;
      }
      expect(found).toEqual(expected);
    }
    const list = await employees.list(employeeList, query, countPlan);
    expect(await countList(list, 1_000)).toBe(expected.length);
    expect(await countList(list, 5)).toBe(Math.min(5, expected.length));
  });
});
