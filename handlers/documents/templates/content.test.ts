import { describe, expect, test } from '@jest/globals';
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import { type Block, type Content, contentProblems, parseContent } from './content.ts';
import { fillTemplate, formatNumber } from './fill.ts';

const schema: VariableSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    start: { type: 'string', format: 'date' },
    salary: { type: 'number' },
    remote: { type: 'boolean' },
    kind: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          amount: { type: 'number' },
          until: { type: 'string', format: 'date' },
        },
        required: [],
        additionalProperties: false,
      },
    },
  },
  required: [],
  additionalProperties: false,
};
const document = { title: 'Приказ', number: '7', date: '2026-03-02', organization: 'ТОО' };
const labels = { kind: { a: 'первый' }, tags: { x: 'икс' } };
const fill = (blocks: Block[], values: unknown, locale: Content['locale'] = 'ru') =>
  fillTemplate({ locale, labels, blocks }, schema, values, document)?.blocks ?? [];

function paragraph(text: string, values: unknown, locale?: Content['locale']): string | undefined {
  const [block] = fill([{ type: 'paragraph', text }], values, locale);
  return block?.type === 'paragraph' ? block.text : undefined;
}

describe('placeholders', () => {
  test('show dates, numbers, choices and booleans as people write them', () => {
    const values = { name: 'Әсел', start: '2026-03-16', salary: 1234567.5, remote: true, kind: 'a', tags: ['x', 'y'] };
    expect(paragraph('{{name}} {{ start }} {{salary}} {{remote}} {{kind}} {{tags}}', values)).toBe(
      'Әсел 16.03.2026 1\u00a0234\u00a0567,5 да первый икс, y',
    );
    expect(paragraph('{{remote}}', values, 'kk')).toBe('иә');
    expect(paragraph('{{remote}}', { remote: false }, 'kk')).toBe('жоқ');
  });

  test('show properties of the document', () => {
    const text = '{{document.title}} {{document.number}} {{document.date}} {{document.organization}}';
    expect(paragraph(text, {})).toBe('Приказ 7 02.03.2026 ТОО');
  });

  test('show a dash when there is no value, also for names that objects inherit', () => {
    expect(paragraph('{{name}}|{{salary}}|{{tags}}|{{toString}}', { name: '' })).toBe('—|—|—|—');
  });

  test('inside values are printed as text', () => {
    const evil = '{{salary}} $& $1 {{document.number}}';
    expect(paragraph('{{name}}', { name: evil, salary: 1 })).toBe(evil);
  });
});

test.each([
  [0, '0'],
  [-1234.05, '-1\u00a0234,05'],
  [999, '999'],
  [1e15, '1\u00a0000\u00a0000\u00a0000\u00a0000\u00a0000'],
  [1e-7, '0,0000001'],
  [0.1 + 0.2, '0,30000000000000004'],
])('the number %d is printed as %s', (value, printed) => {
  expect(formatNumber(value)).toBe(printed);
});

describe('blocks', () => {
  const types = (blocks: Block[], values: unknown) => fill(blocks, values).map(({ type }) => type);

  test('with a condition are shown only when it holds', () => {
    const given: Block = { type: 'heading', text: 'x', when: 'name' };
    expect(types([given], { name: 'a' })).toEqual(['heading']);
    for (const values of [{}, { name: '' }]) expect(types([given], values)).toEqual([]);
    expect(types([{ ...given, when: 'tags' }], { tags: [] })).toEqual([]);
    expect(types([{ ...given, when: 'remote' }], { remote: false })).toEqual(['heading']);
    const remote: Block = { ...given, when: { variable: 'remote', equals: true } };
    expect(types([remote], { remote: true })).toEqual(['heading']);
    for (const values of [{ remote: false }, {}]) expect(types([remote], values)).toEqual([]);
  });

  test('of a table have a row for each entry, with numbers on the right', () => {
    const columns = [
      { field: 'title', title: 'T' },
      { field: 'amount', title: 'A' },
      { field: 'until', title: 'U' },
    ];
    const rows = [{ title: 'a', amount: 1000, until: '2026-12-31' }, { title: 'b' }];
    const [table] = fill([{ type: 'table', variable: 'rows', numbered: true, columns }], { rows });
    expect(table).toMatchObject({
      columns: [{ title: '№' }, { align: 'left' }, { align: 'right' }, { align: 'left' }],
      rows: [
        ['1', 'a', '1\u00a0000', '31.12.2026'],
        ['2', 'b', '—', '—'],
      ],
    });
  });

  test('are replaced by a list of titles and values when a template has none', () => {
    const printed = JSON.stringify(fill([], { name: 'Әсел', rows: [{ title: 'строка' }] }));
    for (const part of ['Әсел', 'строка', 'salary']) expect(printed).toContain(part);
  });

  test('given as a bare list are Russian content', () => {
    expect(parseContent('[]')).toEqual({ locale: 'ru', blocks: [] });
    expect(parseContent(undefined)).toEqual({ locale: 'ru', blocks: [] });
  });
});

describe('a content is refused for publishing', () => {
  const of = (...blocks: object[]) => ({ locale: 'ru', blocks });
  const columns = [{ field: 'title', title: 'T' }];

  test.each<[string, unknown]>([
    ['that is none', 'x'],
    ['that is nothing', undefined],
    ['in another language', { locale: 'en', blocks: [] }],
    ['with an unknown block', of({ type: 'script', text: 'x' })],
    ['with an unknown field', of({ type: 'paragraph', text: 'x', onclick: 'x' })],
    ['with an unknown variable', of({ type: 'paragraph', text: '{{nobody}}' })],
    ['with an unknown field of the document', of({ type: 'paragraph', text: '{{document.secret}}' })],
    ['with a broken placeholder', of({ type: 'paragraph', text: '{{name} and {{' })],
    ['with a list of objects in a text', of({ type: 'paragraph', text: '{{rows}}' })],
    ['with a table of no list', of({ type: 'table', variable: 'name', columns })],
    ['with a table of single values', of({ type: 'table', variable: 'tags', columns })],
    ['with an unknown column', of({ type: 'table', variable: 'rows', columns: [{ field: 'x', title: 'T' }] })],
    ['with a list of objects as a list', of({ type: 'list', variable: 'rows' })],
    ['with an unknown condition', of({ type: 'page_break', when: 'nobody' })],
    ['with a condition of another type', of({ type: 'page_break', when: { variable: 'remote', equals: 'yes' } })],
    ['with an unknown variable in a row', of({ type: 'definitions', rows: [{ title: 'x', text: '{{nobody}}' }] })],
    ['with an unknown variable in a line', of({ type: 'signatures', lines: [{ title: 'x', name: '{{nobody}}' }] })],
    ['with labels of nothing', { ...of(), labels: { nobody: { a: 'x' } } }],
    ['with labels of no choice', { ...of(), labels: { kind: { c: 'x' } } }],
  ])('%s', (_, content) => {
    expect(contentProblems(content, schema)).not.toEqual([]);
  });

  test('a valid one is not', () => {
    const right = of(
      { type: 'heading', text: '{{name}}', when: 'name' },
      { type: 'table', variable: 'rows', columns },
      { type: 'list', variable: 'tags' },
      { type: 'page_break', when: { variable: 'remote', equals: true } },
    );
    expect(contentProblems({ ...right, labels }, schema)).toEqual([]);
  });
});
