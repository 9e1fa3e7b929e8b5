import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { examine } from '../../../conformance/doctor/doctor.ts';
import { checkProfile } from '../../../conformance/profile/profile.ts';
import { hashKey } from '../../../handlers/access/keys.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { moveDepartment } from '../../../handlers/employees/write/departments.ts';
import { switchFlag } from '../../../handlers/employees/write/switch-flag.ts';
import { checks, handlers } from '../../../handlers/index.ts';
import { samplesOf, serverOf } from '../../contract/docs/samples.ts';
import { operationsOf, readContract } from '../../contract/read.ts';
import { ask } from '../../testbed/ask.ts';
import { Database } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import { serveInProcess } from '../../testbed/in-process.ts';
import { MemoryStorage } from '../../testbed/memory-storage.ts';
import { testDeployment } from '../../testbed/test-deployment.ts';
import { testFolder } from '../../testbed/test-surroundings.ts';
import {
  decidedValues,
  ensureConformance,
  envFile,
  profileFile,
  profileOf,
  ROOT,
  writeProfile,
} from './conformance.ts';
import { demoIds, ensureDemo } from './demo.ts';
import { envText } from './key-ring.ts';

const { store } = await testDeployment();
const dir = testFolder();
let first: Awaited<ReturnType<typeof ensureConformance>>;
const tenants = demoIds();
const now = new Date('2026-06-01T00:00:00Z');
/** The id of the document in samples. */
const OF_SERVICE = '3f0c1b52-8a4e-4d0b-9a51-6f2f1c7be201';

beforeAll(async () => {
  expect(await ensureDemo(store, 1_500, undefined)).toEqual({ present: true, made: 4 });
  first = await ensureConformance(store, dir, now);
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

  test('one that a run has revoked is replaced, the others stay', async () => {
    const { CONF_KEY_DISPOSABLE_1: spent = '', ...others } = first.secrets;
    await store.api_keys.updateOne({ key_hash: hashKey(spent) }, { $set: { revoked_at: now } });
    first = await ensureConformance(store, dir, new Date());
    const { CONF_KEY_DISPOSABLE_1: fresh, ...same } = first.secrets;
    expect(fresh).not.toBe(spent);
    expect(same).toEqual(others);
  });
});

test('a flag that a run left off is switched on again', async () => {
  const flag = async () => store.tenants.findOne({ _id: tenants['flag-toggle'] });
  const before = await flag();
  expect(before && (await switchFlag(store, before, false, now))).toMatchObject({ developer_api_enabled: false });
  await ensureConformance(store, dir, new Date());
  expect(await flag()).toMatchObject({ developer_api_enabled: true });
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
  test('are, with the keys, what the doctor of the suite demands', async () => {
    const server = await serveInProcess({ handlers, checks }, store, new MemoryStorage());
    try {
      const base = { ...facts(), baseUrl: new URL(server.url).origin, replicas: [], controlUrl: null };
      const profile = JSON.parse(JSON.stringify(profileOf(base, decidedValues())));
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

  test('have the ids that samples of the docs send, but for documents and files, which the service makes', async () => {
    const contract = await readContract(path.join(ROOT, 'openapi.yaml'));
    const server = await serveInProcess({ handlers, checks }, store, new MemoryStorage());
    const key = first.secrets.CONF_KEY_FULL_1 ?? '';
    const samples = samplesOf(contract);
    /** Sends what a sample sends. @param instead for the id of a document in it */
    const answer = async (operationId: string, instead = '') => {
      const source = samples.get(operationId)?.[0]?.source.replace(OF_SERVICE, instead) ?? '';
      const url = /(?<=^curl ')[^']+/.exec(source)?.[0]?.replace(serverOf(contract), new URL(server.url).origin) ?? '';
      const body = /(?<= -d ')[^']+/.exec(source)?.[0];
      return ask(body === undefined ? 'GET' : 'POST', url, key, body && JSON.parse(body));
    };
    try {
      const sent: Record<string, number> = {};
      for (const { operationId, method } of operationsOf(contract)) {
        const isOfService = samples.get(operationId)?.[0]?.source.includes(OF_SERVICE);
        if (method === 'get' && !isOfService) sent[operationId] = (await answer(operationId)).status;
      }
      expect(Object.entries(sent).filter(([, status]) => status !== 200)).toEqual([]);
      expect(Object.keys(sent)).toContain('getEmployee');
      const made = await answer('createDocument');
      expect(made).toMatchObject({ status: 200 });
      const { id } = made.body.document as { id: string };
      expect(await answer('setDocumentRoute', id)).toMatchObject({ status: 200 });
    } finally {
      await server.stop();
    }
  });

  test('are enough for rules about pages and filters', async () => {
    const department_id = String(first.fixtures.department_id);
    const staff = await store.employees.find({ tenant_id: tenants.demo, listed: true, department_id }).toArray();
    expect(staff.length).toBeGreaterThanOrEqual(5);
    expect(staff.length).toBeLessThanOrEqual(90);
    expect(new Set(staff.map(({ status }) => status)).size).toBeGreaterThan(1);
    expect(await store.document_types.countDocuments({ tenant_id: tenants.demo })).toBeGreaterThan(100);
  });

  test('a tree of three levels stands below the department of its owner, also after a run left it taken apart', async () => {
    const { department_top_id: top, department_middle_id: middle, department_bottom_id: bottom } = first.fixtures;
    const ancestors = async () =>
      (await store.departments.findOne({ _id: String(bottom), tenant_id: tenants.demo }))?.ancestor_ids;
    expect(await ancestors()).toEqual([bottom, middle, top]);
    const elsewhere = String(first.fixtures.department_other_id);
    expect(await moveDepartment(store, tenants.demo, String(middle), elsewhere, now)).toBe(2);
    await ensureConformance(store, dir, now);
    expect(await ancestors()).toEqual([bottom, middle, top]);
    const binding = await store.external_bindings.findOne({ object_id: String(top), tenant_id: tenants.demo });
    expect(binding?.external_id).toBe(first.fixtures.department_top_external_id);
  });

  test('the other tenant has another time zone, also after somebody changed it', async () => {
    const own = await store.tenants.findOne({ _id: tenants.demo });
    await store.tenants.updateOne({ _id: tenants.second }, { $set: { time_zone: own?.time_zone ?? '' } });
    const { fixtures } = await ensureConformance(store, dir, new Date());
    const other = await store.tenants.findOne({ _id: tenants.second });
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

  test('is accepted by the suite, with every key and fixture, and holds no secret', async () => {
    writeProfile(facts());
    const text = await readFile(profileFile(dir), 'utf8');
    for (const secret of Object.values(first.secrets)) expect(text).not.toContain(secret);
    const written = parse(text);
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
});
