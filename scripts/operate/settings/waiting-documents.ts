/** Documents in which somebody is still to act: what is left of an employment that has ended (D-37). */
import { CIRCULATES, type DocumentRow, documentKeys } from '../../../handlers/data/collections/documents.ts';
import { isEmployed } from '../../../handlers/data/collections/employees.ts';
import { ofTenant, tenantRows } from '../../../handlers/data/of-tenant.ts';
import type { Filter, Store } from '../../../handlers/data/store.ts';
import { isWaiting } from '../../../handlers/documents/workflow/workflow.ts';

/** The slots that wait for one of the employees, by default for anybody, each with its step. */
export const waitingSlots = ({ route }: Pick<DocumentRow, 'route'>, employeeIds?: ReadonlySet<string>) =>
  (route?.steps ?? []).flatMap((step) =>
    step.participants
      .filter((slot) => isWaiting(slot) && (employeeIds?.has(slot.employee_id) ?? true))
      .map((slot) => ({ step, slot })),
  );

/** The documents that wait for one of the employees, newest first. @param more narrows them */
export async function documentsWaitingFor(
  store: Store,
  tenantId: string,
  employeeIds: ReadonlySet<string>,
  more: Filter<DocumentRow> = {},
): Promise<DocumentRow[]> {
  const among = { 'route.steps.participants.employee_id': { $in: [...employeeIds] } };
  const rows = await ofTenant(store.documents, tenantId)
    .find({ ...more, ...CIRCULATES, ...among })
    .hint(documentKeys.circulating)
    .sort({ create_time: -1, _id: -1 })
    .toArray();
  return rows.filter((row) => waitingSlots(row, employeeIds).length > 0);
}

/** Everybody who has left and for whom a document waits, of the whole tenant. */
export async function awaitedLeavers(store: Store, tenantId: string): Promise<Set<string>> {
  const awaited = new Set<string>();
  const circulating = ofTenant(store.documents, tenantId).find(CIRCULATES, { projection: { route: 1 } });
  for await (const row of circulating.hint(documentKeys.circulating)) {
    for (const { slot } of waitingSlots(row)) awaited.add(slot.employee_id);
  }
  const known = await tenantRows(store, 'employees', tenantId).byId(awaited, ['status', 'deleted_at']);
  return new Set([...awaited].filter((id) => !isEmployed(known.get(id))));
}

/** The ids of the documents that wait for each of those who have left. */
export async function waitingFor(
  store: Store,
  tenantId: string,
  leavers: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const waiting = new Map(leavers.map((id) => [id, new Set<string>()]));
  const meant = new Set(leavers);
  for (const row of meant.size === 0 ? [] : await documentsWaitingFor(store, tenantId, meant)) {
    for (const { slot } of waitingSlots(row, meant)) waiting.get(slot.employee_id)?.add(row._id);
  }
  return waiting;
}

/** What to say when an employment has ended and documents wait; `''` if none do. */
export function waitingNote(employeeId: string, documentIds: readonly string[]): string {
  if (documentIds.length === 0) return '';
  const how = `settings documents reassign DOCUMENT --from ${employeeId} --to EMPLOYEE`;
  return ` It is still to act in ${documentIds.join(' ')}. Give its slots to others: ${how}`;
}
