import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';
import { routeSteps, unfitParticipants } from './workflow/route.ts';

/** Replaces the route of the owner's own document in DRAFT or CHANGE_REQUESTED (D-18). */
export const setDocumentRoute: Handler<'setDocumentRoute'> = async ({ caller, path, body }) => {
  const steps = routeSteps(body);
  const row = await changeDocument(reachedBy(caller, path.document_id), async () => {
    const ids = steps.flatMap(({ participants }) => participants.map(({ employee_id }) => employee_id));
    // Whom the initiator sees: any other caller is refused before these ids are used.
    const fit = await caller.employees.visibleIds(ids, { status: { $ne: 'EMPLOYEE_STATUS_TERMINATED' } });
    return { kind: 'set_route', by: caller.owner.employeeId, steps, unfit: unfitParticipants(steps, fit) };
  });
  return { document: documentView(row) };
};
