/** Tests what people decide of a record that was skipped because it is another person than the known one (D-29). */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IngestOutcomeRow } from '../../../handlers/data/collections/ingest_outcomes.ts';
import { applyIngest } from '../../../handlers/ingest/apply/apply-ingest.ts';
import { accept } from '../../world/ingest.ts';
import { TestTenant } from '../../world/tenant.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
let tenant: TestTenant;
const { words, json, refused, misused } = settingsTool(() => ({ store, env: { ...database.env, TENANT: tenant.id } }));

// Nobody is born in the month 13.
const KNOWN = { Фамилия: 'Ахметова', Имя: 'Айгүл', ДатаРождения: '1990-03-15', ИИН: '991301000001' };
const OTHER = { Фамилия: 'Оспанова', Имя: 'Дана', ДатаРождения: '1987-11-02', ИИН: '991301000002' };
const THIRD = { Фамилия: 'Ким', Имя: 'Лариса', ДатаРождения: '1979-07-07', ИИН: '991301000003' };

async function load(ФизЛицо: object, ТабельныйНомер = '1'): Promise<IngestOutcomeRow> {
  const records = [{ ТабельныйНомер, ФизЛицо }];
  const request_id = await accept(store, tenant.id, { pair: 'LEDGER/EMPLOYEES_FULL', records });
  await applyIngest(store, tenant.id, new AbortController().signal);
  const outcome = await store.ingest_outcomes.findOne({ tenant_id: tenant.id, request_id });
  if (outcome === null) throw new Error('the batch was not applied');
  return outcome;
}

let employee: string;
let request: string;

beforeEach(async () => {
  tenant = await TestTenant.create(store);
  employee = (await load(KNOWN)).object_id;
  const skipped = await load(OTHER);
  expect(skipped.outcome).toBe('skipped');
  request = skipped.request_id;
});

const decide = (as: string) => words('ingests decide', request, '0', as);
const outcomeOf = async (...sent: Parameters<typeof load>) => (await load(...sent)).outcome;

test('is shown as one to decide, and no other is', async () => {
  expect(await words('ingests show', request)).toContain('ingests decide');
  const person_id = (await store.employees.findOne({ _id: employee }))?.person_id;
  const reason = expect.stringMatching(/./);
  expect(await json('ingests questions', request)).toEqual([
    { index: 0, external_id: '1', reason, employee_id: employee, person_id, decision: 'to_decide' },
  ]);
  expect(await words('ingests questions', request)).toMatch(/ Ахметова Айгүл 1990-03-15 +EMPLOYEE_STATUS_ACTIVE /);
  const { request_id } = await load({ ...KNOWN, ДатаРождения: 'x' });
  expect(await words('ingests show', request_id)).not.toContain('ingests decide');
});

test('is noted in the audit log by the id of its batch, without what was sent', async () => {
  await decide('successor');
  const entry = await store.audit_entries.findOne({ tenant_id: tenant.id, command: 'ingests decide' });
  expect(entry).toMatchObject({ about: { request }, results: [`${request}:0`], fields: [], outcome: 'DONE' });
});

describe.each([['same'], ['successor']])('decided as %s, does not speak for', (as) => {
  test('a record with another IIN, name or date of birth, or without one', async () => {
    await decide(as);
    const { ИИН, ДатаРождения, Фамилия, Имя } = THIRD;
    const others = [{ ИИН }, { ДатаРождения }, { Фамилия, Имя }, { Имя: 'Сәуле' }, { ИИН: '' }, { ДатаРождения: '' }];
    for (const other of others) expect(await outcomeOf({ ...OTHER, ...other })).toBe('skipped');
  });

  test('another number', async () => {
    await decide(as);
    await load(THIRD, '2');
    expect(await outcomeOf(OTHER, '2')).toBe('skipped');
  });

  test('another known person', async () => {
    await decide(as);
    await store.employees.updateOne({ _id: employee }, { $set: { deleted_at: new Date(), listed: false } });
    expect([await outcomeOf(THIRD), await outcomeOf(OTHER)]).toEqual(['created', 'skipped']);
  });
});

test('is the last decision of several', async () => {
  await decide('successor');
  await decide('same');
  expect(await load(OTHER)).toMatchObject({ outcome: 'updated', object_id: employee });
});

test('refuses to decide another record, another word, and a request of another tenant', async () => {
  const { request_id } = await load(KNOWN);
  await refused('ingests decide', request_id, '0', 'same');
  await refused('ingests decide', request, '1', 'same');
  await misused('ingests decide', request, '0', 'brother');
  tenant = await TestTenant.create(store);
  await refused('ingests decide', request, '0', 'same');
});
