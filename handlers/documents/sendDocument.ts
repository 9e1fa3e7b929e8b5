import type { Handler } from '../runtime/handler.ts';
import { changeDocument, reachedBy } from './change.ts';
import { documentView } from './view.ts';

/** Launches the route of the owner's own document (D-19). */
export const sendDocument: Handler<'sendDocument'> = async ({ caller, path }) => {
  const row = await changeDocument(reachedBy(caller, path.document_id), {
    act: () => ({ kind: 'send', by: caller.owner.employeeId }),
  });
  return { document: documentView(row) };
};
