/** From `init` to a profile with fixtures, against a small target that has exactly one fit for each fixture. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ranHere } from '../../scripts/kit/testing/ran-here.ts';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { main } from '../main.ts';
import type { Profile } from '../profile/profile.ts';
import { type AskedRequest, exampleProfile, inJson, type Reply, refusal, served } from '../testing/small-target.ts';
import { discover } from './discover.ts';
import { fixtureDescriptions, withFixtures } from './write-fixtures.ts';

const SURNAME = 'Nobody-Must-Read-This';
const person = {
  first_name: 'A',
  last_name: SURNAME,
  full_name: SURNAME,
  birth_date: '1990-01-01',
  iin: '900101300000',
};
const whole = { ...person, middle_name: 'B', personal_email: 'a@example.org', phone: '+77000000000' };

interface Row {
  id: string;
  [name: string]: unknown;
}
const employee = (id: string, more: object = {}): Row => ({
  id,
  status: 'EMPLOYEE_STATUS_ACTIVE',
  organization_id: 'o-own',
  department_id: 'd-small',
  job_title_id: 'j',
  manager_id: '',
  location_id: 'l',
  employee_number: '1',
  start_date: '2020-01-01',
  work_email: 'a@example.com',
  person: whole,
  ...more,
});

const crowd = Array.from({ length: 5 }, (_, nth) =>
  employee(`e-crowd-${nth}`, { department_id: 'd-main', status: `EMPLOYEE_STATUS_${nth === 0 ? 'LEAVE' : 'ACTIVE'}` }),
);
const everybody: Row[] = [
  // Loaded by a batch of an earlier run: it has nothing but a name.
  employee('e-loaded', { department_id: '', organization_id: '', status: 'EMPLOYEE_STATUS_TERMINATED' }),
  employee('e-owner', { department_id: 'd-big' }),
  employee('e-second'),
  employee('e-restricted'),
  employee('e-reports'),
  employee('e-nameless', { manager_id: 'e-owner', person: { ...whole, phone: '' } }),
  employee('e-whole', { manager_id: 'e-owner', person: whole }),
  employee('e-common'),
  employee('e-bare', {
    location_id: '',
    employee_number: '',
    start_date: '',
    work_email: '',
    person: { ...whole, middle_name: '' },
  }),
  employee('e-hidden', { organization_id: 'o-other' }),
  employee('e-left', { status: 'EMPLOYEE_STATUS_TERMINATED' }),
  ...crowd,
  ...Array.from({ length: 91 }, (_, nth) => employee(`e-many-${nth}`, { department_id: 'd-big' })),
];
const of = (...ids: string[]) => everybody.filter(({ id }) => ids.includes(id));

const type = (id: string, more: object = {}): Row => ({
  id,
  status: 'ACTIVE',
  category_id: '',
  template_id: '',
  allow_api: true,
  allow_upload: true,
  confidential: false,
  ...more,
});
const types = [
  type('t-plain'),
  type('t-hidden'),
  type('t-main', { category_id: 'c-1' }),
  type('t-secret', { confidential: true }),
  type('t-secret-closed', { confidential: true, allow_upload: false, allow_api: false }),
  type('t-no-api', { allow_api: false }),
  type('t-no-upload', { allow_upload: false }),
  type('t-old', { status: 'ARCHIVED' }),
  type('t-old-closed', { status: 'ARCHIVED', allow_api: false }),
];
const schema = { type: 'object', properties: { days: { type: 'integer', minimum: 3 } }, required: ['days'] };
const template = (id: string, type_id: string, more: object = {}): Row => ({
  id,
  type_id,
  status: 'ACTIVE',
  version: 1,
  variable_schema: schema,
  ...more,
});
const templates = [
  template('m-free', 't-main', { variable_schema: { ...schema, required: [] } }),
  template('m-archived', 't-main', { status: 'ARCHIVED' }),
  template('m-once', 't-main'),
  template('m-main', 't-main', { version: 2 }),
  template('m-unfiled', 't-plain', { version: 2 }),
  template('m-hidden', 't-hidden'),
];

const catalogues = { document_types: types, document_templates: templates };

/** What the lists show to each key, and who owns it. */
const tenants: Readonly<Record<string, { owner: string; lists: Readonly<Record<string, Row[]>> }>> = {
  full: { owner: 'e-owner', lists: { employees: everybody, ...catalogues } },
  restricted: {
    owner: 'e-restricted',
    lists: {
      employees: everybody.filter(({ id }) => id !== 'e-hidden' && id !== 'e-loaded'),
      document_types: types.filter(({ id }) => id !== 't-hidden'),
      document_templates: templates.filter(({ id }) => id !== 'm-hidden'),
    },
  },
  second: { owner: 'e-second', lists: { employees: of('e-second', 'e-common'), ...catalogues } },
  reports: { owner: 'e-reports', lists: { employees: of('e-reports'), ...catalogues } },
  open: { owner: '', lists: { ...catalogues, document_types: types.filter(({ id }) => id !== 't-hidden') } },
  other: {
    owner: '',
    lists: {
      employees: [employee('x-1', { department_id: '' }), employee('x-2', { department_id: 'd-x' })],
      document_types: [type('t-x')],
      document_templates: [template('m-x', 't-x')],
    },
  },
};

let asked: AskedRequest[] = [];
/** `total` is the number of employees; `restrictedSeesAll` lets restricted see all of them. */
let shown = { total: 107, restrictedSeesAll: false };

function answer(request: AskedRequest): Reply {
  asked.push(request);
  const { method, headers, body } = request;
  const url = new URL(request.url, 'http://x');
  const key = String(headers['x-api-key']);
  const tenant = tenants[key === 'restricted' && shown.restrictedSeesAll ? 'full' : key];
  const path = url.pathname.replace('/developer/v1', '');
  if (!tenant) return refusal('API_KEY_INVALID');
  if (path === '/documents' && method === 'POST') {
    const { template_values, template_id } = JSON.parse(body);
    const fits = template_id === 'm-main' && template_values.days === 3;
    return fits ? [200, { document: { id: 'doc', initiator_employee_id: tenant.owner } }] : [400, {}];
  }
  if (url.searchParams.get('include_total') === 'true') return [200, { employees: [], total_count: `${shown.total}` }];
  const list = path.slice(1);
  const rows = tenant.lists[list] ?? [];
  // Pages are shorter than the requested limit.
  const from = Number(url.searchParams.get('page_token') ?? '0');
  const next = from + 60;
  return [200, { [list]: rows.slice(from, next), next_page_token: next < rows.length ? `${next}` : '' }];
}

const server = served(inJson(answer));
const folder = testFolder();

beforeEach(() => {
  asked = [];
  shown = { total: 107, restrictedSeesAll: false };
});

const exampleFile = join(import.meta.dirname, '../profile.example.yaml');
const read = (file: string) => readFileSync(file, 'utf8');
const fixturesIn = (text: string) => (parse(text) as Profile).fixtures;
const all = new Set<string>(fixtureDescriptions.keys());
const ring = {
  full: ['F'],
  restricted_owner: 'R',
  second_owner: 'S',
  reports_owner: 'P',
  not_confidential_owner: 'N',
  other_tenant: 'O',
};

const keyOf = { F: 'full', R: 'restricted', S: 'second', P: 'reports', N: 'open', O: 'other' };

/** By fixture the value that is found, or why there is none. */
async function discovered(change: Partial<Profile> = {}, drafts = true, secrets: Record<string, string> = keyOf) {
  const profile = { ...exampleProfile(), base_url: server.baseUrl, fixtures: {}, keys: ring, ...change };
  const found = await discover({ profile, secrets }, { wanted: all, drafts, pauseMs: 0 });
  return Object.fromEntries(found.map((one) => [one.fixture, 'value' in one ? one.value : one.missing]));
}

const expected = {
  document_template_id: 'm-main',
  document_type_id: 't-main',
  document_category_id: 'c-1',
  document_type_hidden_from_restricted_id: 't-hidden',
  document_type_no_api_id: 't-no-api',
  document_type_no_upload_id: 't-no-upload',
  document_type_archived_id: 't-old',
  document_template_other_tenant_id: 'm-x',
  document_type_other_tenant_id: 't-x',
  owner_employee_id: 'e-owner',
  second_owner_employee_id: 'e-second',
  restricted_owner_employee_id: 'e-restricted',
  reports_owner_employee_id: 'e-reports',
  document_type_confidential_id: 't-secret',
  employee_id: 'e-whole',
  employee_common_id: 'e-common',
  employee_without_manager_id: 'e-bare',
  employee_hidden_from_restricted_id: 'e-hidden',
  employee_terminated_id: 'e-left',
  employee_other_tenant_id: 'x-2',
  department_other_tenant_id: 'd-x',
  organization_id: 'o-other',
};

const idempotencyKey = ({ headers }: AskedRequest) => headers['idempotency-key'];

describe('discovery', () => {
  test('makes one draft for each owner, and no second one when it is repeated', async () => {
    await discovered();
    const first = asked.filter(({ method }) => method === 'POST');
    expect(first.map(({ headers }) => headers['x-api-key'])).toEqual(['full', 'second', 'restricted', 'reports']);
    expect(new Set(first.map(idempotencyKey)).size).toBe(4);
    asked = [];
    await discovered();
    expect(asked.filter(({ method }) => method === 'POST').map(idempotencyKey)).toEqual(first.map(idempotencyKey));
  });

  test.each<[string, Partial<Profile>, boolean]>([
    ['it may not make drafts', {}, false],
    ['the profile does not consent to writes', { tenant: { tag: 'x', consent_to_writes: false, max_writes: 0 } }, true],
  ])('only reads where %s', async (_why, change, drafts) => {
    const found = await discovered(change, drafts);
    expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(found).toMatchObject({
      owner_employee_id: expect.stringContaining('writes are not consented to'),
      employee_id: 'e-whole',
    });
  });

  test('reports what a key lacks, and that the tenant is large', async () => {
    shown = { total: 10_001, restrictedSeesAll: true };
    const found = await discovered({}, false);
    const seesAll = expect.stringContaining('restricted_owner lists all that full lists');
    expect(found).toMatchObject({
      employee_hidden_from_restricted_id: seesAll,
      document_type_hidden_from_restricted_id: seesAll,
      big: { key: 'full', employees_at_least: 10_001 },
    });
    expect(await discovered({ keys: { full: ['F'] } }, false)).toMatchObject({
      employee_id: 'the profile has no key restricted_owner',
      department_other_tenant_id: 'the profile has no key other_tenant',
    });
    const refused = await discovered({ keys: { full: ['F'] } }, true, { F: 'nobody' });
    expect(refused.employee_id).toContain('401 INTEGRATION.API_KEY_INVALID');
  });
});

test('does not search for additions that the profile does not claim', async () => {
  const found = await discovered({ capabilities: ['1.3'] });
  expect(asked.filter(({ url }) => url.includes('document'))).toEqual([]);
  expect(found).toMatchObject({
    document_type_id: 'the profile does not claim 1.5',
    employee_id: 'e-whole',
    department_other_tenant_id: 'd-x',
  });
});

describe('the profile afterwards', () => {
  const text = read(exampleFile);

  test('contains what was found, keeps the rest unchanged, and can be written again', () => {
    const before = fixturesIn(text);
    const after = withFixtures(text, [
      { fixture: 'employee_id', value: 'new', how: 'seen\nby: somebody # and more' },
      { fixture: 'department_id', missing: 'none' },
    ]);
    expect(fixturesIn(after)).toEqual({ ...before, employee_id: 'new' });
    expect(after).toContain('  employee_id: "new" # seen by: somebody # and more\n');
    const [head, tail] = [text.indexOf('fixtures:'), text.indexOf('\n# Argument lists')];
    expect(after.startsWith(text.slice(0, head))).toBe(true);
    expect(after.endsWith(text.slice(tail))).toBe(true);
    expect(withFixtures(after, [])).toBe(after);
  });

  test('keeps a value of several lines', () => {
    const block = 'fixtures:\n  employee_id: e # of nobody\n  big: # the largest\n    total_count: 2\n    filter: {}\n';
    expect(withFixtures(block, [])).toBe(block);
  });

  test('says in a comment what was not found', () => {
    const empty = text.replace(/^fixtures:\n( .*\n)*/m, 'fixtures: {}\n');
    const after = withFixtures(empty, [{ fixture: 'big', missing: 'too few' }]);
    expect(after).toContain('fixtures: {}\n  # big: not found: too few\n');
    expect(fixturesIn(after)).toEqual({});
  });
});

const conformance = (...args: string[]) => ranHere(main, args, {});

describe('a newcomer', () => {
  test('edits only the keys', async () => {
    const profile = join(folder, 'there/acme.yaml');
    const keys = join(folder, 'there/acme.env');
    const init = ['init', '--base-url', server.baseUrl, '--tenant', 'acme', '--writes', '--out', profile];
    expect(await conformance(...init)).toMatchObject({ code: 0, out: expect.stringContaining(keys) });
    expect(await conformance(...init)).toMatchObject({ code: 2, err: expect.stringContaining('exists') });
    expect(statSync(keys).mode & 0o777).toBe(0o600);
    const filled = read(keys).replace(
      /^CONF_KEY_(FULL|RESTRICTED|SECOND|REPORTS|NOT_CONFIDENTIAL|OTHER)_(1|OWNER|TENANT)=/gm,
      (line, name: string) => `${line}${name === 'NOT_CONFIDENTIAL' ? 'open' : name.toLowerCase()}`,
    );
    writeFileSync(keys, filled);

    const dry = await conformance('discover', '--profile', profile, '--dry');
    expect(dry).toMatchObject({ code: 6, out: expect.stringContaining('Nothing was written.') });
    expect(fixturesIn(read(profile))).toEqual({});
    const done = await conformance('discover', '--profile', profile, '--set', 'employee_deleted_id=e-gone');
    expect(done.code).toBe(6);
    expect([...done.out.matchAll(/MISSING +(\w+)/g)].map(([, name]) => name).sort()).toEqual([
      'big',
      'department_bottom_id',
      'department_middle_id',
      'department_top_external_id',
      'department_top_id',
      'employee_draft_id',
      'time_zone_other_tenant',
    ]);
    const found = fixturesIn(read(profile));
    expect(found).toMatchObject({ ...expected, employee_deleted_id: 'e-gone' });
    expect([found.department_id, found.department_other_id].toSorted()).toEqual(['d-main', 'd-small']);
    expect(read(profile) + done.out).not.toContain(SURNAME);
    // A fixture that cannot be found again stays.
    const again = await conformance('discover', '--profile', profile, '--refresh');
    expect(again).toMatchObject({ code: 6, out: expect.not.stringContaining('MISSING  employee_deleted_id') });
    expect(fixturesIn(read(profile)).employee_deleted_id).toBe('e-gone');
    // A second init leaves the keys unchanged, and adds the missing one.
    expect(await conformance(...init, '--force', '--full-keys', '5')).toMatchObject({ code: 0 });
    expect(read(keys).startsWith(filled.trimEnd())).toBe(true);
    expect(read(keys).match(/CONF_KEY_FULL_\d=.*/g)).toHaveLength(5);
  }, 480_000);

  test('gets the names of missing options if there is no terminal, and no file is written', async () => {
    const profile = join(folder, 'never.yaml');
    const { code, err } = await conformance('init', '--tenant', 'acme', '--out', profile);
    expect(code).toBe(2);
    expect(err).toMatch(/--base-url is missing.*--writes is missing/s);
    expect([existsSync(profile), existsSync(join(folder, 'never.env'))]).toEqual([false, false]);
  });
});
