/** `settings document-templates preview`: what a template prints with some values, without a document. */
import { failFields, refuseIfAny } from '../../../handlers/answers/errors.ts';
import type { DocumentTemplateVersionRow } from '../../../handlers/data/collections/document_template_versions.ts';
import { ownViolations } from '../../../handlers/documents/create/creation.ts';
import { filledDocument } from '../../../handlers/documents/pdf/filled-document.ts';
import { templateValueViolations } from '../../../handlers/documents/templates/values.ts';
import { asAnswered, requestBody } from './request-body.ts';

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What of a document is printed besides the template. */
export interface PreviewedDocument {
  readonly title: string;
  readonly number: string;
  readonly date: string;
  /** The title of the organisation. */
  readonly organization: string;
}

/**
 * The PDF that a creation would store, with this id.
 * @param values JSON of `template_values`: read from its text, as the number that is printed is the one that was written
 * @throws Failure with what the service would answer
 */
export async function preview(
  { content, variable_schema }: Pick<DocumentTemplateVersionRow, 'content' | 'variable_schema'>,
  { organization, ...fields }: PreviewedDocument,
  values: string,
  id = NO_ID,
): Promise<Uint8Array> {
  const sent = JSON.stringify({ ...fields, type_id: NO_ID, template_id: NO_ID });
  const filled = await asAnswered(async () => {
    const text = `${sent.slice(0, -1)},"template_values":${values}}`;
    const body = await requestBody('createDocument', Buffer.from(text));
    const { template_values } = body as unknown as { readonly template_values: object };
    refuseIfAny(ownViolations({ body: { ...fields, template_id: NO_ID, template_values }, wrong: new Set() }));
    refuseIfAny(templateValueViolations(variable_schema, template_values));
    const input = { content, variable_schema, ...fields, organization, id };
    const made = filledDocument({ ...input, values: template_values });
    return 'filled' in made ? made.filled : failFields(made.violations);
  });
  // Loaded only here: other commands begin sooner without.
  const [{ documentLayout }, { print }] = await Promise.all([
    import('../../../handlers/documents/pdf/layout.ts'),
    import('../../../handlers/documents/pdf/print.ts'),
  ]);
  return print(documentLayout(filled));
}
