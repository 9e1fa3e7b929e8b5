/** Who of the people of an act still works for the tenant, and whom the initiator may choose (D-18, D-37). */
import { type EmployeeRow, isEmployed } from '../../data/collections/employees.ts';
import type { TenantRows } from '../../data/of-tenant.ts';
import type { Act, WorkflowRow } from './acts.ts';

/** What the store says of the people of one act. Each attempt to write reads it anew. */
export interface People {
  /** Whether somebody is neither terminated nor deleted nor a draft: all others act for nobody. */
  readonly isThere: (employeeId: string) => boolean;
  /** Whether somebody may be a participant (D-18): is there, and seen by the initiator or the initiator's manager. */
  readonly mayTakePart: (employeeId: string) => boolean;
  /** The direct manager of the initiator; `''` if there is none. */
  readonly initiatorManager: string;
}

/** For acts of the service itself, which no employment limits. */
export const anybody: People = { isThere: () => true, mayTakePart: () => true, initiatorManager: '' };

/** The employees whom an act would make participants. */
function chosenBy({ route }: WorkflowRow, act: Act): string[] {
  if (act.kind === 'give_on') return [act.to];
  const steps = act.kind === 'set_route' ? act.steps : act.kind === 'send' ? (route?.steps ?? []) : [];
  return steps.flatMap(({ participants }) => participants.map(({ employee_id }) => employee_id));
}

/** @param seenBy finds whom of these employees the initiator sees by the permission profile */
export async function peopleOf(
  employees: TenantRows<EmployeeRow>,
  row: WorkflowRow,
  act: Act,
  seenBy: (employeeIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<People> {
  const chosen = chosenBy(row, act);
  const { initiator_employee_id: initiator } = row;
  const [known, seen] = await Promise.all([
    employees.byId([act.by, initiator, ...chosen], ['status', 'deleted_at', 'manager_id']),
    seenBy(chosen),
  ]);
  const initiatorManager = known.get(initiator)?.manager_id ?? '';
  const isThere = (id: string) => isEmployed(known.get(id));
  const mayTakePart = (id: string) => isThere(id) && (seen.has(id) || id === initiatorManager);
  return { isThere, mayTakePart, initiatorManager };
}
