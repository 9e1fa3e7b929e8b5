/** `persons erase` and `export`, `tenants delete` and `export`: the tool as a process that is killed, and what is left. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findCredentials } from '../../../handlers/access/keys.ts';
import { STEP_NAMES } from '../../../handlers/leaving/person.ts';
import { TENANT_COLLECTIONS } from '../../../handlers/leaving/tenant.ts';
import { startAlone } from '../../kit/run-program.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { type DiskBed, openDiskBed } from '../../world/disk-storage.ts';
import { databaseDir } from '../../world/engine.ts';
import { KNOWN, type KnownPerson, knownPerson, valuesIn } from '../../world/person-with-every-field.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
const dir = testFolder();
let disk: DiskBed;
let known: KnownPerson;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  disk = await openDiskBed();
  known = await knownPerson(store, disk.storage);
  env = { ...database.env, STORAGE_DIR: disk.dir, TENANT: known.tenant.id };
});
afterAll(() => disk.stop());

const { json, refused, misused } = settingsTool(() => ({ store, env, now: () => new Date() }));
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** Which values of the person the files of the embedded database hold. Those of a MongoDB keep some for a while. */
function valuesInDatabase(): string[] {
  const folder = databaseDir(join(database.folder, 'data'));
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('data.sqlite')) : [];
  return names.flatMap((name) => valuesIn(readFileSync(join(folder, name))));
}

/** Every file of a folder with its digest, as a manifest lists them. */
function digestsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), digest(path)]));
}

function listedIn(folder: string): Record<string, string> {
  const { files } = manifestOf(folder) as { files: { path: string; sha256: string }[] };
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
}

/** The files of an export that its manifest has to list. */
function exportedTo(folder: string): Record<string, string> {
  const { 'manifest.json': _, 'export.json': __, ...files } = digestsOf(folder);
  return files;
}

/** Starts the tool. It kills itself once it has said that it has come this far, and has begun what comes next. */
async function killedAt(said: string, line: string): Promise<void> {
  const killing = `const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text, ...rest) => {
      if (String(text).includes(${JSON.stringify(said)})) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
      return write(text, ...rest);
    };`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(killing)}`;
  const tool = startAlone('scripts/operate/settings/main.ts', line.split(' '), { ...env, NODE_OPTIONS });
  expect([said, await tool.ended, tool.stderr]).toEqual([said, 'SIGKILL', expect.stringContaining(said)]);
}

describe('a person', () => {
  test('is exported with a manifest that lists every file; a folder is never overwritten', async () => {
    const folder = join(dir, 'person');
    const answer = await json('persons export', known.personId, '--to', folder);
    expect(answer.files).toBe(Object.keys(exportedTo(folder)).length);
    expect(listedIn(folder)).toEqual(exportedTo(folder));
    expect(readdirSync(join(folder, 'files'))).toContain(known.sentId);
    expect(await refused('persons export', known.personId, '--to', folder)).toContain('complete');
    expect(await refused('persons export', known.personId, '--to', dir)).toContain('exists');
    const inFile = `${folder}/manifest.json/export`;
    expect(await refused('persons export', known.personId, '--to', inFile)).toContain('cannot be written');
  });

  test('is erased only if that is meant', async () => {
    await misused('persons erase', known.personId);
    await misused('persons erase --yes');
    const twin = await json('persons create --last-name Двойник --iin', KNOWN.iin);
    const plan = await json('persons erase --dry-run', known.personId);
    expect(plan.same_iin).toEqual([twin.id]);
    await json('persons erase --yes', twin.id);
    expect(plan).toMatchObject({ dry_run: true, erased_at: null, changed: { employments: 2, drafts: 3, users: 1 } });
    expect(Object.values(plan.in_the_way).flat()).toEqual([]);
    expect(await store.erasures.countDocuments({ _id: known.personId })).toBe(0);
  });

  test('is erased by a tool that is killed when the person is gone already, and repeated', async () => {
    await killedAt(`${STEP_NAMES.indexOf('rows') + 1}/8 rows\n`, `persons erase ${known.personId} --yes`);
    const { erased_at } = await json('persons erase --yes', known.personId);
    expect(erased_at).not.toBeNull();
    expect(valuesInDatabase()).toEqual([]);
    const again = await json('persons erase --yes', known.personId);
    expect(again).toMatchObject({ erased_at, changed: {} });
  });
});

describe('a tenant', () => {
  test('is exported whole; an interrupted export continues', async () => {
    const folder = join(dir, 'tenant');
    const line = `tenants export ${known.tenant.id} --to ${folder}`;
    await killedAt('persons:', line);
    const answer = await json(line);
    expect(listedIn(folder)).toEqual(exportedTo(folder));
    expect(answer.objects).toBeGreaterThan(0);
    for (const name of TENANT_COLLECTIONS) {
      const lines = readFileSync(join(folder, `collections/${name}.ndjson`), 'utf8')
        .split('\n')
        .slice(0, -1);
      expect([name, lines.length]).toEqual([
        name,
        await store.db.collection(name).countDocuments({ tenant_id: known.tenant.id }),
      ]);
    }
  });

  test('leaves its id and the audit log; its keys are unknown at once, and its bytes are gone', async () => {
    const other = await knownPerson(store, disk.storage);
    const key = await known.tenant.key();
    await misused('tenants delete', known.tenant.id);
    expect(await json('tenants delete --dry-run', known.tenant.id)).toMatchObject({ dry_run: true });
    expect(await findCredentials(store, key)).toBeDefined();
    const line = `tenants delete ${known.tenant.id} --yes`;
    await killedAt('objects:', line);
    expect(await findCredentials(store, key)).toBeUndefined();
    expect((await json(line)).id).toBe(known.tenant.id);
    const left: Record<string, number> = {};
    for (const { name } of await store.db.listCollections({}, { nameOnly: true }).toArray()) {
      const rows = await store.db.collection(name).find({}).toArray();
      const naming = rows.filter((row) => JSON.stringify(row).includes(known.tenant.id));
      if (naming.length > 0) left[name] = naming.length;
    }
    // Uploads whose forms can still be used keep an empty row, which the sweeper removes.
    expect(Object.keys(left).toSorted()).toEqual(['audit_entries', 'files']);
    expect(await store.employees.countDocuments({ tenant_id: other.tenant.id })).toBe(3);
    const folder = join(dir, 'other');
    await json('tenants export', other.tenant.id, '--to', folder);
  });
});
