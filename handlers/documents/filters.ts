import { type DocumentRow, documentKeys } from '../data/collections/documents.ts';
import type { List } from '../data/list.ts';
import { folded, searchPlan } from './search.ts';

const { newest, ofType, searched } = documentKeys;

/**
 * The list of documents. They do not move: they keep their type, and an employee who sees one keeps seeing it in the
 * same way.
 */
export const documentList: List<'listDocuments', DocumentRow> = {
  operationId: 'listDocuments',
  filters: {
    type_id: { field: 'type_id', matches: 'any', index: ofType, moves: false },
    created_after: { field: 'create_time', matches: 'after', index: newest, moves: false },
    search: { field: 'search_keys', matches: 'text', meaning: folded, plan: searchPlan, index: searched, moves: false },
  },
};
