/** What batches have left of people who had one number one after the other: each is copied and erased alone (D-35). */
import { expect, test } from '@jest/globals';
import { accept, appliedAsChecked } from '../../scripts/world/ingest.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { applyIngest } from '../ingest/apply/apply-ingest.ts';
import { bindingId } from '../ingest/bindings.ts';
import { now } from '../runtime/clock.ts';
import { erasePerson } from './person.ts';
import { personCopy } from './person-copy.ts';

const { store } = await testDeployment();
const tenant = await TestTenant.create(store);
const tenantId = tenant.id;

// Nobody is born in the month 13.
const who = (name: string, n: number) => ({ Фамилия: name, Имя: name, ИИН: `99130100000${n}` });
const [A, B, C, D] = [who('Ахметова', 1), who('Оспанова', 2), who('Ким', 3), who('Пак', 4)];

async function load(ФизЛицо: object, ТабельныйНомер = '1') {
  const records = [{ ТабельныйНомер, ФизЛицо }];
  const [outcome] = await appliedAsChecked(store, tenantId, { pair: 'LEDGER/EMPLOYEES_FULL', records });
  const employee = await store.employees.findOne({ _id: outcome?.object_id ?? '' });
  return { outcome, employee: employee?._id ?? '', person: employee?.person_id ?? '' };
}

const leaves = ({ employee }: { employee: string }) =>
  store.employees.updateOne({ _id: employee }, { $set: { status: 'EMPLOYEE_STATUS_TERMINATED', status_due_on: '' } });

/** What is left of them where batches leave traces. */
async function left(...texts: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(
    [store.external_bindings, store.ingest_outcomes].map((rows) => rows.find({ tenant_id: tenantId }).toArray()),
  );
  return texts.filter((text) => JSON.stringify(rows).includes(text));
}

/** Decides, as the settings tool does, about a record that was skipped. */
async function decided({ outcome }: Awaited<ReturnType<typeof load>>): Promise<string> {
  const { binding_id = '', person_id = '', record = '' } = outcome?.question ?? {};
  const decisions = { person_id, record, is: 'SUCCESSOR' as const };
  await store.external_bindings.updateOne({ _id: binding_id, tenant_id: tenantId }, { $push: { decisions } });
  expect(await left(record)).toEqual([record]);
  return record;
}

const erase = ({ person }: { person: string }) =>
  erasePerson({ store, storage: undefined, tenantId, personId: person, now: now() });

test('who had a number before stays known by it, and nothing names the one who was erased', async () => {
  const first = await load(A);
  await leaves(first);
  const second = await load(B);
  await leaves(second);
  const third = await load(C);
  const ofThird = await decided(await load(D));

  const rows = await store.persons.find({ tenant_id: tenantId }).toArray();
  for (const row of rows) {
    const all = [first, second, third].flatMap(({ employee, person }) => [employee, person]);
    const { external_ids } = (await personCopy(store, tenantId, row)).parts;
    const named = all.filter((id) => JSON.stringify(external_ids).includes(id));
    const own = [first, second, third].find(({ person }) => person === row._id);
    expect(named.toSorted()).toEqual([own?.employee, own?.person].toSorted());
    expect(JSON.stringify(external_ids)).not.toContain(ofThird);
  }

  await erase(third);
  expect(await left(third.employee, third.person, ofThird)).toEqual([]);
  expect((await load(B)).outcome).toMatchObject({ outcome: 'unchanged', object_id: second.employee });
  const again = await load(C);
  expect(again.outcome).toMatchObject({ outcome: 'created' });
  await erase(second);
  expect(await left(second.employee, second.person)).toEqual([]);
  expect((await load(A)).outcome).toMatchObject({ outcome: 'unchanged', object_id: first.employee });
  expect((await load(C)).outcome).toMatchObject({ outcome: 'unchanged', object_id: again.employee });
});

test('a batch with somebody who had a number before must be applied first', async () => {
  const first = await load(who('Ли', 5), '5');
  await leaves(first);
  const second = await load({ Фамилия: 'Цой', Имя: 'Вера' }, '5');
  await leaves(second);
  await load(who('Хан', 6), '5');
  const records = [{ ТабельныйНомер: '5', ФизЛицо: { Фамилия: 'Цой', Имя: 'Вера' } }];
  await accept(store, tenantId, { pair: 'LEDGER/EMPLOYEES_FULL', records });
  await expect(erase(second)).rejects.toThrow('still open');
  await applyIngest(store, tenantId, new AbortController().signal);
  await erase(second);
  expect(await left(second.employee, second.person)).toEqual([]);
});

test('what was asked and decided about a record goes with whom it is of, and with whom it is about', async () => {
  const [holder, other] = [await load(who('Ким', 7), '7'), await load(who('Пак', 8), '8')];
  const ofOther = await decided(await load(who('Пак', 8), '7'));
  await erase(other);
  expect(await left(ofOther)).toEqual([]);
  // As an earlier version has bound a number whose organisation was the zero GUID.
  const name = { source: 'LEDGER', kind: 'EMPLOYEE', externalId: '7' } as const;
  const external_id = '00000000-0000-0000-0000-000000000000/7';
  const binding = await store.external_bindings.findOneAndDelete({ _id: bindingId(tenantId, name) });
  if (binding === null) throw new Error('no binding');
  const _id = bindingId(tenantId, { ...name, externalId: external_id });
  await store.external_bindings.insertOne({ ...binding, _id, external_id });
  const ofStranger = await decided(await load(who('Ли', 9), '7'));
  await erase(holder);
  expect(await left(ofStranger, holder.person)).toEqual([]);
});

test('what became of a record goes with whom it is of, also if its external id is bound to nobody now', async () => {
  const one = await load(who('Тен', 0), '10');
  const _id = bindingId(tenantId, { source: 'LEDGER', kind: 'EMPLOYEE', externalId: '10' });
  const { deletedCount } = await store.external_bindings.deleteOne({ _id });
  expect([deletedCount, await left(one.employee)]).toEqual([1, [one.employee]]);
  await erase(one);
  expect(await left(one.employee, one.person)).toEqual([]);
});
