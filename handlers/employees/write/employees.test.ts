/** Writes to employees while others write: nothing is lost, and nothing is reported twice. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { racedStore } from '../../../scripts/world/racing-store.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import { type EmployeeRow, reportsOf } from '../../data/collections/employees.ts';
import { createEmployee, deleteEmployee, updateEmployee } from './employees.ts';
import { ChangeRefused } from './fields.ts';
import { createPerson, updatePerson } from './persons.ts';

const { store } = await testDeployment();
const tenant = randomUUID();
const at = { now: new Date('2026-03-01T10:00:00.000Z'), today: '2026-03-01' };
const later = { now: new Date('2026-03-02T10:00:00.000Z'), today: '2026-03-02' };

const newPerson = () => createPerson(store, tenant, { last_name: 'Омарова' }, at.now);

async function employee(fields: Parameters<typeof createEmployee>[3] = {}): Promise<EmployeeRow> {
  return createEmployee(store, tenant, (await newPerson())._id, fields, at);
}

async function rowOf({ _id }: { _id: string }): Promise<EmployeeRow> {
  const row = await store.employees.findOne({ _id });
  if (row === null) throw new Error('no such employee');
  return row;
}

const events = async (row: { _id: string }) => (await rowOf(row)).pending_events.map(({ type }) => type);
const update = (row: EmployeeRow, fields: Parameters<typeof updateEmployee>[3], among = store) =>
  updateEmployee(among, tenant, row._id, fields, later);
const raced = (deed: () => Promise<unknown>) => racedStore(store, 'employees', 'bulkWrite', deed);

describe('changes', () => {
  test('need an existing person', async () => {
    await expect(createEmployee(store, tenant, randomUUID(), {}, at)).rejects.toThrow(ChangeRefused);
    const { _id } = await newPerson();
    await expect(createEmployee(store, randomUUID(), _id, {}, at)).rejects.toThrow(/person_id/);
    expect(await store.employees.findOne({ person_id: _id })).toBeNull();
  });

  test('of one employee at once are all kept, each with an event', async () => {
    const row = await employee();
    const fields = [
      { employee_number: '7' },
      { start_date: '2026-02-01' },
      { work_email: 'w@example.com' },
      { status: 'EMPLOYEE_STATUS_LEAVE' as const },
    ];
    await Promise.all(fields.map((each) => update(row, each)));
    const after = await rowOf(row);
    expect(after).toMatchObject(Object.assign({}, ...fields));
    expect(after.rev).toBe(row.rev + 4);
    expect(new Set(after.pending_events.map(({ id }) => id)).size).toBe(5);
    expect(after.outbox_at).toEqual(after.update_time);
  });

  test('do not bring back an employee who is deleted meanwhile, and the deletion is the last event', async () => {
    const row = await employee();
    const among = raced(() => deleteEmployee(store, tenant, row._id, later.now));
    expect(await update(row, { employee_number: '9' }, among)).toBeNull();
    expect(await rowOf(row)).toMatchObject({ listed: false, employee_number: '' });
    expect(await events(row)).toEqual(['employee.changed', 'employee.deleted']);
  });

  test('that come during a deletion are kept in the deleted row', async () => {
    const row = await employee();
    const among = raced(() => update(row, { employee_number: '9' }));
    await deleteEmployee(among, tenant, row._id, later.now);
    expect(await rowOf(row)).toMatchObject({ listed: false, employee_number: '9', deleted_at: later.now });
    expect(await events(row)).toEqual(['employee.changed', 'employee.changed', 'employee.deleted']);
  });
});

describe('a manager who is deleted', () => {
  const number = { employee_number: '5' };

  test('is not brought back by a change of a report that began before', async () => {
    const manager = await employee();
    const report = await employee({ manager_id: manager._id });
    const among = raced(() => deleteEmployee(store, tenant, manager._id, later.now));
    expect(await update(report, number, among)).toMatchObject({ changed: true });
    expect(await rowOf(report)).toMatchObject({ ...number, manager_id: '', visible_to: [report._id] });
    expect(await events(report)).toEqual(['employee.changed', 'employee.changed']);
  });

  test('is cleared from an employee who gets this manager meanwhile', async () => {
    const manager = await employee();
    const report = await employee();
    const among = raced(() => deleteEmployee(store, tenant, manager._id, later.now));
    await update(report, { manager_id: manager._id }, among);
    expect(await rowOf(report)).toMatchObject({ manager_id: '', visible_to: [report._id] });
    expect((await rowOf(report)).visible_to).not.toContain(reportsOf(manager._id));
  });
});

describe('a person who changes meanwhile', () => {
  test('has the change recorded at an employee who is being created', async () => {
    const { _id } = await newPerson();
    const among = raced(() => updatePerson(store, tenant, _id, { last_name: 'Ахметова' }, later.now));
    const row = await createEmployee(among, tenant, _id, {}, at);
    expect((await rowOf(row)).person_rev).toBe(2);
    expect(await events(row)).toEqual(['employee.changed', 'employee.changed', 'person.changed']);
    // Later changes have their usual events.
    await updatePerson(store, tenant, _id, { phone: '+77000000001' }, later.now);
    expect((await events(row)).slice(3)).toEqual(['employee.changed']);
  });

  test('has the change known to a draft that is being listed, without an event', async () => {
    const row = await employee({ status: 'CREATED' });
    const among = raced(() => updatePerson(store, tenant, row.person_id, { last_name: 'Ахметова' }, later.now));
    await update(row, { status: 'EMPLOYEE_STATUS_HIRED' }, among);
    expect(await rowOf(row)).toMatchObject({ person_rev: 2, listed: true });
    expect(await events(row)).toEqual(['employee.changed']);
  });
});
