/** Computes the rows that changes of persons produce, without the store. */

import { randomUUID } from 'node:crypto';
import type { PersonRow } from '../../data/collections/persons.ts';
import { changeTime } from '../../data/writes.ts';
import {
  type ChangeExtra,
  differences,
  noPersonFields,
  type PersonFields,
  personConflicts,
  personViolations,
  refuseIf,
} from './fields.ts';

/** The fields of a person's identity: a change of one is person.changed (D-29). */
const IDENTITY = ['first_name', 'last_name', 'middle_name', 'iin'] as const;

/** A new person's row. @throws ChangeRefused for wrong fields */
export function newPerson(
  tenantId: string,
  fields: Partial<PersonFields>,
  now: Date,
  { id = randomUUID(), details = '', loaded = false }: ChangeExtra & { readonly id?: string } = {},
): PersonRow {
  const whole = { ...noPersonFields, ...fields };
  if (!loaded) refuseIf([...personViolations(fields), ...personConflicts(whole)]);
  const times = { create_time: now, update_time: now };
  return { _id: id, tenant_id: tenantId, ...whole, ...times, rev: 1, identity_rev: 1, outbox_at: null, details };
}

/**
 * The row after a change, or null if nothing changes. Of details alone, employments have nothing to follow.
 * @throws ChangeRefused for wrong fields
 */
export function changedPerson(
  row: PersonRow,
  fields: Partial<PersonFields>,
  now: Date,
  { details = row.details, loaded = false }: ChangeExtra = {},
): PersonRow | null {
  if (!loaded) refuseIf(personViolations(fields));
  const changed = differences<PersonRow>(row, fields);
  if (changed === null) return details === row.details ? null : { ...row, details };
  const [rev, update_time] = [row.rev + 1, changeTime(row.update_time, now)];
  const identity_rev = IDENTITY.some((field) => field in changed) ? rev : row.identity_rev;
  const next = { ...row, ...changed, details, rev, identity_rev, update_time, outbox_at: update_time };
  // A person that was loaded without a name may stay without one.
  const isRenamed = 'first_name' in changed || 'last_name' in changed;
  if (isRenamed && !loaded) refuseIf(personConflicts(next));
  return next;
}
