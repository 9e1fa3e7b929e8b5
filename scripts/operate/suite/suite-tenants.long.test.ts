import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { parseEnv, promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { examine } from '../../../conformance/deployment/doctor.ts';
import { AdminCommands } from '../../../conformance/engine/admin-commands.ts';
import { checkProfile } from '../../../conformance/profile/profile.ts';
import { hashKey } from '../../../handlers/access/keys.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { collectionNames } from '../../../handlers/data/store.ts';
import { moveDepartment } from '../../../handlers/employees/write/departments.ts';
import { switchFlag } from '../../../handlers/employees/write/tenant-flag.ts';
import { checks, handlers } from '../../../handlers/index.ts';
import { JOBS_COLLECTION } from '../../../handlers/jobs/scheduler.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { uploadKey } from '../../../handlers/storage/storage.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { serveInProcess } from '../../world/in-process.ts';
import { MemoryStorage } from '../../world/memory-storage.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { objectStorageOf } from '../settings/object-storage.ts';
import { settingsTool } from '../settings/test-tool.ts';
import { ensureDemo } from '../start/demo.ts';
import { knownVariables } from './folder.ts';
import { envText } from './key-ring.ts';
import { envFile, loopbackCallbacks, profileFile } from './profile.ts';
import { ensureSuiteTenants, type SuiteTenants } from './suite-tenants.ts';
import { demoTenants, ensureTenants, idsOf, tenantRoles, testTenants } from './tenant-set.ts';

const { database, store } = await testDeployment();
const dir = path.join(testFolder(), 'qa');
const storageDir = testFolder();
const set = testTenants('qa');
const tenants = idsOf(set);
const now = new Date('2026-06-01T00:00:00Z');
const { json, refused, misused } = settingsTool(() => ({
  env: { ...database.env, STORAGE_DIR: storageDir },
  now: () => now,
}));
const BASE_URL = 'http://127.0.0.1:8080';
const create = `conformance create --out ${dir} --base-url ${BASE_URL} --employees 1500`;
const reached = '--replicas http://127.0.0.1:8090 --clock http://127.0.0.1:1,http://127.0.0.1:2';
let made: Record<string, unknown>;
let first: SuiteTenants;

/** As `create` does it in tenants that exist. */
const ensure = (at = new Date()) => ensureSuiteTenants(store, set, dir, at);

beforeAll(async () => {
  made = await json(`${create} ${reached} --restart "systemctl restart hr-api" --logs`, 'journalctl --since "$1"');
  first = await ensure();
});

const written = async () => parse(await readFile(profileFile(dir), 'utf8'));

const OTHERS = 'a tenant of others';
const otherTenant = (name: string) => {
  const own = { developer_api_enabled: true, time_zone: 'UTC', create_time: now, update_time: now };
  return { _id: OTHERS, name, ...own };
};

async function employee(name: string): Promise<EmployeeRow> {
  const row = await store.employees.findOne({ _id: String(first.fixtures[name]) });
  if (!row) throw new Error(`no employee ${name}`);
  return row;
}

describe('the tenants', () => {
  test('are made once, with a name for each purpose', async () => {
    expect(made).toMatchObject({
      name: 'qa',
      tenants_made: tenantRoles.length,
      keys: Object.keys(first.secrets).length,
    });
    expect(await ensureTenants(store, set, 1_500, undefined)).toBe(0);
    const rows = await store.tenants.find({}).toArray();
    expect(Object.fromEntries(rows.map((row) => [row.name, row.developer_api_enabled]))).toEqual({
      qa: true,
      'qa-other': true,
      'qa-flag-off': false,
      'qa-flag-toggle': true,
      'qa-pool-1': true,
      'qa-pool-2': true,
      'qa-pool-3': true,
    });
  });

  test('of npm start are never made in a database with others', async () => {
    expect(await ensureDemo(store, 10, undefined)).toBe(false);
    expect(await store.tenants.countDocuments({ _id: { $in: Object.values(idsOf(demoTenants)) } })).toBe(0);
  });

  test('are refused for a folder that does not have their keys, for the folder of others, and under names of others', async () => {
    const elsewhere = path.join(path.dirname(dir), 'another');
    const into = `conformance create --base-url ${BASE_URL} --out`;
    expect(await refused(`${into} ${elsewhere} --name qa`)).toContain('conformance remove --name qa');
    expect(await refused(`${into} ${dir} --name third`)).toContain('is for the tenants of "qa"');
    const ofOthers = path.join(path.dirname(dir), 'of others');
    await mkdir(ofOthers);
    await writeFile(profileFile(ofOthers), '');
    expect(await refused(into, ofOthers)).toContain('another command has made');
    expect(await refused('conformance remove --out', ofOthers)).toContain('was not made by conformance create');
    expect(existsSync(profileFile(ofOthers))).toBe(true);
    await store.tenants.insertOne(otherTenant('ours-other'));
    expect(await refused(`${into} ${elsewhere} --name ours`)).toContain(`"ours-other" already (${OTHERS}), of others`);
    await store.tenants.deleteOne({ _id: OTHERS });
  });
});

describe('keys', () => {
  test('stay the same at the next start, in a file that only the owner can read', async () => {
    expect((await ensure()).secrets).toEqual(first.secrets);
    expect((await stat(envFile(dir))).mode & 0o777).toBe(0o600);
  });

  test('one that a run has revoked is replaced, the others stay', async () => {
    const { CONF_KEY_DISPOSABLE_1: spent = '', ...others } = first.secrets;
    await store.api_keys.updateOne({ key_hash: hashKey(spent) }, { $set: { revoked_at: now } });
    first = await ensure();
    const { CONF_KEY_DISPOSABLE_1: fresh, ...same } = first.secrets;
    expect(fresh).not.toBe(spent);
    expect(same).toEqual(others);
  });
});

test('a flag that a run left off is switched on again', async () => {
  const flag = async () => store.tenants.findOne({ _id: tenants.flag_toggle });
  const before = await flag();
  expect(before && (await switchFlag(store, before, false, now))).toMatchObject({ developer_api_enabled: false });
  await ensure();
  expect(await flag()).toMatchObject({ developer_api_enabled: true });
});

test('the main tenant accepts one test authority, also at the next start, and a new one after the folder was lost', async () => {
  const anchors = () => store.trust_anchors.find({ tenant_id: tenants.main }).toArray();
  const [first, ...others] = await anchors();
  expect(others).toEqual([]);
  await ensure();
  expect(await anchors()).toEqual([first]);
  await rm(path.join(dir, 'eds'), { recursive: true });
  await ensure();
  const [second, ...more] = await anchors();
  expect([second?._id === first?._id, more]).toEqual([false, []]);
});

describe('fixtures', () => {
  test('are, with the keys, what the doctor of the suite demands', async () => {
    const server = await serveInProcess({ handlers, checks }, store, new MemoryStorage());
    try {
      const at = { base_url: new URL(server.url).origin, replicas: [], clock: { mode: 'none' } };
      const profile = { ...(await written()), ...at, callbacks: { mode: 'none' } };
      const problems: string[] = [];
      await examine(
        checkProfile(profile, {}, () => envText(first.secrets)),
        ({ kind, about, says }) => kind === 'problem' && problems.push(`${about}: ${says}`),
        0,
      );
      expect(problems).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test('a tree of three levels stands below the department of its owner, also after a run left it taken apart', async () => {
    const { department_top_id: top, department_middle_id: middle, department_bottom_id: bottom } = first.fixtures;
    const ancestors = async () =>
      (await store.departments.findOne({ _id: String(bottom), tenant_id: tenants.main }))?.ancestor_ids;
    expect(await ancestors()).toEqual([bottom, middle, top]);
    const elsewhere = String(first.fixtures.department_other_id);
    expect(await moveDepartment(store, tenants.main, String(middle), elsewhere, now)).toBe(2);
    await ensure(now);
    expect(await ancestors()).toEqual([bottom, middle, top]);
    const binding = await store.external_bindings.findOne({ object_id: String(top), tenant_id: tenants.main });
    expect(binding?.external_id).toBe(first.fixtures.department_top_external_id);
  });

  test('the other tenant has another time zone, also after somebody changed it', async () => {
    const own = await store.tenants.findOne({ _id: tenants.main });
    await store.tenants.updateOne({ _id: tenants.other }, { $set: { time_zone: own?.time_zone ?? '' } });
    const { fixtures } = await ensure();
    const other = await store.tenants.findOne({ _id: tenants.other });
    expect(other?.time_zone).not.toBe(own?.time_zone);
    expect([fixtures.time_zone_other_tenant, first.fixtures.time_zone_other_tenant]).toEqual(
      Array(2).fill(other?.time_zone),
    );
  });

  test('are the same at the next start, and a deleted one is made again', async () => {
    await store.employees.updateOne(
      { _id: String(first.fixtures.employee_id) },
      { $set: { deleted_at: now, listed: false } },
    );
    const again = await ensure();
    expect(again.fixtures).toEqual(first.fixtures);
    expect(await employee('employee_id')).toMatchObject({ listed: true, deleted_at: null });
  });
});

describe('the profile', () => {
  test('says how the deployment is reached, and server.env what its processes must be started with', async () => {
    const server = parseEnv(await readFile(path.join(dir, 'server.env'), 'utf8'));
    const file = (name: string) => path.join(dir, 'webhooks', name);
    // How long its operations may take, each start says for itself.
    const { DATABASE_TIMEOUT_MS: _, ...reached }: Record<string, string> = database.env;
    expect(server).toEqual({
      ...reached,
      STORAGE_DIR: storageDir,
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.1:8443',
      WEBHOOK_CA_FILE: file('ca.pem'),
      CONTROL_PEERS: 'http://127.0.0.1:1,http://127.0.0.1:2',
    });
    expect(await written()).toMatchObject({
      base_url: BASE_URL,
      replicas: ['http://127.0.0.1:8090'],
      clock: { mode: 'control', url: 'http://127.0.0.1:1' },
      callbacks: {
        mode: 'loopback',
        listen: '127.0.0.1:8443',
        certificate: 'webhooks/receiver.pem',
        key: 'webhooks/receiver-key.pem',
      },
    });
    expect(loopbackCallbacks(undefined, dir)).toEqual({ mode: 'none' });
    for (const name of ['server.env', 'database.json', 'tenants.json', 'webhooks/receiver-key.pem']) {
      expect((await stat(path.join(dir, name))).mode & 0o777).toBe(0o600);
    }
  });

  test('has secrets as they are given now: by value, or by the path of a file', async () => {
    const known = knownVariables(dir, { MONGODB_URI_FILE: 'secrets/uri' });
    const all: Record<string, string> = { ...database.env, STORAGE_DIR: storageDir };
    const { MONGODB_URI: _, DATABASE_TIMEOUT_MS: __, ...others } = all;
    expect(known).toEqual({ ...others, MONGODB_URI_FILE: path.resolve('secrets/uri') });
    const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(await objectStorageOf({ ...bucket, MONGODB_URI_FILE: '/nowhere' }, 'none')).toBeDefined();
  });

  test('is accepted by the suite, with every key, fixture and admin command, and holds no secret', async () => {
    const text = await readFile(profileFile(dir), 'utf8');
    for (const secret of Object.values(first.secrets)) expect(text).not.toContain(secret);
    const profile = await written();
    const env = await readFile(envFile(dir), 'utf8');
    expect(checkProfile(profile, {}, () => env).secrets).toEqual(first.secrets);
    const { properties } = JSON.parse(
      await readFile(new URL('../../../conformance/profile.schema.json', import.meta.url), 'utf8'),
    );
    const lacking = (part: string) =>
      Object.keys(properties[part].properties).filter((name) => !(name in profile[part]));
    // The tenant of this test has too few employees for the fixture `big`.
    expect([lacking('keys'), lacking('fixtures'), lacking('admin')]).toEqual([[], ['big'], []]);
  });

  test('runs the settings tool on the database of the deployment, whatever its environment says', async () => {
    const { admin } = await written();
    const isOn = async () => (await store.tenants.findOne({ _id: tenants.flag_toggle }))?.developer_api_enabled;
    const [node, ...argv] = admin.flag_off;
    const env = { PATH: process.env.PATH };
    await promisify(execFile)(node, argv, { cwd: path.resolve(dir, admin.cwd), env });
    expect(await isOn()).toBe(false);
    const commands = new AdminCommands({ ...admin, cwd: path.resolve(dir, admin.cwd) });
    expect(await commands.run(admin.flag_on)).toMatchObject({ code: 0, stderr: '' });
    expect(await isOn()).toBe(true);
    expect(await commands.run([...admin.flag_on.slice(0, -1), 'perhaps'])).toMatchObject({ code: 2 });
    expect(await commands.run([node, '-e', 'console.log("by itself")'])).toMatchObject({ stdout: 'by itself\n' });
    await commands.close();
    await ensure();
  });
});

test('a creation that was interrupted before its keys existed is repeated with the keys that it has written', async () => {
  await store.tenants.deleteOne({ _id: tenants.flag_off });
  await store.api_keys.deleteMany({});
  expect(await json(create)).toMatchObject({ tenants_made: 1 });
  expect((await ensure()).secrets).toEqual(first.secrets);
  expect(await store.api_keys.countDocuments({})).toBe(Object.keys(first.secrets).length);
});

test('removal leaves only the audit log: no row, no file in the storage, no folder; repeated, it finds nothing', async () => {
  const storage = await openFolder(storageDir);
  const draft = await storage.draft(Readable.from([Buffer.from('%PDF-')]));
  const key = uploadKey(tenants.main, 'one');
  await draft.commit(key);
  const { _id } = (await store.users.findOne({ tenant_id: tenants.main })) ?? { _id: '' };
  const none = { object: null, confirmed_at: null, document_id: '', linked_at: null, sweep_at: null };
  const upload = { filename: 'a.pdf', content_type: 'application/pdf', reserved_bytes: 5, ...none };
  const status = 'FILE_UPLOAD_STATUS_RESERVED' as const;
  const times = { create_time: now, update_time: now };
  await store.files.insertOne({ _id: 'one', tenant_id: tenants.main, owner_id: _id, status, ...upload, ...times });
  const keyId = (await store.api_keys.findOne({ tenant_id: tenants.main }))?._id ?? '';
  await store.rate_limits.insertOne({ _id: keyId, tat: 0, at: 0, granted: 1, expires_at: now });
  await store.tenants.insertOne(otherTenant('ours'));
  const jobs = store.db.collection(JOBS_COLLECTION);
  await jobs.insertMany([{ data: { id: tenants.main } }, { data: { id: OTHERS } }]);
  // As `settings` is called where nothing but the folder says which database and storage are meant.
  const alone = settingsTool(() => ({ env: {}, now: () => now }));
  expect(await alone.json('conformance remove --out', dir)).toMatchObject({ name: 'qa', files: 1 });
  expect([existsSync(dir), await storage.latest(key)]).toEqual([false, undefined]);
  expect(await jobs.distinct('data.id')).toEqual([OTHERS]);
  const notOfTenants = ['audit_entries', 'deployment_secrets', 'store_versions'];
  for (const name of collectionNames.filter((each) => !notOfTenants.includes(each))) {
    const rows = await store.db.collection(name).find({}).toArray();
    expect([name, rows.filter(({ _id }) => String(_id) !== OTHERS)]).toEqual([name, []]);
  }
  expect(await json('conformance remove --name qa')).toEqual({ name: 'qa', rows: 0, files: 0 });
  await misused('conformance remove');
});
