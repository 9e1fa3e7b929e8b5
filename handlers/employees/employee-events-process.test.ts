/** Two working processes: what happens to employees without a request reaches the deliveries, each event once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../scripts/testbed/database.ts';
import { askClock, eventually, type RunningServer, ready, startServer } from '../../scripts/testbed/processes.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import type { Store } from '../data/store.ts';
import { dayAfter, todayIn } from '../process/day.ts';
import { newEmployee } from './write/employee-rows.ts';
import { changedPerson } from './write/person-rows.ts';
import { writePersons } from './write/persons.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const database = new Database();
let store: Store;
let tenant: TestTenant;
let servers: RunningServer[];

beforeAll(async () => {
  store = await database.open();
  tenant = await TestTenant.create(store);
  const env = { ...database.env, CONTROL_PORT: '0' };
  servers = await Promise.all([startServer(env), startServer(env)]);
  await Promise.all(servers.map((server) => ready(server)));
  const time = new Date();
  await store.webhook_endpoints.insertOne({
    ...{ _id: randomUUID(), tenant_id: tenant.id, url: 'https://receiver.invalid/', status: 'ACTIVE', slot: 0 },
    ...{ event_types: ['employee.changed', 'person.changed'], disabled_reason: '', disabled_at: null },
    ...{ sealed_secret: 'none', failed_delivery_ids: [], create_time: time, update_time: time },
  });
});

afterAll(async () => {
  for (const server of servers) expect(await server.process.stop()).toBe(0);
  await store.close();
  await database.remove();
});

/** Waits for `count` deliveries that name the employee. @returns their event types, sorted */
const delivered = (employeeId: string, count: number) =>
  eventually(`${count} deliveries`, async () => {
    const rows = await store.deliveries.find({ 'subject.id': employeeId }).toArray();
    return rows.length >= count ? rows.map(({ event_type }) => event_type).sort() : undefined;
  });

const rowOf = (_id: string) => store.employees.findOne({ _id });

/** Waits until all events of the employee are relayed. */
const settled = (id: string) =>
  eventually('an empty outbox', async () => ((await rowOf(id))?.outbox_at === null ? true : undefined));

test('an employee starts when the clock reaches the first day', async () => {
  const now = new Date();
  const today = todayIn('Asia/Almaty');
  const fields = { start_date: dayAfter(dayAfter(today)) };
  const row = newEmployee(tenant.id, { _id: 'nobody', rev: 0 }, fields, { now, today });
  await store.employees.insertOne(row);
  expect(await delivered(row._id, 1)).toEqual(['employee.changed']);
  expect((await rowOf(row._id))?.status).toBe('EMPLOYEE_STATUS_ACCEPTED');
  for (const { controlUrl } of servers) {
    await askClock({ controlUrl }, { offset_ms: 3 * DAY_MS });
  }
  expect(await delivered(row._id, 2)).toEqual(['employee.changed', 'employee.changed']);
  await settled(row._id);
  const after = await rowOf(row._id);
  expect(after).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', rev: 2, pending_events: [] });
  expect((after?.update_time ?? now).getTime()).toBeGreaterThan(now.getTime() + 2 * DAY_MS);
  expect(await store.deliveries.countDocuments({ 'subject.id': row._id })).toBe(2);
});

test('a change of a person that its process did not finish reaches the employee', async () => {
  const id = await tenant.employee();
  const before = (await store.persons.findOne({ _id: (await rowOf(id))?.person_id ?? '' })) as PersonRow;
  const after = changedPerson(before, { last_name: 'Омарова' }, new Date()) as PersonRow;
  expect(await writePersons(store, tenant.id, [{ before, after }])).toEqual(new Set());
  expect(await delivered(id, 2)).toEqual(['employee.changed', 'person.changed']);
  await settled(id);
  expect((await store.persons.findOne({ _id: before._id }))?.outbox_at).toBeNull();
  expect(await store.deliveries.countDocuments({ 'subject.id': id })).toBe(2);
});
