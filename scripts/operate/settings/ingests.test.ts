/** Tests how results of batches are shown to people and exported for spreadsheets. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { applyIngest } from '../../../handlers/ingest/apply/apply-ingest.ts';
import { bindingId } from '../../../handlers/ingest/bindings.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { accept } from '../../world/ingest.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { csvLine } from './ingests.ts';
import { settingsTool } from './test-tool.ts';

interface JoinedPersonFacts {
  readonly id: string;
  readonly employees: readonly { readonly employee_number: string }[];
}

const { database, store } = await testDeployment();
const dir = testFolder();
let id: string;

beforeAll(async () => {
  const { id: tenant } = await json('tenants create A');
  const records = [
    { external_id: '=1+2', last_name: 'Ә' },
    { external_id: 'a "quoted", b', last_name: 'Б', phone: 5 },
    { external_id: 'C', last_name: 'В' },
  ];
  await accept(store, tenant, { pair: 'LEDGER/NOTHING', records: [{}] });
  id = await accept(store, tenant, { pair: 'KEDO/PERSONS', records });
  await applyIngest(store, tenant, new AbortController().signal);
});

const { words, json, refused, misused, fits } = settingsTool(() => ({ store, env: { ...database.env, TENANT: 'A' } }));

test('lists batches, the latest first, with counts and without internal fields', async () => {
  const rows = await json('ingests list');
  expect(rows).toHaveLength(2);
  const counts = { created: 2, updated: 0, unchanged: 0, skipped: 1, record_count: 3 };
  expect(rows[0]).toMatchObject({
    id,
    source_type: 'KEDO',
    payload_type: 'PERSONS',
    status: 'APPLIED',
    ...counts,
  });
  await fits('ingests list');
  expect(await words('ingests list')).toMatch(/ACCEPTED +PAIR .*\n.*KEDO\/PERSONS +APPLIED +3 +2 created, 1 skipped/);
});

test('shows the outcome of each record', async () => {
  const { records } = await json('ingests show', id);
  expect(records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['created', 'skipped', 'created']);
  expect(records.map(({ note }: { note: string }) => note)).toEqual(['', '', '']);
  expect(records[2].object_id).toBe((await store.persons.findOne({ last_name: 'В' }))?._id);
  const text = await words('ingests show --outcome skipped', id);
  expect(text).toContain('phone is no text.');
  expect(text).not.toContain('=1+2');
});

test('an unknown batch and an unknown outcome are refused', async () => {
  expect(await refused('ingests show none')).toContain('There is no ingest request "none"');
  await misused('ingests show --outcome lost', id);
});

test('writes a CSV file that runs no formula, and overwrites none without --force', async () => {
  const file = path.join(dir, 'outcomes.csv');
  const show = `ingests show ${id} --csv ${file}`;
  expect(await words(show)).toContain('Wrote 3 records');
  const lines = (await readFile(file, 'utf8')).split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('"record","external_id","outcome","reason","unresolved","note","decision","object_id"');
  expect(lines[1]).toMatch(/^"0","'=1\+2","created","","","","","[0-9a-f-]{36}"$/);
  expect(lines[2]).toMatch(/^"1","a ""quoted"", b","skipped","phone is no text\.","","","",""$/);
  await refused(show);
  expect(await json(`${show} --outcome skipped --force`)).toMatchObject({ file, written: 1 });
  expect((await readFile(file, 'utf8')).split('\r\n')).toHaveLength(3);
});

test('lists the persons that a filler IIN has joined, as long as several employees share them', async () => {
  const tenant_id = (await store.tenants.findOne({ name: 'A' }))?._id ?? '';
  const load = async (...records: object[]) => {
    await accept(store, tenant_id, { pair: 'LEDGER/EMPLOYEES_FULL', records });
    await applyIngest(store, tenant_id, new AbortController().signal);
  };
  const joined = async () =>
    (await json('persons joined')).map(({ id, employees }: JoinedPersonFacts) => [
      id,
      employees.map(({ employee_number }) => employee_number).sort(),
    ]);
  const record = (number: string, person: string) => ({ ТабельныйНомер: number, ФизЛицо: { external_id: person } });
  await load(record('1', 'both'), record('2', 'both'), record('3', 'alone'));
  expect(await joined()).toEqual([]);
  const employees = await store.employees.find({ tenant_id }).toArray();
  const personOf = (number: string) => employees.find((row) => row.employee_number === number)?.person_id ?? '';
  // As an earlier version has bound them.
  const bind = (externalId: string, object_id: string) => {
    const name = { source: 'LEDGER', kind: 'PERSON', externalId } as const;
    return store.external_bindings.insertOne({
      _id: bindingId(tenant_id, name),
      tenant_id,
      source_type: 'LEDGER',
      kind: 'PERSON',
      external_id: externalId,
      object_id,
      create_time: new Date(),
    });
  };
  await bind('000000000000', personOf('1'));
  await bind('999999999999', personOf('3'));
  expect(await joined()).toEqual([[personOf('1'), ['1', '2']]]);
  await fits('persons joined');
  expect(await words('persons joined')).toMatch(/^EMPLOYEES .*\n(?:1, 2|2, 1) /);
  await load(record('2', 'another'));
  expect(await joined()).toEqual([]);
});

test.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1'])('%j is text in a spreadsheet', (cell) => {
  expect(csvLine([cell, 'a"b'])).toBe(`"'${cell}","a""b"\r\n`);
});

describe('the check of a batch', () => {
  const file = (name: string) => path.join(dir, name);
  const body = {
    payload_type: 'PERSONS',
    create_missing: true,
    records: [
      { external_id: 'C', last_name: 'Г' },
      { external_id: 'D', last_name: 'Д' },
      { external_id: 'E', phone: 5 },
    ],
  };

  test('says what each record would do, also of a packed file, and writes nothing', async () => {
    await writeFile(file('batch.json.gz'), gzipSync(JSON.stringify(body)));
    const rows = async () => [await store.persons.countDocuments(), await store.ingest_requests.countDocuments()];
    const before = await rows();
    const { counts, records } = await json('ingests check --source KEDO --file', file('batch.json.gz'));
    expect(counts).toEqual([
      { outcome: 'created', reason: '', records: 1 },
      { outcome: 'updated', reason: '', records: 1 },
      { outcome: 'skipped', reason: 'phone is no text.', records: 1 },
    ]);
    expect(records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['updated', 'created', 'skipped']);
    expect(await words('ingests check --source KEDO --outcome skipped --file', file('batch.json.gz'))).toMatch(
      /RECORDS +OUTCOME[\s\S]*1 +skipped +phone is no text\.[\s\S]*2 +E/,
    );
    expect(await rows()).toEqual(before);
  });

  test('refuses what the service would refuse', async () => {
    await writeFile(file('wrong.json'), JSON.stringify({ ...body, records: undefined }));
    expect(await refused('ingests check --source KEDO --file', file('wrong.json'))).toContain('records is required.');
    await writeFile(file('large.gz'), gzipSync(Buffer.alloc(33 * 1024 * 1024, ' ')));
    expect(await refused('ingests check --source KEDO --file', file('large.gz'))).toContain(
      'The batch is larger than the 33554432 bytes',
    );
    await writeFile(file('cut.gz'), gzipSync('{}').subarray(0, 12));
    expect(await refused('ingests check --source KEDO --file', file('cut.gz'))).toContain('no whole gzip');
  });
});
