import type { Handler } from '../http/handler.ts';
import { acted } from './workflow/acted.ts';
import { slotAct } from './workflow/input.ts';

/** Rejects in the owner's active slot, in a step of any type and rule (D-19). */
export const rejectDocument: Handler<'rejectDocument'> = ({ caller, path, body }) =>
  acted(caller, path, slotAct('reject', caller, body));
