import type { Handler } from '../http/handler.ts';
import { acted } from './workflow/acted.ts';

/** Launches the route of the owner's own document (D-19). */
export const sendDocument: Handler<'sendDocument'> = ({ caller, path }) =>
  acted(caller, path, { kind: 'send', by: caller.owner.employeeId });
