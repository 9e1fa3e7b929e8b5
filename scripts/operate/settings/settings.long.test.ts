import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { hashKey, isWellFormedKey } from '../../../handlers/access/keys.ts';
import { reportsOf } from '../../../handlers/data/collections/employees.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
const dir = testFolder();
let clockMs = Date.parse('2026-05-01T00:00:00Z');

/** One second passes from each command line to the next. */
const tool = (tenant: Readonly<Record<string, string>>) =>
  settingsTool(() => {
    clockMs += 1_000;
    return { store, env: { ...database.env, ...tenant }, now: () => new Date(clockMs) };
  });
const { run, words, json, ids, refused, misused, fits } = tool({ TENANT: 'A' });
const withoutTenant = tool({});

async function newEmployee(flags = ''): Promise<string> {
  const { id: person } = await json('persons create --last-name Омарова --first-name Әсел');
  return (await json(`employees create ${flags} --person`, person)).id;
}

const employee = (id: string) => store.employees.findOne({ _id: id });

describe('tenants', () => {
  test('without a tenant, commands say how to make one', async () => {
    expect(await withoutTenant.refused('users list')).toContain('tenants create');
  });

  test('are created, refused with a name in use, and their flag is switched', async () => {
    const row = await json('tenants create A');
    expect(row).toMatchObject({ name: 'A', developer_api_enabled: true, time_zone: 'Asia/Almaty' });
    expect(await refused('tenants create A')).toContain('already');
    expect((await json('tenants update --flag off', row.id)).developer_api_enabled).toBe(false);
    await json('tenants update A --flag on');
  });

  test('changes made while the flag is off are older than its switching on', async () => {
    await json('tenants update A --flag off');
    const id = await newEmployee();
    const { person_id = '' } = (await employee(id)) ?? {};
    await store.persons.updateOne({ _id: person_id }, { $inc: { rev: 1 }, $set: { outbox_at: new Date() } });
    await json('tenants update A --flag on');
    const { enabled_at = new Date(0) } = (await store.tenants.findOne({ name: 'A' })) ?? {};
    const times = (await employee(id))?.pending_events.map(({ occurred_at }) => occurred_at) ?? [];
    expect(times).toHaveLength(2);
    for (const at of times) expect(at < enabled_at).toBe(true);
    await json('tenants update A --flag on');
    expect((await store.tenants.findOne({ name: 'A' }))?.enabled_at).toEqual(enabled_at);
  });

  test('get the time zone that is named', async () => {
    expect((await json('tenants update A --time-zone Europe/Berlin')).time_zone).toBe('Europe/Berlin');
  });

  test('with two tenants the command must name one', async () => {
    await run('tenants create B');
    expect(await withoutTenant.misused('users list')).toContain('--tenant');
    await refused('users list --tenant C');
  });
});

describe('usage', () => {
  test.each([
    'keys nonsense',
    'keys create',
    'employees list --limit 0',
    'tenants update A',
    '--nonsense',
    'tenants update A --time-zone Mars/Olympus',
    'tenants update A --time-zone +05:00',
    'tenants update A --time-zone ""',
    'users update Somebody --employees everybody',
    'users update Somebody --hide persons.salary',
    'users update Somebody --documents some',
    'users update Somebody --super-admin yes',
    'keys expire x --at 2026-02-30T00:00Z',
    'keys expire x --at 9999-12-31T23:59:59-05:00',
    'keys expire x --at tomorrow',
    'keys expire x --at 2026-01-01',
    'keys expire x --at 2026-01-01T00:00:00',
    'keys create --owner Boss --name x --scopes admin',
    'login-methods add small --title x --type x',
  ])('%s is wrong usage', async (line) => {
    await misused(line);
  });

  test('help has examples at every level', async () => {
    for (const line of ['', 'keys', 'keys create', 'employees apply', 'documents revoke']) {
      expect(await words(line, '--help')).toMatch(/Examples:\n {2}npm run settings --/);
    }
    expect(await words('document-templates import --help')).toMatch(/Examples:[\s\S]*variable_schema:[\s\S]*blocks:/);
  });
});

describe('users', () => {
  test('a new user sees only itself', async () => {
    const { profile, super_admin } = await json('users create Narrow');
    expect(profile).toEqual({
      employees: { all: false, departments: [], reports: false, self: true },
      hidden_fields: [],
      documents: 'own',
      document_types: 'all',
    });
    expect(super_admin).toBe(false);
    expect(await refused('users create Narrow')).toContain('already');
  });

  test('profile by flags; what is not named stays', async () => {
    const { id: department } = await json('departments create Seen');
    const flags = '--hide persons.iin,employees.work_email --documents all --document-types none';
    const { profile } = await json(`users create Flags ${flags} --employees reports departments:${department} self`);
    expect(profile).toEqual({
      employees: { all: false, departments: [department], reports: true, self: true },
      hidden_fields: ['employees.work_email', 'persons.iin'],
      documents: 'all',
      document_types: [],
    });
    expect(await words('users list')).toMatch(
      /Flags .* employees 1 departments \+ reports \+ self; documents all; hidden .*persons\.iin; 0 document types/,
    );
    const changed = await json('users update Flags --employees all --hide none');
    expect(changed.profile).toEqual({
      employees: { all: true, departments: [], reports: false, self: false },
      hidden_fields: [],
      documents: 'all',
      document_types: [],
    });
  });

  test('departments and document types of a profile must exist', async () => {
    expect(await refused('users update Flags --employees departments:nowhere')).toContain('nowhere');
    expect(await refused('users update Flags --document-types nothing')).toContain('nothing');
  });

  test('removal and restoration', async () => {
    expect((await json('users remove Flags')).removed_at).not.toBeNull();
    expect((await json('users restore Flags')).removed_at).toBeNull();
  });
});

describe('keys', () => {
  test('the secret is shown once and stored only as a hash', async () => {
    await json('users create Boss --super-admin on --employees all');
    const made = await json('keys create --owner Boss --name k --scopes ingest:write,employees:read');
    expect(isWellFormedKey(made.secret)).toBe(true);
    expect(made).toMatchObject({
      state: 'active',
      created_by_super_admin: true,
      scopes: ['employees:read', 'ingest:write'],
    });
    const stored = await store.api_keys.findOne({ _id: made.id });
    expect(stored?.key_hash).toBe(hashKey(made.secret));
    expect(JSON.stringify(stored)).not.toContain(made.secret);
    const { out } = await run('keys list');
    expect(out).toContain(made.prefix);
    expect(out).not.toContain(made.secret.slice(0, made.prefix.length + 1));
    expect(JSON.stringify(await json('keys list'))).not.toContain(stored?.key_hash);
  });

  test('are created only by a super-administrator', async () => {
    const create = 'keys create --owner Narrow --name k2';
    expect(await refused(`${create} --created-by Narrow`)).toContain('is no super-administrator');
    expect((await json(`${create} --created-by Boss`)).created_by_super_admin).toBe(true);
    await json('users create "Second boss" --super-admin on');
    expect(await refused(create)).toContain(
      '--created-by which super-administrator creates the key: Boss, Second boss',
    );
    await json('users remove "Second boss"');
    expect(await refused(`${create} --created-by "Second boss"`)).toContain('is no super-administrator');
    await json('users update Boss --super-admin off');
    expect(await refused(create)).toContain('has no super-administrator');
    await json('users update Boss --super-admin on');
  });

  test('ingest:write is effective only if the owner is a super-administrator too', async () => {
    const { out } = await run('keys create --owner Narrow --name k3 --scopes ingest:write');
    expect(out).toContain('no effect');
  });

  test('show what was refused to one of them, the newest first', async () => {
    const { id, prefix } = await json('keys create --owner Boss --name refused --scopes none');
    const { tenant_id = '' } = (await store.api_keys.findOne({ _id: id })) ?? {};
    const said = {
      tenant_id,
      api_key_id: id,
      operation_id: 'listEmployees',
      status: 400,
      error: 'INVALID_ARGUMENT',
    } as const;
    const fields = [{ field: 'limit', description: 'must be at least 1' }];
    const at = (minute: number) => new Date(Date.now() + minute * 60_000);
    await store.refused_calls.insertMany([
      { _id: 'a', ...said, message: 'No.', fields: [], times: 2, request_id: 'r1', at: at(1) },
      { _id: 'b', ...said, message: '', fields, times: 3, request_id: 'r2', at: at(2) },
    ]);
    const found = await json('keys refusals', prefix);
    expect(found.map((one: { times: number }) => one.times)).toEqual([3, 2]);
    expect(found[0]).toMatchObject({ error: 'INVALID_ARGUMENT', fields, request_id: 'r2' });
    expect(await words('keys refusals', prefix)).toMatch(
      /3 +listEmployees +400 +INVALID_ARGUMENT +limit must be at least 1 +r2/,
    );
  });

  test('states: inactive, expired, owner removed, revoked for ever', async () => {
    const { prefix } = await json('keys create --owner Narrow --name states --scopes none');
    const state = async () => (await json('keys list')).find((key: { prefix: string }) => key.prefix === prefix).state;
    expect((await json('keys deactivate', prefix)).state).toBe('inactive');
    expect((await json('keys activate', prefix)).state).toBe('active');
    expect((await json('keys expire --at 2026-04-30T23:59:59+05:00', prefix)).state).toBe('expired');
    expect((await json('keys expire --at 2099-01-01T00:00:00Z', prefix)).state).toBe('active');
    await json('users remove Narrow');
    expect(await state()).toBe('owner removed');
    await json('users restore Narrow');
    expect((await json('keys revoke', prefix)).state).toBe('revoked');
    expect((await json('keys revoke', prefix)).state).toBe('revoked');
    expect(await refused('keys activate', prefix)).toContain('revoked');
    expect(await refused('keys revoke dapi_nobody')).toContain('no key');
  });
});

describe('departments', () => {
  test('moving recomputes the subtree, refuses cycles, and can be repeated', async () => {
    const make = async (title: string, parent = 'none') =>
      (await json(`departments create ${title} --parent ${parent}`)).id;
    const move = (parent: string) => `departments move ${b} --parent ${parent}`;
    const ancestors = async (id: string) => (await store.departments.findOne({ _id: id }))?.ancestor_ids;
    const root = await make('root');
    const a = await make('a', root);
    const b = await make('b', a);
    const c = await make('c', b);
    const other = await make('other', root);
    expect(await ancestors(c)).toEqual([c, b, a, root]);
    await json(move(other));
    expect(await ancestors(c)).toEqual([c, b, other, root]);
    for (const parent of [b, c]) expect(await refused(move(parent))).toContain('parent_id');
    expect(await ancestors(b)).toEqual([b, other, root]);
    // As if a move was interrupted after its first write.
    await store.departments.updateOne({ _id: c }, { $set: { ancestor_ids: [c, b, a, root] } });
    expect((await json(move(other))).departments_rewritten).toBe(1);
    expect(await ancestors(c)).toEqual([c, b, other, root]);
    await json(move('none'));
    expect(await ancestors(c)).toEqual([c, b]);
  });

  test('only unused departments are deleted', async () => {
    const { id: parent } = await json('departments create "used parent"');
    const { id: child } = await json('departments create "used child" --parent', parent);
    const draft = await newEmployee(`--department ${child} --status CREATED`);
    expect(await refused('departments delete', parent)).toContain('departments below');
    expect(await refused('departments delete', child)).toContain('employees');
    await json('employees update --department none', draft);
    await json('departments delete', child);
    await json('users update Flags --employees', `departments:${parent}`);
    expect(await refused('departments delete', parent)).toContain('permission profile');
    await json('users update Flags --employees none');
    await json('departments delete', parent);
    expect(await store.departments.findOne({ _id: parent })).toBeNull();
  });
});

describe('titles', () => {
  test.each([
    ['organizations', '--organization'],
    ['job-titles', '--job-title'],
    ['locations', '--location'],
  ])('%s: create, rename, delete', async (command, flag) => {
    const { id } = await json(`${command} create one`);
    expect((await json(`${command} rename one two`)).title).toBe('two');
    expect((await json(`${command} list`)).map(({ title }: { title: string }) => title)).toContain('two');
    const user = await newEmployee(`${flag} two`);
    expect(await refused(`${command} delete two`)).toContain('employees');
    await json('employees update', user, flag, 'none');
    await json(`${command} delete`, id);
    expect(await refused(`${command} delete`, id)).toContain('no ');
  });

  test('the beginning of an id is enough, if no other one begins so', async () => {
    const { id } = await json('locations create short');
    expect((await json('locations rename', `${id.slice(0, 8)}…`, 'shorter')).id).toBe(id);
    const tenant_id = (await store.locations.findOne({ _id: id }))?.tenant_id ?? '';
    const twin = {
      _id: `${id.slice(0, 8)}-twin`,
      tenant_id,
      title: 'twin',
      create_time: new Date(0),
      update_time: new Date(0),
    };
    await store.locations.insertOne(twin);
    expect(await refused('locations rename', `${id.slice(0, 8)}…`, 'x')).toContain(twin._id);
    expect(await refused('locations rename', id.slice(0, 7), 'x')).toContain('no location');
    await store.locations.deleteOne({ _id: twin._id });
  });

  test('a title that two objects share identifies neither', async () => {
    const ids = [(await json('locations create twice')).id, (await json('locations create twice')).id];
    const message = await refused('locations rename twice x');
    for (const id of ids) expect(message).toContain(id);
  });
});

describe('login methods', () => {
  test('add, disable, enable, remove', async () => {
    const add = 'login-methods add OTP_MESSENGER --title Код --type OTP';
    await json(add);
    expect(await refused(add)).toContain('already');
    expect((await json('login-methods disable OTP_MESSENGER')).enabled).toBe(false);
    expect(await words('login-methods list')).toMatch(/^OTP_MESSENGER +no /m);
    expect((await json('login-methods enable OTP_MESSENGER')).enabled).toBe(true);
    await json('login-methods remove OTP_MESSENGER');
    expect(await json('login-methods list')).toEqual([]);
  });
});

describe('employees', () => {
  test('wrong values refuse the whole change', async () => {
    const id = await newEmployee('--start-date 2026-01-01');
    const before = await employee(id);
    const problems: Readonly<Record<string, RegExp>> = {
      '--number 2 --end-date 2026-02-30 --email x': /end_date[\s\S]*work_email/,
      '--end-date 2025-12-31': /end_date/,
      '--status CREATED': /CREATED/,
      '--department nowhere': /nowhere/,
    };
    for (const [flags, words] of Object.entries(problems)) {
      expect(await refused(`employees update ${flags}`, id)).toMatch(words);
    }
    expect(await employee(id)).toEqual(before);
  });

  test('managers must be listed, and never form a cycle', async () => {
    const top = await newEmployee();
    const middle = await newEmployee(`--manager ${top}`);
    const bottom = await newEmployee(`--manager ${middle}`);
    expect((await employee(bottom))?.visible_to).toContain(reportsOf(middle));
    for (const manager of [top, middle, bottom]) {
      expect(await refused('employees update', top, '--manager', manager)).toContain('manager_id');
    }
    const draft = await newEmployee('--status CREATED');
    expect(await refused('employees update', top, '--manager', draft)).toContain('drafts');
  });

  test('a deletion that was interrupted is completed by the same command', async () => {
    const manager = await newEmployee();
    const report = await newEmployee(`--manager ${manager}`);
    expect(await json('employees delete', manager)).toMatchObject({ deleted: true, cleared_reports: 1 });
    // As if it was interrupted after its first write.
    const uncleared = { $set: { manager_id: manager }, $push: { visible_to: reportsOf(manager) } };
    await store.employees.updateOne({ _id: report }, uncleared);
    expect(await json('employees delete', manager)).toMatchObject({ deleted: false, cleared_reports: 1 });
    expect(await employee(report)).toMatchObject({ manager_id: '', visible_to: [report] });
    expect(await refused('employees update --number 1', manager)).toContain('deleted');
  });

  test('a change of a person says how many employments changed with it', async () => {
    const person = (await employee(await newEmployee()))?.person_id ?? '';
    await json('employees create --person', person);
    const update = async () => json('persons update --phone +77000000001', person);
    expect(await update()).toMatchObject({ changed: true, employments: 2 });
    expect(await update()).toMatchObject({ changed: false, employments: 0 });
    expect(await refused('persons update --iin 123', person)).toContain('iin');
  });

  test('without a status the dates decide, on the day of the tenant', async () => {
    // It is 00:00 UTC: the day has begun in Berlin, the zone of the tenant, but not in New York.
    const status = async () => (await employee(await newEmployee('--start-date 2026-05-01')))?.status;
    expect(await status()).toBe('EMPLOYEE_STATUS_ACTIVE');
    await json('tenants update A --time-zone America/New_York');
    expect(await status()).toBe('EMPLOYEE_STATUS_ACCEPTED');
    await json('tenants update A --time-zone Europe/Berlin');
  });

  test('lists omit drafts and deleted employees unless requested', async () => {
    const draft = await newEmployee('--status CREATED --number D-1');
    const list = 'employees list --limit 1000';
    expect(await ids(list)).not.toContain(draft);
    expect(await ids(list, '--drafts')).toContain(draft);
    await json('employees update D-1 --status HIRED');
    expect(await ids(list)).toContain(draft);
    const hired = await json('employees list --status HIRED');
    expect(hired).toMatchObject([{ id: draft, full_name: 'Омарова Әсел' }]);
    expect((await json('employees show', draft)).person).toMatchObject({ last_name: 'Омарова' });
    expect(await words('employees list --status HIRED')).toMatch(/^Омарова Әсел +HIRED +D-1 /m);
    await json('employees delete', draft);
    expect(await ids(list)).not.toContain(draft);
    expect(await ids(list, '--deleted')).toContain(draft);
    expect((await json('employees list --limit 2')).length).toBe(2);
  });
});

describe('apply', () => {
  async function apply(...lines: (object | string)[]): Promise<{ code: number; out: string }> {
    const file = path.join(dir, 'changes.jsonl');
    await writeFile(
      file,
      `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
    );
    return run('employees apply --json --file', file);
  }

  const outcomesIn = (out: string) => JSON.parse(out).outcomes.map((one: { outcome: string }) => one.outcome);

  test('creates, updates and deletes, with one outcome for each line', async () => {
    const { id: department } = await json('departments create apply');
    const id = await newEmployee();
    const { code, out } = await apply(
      {
        op: 'create',
        employee: { department_id: department, start_date: '2026-05-01' },
        person: { last_name: 'Ким', first_name: 'Яна' },
      },
      { op: 'create', employee: { department_id: department, last_name: 'Цой' } },
      '',
      { op: 'update', id, employee: { status: 'EMPLOYEE_STATUS_LEAVE' }, person: { phone: '+77000000002' } },
      { op: 'update', id, employee: { status: 'EMPLOYEE_STATUS_LEAVE' } },
      { op: 'delete', id },
      { op: 'delete', id },
    );
    expect(code).toBe(0);
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({ total: 6, created: 2, updated: 1, unchanged: 2, deleted: 1, failed: 0 });
    expect(answer.outcomes.map(({ line }: { line: number }) => line)).toEqual([1, 2, 4, 5, 6, 7]);
    expect((await employee(answer.outcomes[0].id))?.department_id).toBe(department);
  });

  test('a wrong line affects no other line, and writes nothing', async () => {
    const persons = await store.persons.countDocuments({});
    const { code, out } = await apply(
      'not json',
      { op: 'rename', id: 'x' },
      {
        op: 'create',
        employee: { department_id: '00000000-0000-4000-8000-000000000000' },
        person: { last_name: 'Ким' },
      },
      { op: 'create', employee: {} },
      { op: 'create', employee: { salary: '1' }, person: { last_name: 'Ким' } },
      { op: 'update', id: 'nobody', employee: {} },
      { op: 'update', id: 'nobody', extra: 1 },
      '[1]',
      { op: 'create', employee: {}, person: { last_name: 'Пак' } },
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ total: 9, created: 1, failed: 8 });
    expect(await store.persons.countDocuments({})).toBe(persons + 1);
  });

  test('a wrong update among simultaneous ones affects no other, and each has its outcome', async () => {
    const [first = '', second = '', third = '', fourth = ''] = await Promise.all([1, 2, 3, 4].map(() => newEmployee()));
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { code, out } = await apply(
      { op: 'update', id: first, employee: { status: 'EMPLOYEE_STATUS_LEAVE', employee_number: '1' } },
      { op: 'update', id: unknown, employee: { employee_number: '2' } },
      { op: 'update', id: second, employee: { department_id: unknown } },
      { op: 'update', id: third, employee: {} },
      { op: 'update', id: fourth, employee: { start_date: '2026-05-02', end_date: '2026-05-01' } },
      { op: 'update', id: second, employee: { employee_number: '6' } },
      { op: 'update', id: first, employee: { status: 'EMPLOYEE_STATUS_ON_HOLD' } },
      { op: 'update', id: first, employee: { status: 'EMPLOYEE_STATUS_ACTIVE' } },
    );
    expect(code).toBe(1);
    const [done, wrong, same] = ['updated', 'failed', 'unchanged'];
    expect(outcomesIn(out)).toEqual([done, wrong, wrong, same, wrong, done, done, done]);
    expect(await employee(first)).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', employee_number: '1' });
    expect(await employee(second)).toMatchObject({ department_id: '', employee_number: '6' });
  });

  test('lines that name managers are applied in their order', async () => {
    const [above, below] = [await newEmployee(), await newEmployee()];
    const { out } = await apply(
      { op: 'update', id: below, employee: { manager_id: above } },
      { op: 'update', id: above, employee: { manager_id: below } },
      { op: 'delete', id: above },
      { op: 'update', id: below, employee: { manager_id: above } },
    );
    expect(outcomesIn(out)).toEqual(['updated', 'failed', 'deleted', 'failed']);
    expect((await employee(below))?.manager_id).toBe('');
  });
});

test('every list fits a terminal, whatever is in it', async () => {
  const long = 'Департамент стратегического развития и международного сотрудничества';
  for (const kind of ['departments', 'organizations', 'job-titles', 'locations']) await json(kind, 'create', long);
  await json('login-methods add --type OTP', 'A'.repeat(60), '--title', long);
  await json('users create --employees all --hide persons.iin,persons.phone', long);
  await json('keys create --created-by Boss --scopes all --owner', long, '--name', long);
  await json('persons create --first-name Әсел --last-name', long.slice(0, 60));
  const lists = [
    'tenants',
    'users',
    'keys',
    'login-methods',
    'organizations',
    'job-titles',
    'locations',
    'departments',
  ];
  for (const list of [...lists, 'persons', 'employees']) await fits(list, 'list');
});
