/** Lists and counts of employees by every way that a plan may choose equal those of a plain scan of all rows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../scripts/testbed/database.ts';
import { type Owner, TenantFixture } from '../../scripts/testbed/documents.ts';
import { Seeded } from '../../scripts/testbed/random.ts';
import type { Planner } from '../access/visible-rows.ts';
import { type EmployeeRow, employeeKeys, reportsOf, visibleTo } from '../data/collections/employees.ts';
import { createIndexes, type Store } from '../data/store.ts';
import { type EmployeeQuery, employeeFilter } from './filter.ts';
import { planCount, planPage } from './index-choice.ts';

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
const database = new Database();
const departments = Array.from({ length: 8 }, () => randomUUID());
let store: Store;
let fixture: TenantFixture;
let rows: EmployeeRow[];
let manager: string;

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  fixture = await TenantFixture.create(store);
  manager = await fixture.tenant.employee(1e9);
  const seeded = new Seeded(7);
  const made = Array.from({ length: 300 }, (): EmployeeRow => {
    const status = seeded.pick(STATUSES);
    const links = {
      _id: randomUUID(),
      department_id: departments[seeded.int(9)] ?? '',
      manager_id: seeded.int(12) === 0 ? manager : '',
    };
    const createMs = START_MS + seeded.int(80) * 1_000;
    return {
      ...{ ...links, tenant_id: fixture.tenant.id, status, listed: status !== 'CREATED', visible_to: visibleTo(links) },
      ...{ organization_id: '', job_title_id: '', location_id: '', person_id: '', employee_number: '' },
      ...{ start_date: '', end_date: '', work_email: '', deleted_at: null, create_time: new Date(createMs) },
      update_time: new Date(createMs + seeded.int(100) * 1_000),
      ...{ rev: 1, person_rev: 1, pending_events: [], outbox_at: null, details: '', status_due_on: '' },
    };
  });
  await store.employees.insertMany(made);
  rows = await store.employees.find({ tenant_id: fixture.tenant.id }).toArray();
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

/** Plans as if `count` employees matched, no matter how many there are. */
const countedAs =
  (count: number): Planner<EmployeeRow> =>
  (seen, asked) =>
    planPage(seen, asked, async () => count);

/** Plans the second way of a planner (`otherwise`) instead of its first. */
const behind =
  (planner: Planner<EmployeeRow>): Planner<EmployeeRow> =>
  async (seen, asked, count) => {
    const way = await planner(seen, asked, count);
    return way.otherwise ?? way;
  };

const sights: readonly (readonly [string, readonly number[] | 'all', boolean])[] = [
  ['everybody', 'all', false],
  ['two departments and reports', [0, 1], true],
  ['all departments', [0, 1, 2, 3, 4, 5, 6, 7], false],
  ['reports', [], true],
  ['only itself', [], false],
];
const queries: readonly EmployeeQuery[] = [
  {},
  { status: ['EMPLOYEE_STATUS_LEAVE'] },
  { status: ['EMPLOYEE_STATUS_LEAVE', 'EMPLOYEE_STATUS_UNSPECIFIED'] },
  { department_id: [departments[1] ?? '', departments[5] ?? ''] },
  { department_id: ['unknown'] },
  { updated_since: START_MS + 90_000 },
  { status: ['EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE'], department_id: departments.slice(0, 3) },
  { status: ['EMPLOYEE_STATUS_ACTIVE'], department_id: departments.slice(1, 6), updated_since: START_MS + 60_000 },
];

function expectedOf(owner: Owner, departmentIds: readonly string[] | 'all', reports: boolean, query: EmployeeQuery) {
  const marks = [...(departmentIds === 'all' ? [] : departmentIds), owner.employeeId];
  if (reports) marks.push(reportsOf(owner.employeeId));
  return rows
    .filter(({ listed }) => listed)
    .filter(({ visible_to }) => departmentIds === 'all' || visible_to.some((mark) => marks.includes(mark)))
    .filter(({ status }) => query.status?.includes(status) ?? true)
    .filter(({ department_id }) => query.department_id?.includes(department_id) ?? true)
    .filter(({ update_time }) => update_time.getTime() >= (query.updated_since ?? 0))
    .sort((a, b) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1))
    .map(({ _id }) => _id);
}

describe.each(sights)('an owner who sees %s', (_, seen, reports) => {
  let owner: Owner;
  const departmentIds = seen === 'all' ? ('all' as const) : seen.map((i) => departments[i] ?? '');

  beforeAll(async () => {
    for (const _id of departmentIds === 'all' ? [] : departmentIds) {
      const times = { create_time: new Date(START_MS), update_time: new Date(START_MS) };
      const row = {
        _id,
        tenant_id: fixture.tenant.id,
        organization_id: '',
        parent_id: '',
        ancestor_ids: [_id],
        title: 'x',
      };
      await store.departments.updateOne({ _id }, { $setOnInsert: { ...row, ...times } }, { upsert: true });
    }
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
    const filter = employeeFilter(query);
    const few = countedAs(10);
    const many = countedAs(20_000);
    for (const planner of [few, many, behind(many)]) {
      const found: string[] = [];
      for (let page_token = ''; ; ) {
        const page = await employees.page('listEmployees', { limit: 17, page_token }, filter, planner);
        found.push(...page.rows.map(({ _id }) => _id));
        page_token = page.nextPageToken;
        if (page_token === '') break;
      }
      expect(found).toEqual(expected);
    }
    expect(await employees.count(filter, 1_000, planCount)).toBe(expected.length);
    expect(await employees.count(filter, 5, planCount)).toBe(Math.min(5, expected.length));
  });
});

describe('the query plan of a page', () => {
  const way = (seen: object, asked: object, count: number) => planPage(seen, asked, async () => count);
  const since = { update_time: { $gte: new Date() } };
  const hundreds = { department_id: { $in: Array.from({ length: 201 }, () => randomUUID()) } };

  test('is an index in the order of the list wherever there is one', async () => {
    const hints = await Promise.all([
      way({}, {}, 0),
      way({}, { status: 'EMPLOYEE_STATUS_LEAVE' }, 0),
      way({ department_id: 'd' }, {}, 0),
      way(hundreds, { department_id: 'd' }, 0),
      way({ visible_to: 'e' }, since, 0),
    ]);
    const { newest, ofStatus, ofDepartment, ofViewer } = employeeKeys;
    expect(hints.map(({ hint }) => hint)).toEqual([newest, ofStatus, ofDepartment, ofDepartment, ofViewer]);
    expect(hints.every(({ otherwise }) => otherwise === undefined)).toBe(true);
  });

  test('is the index of the filter for up to 10,000 matches, and the newest first above, with a fallback', async () => {
    const { newest, changed, changedInDepartment, ofDepartment } = employeeKeys;
    const cases: readonly (readonly [object, object, object])[] = [
      [{}, since, changed],
      [{ department_id: 'd' }, since, changedInDepartment],
      [{}, { status: 'EMPLOYEE_STATUS_LEAVE', department_id: 'd' }, changedInDepartment],
      [hundreds, {}, ofDepartment],
    ];
    for (const [seen, asked, hint] of cases) {
      expect(await way(seen, asked, 10_000)).toMatchObject({ hint });
      expect(await way(seen, asked, 10_001)).toMatchObject({ hint: newest, otherwise: { hint } });
    }
  });
});
