import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';
import { slotAct } from './workflow/input.ts';

/** Rejects in the owner's active slot, in a step of any type and rule (D-19). */
export const rejectDocument: Handler<'rejectDocument'> = async ({ caller, path, body }) => {
  const act = slotAct('reject', caller, body);
  return { document: documentView(await changeDocument(reachedBy(caller, path.document_id), act)) };
};
