/** Fills a template for a new document, and says what of it cannot be printed (D-17). */
import type { Violation } from '../../answers/errors.ts';
import type { DocumentTemplateVersionRow } from '../../data/collections/document_template_versions.ts';
import type { VisibleRow } from '../../data/reads.ts';
import { notPrinted } from '../pdf/glyphs.ts';
import type { FilledDocument } from '../pdf/layout.ts';
import { filledDocument } from '../pdf/render.ts';
import type { DocumentFields } from '../templates/fill.ts';
import { ENTRY_WEIGHT, LARGEST_DOCUMENT, LINE_WEIGHT, NARROW_LINE, PAGE_WEIGHT } from '../templates/weight.ts';

const TOO_LARGE =
  `must leave the document with at most ${LARGEST_DOCUMENT} characters once they stand in the text of the template, ` +
  `where a line break counts as ${LINE_WEIGHT}, a table cell, list entry or other piece of text as ${ENTRY_WEIGHT} more, ` +
  `a page break as ${PAGE_WEIGHT}, and a line of a narrow column as ${NARROW_LINE} at least`;

/** What is printed, still without the id of a document; or what is wrong with the fields and values. */
export type TemplateFilling = { readonly filled: FilledDocument } | { readonly violations: readonly Violation[] };

/** @param values as they passed `templateValueViolations` */
export function filling(
  { content, variable_schema }: VisibleRow<DocumentTemplateVersionRow>,
  values: object,
  fields: DocumentFields,
): TemplateFilling {
  const printing = filledDocument({ id: '', ...fields, content, variable_schema, values });
  if (printing === undefined) return { violations: [{ field: 'template_values', description: TOO_LARGE }] };
  const violations = [...printing.unprintable].map(([field, found]) => ({ field, description: notPrinted(found) }));
  return violations.length > 0 ? { violations } : printing;
}
