import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';

/** One document as it is now; unknown, deleted, foreign and invisible are the same 404 (D-14, D-15). */
export const getDocument: Handler<'getDocument'> = async ({ caller, path }) => ({
  document: documentView(await caller.documents.get(path.document_id)),
});
