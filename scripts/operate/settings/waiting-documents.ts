/** Documents in which somebody is still to act: what is left of an employment that has ended (D-37). */
import { CIRCULATES, type DocumentRow, documentKeys } from '../../../handlers/data/collections/documents.ts';
import { isEmployed } from '../../../handlers/data/collections/employees.ts';
import { ofTenant } from '../../../handlers/data/of-tenant.ts';
import type { Filter } from '../../../handlers/data/store.ts';
import { isWaiting } from '../../../handlers/documents/workflow/workflow.ts';
import type { TenantContext } from './command.ts';
import { rowsById, rowsOf } from './lookup.ts';

/** The slots that wait for one of the employees, by default for anybody, each with its step. */
export const waitingSlots = ({ route }: Pick<DocumentRow, 'route'>, employeeIds?: ReadonlySet<string>) =>
  (route?.steps ?? []).flatMap((step) =>
    step.participants
      .filter((slot) => isWaiting(slot) && (employeeIds?.has(slot.employee_id) ?? true))
      .map((slot) => ({ step, slot })),
  );

/** The documents that wait for one of the employees, newest first. @param more narrows them */
export async function documentsWaitingFor(
  at: TenantContext,
  employeeIds: ReadonlySet<string>,
  more: Filter<DocumentRow> = {},
): Promise<DocumentRow[]> {
  const among = { 'route.steps.participants.employee_id': { $in: [...employeeIds] } };
  const order = { hint: documentKeys.circulating, sort: { create_time: -1, _id: -1 } } as const;
  const rows = await rowsOf(at, 'documents', { ...more, ...CIRCULATES, ...among }, order);
  return rows.filter((row) => waitingSlots(row, employeeIds).length > 0);
}

/** Those of the employees who have left. */
async function leaversAmong(at: TenantContext, employeeIds: ReadonlySet<string>): Promise<Set<string>> {
  const known = await rowsById(at, 'employees', [...employeeIds]);
  return new Set([...employeeIds].filter((id) => !isEmployed(known.get(id))));
}

/** Everybody who has left and for whom a document waits, of the whole tenant. */
export async function awaitedLeavers(at: TenantContext): Promise<Set<string>> {
  const awaited = new Set<string>();
  const circulating = ofTenant(at.store.documents, at.tenant._id).find(CIRCULATES, { projection: { route: 1 } });
  for await (const row of circulating.hint(documentKeys.circulating)) {
    for (const { slot } of waitingSlots(row)) awaited.add(slot.employee_id);
  }
  return leaversAmong(at, awaited);
}

/** What an employment that has ended leaves to others. */
export interface LeftWork {
  /** Ids of the documents that wait for the employee. */
  readonly waiting_documents: readonly string[];
}

/** What each of the employees leaves; nothing of those who have not left. */
export async function leftWork(at: TenantContext, employeeIds: readonly string[]): Promise<(id: string) => LeftWork> {
  const leavers = await leaversAmong(at, new Set(employeeIds));
  const rows = leavers.size === 0 ? [] : await documentsWaitingFor(at, leavers);
  const waiting = new Map([...leavers].map((id) => [id, new Set<string>()]));
  for (const row of rows)
    for (const { slot } of waitingSlots(row, leavers)) waiting.get(slot.employee_id)?.add(row._id);
  return (id) => ({ waiting_documents: [...(waiting.get(id) ?? [])] });
}

/** What to say of that; `''` if it is nothing. */
export function leftWorkNote(employeeId: string, { waiting_documents: documents }: LeftWork): string {
  if (documents.length === 0) return '';
  const how = `settings documents reassign DOCUMENT --from ${employeeId} --to EMPLOYEE`;
  return ` It is still to act in ${documents.join(' ')}. Give its slots to others: ${how}`;
}
