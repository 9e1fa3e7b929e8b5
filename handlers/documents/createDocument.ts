import type { Attempt } from '../data/idempotency.ts';
import type { Handler, HandlerRequest } from '../http/handler.ts';
import { draftOf } from './create/creation.ts';
import { writeDocument } from './create/write.ts';
import { documentView } from './view.ts';

/** Creates a draft, once for each Idempotency-Key (D-17); see `create/write.ts` for what survives a crash. */
export const createDocument: Handler<'createDocument'> = async (request) => {
  const { caller, body, once } = request;
  const attempt = await once();
  if (attempt.replayed || (attempt.leftOver && (await isThere(request, attempt)))) return replay(request, attempt);
  const draft = await draftOf(caller, body, attempt.id);
  const { id, replayed } = await attempt.claim();
  if (replayed) return replay(request, attempt, id);
  try {
    const row = await writeDocument(request, draft, id);
    await attempt.finish();
    return row === undefined ? replay(request, attempt, id) : { document: documentView(row) };
  } catch (error) {
    await attempt.release(error);
    throw error;
  }
};

type Request = HandlerRequest<'createDocument'>;

/** Whether an attempt that was cut off created the document, even if it is deleted now; if so, finishes its claim. */
async function isThere({ caller }: Request, attempt: Attempt): Promise<boolean> {
  const rows = await caller.inTenant('documents').byId([attempt.id], ['rev']);
  if (rows.size === 0) return false;
  await attempt.finish();
  return true;
}

/** Answers with the document as it is now, if the caller may see it now. */
async function replay({ caller }: Request, attempt: Attempt, id: string = attempt.id) {
  attempt.markReplayed();
  return { document: documentView(await caller.documents.get(id)) };
}
