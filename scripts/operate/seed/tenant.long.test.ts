import { describe, expect, test } from '@jest/globals';
import { isWellFormedKey } from '../../../handlers/access/keys.ts';
import { isListed, visibleTo } from '../../../handlers/data/collections/employees.ts';
import {
  employeeConflicts,
  employeeViolations,
  noEmployeeFields,
  noPersonFields,
  personViolations,
} from '../../../handlers/employees/write/fields.ts';
import { statusDueOn, statusToday } from '../../../handlers/employees/write/status-by-dates.ts';
import { controlDigit } from '../../world/control-digit.ts';
import { BASE_TIME } from './company.ts';
import { inventTenant } from './tenant.ts';
import type { Access } from './users.ts';

const plan = { name: 'demo', seed: '7', employees: 3_000 };
const invented = inventTenant(plan);
const employees = [...invented.batches()].flatMap((batch) => batch.employees);
const persons = [...invented.batches()].flatMap((batch) => batch.persons);
const byId = new Map(employees.map((row) => [row._id, row]));
const personById = new Map(persons.map((row) => [row._id, row]));
const units = new Map(invented.company.units.map(({ row }) => [row._id, row]));

const fieldsOf = (row: object, settable: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in settable));

/** What a seed decides of the users and keys: everything but the keys themselves. */
const withoutKeys = ({ users, api_keys, secrets }: Access) => ({
  users,
  api_keys: api_keys.map(({ key_hash: _, prefix: __, ...row }) => row),
  secrets: secrets.map(({ key: _, ...secret }) => secret),
});

describe('the same seed', () => {
  const { batches: _, ...small } = invented;

  test('gives the same data for any size of batches', () => {
    const { batches, ...again } = inventTenant({ ...plan, batchSize: 77 });
    expect({ ...again, access: withoutKeys(again.access) }).toEqual({ ...small, access: withoutKeys(small.access) });
    const all = [...batches()];
    expect(all.flatMap((batch) => batch.employees)).toEqual(employees);
    expect(all.flatMap((batch) => batch.persons)).toEqual(persons);
  });

  test('gives other keys each time, so that nobody can compute them', () => {
    const hashes = [invented, inventTenant(plan)].flatMap(({ access }) => access.api_keys.map((row) => row.key_hash));
    expect(new Set(hashes).size).toBe(2 * invented.access.api_keys.length);
  });

  test('another seed or name gives other data', () => {
    for (const other of [
      { ...plan, seed: '8' },
      { ...plan, name: 'second' },
    ]) {
      const [batch] = inventTenant(other).batches();
      expect(batch?.employees.some(({ _id }) => byId.has(_id))).toBe(false);
    }
  });
});

describe('employees', () => {
  test('are as many as requested, with unique ids', () => {
    expect(employees).toHaveLength(3_000);
    expect(byId.size).toBe(3_000);
    for (const id of byId.keys())
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const count of [1, 2, 5, 20, 251]) {
      const rows = [...inventTenant({ ...plan, employees: count }).batches()].flatMap((batch) => batch.employees);
      expect(rows).toHaveLength(count);
    }
  });

  test('have the status that their dates imply on the day of the data, and the day of the next change', () => {
    const today = BASE_TIME.toISOString().slice(0, 10);
    for (const row of employees) {
      expect(statusToday(row.status, row, today)).toBe(row.status);
      expect(row.status_due_on).toBe(statusDueOn(row));
    }
    const accepted = employees.filter(({ status }) => status === 'EMPLOYEE_STATUS_ACCEPTED');
    expect(accepted.some(({ status_due_on }) => status_due_on === '')).toBe(true);
    expect(accepted.some(({ status_due_on }) => status_due_on > today)).toBe(true);
  });

  test('contain only what a write would accept', () => {
    for (const row of employees) {
      expect(employeeViolations(fieldsOf(row, noEmployeeFields))).toEqual([]);
      expect(employeeConflicts(row)).toEqual([]);
    }
  });

  test('carry the marks that reads rely on', () => {
    for (const row of employees) {
      expect(row.listed).toBe(isListed(row));
      expect(row.visible_to).toEqual(visibleTo(row));
    }
  });

  test('refer to rows that exist', () => {
    const { organizations, job_titles, locations } = invented.company;
    const ids = (rows: readonly { _id: string }[]) => new Set(rows.map(({ _id }) => _id));
    const [organizationIds, jobIds, locationIds] = [ids(organizations), ids(job_titles), ids(locations)];
    for (const row of employees) {
      expect(units.get(row.department_id)?.organization_id).toBe(row.organization_id);
      expect(organizationIds.has(row.organization_id)).toBe(true);
      expect(jobIds.has(row.job_title_id)).toBe(true);
      expect(row.location_id === '' || locationIds.has(row.location_id)).toBe(true);
      expect(personById.has(row.person_id)).toBe(true);
    }
  });

  test('have managers in service, without a cycle', () => {
    for (const row of employees) {
      let steps = 0;
      for (let next = row.manager_id; next !== ''; steps++) {
        const manager = byId.get(next);
        expect(manager?.listed).toBe(true);
        expect(manager?.status).not.toBe('EMPLOYEE_STATUS_TERMINATED');
        next = manager?.manager_id ?? '';
        expect(steps).toBeLessThan(12);
      }
    }
    expect(new Set(employees.map(({ manager_id }) => manager_id)).size).toBeGreaterThan(100);
  });

  test('those who left have a last day; some have no manager, location or number', () => {
    for (const row of employees) if (row.status === 'EMPLOYEE_STATUS_TERMINATED') expect(row.end_date).not.toBe('');
    for (const field of ['manager_id', 'location_id', 'employee_number', 'work_email'] as const) {
      expect(employees.filter((row) => row[field] === '').length).toBeGreaterThan(10);
    }
  });

  test('were created over years, some in the same millisecond, all before the base instant', () => {
    const times = employees.map(({ create_time }) => create_time.getTime());
    expect(new Set(times).size).toBeLessThan(times.length - 50);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(5 * 365 * 86_400_000);
    for (const { create_time, update_time } of employees) {
      expect(create_time <= update_time && update_time <= BASE_TIME).toBe(true);
    }
  });
});

describe('persons', () => {
  test('contain only what a write would accept', () => {
    for (const row of persons) expect(personViolations(fieldsOf(row, noPersonFields))).toEqual([]);
  });

  test('never have an IIN with a correct checksum', () => {
    const iins = persons.map(({ iin }) => iin).filter((iin) => iin !== '');
    expect(iins.length).toBeGreaterThan(2_500);
    for (const iin of iins) expect(Number(iin.charAt(11))).not.toBe(controlDigit(iin.slice(0, 11)));
  });

  test('have addresses that reach nobody: reserved e-mail domains, telephone numbers of a range without subscribers', () => {
    for (const { personal_email, phone } of persons) {
      expect(personal_email).toMatch(/^$|^[a-z0-9.]+@example\.(com|org|net)$/);
      expect(phone).toMatch(/^$|^\+7700000\d{4}$/);
    }
    for (const { work_email } of employees) expect(work_email).toMatch(/^$|^[a-z0-9.]+@[a-z0-9.-]+\.example$/);
  });

  test('are never older than their employments, and some have two', () => {
    for (const row of employees) {
      const person = personById.get(row.person_id);
      expect((person?.update_time ?? BASE_TIME) <= row.update_time).toBe(true);
    }
    expect(persons.length).toBeLessThan(employees.length - 10);
  });
});

describe('departments', () => {
  test('form a tree of several levels with correct ancestors', () => {
    let deepest = 0;
    for (const row of units.values()) {
      const chain = [row._id];
      for (let next = row.parent_id; next !== ''; next = units.get(next)?.parent_id ?? '') chain.push(next);
      expect(row.ancestor_ids).toEqual(chain);
      expect(chain.every((id) => units.get(id)?.organization_id === row.organization_id)).toBe(true);
      deepest = Math.max(deepest, chain.length);
    }
    expect(deepest).toBe(5);
  });

  test('a small tenant has a tree too', () => {
    const small = inventTenant({ ...plan, employees: 20 }).company.units;
    expect(small.length).toBe(5);
    expect(small.some(({ row }) => row.parent_id !== '')).toBe(true);
  });
});

test('the three slugs are enabled, one more is not; one type is archived', () => {
  const enabled = invented.login_methods.filter((row) => row.enabled).map(({ slug }) => slug);
  expect(enabled.sort()).toEqual(['EDS_CMS_QR', 'IDP_SAML_SSO', 'OTP_MESSENGER']);
  expect(invented.login_methods.filter((row) => !row.enabled)).toHaveLength(1);
  expect(invented.document_types.filter(({ status }) => status === 'ARCHIVED')).toHaveLength(1);
});

test('sample keys are well-formed, belong to users, and can be left out', () => {
  const { users, api_keys, secrets } = invented.access;
  for (const { key } of secrets) expect(isWellFormedKey(key)).toBe(true);
  const ids = new Set(users.map(({ _id }) => _id));
  for (const { owner_id } of api_keys) expect(ids.has(owner_id)).toBe(true);
  const without = inventTenant({ ...plan, keys: false }).access;
  expect(without.api_keys).toEqual([]);
  expect(without.users).toEqual(users);
});
