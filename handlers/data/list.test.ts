import { describe, expect, test } from '@jest/globals';
import { documentTemplateList } from '../document_templates/listDocumentTemplates.ts';
import { documentTypeList } from '../document_types/listDocumentTypes.ts';
import { documentList } from '../documents/filters.ts';
import { employeeFilters } from '../employees/list.ts';
import { filterValues, type ListFilter } from './list.ts';
import { collections } from './store.ts';

describe('filters', () => {
  const [index, condition] = [{}, { a: 1 }];
  const table: Readonly<Record<string, ListFilter<Record<string, unknown>>>> = {
    kind: { field: 'kind', matches: 'any', index, moves: true },
    since: { field: 'at', matches: 'from', index, moves: true },
    after: { field: 'made_at', matches: 'after', index, moves: false },
    text: {
      field: 'keys',
      matches: 'text',
      index,
      moves: false,
      meaning: (t) => t.trim(),
      plan: async () => ({ condition }),
    },
  };

  test('are taken from a query by the names of the table, and other parameters are ignored', () => {
    expect(filterValues(table, {})).toEqual({ meanings: {}, condition: {}, moving: [] });
    const none = { kind: undefined, limit: 5, page_token: 'x', expand: ['y'], include_total: true };
    expect(filterValues(table, none)).toEqual({ meanings: {}, condition: {}, moving: [] });
  });

  test('of instants round so that no row is lost, and mean the same in every zone', () => {
    const ms = Date.parse('2026-01-02T03:04:05.123Z');
    expect(
      filterValues(table, { since: '2026-01-02T08:04:05.123001+05:00', after: '2026-01-02T03:04:05.1239Z' }),
    ).toEqual({
      meanings: { since: ms + 1, after: ms },
      condition: { at: { $gte: new Date(ms + 1) }, made_at: { $gt: new Date(ms) } },
      moving: ['at'],
    });
  });

  test('of a text are planned by what it means', async () => {
    const { meanings, planText, ...rest } = filterValues(table, { text: ' a ' });
    expect([meanings, rest]).toEqual([{ text: 'a' }, { condition: {}, moving: [] }]);
    expect(await planText?.(async () => 0)).toEqual({ condition });
  });
});

test.each([
  ['employees', employeeFilters],
  ['documents', documentList.filters],
  ['document_types', documentTypeList.filters],
  ['document_templates', documentTemplateList.filters],
] as const)('the indexes that filters of %s name exist', (collection, table) => {
  const keys = collections[collection].indexes.map(({ key }) => JSON.stringify(key));
  for (const { index } of Object.values(table)) expect(keys).toContain(JSON.stringify(index));
});
