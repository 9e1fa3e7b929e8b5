import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { checkProfile } from '../../../conformance/profile/profile.ts';
import { hashKey } from '../../../handlers/access/keys.ts';
import { employeeMarks } from '../../../handlers/access/permissions.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { moveDepartment } from '../../../handlers/employees/write/departments.ts';
import { switchFlag } from '../../../handlers/employees/write/switch-flag.ts';
import { Database } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import { testDeployment } from '../../testbed/test-deployment.ts';
import { settings } from '../settings/main.ts';
import { decidedValues, ensureConformance, envFile, profileFile, profileOf, writeProfile } from './conformance.ts';
import { demoIds, ensureDemo } from './demo.ts';

const { database, store } = await testDeployment();
let dir: string;
let first: Awaited<ReturnType<typeof ensureConformance>>;
const tenants = demoIds();
const now = new Date('2026-06-01T00:00:00Z');

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'start-'));
  expect(await ensureDemo(store, 1_500, undefined)).toEqual({ present: true, made: 4 });
  first = await ensureConformance(store, dir, now);
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

const facts = () => ({
  ...first,
  dataDir: dir,
  baseUrl: 'http://127.0.0.1:8080',
  replicas: ['http://127.0.0.1:8090'],
  controlUrl: 'http://127.0.0.1:8081',
});

async function employee(name: string): Promise<EmployeeRow> {
  const row = await store.employees.findOne({ _id: String(first.fixtures[name]) });
  if (!row) throw new Error(`no employee ${name}`);
  return row;
}

/** Whether the owner may see the employee. */
async function sees(owner: keyof typeof first.owners, row: EmployeeRow): Promise<boolean> {
  const user = await store.users.findOne({ _id: first.owners[owner] });
  if (!user || user.tenant_id !== row.tenant_id) return false;
  if (user.profile.employees.all) return true;
  const { departments } = user.profile.employees;
  const subtree = await store.departments
    .find({ tenant_id: user.tenant_id, ancestor_ids: { $in: departments } })
    .toArray();
  const marks = employeeMarks(
    user.profile,
    user.employee_id,
    subtree.map(({ _id }) => _id),
  );
  return row.visible_to.some((mark) => marks.includes(mark));
}

describe('demo tenants', () => {
  test('are made once', async () => {
    expect(await ensureDemo(store, 1_500, undefined)).toEqual({ present: true, made: 0 });
    const rows = await store.tenants.find({}).toArray();
    expect(Object.fromEntries(rows.map((row) => [row.name, row.developer_api_enabled]))).toEqual({
      demo: true,
      second: true,
      'flag-off': false,
      'flag-toggle': true,
    });
  });

  test('are never made in a database with other tenants', async () => {
    const other = await Deployment.open(new Database());
    const row = { name: 'ours', developer_api_enabled: true, time_zone: 'UTC', create_time: now, update_time: now };
    await other.store.tenants.insertOne({ _id: 'x', ...row });
    expect(await ensureDemo(other.store, 10, undefined)).toEqual({ present: false, made: 0 });
    expect(await other.store.tenants.countDocuments({})).toBe(1);
    await other.end();
  });

  test('have no key that derives from a seed', async () => {
    const known = new Set(Object.values(first.secrets).map(hashKey));
    const rows = await store.api_keys.find({}).toArray();
    expect(rows.length).toBe(known.size);
    for (const { key_hash } of rows) expect(known.has(key_hash)).toBe(true);
  });
});

describe('keys', () => {
  test('stay the same at the next start, in a file that only the owner can read', async () => {
    expect((await ensureConformance(store, dir, new Date())).secrets).toEqual(first.secrets);
    expect((await stat(envFile(dir))).mode & 0o777).toBe(0o600);
  });

  test('have the state that their name says', async () => {
    const row = (name: string) =>
      store.api_keys.findOne({ key_hash: hashKey(first.secrets[`CONF_KEY_${name}`] ?? '') });
    expect(await row('REVOKED')).toMatchObject({ revoked_at: expect.any(Date) });
    expect((await row('EXPIRED'))?.expires_at?.getTime()).toBeLessThan(now.getTime());
    expect(await row('INACTIVE')).toMatchObject({ active: false, revoked_at: null });
    expect(await row('NO_SCOPE')).toMatchObject({ scopes: [] });
    expect(await row('EMPLOYEES_READ')).toMatchObject({ scopes: ['employees:read'], active: true, expires_at: null });
    expect(await row('FAKE_SUPER_ADMIN_INGEST')).toMatchObject({
      created_by_super_admin: false,
      scopes: expect.arrayContaining(['ingest:write']),
    });
    expect(await row('OTHER_TENANT')).toMatchObject({ tenant_id: tenants.second });
    const removed = await row('OWNER_REMOVED');
    expect((await store.users.findOne({ _id: removed?.owner_id ?? '' }))?.removed_at).not.toBeNull();
  });

  test('one that a run has revoked is replaced, the others stay', async () => {
    const { CONF_KEY_DISPOSABLE_1: spent = '', ...others } = first.secrets;
    await store.api_keys.updateOne({ key_hash: hashKey(spent) }, { $set: { revoked_at: now } });
    first = await ensureConformance(store, dir, new Date());
    const { CONF_KEY_DISPOSABLE_1: fresh, ...same } = first.secrets;
    expect(fresh).not.toBe(spent);
    expect(same).toEqual(others);
  });
});

test('a flag that a run left off is switched on again, and no event is sent of the time between', async () => {
  const [_id, at] = [tenants['flag-toggle'], new Date()];
  const before = await store.tenants.findOne({ _id });
  expect(before && (await switchFlag(store, before, false, at))).toMatchObject({
    developer_api_enabled: false,
  });
  const row = await store.employees.findOne({ tenant_id: _id, listed: true });
  await store.persons.updateOne({ _id: row?.person_id ?? '' }, { $inc: { rev: 1 }, $set: { outbox_at: at } });
  await ensureConformance(store, dir, at);
  const tenant = await store.tenants.findOne({ _id });
  const events = (await store.employees.findOne({ _id: row?._id ?? '' }))?.pending_events ?? [];
  expect(tenant?.developer_api_enabled).toBe(true);
  expect(events).toHaveLength(1);
  expect(events.filter(({ occurred_at }) => occurred_at >= (tenant?.enabled_at ?? new Date(0)))).toEqual([]);
  await ensureConformance(store, dir, new Date());
  expect((await store.tenants.findOne({ _id }))?.enabled_at).toEqual(tenant?.enabled_at);
});

test('the demo tenant accepts one test authority, also at the next start, and a new one after the folder was lost', async () => {
  const anchors = () => store.trust_anchors.find({ tenant_id: tenants.demo }).toArray();
  const [first, ...others] = await anchors();
  expect(others).toEqual([]);
  await ensureConformance(store, dir, new Date());
  expect(await anchors()).toEqual([first]);
  await rm(path.join(dir, 'eds'), { recursive: true });
  await ensureConformance(store, dir, new Date());
  const [second, ...more] = await anchors();
  expect([second?._id === first?._id, more]).toEqual([false, []]);
});

describe('fixtures', () => {
  test('are what the schema of the profile says', async () => {
    const whole = await employee('employee_id');
    expect([await sees('full', whole), await sees('restricted', whole)]).toEqual([true, true]);
    for (const field of ['manager_id', 'department_id', 'job_title_id'] as const) expect(whole[field]).not.toBe('');
    const person = await store.persons.findOne({ _id: whole.person_id });
    // `details` is a field that no operation shows.
    const empty = Object.entries(person ?? { none: '' }).filter(([name, value]) => value === '' && name !== 'details');
    expect(empty).toEqual([]);

    const common = await employee('employee_common_id');
    expect([await sees('full', common), await sees('restricted', common), await sees('second', common)]).toEqual([
      true,
      true,
      true,
    ]);
    const hidden = await employee('employee_hidden_from_restricted_id');
    expect([await sees('full', hidden), await sees('restricted', hidden)]).toEqual([true, false]);

    const bare = await employee('employee_without_manager_id');
    for (const field of ['manager_id', 'location_id', 'employee_number', 'start_date', 'work_email'] as const)
      expect(bare[field]).toBe('');
    expect((await store.persons.findOne({ _id: bare.person_id }))?.middle_name).toBe('');

    expect(await employee('employee_deleted_id')).toMatchObject({ listed: false, deleted_at: expect.any(Date) });
    expect(await employee('employee_draft_id')).toMatchObject({ listed: false, status: 'CREATED', deleted_at: null });
    expect(await sees('other_tenant', await employee('employee_other_tenant_id'))).toBe(true);
  });

  test('the department has 5 to 90 employees of several statuses, and departments below it', async () => {
    const id = String(first.fixtures.department_id);
    const staff = await store.employees.find({ tenant_id: tenants.demo, listed: true, department_id: id }).toArray();
    expect(staff.length).toBeGreaterThanOrEqual(5);
    expect(staff.length).toBeLessThanOrEqual(90);
    expect(new Set(staff.map(({ status }) => status)).size).toBeGreaterThan(1);
    expect(await store.departments.countDocuments({ tenant_id: tenants.demo, parent_id: id })).toBeGreaterThan(0);
    const below = await store.departments.find({ tenant_id: tenants.demo, ancestor_ids: id }).toArray();
    expect(below.map(({ _id }) => _id)).not.toContain(first.fixtures.department_other_id);
  });

  test('a tree of three levels stands below the department of its owner, also after a run left it taken apart', async () => {
    const { department_top_id: top, department_middle_id: middle, department_bottom_id: bottom } = first.fixtures;
    const ancestors = async () =>
      (await store.departments.findOne({ _id: String(bottom), tenant_id: tenants.demo }))?.ancestor_ids;
    expect(await ancestors()).toEqual([bottom, middle, top]);
    const row = await store.employees.findOne({ tenant_id: tenants.demo, department_id: String(bottom) });
    if (!row) throw new Error('nobody is in the bottom department');
    expect([await sees('department', row), await sees('restricted', row)]).toEqual([true, false]);
    const elsewhere = String(first.fixtures.department_other_id);
    const at = new Date();
    expect(await moveDepartment(store, tenants.demo, String(middle), elsewhere, at)).toBe(2);
    expect(await sees('department', row)).toBe(false);
    await ensureConformance(store, dir, at);
    expect([await ancestors(), await sees('department', row)]).toEqual([[bottom, middle, top], true]);
    const binding = await store.external_bindings.findOne({ object_id: String(top), tenant_id: tenants.demo });
    expect(binding?.external_id).toBe(first.fixtures.department_top_external_id);
  });

  test('the confidential type is one, and its owner sees everything but documents of such types', async () => {
    const type = await store.document_types.findOne({
      _id: String(first.fixtures.document_type_confidential_id),
      tenant_id: tenants.demo,
    });
    expect(type).toMatchObject({ confidential: true, status: 'ACTIVE', allow_api: true, allow_upload: true });
    const user = await store.users.findOne({ _id: first.owners.not_confidential });
    expect(user?.profile).toMatchObject({ documents: 'all_but_confidential', document_types: 'all' });
  });

  test('the other tenant has another time zone, also after somebody changed it, and an owner who is an employee', async () => {
    const own = await store.tenants.findOne({ _id: tenants.demo });
    await store.tenants.updateOne({ _id: tenants.second }, { $set: { time_zone: own?.time_zone ?? '' } });
    const { fixtures } = await ensureConformance(store, dir, new Date());
    const other = await store.tenants.findOne({ _id: tenants.second });
    expect(other?.time_zone).not.toBe(own?.time_zone);
    expect([fixtures.time_zone_other_tenant, first.fixtures.time_zone_other_tenant]).toEqual(
      Array(2).fill(other?.time_zone),
    );
    const user = await store.users.findOne({ _id: first.owners.other_tenant });
    const row = await store.employees.findOne({ _id: user?.employee_id ?? '', tenant_id: tenants.second });
    expect(row).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', listed: true });
  });

  test('the owners who hide a part of names hide nothing else', async () => {
    for (const part of ['first_name', 'last_name', 'middle_name', 'full_name'] as const) {
      const user = await store.users.findOne({ _id: first.owners[`hides_${part}`] });
      expect(user?.profile).toMatchObject({ hidden_fields: [`persons.${part}`], employees: { all: true } });
    }
  });

  test('the catalogue of document types fills more than one page', async () => {
    expect(await store.document_types.countDocuments({ tenant_id: demoIds().demo })).toBeGreaterThan(100);
  });

  test('the hidden document type is hidden, the other one is not', async () => {
    const { document_types } = (await store.users.findOne({ _id: first.owners.restricted }))?.profile ?? {};
    expect(document_types).toContain(first.fixtures.document_type_id);
    expect(document_types).not.toContain(first.fixtures.document_type_hidden_from_restricted_id);
  });

  test('the document types are what their names say', async () => {
    const flags = async (name: string) => {
      const row = await store.document_types.findOne({ _id: String(first.fixtures[name]) });
      return [row?.status, row?.allow_api, row?.allow_upload];
    };
    expect(await flags('document_type_id')).toEqual(['ACTIVE', true, true]);
    expect(await flags('document_type_hidden_from_restricted_id')).toEqual(['ACTIVE', true, true]);
    expect(await flags('document_type_no_api_id')).toEqual(['ACTIVE', false, true]);
    expect(await flags('document_type_no_upload_id')).toEqual(['ACTIVE', true, false]);
    expect(await flags('document_type_archived_id')).toEqual(['ARCHIVED', true, true]);
    const template = await store.document_templates.findOne({
      _id: String(first.fixtures.document_template_id),
    });
    expect(template?.type_id).toBe(first.fixtures.document_type_id);
    expect(JSON.parse(template?.variable_schema ?? '{}').required).not.toEqual([]);
    const archived = await store.document_templates.findOne({ status: 'ARCHIVED' });
    expect((await store.document_types.findOne({ _id: archived?.type_id ?? '' }))?.status).toBe('ACTIVE');
  });

  test('the owners are employees whom full sees, one of them terminated, and there is another organisation', async () => {
    for (const owner of ['owner', 'second_owner', 'restricted_owner']) {
      expect(await employee(`${owner}_employee_id`)).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', listed: true });
    }
    expect(await employee('employee_terminated_id')).toMatchObject({ status: 'EMPLOYEE_STATUS_TERMINATED' });
    const owner = await store.users.findOne({ _id: first.owners.terminated });
    expect(owner?.employee_id).toBe(first.fixtures.employee_terminated_id);
    const other = await store.organizations.findOne({ _id: String(first.fixtures.organization_id) });
    expect(other?.tenant_id).toBe(tenants.demo);
    expect((await employee('owner_employee_id')).organization_id).not.toBe(other?._id);
  });

  test('are the same at the next start, and a deleted one is made again', async () => {
    await store.employees.updateOne(
      { _id: String(first.fixtures.employee_id) },
      { $set: { deleted_at: now, listed: false } },
    );
    const again = await ensureConformance(store, dir, new Date());
    expect(again.fixtures).toEqual(first.fixtures);
    expect(await employee('employee_id')).toMatchObject({ listed: true, deleted_at: null });
  });
});

describe('the profile', () => {
  test('says where the suite may receive deliveries, with paths relative to its folder', () => {
    expect(profileOf(facts(), decidedValues())).toMatchObject({ callbacks: { mode: 'none' } });
    const file = (name: string) => path.resolve(dir, 'webhooks', name);
    const files = { certificate: file('receiver.pem'), key: file('receiver-key.pem'), ca: file('ca.pem') };
    const webhookReceiver = { host: '127.0.0.1', port: 8443, ...files };
    const profile = JSON.parse(JSON.stringify(profileOf({ ...facts(), webhookReceiver }, decidedValues())));
    expect(profile.callbacks).toEqual({
      mode: 'loopback',
      listen: '127.0.0.1:8443',
      certificate: 'webhooks/receiver.pem',
      key: 'webhooks/receiver-key.pem',
    });
    const env = Object.keys(first.secrets).map((name) => `${name}=k`);
    expect(() => checkProfile(profile, {}, () => env.join('\n'))).not.toThrow();
  });

  test('is accepted by the suite, with every key and fixture', async () => {
    writeProfile(facts());
    const written = parse(await readFile(profileFile(dir), 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(profileOf(facts(), decidedValues()))));
    const env = await readFile(envFile(dir), 'utf8');
    const { secrets } = checkProfile(written, {}, () => env);
    expect(secrets).toEqual(first.secrets);
    const { properties } = JSON.parse(
      await readFile(new URL('../../../conformance/profile.schema.json', import.meta.url), 'utf8'),
    );
    expect(Object.keys(properties.keys.properties).filter((name) => !(name in written.keys))).toEqual([]);
    // The tenant of this test has too few employees for the fixture `big`.
    expect(Object.keys(properties.fixtures.properties).filter((name) => !(name in written.fixtures))).toEqual(['big']);
  });

  test('holds no secret', async () => {
    const text = await readFile(profileFile(dir), 'utf8');
    for (const secret of Object.values(first.secrets)) expect(text).not.toContain(secret);
  });

  test('its admin commands do what they say', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the profile as it is read by others
    const { admin } = profileOf(facts(), decidedValues()) as any;
    async function run(argv: string[]): Promise<number> {
      const at = argv.findIndex((word) => word.endsWith('settings/main.ts'));
      let err = '';
      const code = await settings(argv.slice(at + 1), {
        env: database.env,
        stdout: () => {},
        stderr: (text) => {
          err += text;
        },
        now: () => new Date(),
      });
      expect(err).toBe('');
      return code;
    }
    const profile = async () => (await store.users.findOne({ _id: first.owners.narrowable }))?.profile;
    const before = await profile();
    expect(await run(admin.narrow_owner)).toBe(0);
    expect(await profile()).toMatchObject({
      employees: { all: false, departments: [], reports: false, self: true },
      hidden_fields: ['persons.iin'],
    });
    expect(await run(admin.restore_owner)).toBe(0);
    expect(await profile()).toEqual(before);

    const narrowable = () => store.users.findOne({ _id: first.owners.narrowable });
    expect([await run(admin.demote_owner), (await narrowable())?.super_admin]).toEqual([0, false]);
    expect([await run(admin.promote_owner), (await narrowable())?.super_admin]).toEqual([0, true]);
    expect(await profile()).toEqual(before);

    const { department_middle_id, department_top_id } = first.fixtures;
    const wanted = { department_id: String(department_middle_id), parent_id: String(department_top_id) };
    const move = admin.move_department.map((word: string) =>
      word.replace(/^\{(\w+)\}$/, (_, name: 'department_id' | 'parent_id') => wanted[name]),
    );
    const middle = { _id: wanted.department_id, tenant_id: tenants.demo };
    await moveDepartment(store, tenants.demo, middle._id, '', new Date());
    expect(await run(move)).toBe(0);
    expect((await store.departments.findOne(middle))?.parent_id).toBe(department_top_id);

    const detachable = () => store.users.findOne({ _id: first.owners.detachable });
    expect(await run(admin.detach_owner)).toBe(0);
    expect(await detachable()).toMatchObject({ employee_id: '', profile: { documents: 'own' } });
    expect(await run(admin.attach_owner)).toBe(0);
    expect(await detachable()).toMatchObject({
      employee_id: first.detachableEmployee,
      profile: { documents: 'all', employees: { all: true } },
    });

    const flag = async () => (await store.tenants.findOne({ _id: tenants['flag-toggle'] }))?.developer_api_enabled;
    expect([await run(admin.flag_off), await flag()]).toEqual([0, false]);
    expect([await run(admin.flag_on), await flag()]).toEqual([0, true]);

    const secret = first.secrets.CONF_KEY_DISPOSABLE_2 ?? '';
    const prefix =
      secret.match(new RegExp((decidedValues() as { shown_prefix_pattern: string }).shown_prefix_pattern))?.[0] ?? '';
    expect(await run(admin.revoke_key.map((word: string) => word.replace('{prefix}', prefix)))).toBe(0);
    expect((await store.api_keys.findOne({ key_hash: hashKey(secret) }))?.revoked_at).not.toBeNull();

    expect(admin.sign_cms).toEqual(expect.arrayContaining([path.join(dir, 'eds', '{certificate}'), '{file}']));
    expect(admin.sign_cms_with).toEqual(expect.arrayContaining(['{file}', '{scheme}']));
    for (const name of ['restricted', 'second', 'foreign', 'expired', 'below_expired'])
      expect((await stat(path.join(dir, 'eds', name, 'key.pem'))).mode & 0o777).toBe(0o600);

    const fill = (word: string) =>
      word.replace('{department_id}', String(first.fixtures.department_id)).replace('{title}', 'Новое имя');
    expect(await run(admin.rename_department.map(fill))).toBe(0);
    expect((await store.departments.findOne({ _id: String(first.fixtures.department_id) }))?.title).toBe('Новое имя');
  });
});
