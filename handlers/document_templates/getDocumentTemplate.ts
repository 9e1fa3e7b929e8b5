import { fail } from '../answers/errors.ts';
import type { Handler } from '../http/handler.ts';
import { documentTemplateView } from './view.ts';

/** One template, in the version asked for or the latest; an unknown version is not found (D-16). */
export const getDocumentTemplate: Handler<'getDocumentTemplate'> = async ({ caller, path, query }) => {
  const row = await caller.documentTemplates.get(path.template_id);
  if (query.version === undefined || query.version === row.version) {
    return { document_template: documentTemplateView(row) };
  }
  const versionId = `${row._id}:${query.version}`;
  const versions = caller.inTenant('document_template_versions');
  const version = (await versions.byId([versionId], ['version', 'variable_schema'])).get(versionId);
  return { document_template: documentTemplateView(row, version ?? fail('DOCUMENT_TEMPLATE_NOT_FOUND')) };
};
