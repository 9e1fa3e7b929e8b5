import type { Document } from '../../../generated/client/types.gen.ts';
import type { Caller } from '../../access/caller.ts';
import { documentView } from '../view.ts';
import type { Act } from './acts.ts';
import { type ActWork, changeDocument, reachedBy } from './change.ts';

/** Makes an act on the document of the path. @returns the document after it, as an operation answers it */
export async function acted(
  caller: Caller,
  { document_id }: { readonly document_id: string },
  act: Act,
  work?: ActWork,
): Promise<{ document: Document }> {
  return { document: documentView(await changeDocument(reachedBy(caller, document_id), act, work)) };
}
