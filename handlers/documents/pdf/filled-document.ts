/** What is printed of a document that is made from a template, and what of it or of the template cannot be (D-17). */
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import type { Violation } from '../../answers/errors.ts';
import { type Content, parseContent } from '../templates/content.ts';
import { blocksOf, fillTemplate } from '../templates/fill.ts';
import { parseSchema } from '../templates/schema.ts';
import { ENTRY_WEIGHT, LARGEST_DOCUMENT, LINE_WEIGHT, NARROW_LINE, PAGE_WEIGHT } from '../templates/weight.ts';
import { notPrinted, unprintableIn } from './glyphs.ts';
import type { FilledDocument } from './layout.ts';

/** A document and the version of the template that it is made from. */
export interface DocumentInput extends Omit<FilledDocument, 'locale' | 'blocks'> {
  /** The version's content and variables, as they are stored. */
  readonly content: string | undefined;
  readonly variable_schema: string;
  /** Values that have passed `templateValueViolations`. */
  readonly values: object;
}

const TOO_LARGE =
  `must leave the document with at most ${LARGEST_DOCUMENT} characters once they stand in the text of the template, ` +
  `where a line break counts as ${LINE_WEIGHT}, a table cell, list entry or other piece of text as ${ENTRY_WEIGHT} more, ` +
  `a page break as ${PAGE_WEIGHT}, and a line of a narrow column as ${NARROW_LINE} at least`;

/** A document to print, or what is wrong with the fields and values of a creation's body. */
type TemplateFilling = { readonly filled: FilledDocument } | { readonly violations: readonly Violation[] };

/** Fills a template for a document. */
export function filledDocument(input: DocumentInput): TemplateFilling {
  const { id, title, number, date, organization } = input;
  const content = parseContent(input.content);
  const made = fillTemplate(content, parseSchema(input.variable_schema), input.values, input);
  if (made === undefined) return { violations: [{ field: 'template_values', description: TOO_LARGE }] };
  const values = [...made.sent].map(([path, text]) => [`template_values.${path}`, text] as const);
  const violations = [['title', title] as const, ['number', number] as const, ...values].flatMap(([field, text]) => {
    const found = unprintableIn(text);
    return found === undefined ? [] : [{ field, description: notPrinted(found) }];
  });
  if (violations.length > 0) return { violations };
  return { filled: { id, title, number, date, organization, locale: content.locale, blocks: made.blocks } };
}

/** Members of a block that name or choose something, and are not printed. */
const NAMES = new Set(['type', 'variable', 'field', 'when', 'align']);

/** The texts in a part of a template, by their paths. */
function* textsIn(part: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof part === 'string') yield [path, part];
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (!NAMES.has(name)) yield* textsIn(inner, Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`);
  }
}

/** A sentence for each text of a valid template that has a character which is not printed. */
export function printProblems(content: Content, schema: VariableSchema): string[] {
  const texts = [...textsIn(blocksOf(content, schema), 'blocks'), ...textsIn(content.labels, 'labels')];
  return texts.flatMap(([path, text]) => {
    const found = unprintableIn(text);
    return found === undefined ? [] : [`${path}: ${notPrinted(found)}`];
  });
}
