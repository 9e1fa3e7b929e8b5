/** That every command that may change something has an entry in the audit log, also where it fails or is killed. */

import { describe, expect, test } from '@jest/globals';
import type { AuditEntryRow } from '../../../handlers/data/collections/audit_entries.ts';
import { TestTenant } from '../../world/tenant.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { audited } from './audit-log.ts';
import type { Group } from './command.ts';
import { groups } from './main.ts';
import { readingStore } from './reading-store.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
const tenant = await TestTenant.create(store);
const { json, words, refused, misused } = settingsTool(() => ({
  store,
  env: { ...database.env, TENANT: tenant.id },
  now: () => new Date(),
}));
const entries = () => store.audit_entries.find({}).sort({ at: 1, _id: 1 }).toArray();

test('the commands that have no entry are those that only read', async () => {
  const loaded: (readonly [string, Group])[] = await Promise.all(
    Object.entries(groups).map(async ([name, load]) => [name, await load()] as const),
  );
  const reading = loaded.flatMap(([group, { commands }]) =>
    Object.entries(commands).flatMap(([name, { reads }]) => (reads ? [`${group} ${name}`] : [])),
  );
  const lists = Object.keys(groups)
    .filter((name) => name !== 'conformance')
    .map((name) => `${name} list`);
  const shows = ['employees', 'documents', 'document-templates', 'webhook-endpoints', 'deliveries', 'ingests'];
  const files = ['document-templates export', 'document-templates preview', 'ingests check'];
  const others = [
    ...shows.map((name) => `${name} show`),
    'ingests questions',
    'persons joined',
    'keys refusals',
    ...files,
  ];
  expect(reading.toSorted()).toEqual([...lists, ...others].toSorted());
});

test('a command that only reads cannot write, in whatever way it reaches a collection', async () => {
  const reading = readingStore(store);
  const filter = { _id: tenant.id };
  const calls = [
    () => reading.tenants.updateOne(filter, { $set: { name: 'x' } }),
    () => reading.tenants.findOneAndDelete(filter),
    () => reading.db.collection('tenants').deleteMany({}),
    () => reading.db.dropDatabase(),
  ];
  for (const call of calls) expect(call).toThrow('only reads');
  expect((await reading.tenants.findOne(filter))?.name).toBe('test');
  expect(await reading.db.collection('tenants').countDocuments({})).toBe(1);
});

describe('an entry', () => {
  test('names who, what and which fields, and holds no value', async () => {
    await json('users create "Сәуле Тайна" --super-admin on --as "A. Operator"');
    const { id } = await json('keys create --owner "Сәуле Тайна" --created-by "Сәуле Тайна" --name Тайна');
    await json('keys revoke', id);
    await json('persons create --last-name Тайна --phone +77000000003');
    const [created, key, revoked, person] = await entries();
    expect(created).toMatchObject({
      command: 'users create',
      operator: 'A. Operator',
      outcome: 'DONE',
      fields: ['super_admin'],
    });
    expect(created?.results).toHaveLength(1);
    expect(key).toMatchObject({ command: 'keys create', tenant_id: tenant.id, results: [id] });
    expect(key?.fields).toEqual(['owner', 'name', 'createdBy']);
    expect(key?.about).toEqual({ owner: created?.results[0], createdBy: created?.results[0] });
    expect(revoked).toMatchObject({ command: 'keys revoke', about: { key: id }, fields: [] });
    expect(person).toMatchObject({ command: 'persons create', fields: ['last_name', 'phone'] });
    expect(JSON.stringify(await entries())).not.toMatch(/Тайна|\+7700|dapi_/);
  });

  test('of a refused command says so; a wrong usage and an unknown row, which come before it, have none', async () => {
    const before = (await entries()).length;
    await refused('keys revoke nobody');
    await misused('keys nonsense');
    await refused('tenants create test');
    const [entry] = (await entries()).slice(before);
    expect(entry).toMatchObject({ command: 'tenants create', outcome: 'REFUSED', tenant_id: '', results: [] });
    expect((await entries()).length).toBe(before + 1);
  });

  test('is there before the change, as BEGUN, and says FAILED if the change ends with another error', async () => {
    const entry = { ...(await entries())[0], _id: 'killed' } as AuditEntryRow;
    const outcomes: (string | undefined)[] = [];
    const change = async () => {
      outcomes.push((await store.audit_entries.findOne({ _id: 'killed' }))?.outcome);
      throw new Error('the store is away');
    };
    const begun = { ...entry, outcome: 'BEGUN' as const };
    const ending = audited(
      store,
      begun,
      () => new Date(),
      change,
      () => ({ outcome: 'DONE', results: [] }),
    );
    await expect(ending).rejects.toThrow('away');
    outcomes.push((await store.audit_entries.findOne({ _id: 'killed' }))?.outcome);
    expect(outcomes).toEqual(['BEGUN', 'FAILED']);
    await store.audit_entries.deleteOne({ _id: 'killed' });
  });

  test('is listed by tenant, time and command, newest first', async () => {
    const all = await json('audit list --tenant test');
    expect(all.map(({ command }: { command: string }) => command)).toEqual([
      'persons create',
      'keys revoke',
      'keys create',
      'users create',
    ]);
    const { at: since, tenant: ofTenant, about } = all[1];
    expect(await words('audit list --command "keys revoke"')).toContain(about.key);
    expect(ofTenant).toBe(tenant.id);
    expect(await json('audit list --command "persons create" --since', since)).toHaveLength(1);
    expect(await json('audit list --tenant another')).toEqual([]);
    await misused('users create x --as " "');
  });
});
