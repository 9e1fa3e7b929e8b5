import type { DocumentTemplate } from '../../generated/client/types.gen.ts';
import { shownTime } from '../answers/shown-times.ts';
import type { DocumentTemplateVersionRow } from '../data/collections/document_template_versions.ts';
import type { DocumentTemplateRow } from '../data/collections/document_templates.ts';
import type { VisibleRow } from '../data/reads.ts';

/** A template as the contract shows it, in its latest version or in the one given. */
export function documentTemplateView(
  row: VisibleRow<DocumentTemplateRow>,
  version: Pick<DocumentTemplateVersionRow, 'version' | 'variable_schema'> = row,
): DocumentTemplate {
  return {
    id: row._id,
    title: row.title,
    version: version.version,
    type_id: row.type_id,
    category_id: row.category_id,
    status: row.status,
    variable_schema: JSON.parse(version.variable_schema),
    create_time: shownTime(row, 'create_time'),
    update_time: shownTime(row, 'update_time'),
  };
}
