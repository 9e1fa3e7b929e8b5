/** Changes of employees as the application writes them, each with its event. */
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { newEmployee } from '../../../handlers/employees/write/employee-rows.ts';
import { writeEmployees } from '../../../handlers/employees/write/employees.ts';
import { eventually } from '../../kit/eventually.ts';
import type { EventReceiver } from '../../world/receiver.ts';
import { patiently } from '../through-outages.ts';

/** Writes new employees, even if there is an outage of the database. @returns what was written */
export async function hireEmployees(store: Store, tenantId: string, count: number): Promise<EmployeeRow[]> {
  const moment = { now: new Date(), today: new Date().toISOString().slice(0, 10) };
  const rows = Array.from({ length: count }, () =>
    newEmployee(tenantId, { _id: 'nobody', rev: 0 }, { start_date: '2024-01-01' }, moment),
  );
  // Rows of a repeated write that already exist were written by an earlier attempt.
  const changes = rows.map((after) => ({ before: null, after }));
  await patiently(() => writeEmployees(store, tenantId, changes));
  return rows;
}

/** Waits until the receiver has an event of this employee. */
export async function arrival(receiver: EventReceiver, subject: string, withinMs: number): Promise<void> {
  const isThere = () => receiver.received.some((event) => event.subject === subject);
  await eventually('a delivery', isThere, withinMs);
}
