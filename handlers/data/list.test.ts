import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { documentTemplateList } from '../document_templates/listDocumentTemplates.ts';
import { documentTypeList } from '../document_types/listDocumentTypes.ts';
import { documentList } from '../documents/filters.ts';
import { employeeFilters } from '../employees/filters.ts';
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

  test('of a query are what it names, and nothing else of it', () => {
    expect(filterValues(table, {})).toEqual({ meanings: {}, condition: {}, moving: [] });
    const none = { kind: undefined, limit: 5, page_token: 'x', expand: ['y'], include_total: true };
    expect(filterValues(table, none)).toEqual({ meanings: {}, condition: {}, moving: [] });
  });

  test('with one value compare it, and with several any of them', () => {
    expect(filterValues(table, { kind: 'a' }).condition).toEqual({ kind: 'a' });
    expect(filterValues(table, { kind: ['a'] }).condition).toEqual({ kind: 'a' });
    expect(filterValues(table, { kind: ['a', 'b'] })).toMatchObject({
      meanings: { kind: ['a', 'b'] },
      condition: { kind: { $in: ['a', 'b'] } },
      moving: ['kind'],
    });
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

test('a parameter of a list without a row in its table does not compile', () => {
  const root = process.cwd();
  const copy = mkdtempSync(join(tmpdir(), 'parameter-'));
  try {
    for (const name of ['handlers', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(copy, name));
    cpSync(join(root, 'generated'), join(copy, 'generated'), { recursive: true });
    const inputs = join(copy, 'generated/handlers.ts');
    const text = readFileSync(inputs, 'utf8');
    const more = text.replace(/(?<=\n {2}list\w+: {\n.*\n {4}query: )(.*)(?=;)/g, (query) =>
      query === 'None' ? '{ location_id?: string }' : `${query} & { location_id?: string }`,
    );
    writeFileSync(inputs, more);
    const files = ['handlers/index.ts'];
    const compilerOptions = { preserveSymlinks: true };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules/typescript7/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', copy], { cwd: copy, encoding: 'utf8' });
    const lacking = stdout.matchAll(/^handlers\/(.*?)\.ts\(.*Property 'location_id' is missing/gm);
    const tables = ['documents/filters', 'employees/filters', 'employees/index-choice'];
    const lists = Object.values(operations).filter(({ operationId }) => operationId.startsWith('list'));
    const others = lists.map(({ tag, operationId }) => `${tag}/${operationId}`);
    const own = others.filter((file) => !['employees/listEmployees', 'documents/listDocuments'].includes(file));
    expect(Array.from(lacking, ([, file]) => file).toSorted()).toEqual([...tables, ...own].toSorted());
    expect(stdout.match(/^handlers/gm)).toHaveLength(tables.length + own.length);
  } finally {
    rmSync(copy, { recursive: true });
  }
});
