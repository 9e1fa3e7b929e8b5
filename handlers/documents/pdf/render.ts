/** The PDF of a document made from a template (D-17). */
import { parseContent } from '../templates/content.ts';
import { fillTemplate } from '../templates/fill.ts';
import { parseSchema } from '../templates/schema.ts';
import { type Unprintable, unprintableIn } from './glyphs.ts';
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

/** A document to print, and what of it cannot be printed. */
export interface PrintRequest {
  readonly filled: FilledDocument;
  /** By the field of a creation's body: the first character of it that stands in the document and is not printed. */
  readonly unprintable: ReadonlyMap<string, Unprintable>;
}

/** The filled document to print; undefined if it is larger than a document may be. */
export function filledDocument(input: DocumentInput): PrintRequest | undefined {
  const { id, title, number, date, organization } = input;
  const content = parseContent(input.content);
  const made = fillTemplate(content, parseSchema(input.variable_schema), input.values, input);
  if (made === undefined) return undefined;
  const unprintable = new Map<string, Unprintable>();
  const values = [...made.sent].map(([path, text]) => [`template_values.${path}`, text] as const);
  for (const [field, text] of [['title', title], ['number', number], ...values] as const) {
    const found = unprintableIn(text);
    if (found !== undefined) unprintable.set(field, found);
  }
  const filled = { id, title, number, date, organization, locale: content.locale, blocks: made.blocks };
  return { filled, unprintable };
}

/**
 * Prints a document. Equal input gives equal bytes, in any process with the same fonts, at any time. Values are printed
 * only as text. What cannot be printed, such as letters in the name of an organisation, is printed as its code points.
 * @param tenantId the tenant in whose turn it is printed
 * @throws ApiError UNAVAILABLE when it takes longer than any document should
 */
export function renderDocument(input: FilledDocument, tenantId: string): Promise<Uint8Array> {
  return printed({ kind: 'document', input }, tenantId);
}
