/** What the bodies of acts share. */
import type { Violation } from '../../http/errors.ts';
import type { RefusedRequest } from '../../http/handler.ts';

/** A character that shows: neither white space, control or invisible character, nor a mark that needs another one. */
const VISIBLE = /[^\s\p{Cc}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;

/** Whether anything can be read in a comment (D-19) or a title (D-17). */
export function saysSomething(text: string): boolean {
  return VISIBLE.test(text);
}

/** An id in a body; `""` counts as absent (D-6a), upper case is understood (D-14). */
export function idOf(given: string | undefined): string | undefined {
  return given?.toLowerCase() || undefined;
}

/** A comment in which nothing can be read; a document that is another one than the path names (D-6a). */
export function rejectionViolations({
  path,
  body: { comment, document_id },
}: Pick<RefusedRequest<'rejectDocument'>, 'path' | 'body'>): Violation[] {
  const found: Violation[] = [];
  if (comment !== undefined && !saysSomething(comment)) {
    const description = 'must say something: it has only white space or characters without width';
    found.push({ field: 'comment', description });
  }
  const named = idOf(document_id);
  if (named !== undefined && named !== path.document_id) {
    found.push({ field: 'document_id', description: 'is not the document of the path' });
  }
  return found;
}
