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

/** The active templates whose types allow creations through the interface. */
export async function usableTemplates(t: TestContext): Promise<UsableTemplate[]> {
  const full = t.as('full', { spread: true });
  const types = await full.walk('listDocumentTypes', { limit: 1000 });
  const usable = new Set(types.filter(({ allow_api }) => allow_api).map(({ id }) => id));
  const templates = await full.walk('listDocumentTemplates', { limit: 1000 });
  const active = templates.filter(
    ({ type_id, status }) => usable.has(type_id) && status === t.spelling.catalogue_status.ACTIVE,
  );
  return Promise.all(
    active.map(async ({ id, type_id }) => {
      const { variable_schema } = await templateOf(t, id, full);
      return { id, type_id, schema: variable_schema as Schema };
    }),
  );
}
