/** What a change of a person does to its employments, also when a process dies between the two. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { racedStore } from '../../../scripts/world/racing-store.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { createEmployee, updateEmployee } from './employees.ts';
import type { PersonFields } from './fields.ts';
import { changedPerson } from './person-rows.ts';
import { createPerson, followPersons, updatePerson, writePersons } from './persons.ts';

const { store } = await testDeployment();
const tenant = randomUUID();
const at = { now: new Date('2026-03-01T10:00:00.000Z'), today: '2026-03-01' };
const later = new Date('2026-03-02T10:00:00.000Z');
const repaired = new Date('2026-03-03T10:00:00.000Z');

afterEach(async () => {
  await store.persons.deleteMany({});
  await store.employees.deleteMany({});
});

const newPerson = (tenantId = tenant) => createPerson(store, tenantId, { last_name: 'Омарова' }, at.now);
const hire = (person: PersonRow) => createEmployee(store, person.tenant_id, person._id, {}, at);
const update = (person: PersonRow, fields: Partial<PersonFields>, among = store) =>
  updatePerson(among, person.tenant_id, person._id, fields, later);

async function employment({ _id }: { _id: string }): Promise<EmployeeRow> {
  const row = await store.employees.findOne({ _id });
  if (row === null) throw new Error('no such employee');
  return row;
}

async function personOf({ _id }: PersonRow): Promise<PersonRow> {
  const row = await store.persons.findOne({ _id });
  if (row === null) throw new Error('no such person');
  return row;
}

/** The types of the events since the employment was created. */
const eventTypes = async (row: EmployeeRow) =>
  (await employment(row)).pending_events.slice(row.pending_events.length).map(({ type }) => type);

/** Writes only the person, as if a crash followed. */
async function interrupted(person: PersonRow, fields: Partial<PersonFields>): Promise<PersonRow> {
  const before = await personOf(person);
  const after = changedPerson(before, fields, later) as PersonRow;
  expect(await writePersons(store, person.tenant_id, [{ before, after }])).toEqual(new Set());
  return after;
}

const NAME = { last_name: 'Ахметова' };
const PHONE = { phone: '+77000000001' };

describe('a change of a person', () => {
  test('without employees is done at once', async () => {
    const person = await newPerson();
    expect(await update(person, NAME)).toMatchObject({ changed: true, employments: 0 });
    expect((await personOf(person)).outbox_at).toBeNull();
    expect(await updatePerson(store, randomUUID(), person._id, PHONE, later)).toBeNull();
  });
});

describe('a change that a crash interrupted', () => {
  test('is completed once, even if several processes do it', async () => {
    const person = await newPerson();
    const rows = [await hire(person), await hire(person), await hire(person)];
    await interrupted(person, NAME);
    await Promise.all(Array.from({ length: 5 }, () => followPersons(store, repaired, 10)));
    for (const row of rows) {
      expect(await eventTypes(row)).toEqual(['employee.changed', 'person.changed']);
      expect((await employment(row)).update_time).toEqual(repaired);
    }
    expect((await personOf(person)).outbox_at).toBeNull();
    expect(await followPersons(store, repaired, 10)).toBe(0);
  });

  test('is completed for the employees that it had not reached', async () => {
    const person = await newPerson();
    const [done, open] = [await hire(person), await hire(person)];
    await interrupted(person, NAME);
    await store.employees.updateOne({ _id: open._id }, { $set: { person_id: 'hidden' } });
    await followPersons(store, later, 10);
    await store.employees.updateOne({ _id: open._id }, { $set: { person_id: person._id } });
    await store.persons.updateOne({ _id: person._id }, { $set: { outbox_at: later } });
    await followPersons(store, repaired, 10);
    for (const row of [done, open]) expect(await eventTypes(row)).toEqual(['employee.changed', 'person.changed']);
    expect((await employment(done)).update_time).toEqual(later);
  });

  test('is completed by the next change, also by one that changes nothing', async () => {
    const [first, second] = [await newPerson(), await newPerson()];
    const rows = [await hire(first), await hire(second)] as const;
    for (const person of [first, second]) await interrupted(person, NAME);
    expect(await update(first, PHONE)).toMatchObject({ changed: true, employments: 1 });
    expect(await update(second, NAME)).toMatchObject({ changed: false, employments: 1 });
    for (const row of rows) expect(await eventTypes(row)).toEqual(['employee.changed', 'person.changed']);
  });

  test('is completed for persons of several tenants, the oldest change first, a limited number at a time', async () => {
    const persons = [await newPerson(), await newPerson(randomUUID()), await newPerson()];
    const rows: EmployeeRow[] = [];
    for (const [i, person] of persons.entries()) {
      rows.push(await hire(person));
      await interrupted(person, NAME);
      await store.persons.updateOne({ _id: person._id }, { $set: { outbox_at: new Date(1_000 - i) } });
    }
    expect(await followPersons(store, repaired, 2)).toBe(2);
    const lengths = async () => (await Promise.all(rows.map(eventTypes))).map((types) => types.length);
    expect(await lengths()).toEqual([0, 2, 2]);
    expect(await followPersons(store, repaired, 2)).toBe(1);
    expect(await lengths()).toEqual([2, 2, 2]);
  });
});

describe('while a change of a person is followed', () => {
  test('a second change of the person is followed too', async () => {
    const person = await newPerson();
    const row = await hire(person);
    const raced = racedStore(store, 'employees', 'bulkWrite', () => interrupted(person, { iin: '900131000001' }));
    await update(person, NAME, raced);
    expect((await personOf(person)).outbox_at).not.toBeNull();
    await followPersons(store, repaired, 10);
    expect((await employment(row)).person_rev).toBe(3);
    expect(await eventTypes(row)).toEqual(['employee.changed', 'person.changed', 'employee.changed', 'person.changed']);
  });

  test('a change of the employee is kept, and the following continues', async () => {
    const person = await newPerson();
    const row = await hire(person);
    const raced = racedStore(store, 'employees', 'bulkWrite', () =>
      updateEmployee(store, tenant, row._id, { employee_number: '9' }, at),
    );
    expect(await update(person, NAME, raced)).toMatchObject({ employments: 1 });
    expect(await employment(row)).toMatchObject({ employee_number: '9', person_rev: 2 });
    expect(await eventTypes(row)).toEqual(['employee.changed', 'employee.changed', 'person.changed']);
  });

  test('changed details are kept without an event', async () => {
    const person = await newPerson();
    const row = await hire(person);
    const after = changedPerson(person, {}, later, { details: '{"gender":"F"}' }) as PersonRow;
    const raced = racedStore(store, 'persons', 'bulkWrite', () =>
      writePersons(store, tenant, [{ before: person, after }]),
    );
    await update(person, NAME, raced);
    expect(await personOf(person)).toMatchObject({ ...NAME, details: '{"gender":"F"}', rev: 2 });
    expect(await eventTypes(row)).toEqual(['employee.changed', 'person.changed']);
  });
});
