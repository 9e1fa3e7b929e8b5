/** Checks that the request bodies of several acts share. */
import type { Violation } from '../../answers/errors.ts';
import { repeatedIdViolations } from '../../http/body-fields.ts';
import type { CheckedRequest } from '../../http/handler.ts';

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
