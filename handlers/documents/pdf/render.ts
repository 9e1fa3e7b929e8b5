/** The PDF of a document made from a template (D-17). */
import type { DocumentInput } from './layout.ts';
import { printed } from './printer.ts';

/**
 * Prints a document. Equal input gives equal bytes, in any process and at any time. Values are printed as text and
 * nothing else; whatever characters they hold, there is a page for them.
 * @throws ApiError UNAVAILABLE when it takes longer than any document should
 */
export function renderDocument(input: DocumentInput): Promise<Uint8Array> {
  const { title, number, date, organization, content, variable_schema, values } = input;
  return printed({ kind: 'document', input: { title, number, date, organization, content, variable_schema, values } });
}
