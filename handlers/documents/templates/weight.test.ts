import { describe, expect, test } from '@jest/globals';
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import type { Block } from './content.ts';
import { type FilledBlock, fillProblems, fillTemplate } from './fill.ts';
import { LARGEST_VALUES } from './values.ts';
import { ENTRY_WEIGHT, LARGEST_DOCUMENT, LINE_WEIGHT, PAGE_WEIGHT } from './weight.ts';

const text = { type: 'string' } as const;
const fields = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [name, text]));
const schema: VariableSchema = {
  type: 'object',
  properties: {
    text,
    kind: { type: 'string', enum: ['x'] },
    tags: { type: 'array', items: text },
    kinds: { type: 'array', items: { type: 'string', enum: ['x'] } },
    rows: {
      type: 'array',
      items: { type: 'object', properties: fields, required: [], additionalProperties: false },
    },
  },
  required: [],
  additionalProperties: false,
};
const document = { title: 'ы'.repeat(500), number: '', date: '2026-03-02', organization: '' };
const labels = { kinds: { x: 'ы'.repeat(500) } };
const fill = (blocks: readonly Block[], values: object): readonly FilledBlock[] | undefined =>
  fillTemplate({ locale: 'ru', labels, blocks: [...blocks] }, schema, values, document)?.blocks;
const paragraph = (one: string): Block => ({ type: 'paragraph', text: one });
const columns = (...widths: number[]) =>
  widths.map((width, nth) => ({ field: Object.keys(fields)[nth] ?? '', title: 'T', width }));
const characters = (blocks: readonly FilledBlock[] | undefined) => JSON.stringify(blocks ?? []).length;

describe('a document that is too large is refused', () => {
  test('at the exact number of characters', () => {
    const most = LARGEST_DOCUMENT - ENTRY_WEIGHT;
    const blocks = [paragraph('{{text}}{{text}}')];
    const value = (length: number) => ({ text: 'ы'.repeat((length - '{{text}}{{text}}'.length) / 2) });
    expect(fill(blocks, value(most))).toHaveLength(1);
    expect(fill(blocks, value(most + 2))).toBeUndefined();
  });

  test.each<[string, Block, object]>([
    ['a text that names a long value many times', paragraph('{{text}}'.repeat(2_500)), { text: 'ы'.repeat(90_000) }],
    ['a text that names the title many times', paragraph('{{document.title}}'.repeat(1_100)), {}],
    ['a text that names a list', paragraph('{{tags}}{{tags}}{{tags}}{{tags}}'), { tags: ['ы'.repeat(90_000)] }],
    ['choices with long labels', { type: 'list', variable: 'kinds' }, { kinds: Array(2_000).fill('x') }],
    ['lines', paragraph('{{text}}'), { text: '\n'.repeat(LARGEST_DOCUMENT / LINE_WEIGHT + 1) }],
    [
      'empty cells',
      { type: 'table', variable: 'rows', columns: columns(1, 1, 1, 1, 1, 1, 1, 1) },
      { rows: Array(2_400).fill({}) },
    ],
    [
      'one letter a line, in a narrow column',
      { type: 'table', variable: 'rows', columns: columns(1, 20, 20, 20, 20, 20, 20, 20) },
      { rows: [{ a: 'ы'.repeat(90_000) }] },
    ],
  ])('%s', (_, block, values) => {
    expect(fill([block], values)).toBeUndefined();
  });

  test('by its number of pages and by its space', () => {
    const breaks = (count: number): Block[] => Array.from({ length: count }, () => ({ type: 'page_break' }));
    expect(fill(breaks(LARGEST_DOCUMENT / PAGE_WEIGHT), {})).toBeDefined();
    expect(fill(breaks(LARGEST_DOCUMENT / PAGE_WEIGHT + 1), {})).toBeUndefined();
    expect(
      fill(
        Array.from({ length: 200 }, () => ({ type: 'space', lines: 20 })),
        {},
      ),
    ).toBeUndefined();
  });

  test('before much of it is built', () => {
    const before = process.memoryUsage().heapUsed;
    fill([paragraph('{{text}}'.repeat(2_500))], { text: 'ы'.repeat(LARGEST_VALUES) });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });
});

describe('usual documents are far from the limit', () => {
  test('a table of 200 rows of long cells, beside a page of text', () => {
    const cell = '漢'.repeat(200);
    const block: Block = { type: 'table', variable: 'rows', numbered: true, columns: columns(8, 3, 3) };
    const rows = Array.from({ length: 200 }, () => ({ a: cell, b: '10 000', c: '16.03.2026' }));
    const filled = fill([paragraph('ы'.repeat(2_500)), block], { rows });
    expect(characters(filled)).toBeGreaterThan(200 * 200);
  });

  test('the longest values, once, in a text and in a table', () => {
    expect(fill([paragraph('{{text}}')], { text: 'ы'.repeat(LARGEST_VALUES) })).toBeDefined();
    const block: Block = { type: 'table', variable: 'rows', columns: columns(3, 3, 3, 3, 3, 3, 3, 3) };
    const row = Object.fromEntries(Object.keys(fields).map((name) => [name, 'ы'.repeat(60)]));
    expect(fill([block], { rows: Array(120).fill(row) })).toBeDefined();
  });
});

test('a content that is too large without values is not published', () => {
  const long = Array.from({ length: 20 }, () => paragraph('ы'.repeat(16_000)));
  expect(fillProblems({ locale: 'ru', blocks: long }, schema)).toEqual([
    expect.stringMatching(/^content: comes to more than 300000 /),
  ]);
  expect(fillProblems({ locale: 'ru', blocks: long.slice(0, 10) }, schema)).toEqual([]);
});
