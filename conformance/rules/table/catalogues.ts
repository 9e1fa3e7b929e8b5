/** DT and LOGIN: document types (with categories and templates), and login methods. */
import { type Rule, row } from '../rule.ts';

const list = 'listDocumentTypes';

export const catalogueRules: readonly Rule[] = [
  row('DT-1', 'MUST', 'A document type has the fields and types of the contract.', `${list}, DocumentType`),
  row('DT-2', 'MUST', 'Without limit a page has 100 types.', `${list}: limit`),
  row('DT-3', 'MUST', 'A limit above the maximum is served as the maximum.', `${list}: limit`, { decisions: ['D-9'] }),
  row('DT-4', 'MUST', 'A malformed page token is INVALID_ARGUMENT.', `${list}: page_token`),
  row('DT-5', 'MUST', 'The category filter filters exactly, and repeated it is a union.', `${list}: category_id`, {
    decisions: ['D-16'],
    needs: { fixtures: ['document_category_id'] },
  }),
  row(
    'DT-6',
    'MUST',
    'Only types that the owner may see are listed, and their templates only.',
    'listDocumentTypes, listDocumentTemplates, getDocumentTemplate',
    {
      decisions: ['D-16', 'D-31'],
      needs: { keys: ['restricted_owner'], fixtures: ['document_type_hidden_from_restricted_id', 'document_type_id'] },
    },
  ),
  row('DT-7', 'MUST', 'A walk lists each type once and ends with an empty token.', list),
  row(
    'DT-8',
    'MUST',
    'A token used with another category filter or limit is INVALID_ARGUMENT.',
    `${list}: page_token`,
    { decisions: ['D-10'] },
  ),
  row(
    'DT-9',
    'MUST',
    'An odd limit is INVALID_ARGUMENT on every catalogue.',
    'listDocumentTypes, listDocumentCategories, listDocumentTemplates: limit',
    {
      decisions: ['D-9'],
    },
  ),
  row(
    'DT-10',
    'MUST',
    'The catalogues hold nothing of another tenant.',
    'listDocumentTypes, listDocumentTemplates, getDocumentTemplate',
    { needs: { keys: ['other_tenant'], fixtures: ['document_type_other_tenant_id'] } },
  ),
  row(
    'DT-11',
    'MUST',
    'A template has a whole version and a variable_schema that is an object schema; read alone it equals the list.',
    'listDocumentTemplates, getDocumentTemplate, DocumentTemplate',
    { decisions: ['D-16'], needs: { fixtures: ['document_template_id'] } },
  ),
  row(
    'DT-12',
    'MUST',
    'An unknown template, a foreign one, or an unknown version of one is 404 DOCUMENT_TEMPLATE_NOT_FOUND.',
    'getDocumentTemplate',
    { decisions: ['D-16'], needs: { fixtures: ['document_template_id', 'document_template_other_tenant_id'] } },
  ),
  row('DT-13', 'MUST', 'The version of a template is a plain positive integer.', 'getDocumentTemplate: version', {
    decisions: ['D-16'],
    needs: { fixtures: ['document_template_id'] },
  }),
  row(
    'DT-14',
    'MUST',
    'type_id filters templates exactly; an unknown one matches nothing.',
    'listDocumentTemplates: type_id',
    { decisions: ['D-12', 'D-16'], needs: { fixtures: ['document_type_id'] } },
  ),
  row(
    'DT-15',
    'MUST',
    'An unknown parameter of a catalogue is INVALID_ARGUMENT.',
    'listDocumentTypes, listDocumentCategories, listDocumentTemplates, getDocumentTemplate',
    { decisions: ['D-12'] },
  ),

  row('LOGIN-1', 'MUST', 'The list has the shape of the contract.', 'listLoginMethods'),
  row('LOGIN-2', 'MUST', 'A key without scopes may read it.', 'listLoginMethods', { needs: { keys: ['no_scope'] } }),
  row('LOGIN-3', 'MUST', 'A bad key gets 401 API_KEY_INVALID.', 'listLoginMethods'),
  row('LOGIN-4', 'MUST', 'The slugs that the contract names are spelled exactly so.', 'listLoginMethods, LoginMethod'),
  row('LOGIN-5', 'MUST', 'Slugs are unique and stable between calls.', 'listLoginMethods, LoginMethod'),
  row('LOGIN-6', 'MUST', 'Methods that are off are listed or not, as the target declares.', 'listLoginMethods', {
    decisions: ['D-16'],
  }),
];
