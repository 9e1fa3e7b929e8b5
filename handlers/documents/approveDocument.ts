import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';
import { slotAct } from './workflow/input.ts';

/** Approves in the owner's active slot of an approval step (D-19). */
export const approveDocument: Handler<'approveDocument'> = async ({ caller, path, body }) => {
  const act = slotAct('approve', caller, body);
  return { document: documentView(await changeDocument(reachedBy(caller, path.document_id), act)) };
};
