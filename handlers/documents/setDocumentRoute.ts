import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';
import { routeSteps } from './workflow/route.ts';

/** Replaces the route of the owner's own document in DRAFT or CHANGE_REQUESTED (D-18). */
export const setDocumentRoute: Handler<'setDocumentRoute'> = async ({ caller, path, body }) => {
  const act = { kind: 'set_route', by: caller.owner.employeeId, steps: routeSteps(body) } as const;
  return { document: documentView(await changeDocument(reachedBy(caller, path.document_id), act)) };
};
