/** The templates from which the owner of the key may create documents. */
import type { TestContext } from '../../engine/test-context.ts';
import { templateOf } from './document-calls.ts';
import type { Schema } from './template-values.ts';

/** A template with its document type and the form of its values. */
export interface UsableTemplate {
  readonly id: string;
  readonly type_id: string;
  readonly schema: Schema;
}

/** The active templates whose active types allow creations through the interface, for the owner of a key. */
export async function usableTemplates(t: TestContext, api = t.asAny('full')): Promise<UsableTemplate[]> {
  const isActive = ({ status }: { status: string }) => status === t.spelling.catalogue_status.ACTIVE;
  const types = await api.walk('listDocumentTypes');
  const usable = new Set(types.filter((type) => type.allow_api && isActive(type)).map(({ id }) => id));
  const templates = await api.walk('listDocumentTemplates');
  const active = templates.filter((template) => usable.has(template.type_id) && isActive(template));
  return Promise.all(
    active.map(async ({ id, type_id }) => {
      const { variable_schema } = await templateOf(t, id, api);
      return { id, type_id, schema: variable_schema as Schema };
    }),
  );
}
