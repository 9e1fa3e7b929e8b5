/** Two working processes: what a crash interrupted reaches the deliveries, each event once. */
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { endpointRow, TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import { changedPerson } from './write/person-rows.ts';
import { writePersons } from './write/persons.ts';

const deployment = await testDeployment();
const { store } = deployment;
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  await Promise.all([deployment.start(), deployment.start()]);
  const event_types = ['employee.changed', 'person.changed'];
  await store.webhook_endpoints.insertOne(endpointRow({ tenant_id: tenant.id, event_types }));
});

/** Waits for `count` deliveries that name the employee. @returns their event types, sorted */
const delivered = (employeeId: string, count: number) =>
  eventually(`${count} deliveries`, async () => {
    const rows = await store.deliveries.find({ 'subject.id': employeeId }).toArray();
    return rows.length >= count ? rows.map(({ event_type }) => event_type).sort() : undefined;
  });

const rowOf = (_id: string) => store.employees.findOne({ _id });

/** Waits until all events of the employee are relayed. */
const settled = (id: string) => eventually('an empty outbox', async () => (await rowOf(id))?.outbox_at === null);

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
