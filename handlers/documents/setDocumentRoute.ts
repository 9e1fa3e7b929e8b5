import type { Handler } from '../http/handler.ts';
import { acted } from './workflow/acted.ts';
import { routeSteps } from './workflow/route.ts';

/** Replaces the route of the owner's own document in DRAFT or CHANGE_REQUESTED (D-18). */
export const setDocumentRoute: Handler<'setDocumentRoute'> = ({ caller, path, body }) =>
  acted(caller, path, { kind: 'set_route', by: caller.owner.employeeId, steps: routeSteps(body) });
