/**
 * Every write to persons, and what follows from it: a change of a person is a change of each of its employments (D-29).
 * First the person is written, marked by `outbox_at`; then each employment, with its events; then the mark is removed,
 * if the person has not changed again. A process that finds a mark completes what a crash interrupted. Several may do
 * so at once: an employment follows each revision only once.
 */

import { type RowChange, writeRows } from '../../data/bulk.ts';
import { HAS_EVENTS } from '../../data/collection.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import { readOutbox } from '../../data/outbox.ts';
import type { Store } from '../../data/store.ts';
import { untilWritten } from '../../data/writes.ts';
import { followedEmployee } from './employee-rows.ts';
import { type PersonFields, personViolations, refuseIf } from './fields.ts';
import { changedPerson, newPerson } from './person-rows.ts';

const ATTEMPTS = 10;

/** The row after an update, and whether anything was written. */
export interface UpdatedRow<Row> {
  readonly row: Row;
  readonly changed: boolean;
}

/**
 * Writes changes of different persons of one tenant at once; {@link followPersons} then updates their employments.
 * @returns ids of those that somebody else changed meanwhile; see `writeRows`
 */
export function writePersons(
  store: Store,
  tenantId: string,
  changes: readonly RowChange<PersonRow>[],
): Promise<ReadonlySet<string>> {
  return writeRows(ofTenant(store.persons, tenantId), changes);
}

/** @throws ChangeRefused for wrong fields; nothing is written then */
export async function createPerson(
  store: Store,
  tenantId: string,
  fields: Partial<PersonFields>,
  now: Date,
): Promise<PersonRow> {
  const row = newPerson(tenantId, fields, now);
  await ofTenant(store.persons, tenantId).insertOne(row);
  return row;
}

/**
 * Changes a person, and with it each of its employments. A call that finds nothing to change completes an interrupted
 * one.
 * @returns null if the tenant has no such person; `employments` is how many followed
 * @throws ChangeRefused for wrong fields; nothing is written then
 */
export async function updatePerson(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<PersonFields>,
  now: Date,
): Promise<(UpdatedRow<PersonRow> & { employments: number }) | null> {
  refuseIf(personViolations(fields));
  const keepsChanging = () => {
    throw new Error(`the person ${id} is being changed by others all the time`);
  };
  const attempt = async () => {
    const before = await ofTenant(store.persons, tenantId).findOne({ _id: id });
    if (!before) return null;
    const after = changedPerson(before, fields, now);
    if (after !== null && (await writePersons(store, tenantId, [{ before, after }])).size > 0) return undefined;
    const row = after ?? before;
    const employments = row.outbox_at ? await follow(store, tenantId, [row], now) : 0;
    return { row, changed: after !== null, employments };
  };
  return untilWritten(ATTEMPTS, attempt, keepsChanging);
}

/**
 * Applies changes of persons to their employments: the oldest changes first, taking the tenants in turn.
 * @returns how many persons there were; 0 if there is nothing to do
 */
export async function followPersons(store: Store, now: Date, limit: number, tenantId?: string): Promise<number> {
  const persons =
    tenantId === undefined
      ? await readOutbox(store.persons, {}, limit)
      : await ofTenant(store.persons, tenantId).find(HAS_EVENTS).sort({ outbox_at: 1 }).limit(limit).toArray();
  for (const [owner, own] of Map.groupBy(persons, ({ tenant_id }) => tenant_id)) {
    await follow(store, owner, own, now);
  }
  return persons.length;
}

/** If others keep changing the employments, the marks stay, and a later call does the rest. */
async function follow(store: Store, tenantId: string, persons: readonly PersonRow[], now: Date): Promise<number> {
  let followed = 0;
  const attempt = async () => {
    const changes = await toFollow(store, tenantId, persons, now);
    if (changes.length > 0) {
      const overtaken = await writeRows(ofTenant(store.employees, tenantId), changes);
      followed += changes.length - overtaken.size;
      return undefined;
    }
    const unmarked = persons.map((before) => ({ before, after: { ...before, outbox_at: null } }));
    await writeRows(ofTenant(store.persons, tenantId), unmarked);
    return followed;
  };
  return untilWritten(ATTEMPTS, attempt, () => followed);
}

/** The changes that employments of these persons still lack. */
async function toFollow(
  store: Store,
  tenantId: string,
  persons: readonly PersonRow[],
  now: Date,
): Promise<RowChange<EmployeeRow>[]> {
  const byId = new Map(persons.map((person) => [person._id, person]));
  const ofPersons = { person_id: { $in: [...byId.keys()] } };
  const employments = await ofTenant(store.employees, tenantId).find(ofPersons).toArray();
  return employments.flatMap((before) => {
    const person = byId.get(before.person_id);
    const after = person ? followedEmployee(before, person, now) : null;
    return after ? [{ before, after }] : [];
  });
}

/** Lets employments, as they were written, catch up with persons that changed meanwhile. */
export async function catchUp(
  store: Store,
  tenantId: string,
  employments: readonly EmployeeRow[],
  now: Date,
): Promise<void> {
  if (employments.length === 0) return;
  const ids = [...new Set(employments.map(({ person_id }) => person_id))];
  const persons = await ofTenant(store.persons, tenantId)
    .find({ _id: { $in: ids } })
    .toArray();
  const byId = new Map(persons.map((person) => [person._id, person]));
  const late = employments.filter((row) => (byId.get(row.person_id)?.rev ?? 0) > row.person_rev);
  const changed = persons.filter(({ _id }) => late.some(({ person_id }) => person_id === _id));
  if (changed.length > 0) await follow(store, tenantId, changed, now);
}
