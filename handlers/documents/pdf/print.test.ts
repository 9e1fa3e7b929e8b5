import { describe, expect, test } from '@jest/globals';
import type { Block } from '../templates/content.ts';
import { chainOf } from './faces.ts';
import { type DocumentInput, filledDocument, type PrintRequest, renderDocument } from './render.ts';
import { readText } from './testing/read-text.ts';
import { FONT_SIZE } from './text.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    text,
    rows: {
      type: 'array',
      items: { type: 'object', properties: { a: text, b: text, c: text }, required: [], additionalProperties: false },
    },
  },
  required: [],
  additionalProperties: false,
};
const table: Block = {
  type: 'table',
  variable: 'rows',
  when: 'rows',
  columns: ['a', 'b', 'c'].map((field) => ({ field, title: field })),
};
const input = (values: object, blocks: readonly Block[] = [{ type: 'paragraph', text: '{{text}}' }, table]) =>
  ({
    id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
    title: 'Приказ',
    number: '',
    date: '2026-03-02',
    organization: '',
    content: JSON.stringify({ locale: 'ru', blocks }),
    variable_schema: JSON.stringify(schema),
    values,
  }) satisfies DocumentInput;
const render = (values: object, blocks?: readonly Block[]) =>
  renderDocument((filledDocument(input(values, blocks)) as PrintRequest).filled, 'tenant');
const runsOf = async (values: object, blocks?: readonly Block[]) => readText(await render(values, blocks));

describe('the number of text runs', () => {
  // Each run of text is laid out and written by itself, and takes about the same time.
  test.each([
    ['pictures', '😀'],
    ['words of one letter', 'ы '],
    ['one long word', 'ы'],
  ])('of %s is one a line, not one a character', async (_, part) => {
    const cell = part.repeat(200 / part.length);
    const rows = Array.from({ length: 200 }, () => ({ a: cell, b: cell, c: cell }));
    const runs = await runsOf({ text: part.repeat(1_000), rows });
    const lines = new Set(runs.map(({ page, x, y }) => `${page} ${x} ${y}`));
    expect(lines.size).toBe(runs.length);
    expect(runs.length).toBeLessThan((200 * 3 * 200) / 15);
  });

  test.each(['left', 'center', 'right'] as const)('of a paragraph that is aligned %s is small too', async (align) => {
    const runs = await runsOf({ text: 'слово '.repeat(1_000) }, [{ type: 'paragraph', text: '{{text}}', align }]);
    expect(runs.length).toBeLessThan(1_000 / 8);
  });

  test('of justified text is one a word, where a line has words of a language', async () => {
    const paragraph: Block = { type: 'paragraph', text: '{{text}}', align: 'justify' };
    const words = await runsOf({ text: 'слово '.repeat(1_000) }, [paragraph]);
    expect(words.length).toBeGreaterThan(1_000);
    const letters = await runsOf({ text: 'ы '.repeat(5_000) }, [paragraph]);
    expect(letters.length).toBeLessThan(5_000 / 3);
  });
});

describe('justified text', () => {
  test.each(['слово ', 'ы ', 'кое-где «там» '])(
    'of %j is flush on both sides except in its last line',
    async (part) => {
      const source = part.repeat(1_200 / part.length);
      const runs = await runsOf({ text: source }, [{ type: 'paragraph', text: '{{text}}', align: 'justify' }]);
      const lines = new Map<string, { first: number; last: number }>();
      for (const { page, x, y, text: shown } of runs.filter((run) => source.includes(run.text))) {
        const end = x + chainOf('Serif', false).width(shown.trim()) * FONT_SIZE;
        const { first = x, last = end } = lines.get(`${page} ${y}`) ?? {};
        lines.set(`${page} ${y}`, { first: Math.min(first, x), last: Math.max(last, end) });
      }
      const ends = [...lines.values()].slice(0, -1).map(({ last }) => last);
      expect(ends.length).toBeGreaterThan(5);
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1);
      expect(new Set([...lines.values()].map(({ first }) => first)).size).toBe(1);
    },
  );

  test('keeps a word of many lines within the page and complete', async () => {
    const word = 'Щы'.repeat(400);
    const runs = await runsOf({ text: `а ${word} б` }, [{ type: 'paragraph', text: '{{text}}', align: 'justify' }]);
    const printed = runs.map((run) => run.text).join('');
    expect(printed.split('Щ')).toHaveLength(401);
    for (const run of runs) expect(run.text.length).toBeLessThan(100);
  });
});

test('a document that was printed earlier does not show in a later one', async () => {
  // The font draws both by one glyph, which stands for what it was first used for in the document.
  const [sign, letters] = ['\ufb01', 'fi'];
  const first = await render({ text: letters });
  await render({ text: sign });
  const again = await render({ text: letters });
  expect(Buffer.compare(first, again)).toBe(0);
  const textOf = (bytes: Uint8Array) =>
    readText(bytes)
      .map((run) => run.text)
      .join('');
  expect(textOf(again)).toContain(letters);
  expect(textOf(await render({ text: sign }))).toContain(sign);
});
