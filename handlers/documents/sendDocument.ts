import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';

/** Launches the route of the owner's own document (D-19). */
export const sendDocument: Handler<'sendDocument'> = async ({ caller, path }) => {
  const act = { kind: 'send', by: caller.owner.employeeId } as const;
  return { document: documentView(await changeDocument(reachedBy(caller, path.document_id), act)) };
};
