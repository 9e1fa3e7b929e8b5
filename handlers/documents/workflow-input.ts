/** What the bodies of acts share. */
import { failField } from '../runtime/errors.ts';

/** A character that shows: neither white space, control or invisible character, nor a mark that needs another one. */
const VISIBLE = /[^\s\p{Cc}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;

/** Whether anything can be read in a comment (D-19) or a title (D-17). */
export function saysSomething(text: string): boolean {
  return VISIBLE.test(text);
}

/** Refuses a comment in which nothing can be read. @throws ApiError INVALID_ARGUMENT on `comment` */
export function requireComment(comment: string): string {
  return saysSomething(comment)
    ? comment
    : failField('comment', 'must say something: it has only white space or characters without width');
}

/** An id in a body; `""` counts as absent (D-6a), upper case is understood (D-14). */
export function idOf(given: string | undefined): string | undefined {
  return given?.toLowerCase() || undefined;
}

/** Refuses a body that names another document than the path (D-6a). @throws ApiError INVALID_ARGUMENT on `document_id` */
export function requireSameDocument(path: string, given: string | undefined): void {
  const named = idOf(given);
  if (named !== undefined && named !== path) failField('document_id', 'is not the document of the path');
}
