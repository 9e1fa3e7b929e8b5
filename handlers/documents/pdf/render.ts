/** The PDF of a document made from a template (D-17). */
import { parseContent } from '../templates/content.ts';
import { fillTemplate } from '../templates/fill.ts';
import { parseSchema } from '../templates/schema.ts';
import type { FilledDocument } from './layout.ts';
import { printed } from './printer.ts';

/** A document and the version of the template that it is made from. */
export interface DocumentInput extends Omit<FilledDocument, 'locale' | 'blocks'> {
  /** The version's content and variables, as they are stored. */
  readonly content: string | undefined;
  readonly variable_schema: string;
  /** Values that have passed `templateValueViolations`. */
  readonly values: object;
}

/** The filled document to print; undefined if it is larger than a document may be. */
export function filledDocument(input: DocumentInput): FilledDocument | undefined {
  const { id, title, number, date, organization } = input;
  const content = parseContent(input.content);
  const blocks = fillTemplate(content, parseSchema(input.variable_schema), input.values, input);
  return blocks && { id, title, number, date, organization, locale: content.locale, blocks };
}

/**
 * Prints a document. Equal input gives equal bytes, in any process and at any time. Values are printed only as text,
 * and can contain any characters.
 * @param tenantId the tenant in whose turn it is printed
 * @throws ApiError UNAVAILABLE when it takes longer than any document should
 */
export function renderDocument(input: FilledDocument, tenantId: string): Promise<Uint8Array> {
  return printed({ kind: 'document', input }, tenantId);
}
