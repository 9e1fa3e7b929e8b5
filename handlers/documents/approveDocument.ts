import type { Handler } from '../http/handler.ts';
import { acted } from './workflow/acted.ts';
import { slotAct } from './workflow/input.ts';

/** Approves in the owner's active slot of an approval step (D-19). */
export const approveDocument: Handler<'approveDocument'> = ({ caller, path, body }) =>
  acted(caller, path, slotAct('approve', caller, body));
