/** The PDF of a document made from a template (D-17). */
import type { DocumentInput } from './layout.ts';
import { printed } from './printer.ts';

/**
 * Prints a document. Equal input gives equal bytes, in any process and at any time. Values are printed as text and
 * nothing else; whatever characters they hold, there is a page for them.
 * @param tenantId whose turn it takes
 * @throws ApiError UNAVAILABLE when it takes longer than any document should
 */
export function renderDocument(input: DocumentInput, tenantId: string): Promise<Uint8Array> {
  const { id, title, number, date, organization, content, variable_schema, values } = input;
  const whole = { id, title, number, date, organization, content, variable_schema, values };
  return printed({ kind: 'document', input: whole }, tenantId);
}
