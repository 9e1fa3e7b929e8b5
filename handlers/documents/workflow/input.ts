/** What the requests of several acts have in common. */
import type { Caller } from '../../access/caller.ts';
import type { Violation } from '../../answers/errors.ts';
import { repeatedIdViolations } from '../../http/body-fields.ts';
import type { CheckedRequest } from '../../http/handler.ts';
import type { SlotAct } from './acts.ts';

/** The act that a request is, in the slot that it names. `""` counts as absent (D-6a). */
export function slotAct(
  kind: SlotAct['kind'],
  { keyId, owner }: Caller,
  { participant_id, comment = '' }: { readonly participant_id?: string; readonly comment?: string },
): SlotAct {
  return { kind, by: owner.employeeId, apiKeyId: keyId, participantId: participant_id || undefined, comment };
}

/**
 * A visible character: no white space, no control or invisible character, no mark that combines with another one, no
 * empty pattern of Braille, no mark of an annotation.
 */
const VISIBLE = /[^\s\p{Cc}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Whether a comment (D-19) or a title (D-17) has at least one visible character. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE.test(text);
}

/** Finds in the body of a rejection: a comment without visible characters, a document other than the path's (D-6a). */
export function rejectionViolations(asked: Pick<CheckedRequest<'rejectDocument'>, 'path' | 'body'>): Violation[] {
  const { comment } = asked.body;
  const found: Violation[] = [];
  if (comment !== undefined && !hasVisibleText(comment)) {
    const description = 'must say something: it has only white space or characters without width';
    found.push({ field: 'comment', description });
  }
  return [...found, ...repeatedIdViolations('document_id', asked, 'is not the document of the path')];
}
