/** The daily pass over tenants in several zones, under a clock that the test sets. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PATIENCE_MS } from '../../../scripts/kit/program.ts';
import { employeeRow, TestTenant } from '../../../scripts/world/tenant.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { openStore } from '../../data/store.ts';
import { setClockOffset } from '../../runtime/clock.ts';
import { advanceStatuses } from './advance-statuses.ts';
import { deleteEmployee } from './employees.ts';
import { statusDueOn } from './status-by-dates.ts';

const { database, store } = await testDeployment();
let almaty: TestTenant;
let newYork: TestTenant;

beforeAll(async () => {
  almaty = await TestTenant.create(store);
  newYork = await TestTenant.create(store);
  await store.tenants.updateOne({ _id: newYork.id }, { $set: { time_zone: 'America/New_York' } });
});

afterEach(async () => {
  setClockOffset(0);
  await store.employees.deleteMany({});
});

/** 06:00 in Almaty on 2 March, which is 20:00 in New York on 1 March. */
const EVENING_IN_NEW_YORK = '2026-03-02T01:00:00.000Z';
const MORNING_IN_NEW_YORK = '2026-03-02T14:00:00.000Z';
const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');

const setTime = (instant: string) => setClockOffset(Date.parse(instant) - Date.now());
const never = new AbortController().signal;
const pass = (batch?: number) => advanceStatuses(store, never, batch);

/** Stores an employee that last changed long ago and has nothing to relay. */
async function employee(tenant: TestTenant, fields: Partial<EmployeeRow>): Promise<string> {
  const times = { create_time: LONG_AGO, update_time: LONG_AGO };
  const row = employeeRow({ tenant_id: tenant.id, start_date: '2026-01-01', rev: 5, ...times, ...fields });
  await store.employees.insertOne({ ...row, status_due_on: statusDueOn(row) });
  return row._id;
}

const accepted = (tenant: TestTenant, start_date: string, end_date = '') =>
  employee(tenant, { status: 'EMPLOYEE_STATUS_ACCEPTED', start_date, end_date });
const rowOf = (id: string) => store.employees.findOne({ _id: id });
const statusOf = async (id: string) => (await rowOf(id))?.status.replace('EMPLOYEE_STATUS_', '');

describe('the daily pass', () => {
  test('moves update_time and records one event, even if several processes run it at once', async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, () => accepted(almaty, '2026-02-01', '2026-12-31')));
    setTime(EVENING_IN_NEW_YORK);
    await Promise.all([pass(), pass(), pass(), pass()]);
    await pass();
    for (const id of ids) {
      const row = await rowOf(id);
      expect(row).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', rev: 6, status_due_on: '2027-01-01' });
      expect(row?.pending_events).toMatchObject([{ type: 'employee.changed', occurred_at: row?.update_time }]);
      expect(row?.outbox_at).toEqual(row?.update_time);
      expect((row?.update_time ?? LONG_AGO) >= new Date(EVENING_IN_NEW_YORK)).toBe(true);
    }
  });

  test('continues after rows whose day has not begun, a few at a time, and restarts from the first one the next time', async () => {
    const waiting = await Promise.all(Array.from({ length: 5 }, () => accepted(newYork, '2026-03-02')));
    const due = await Promise.all(Array.from({ length: 5 }, () => accepted(almaty, '2026-03-02')));
    setTime(EVENING_IN_NEW_YORK);
    expect(await pass(2)).toBe(false);
    expect(await Promise.all(due.map(statusOf))).toEqual(Array(5).fill('ACTIVE'));
    expect(await Promise.all(waiting.map(statusOf))).toEqual(Array(5).fill('ACCEPTED'));
    const late = await accepted(almaty, '2026-02-01');
    await pass(2);
    expect(await statusOf(late)).toBe('ACTIVE');
  });

  test('leaves drafts, deleted employees and rows without a tenant unchanged', async () => {
    const draft = await employee(almaty, { status: 'CREATED', listed: false, end_date: '2026-02-01' });
    const deleted = await accepted(almaty, '2026-03-02');
    await deleteEmployee(store, almaty.id, deleted, LONG_AGO);
    const orphan = await accepted({ id: randomUUID() } as TestTenant, '2026-02-01');
    const before = await Promise.all([draft, deleted, orphan].map(rowOf));
    setTime(MORNING_IN_NEW_YORK);
    expect(await pass()).toBe(false);
    expect(await Promise.all([draft, deleted, orphan].map(rowOf))).toEqual(before);
  });

  test('does nothing when the process stops, and works without any tenant', async () => {
    const id = await accepted(almaty, '2026-02-01');
    setTime(EVENING_IN_NEW_YORK);
    expect(await advanceStatuses(store, AbortSignal.abort())).toBe(false);
    expect(await statusOf(id)).toBe('ACCEPTED');
    const empty = await openStore(database.uri, `${database.name}_empty`, PATIENCE_MS, PATIENCE_MS);
    expect(await advanceStatuses(empty, never)).toBe(false);
    await empty.close();
  });
});
