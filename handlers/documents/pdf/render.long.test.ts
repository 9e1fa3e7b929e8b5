import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Block, parseContent } from '../templates/content.ts';
import { fillTemplate } from '../templates/fill.ts';
import { parseSchema } from '../templates/schema.ts';
import { LARGEST_VALUES } from '../templates/values.ts';
import { chainOf } from './faces.ts';
import type { DocumentInput } from './filled-document.ts';
import type { FilledDocument } from './layout.ts';
import { Printer } from './printer.ts';
import { readText, type TextRun } from './testing/read-text.ts';
import { FONT_SIZE } from './text.ts';

const cell = { type: 'string', title: 'Столбец' };
const schema = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Текст' },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { ...cell, title: 'Голова' }, b: cell, c: cell, d: cell, e: cell, f: cell, g: cell, h: cell },
        required: [],
        additionalProperties: false,
      },
    },
  },
  required: [],
  additionalProperties: false,
};
const TENANT = 'tenant';
const base: DocumentInput = {
  id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
  title: 'Приказ о предоставлении отпуска',
  number: 'Ж-118',
  date: '2026-03-02',
  organization: 'ТОО «Тұлпар Логистика»',
  content: JSON.stringify({
    locale: 'ru',
    blocks: [
      { type: 'paragraph', text: '{{text}}' },
      { type: 'definitions', rows: [{ title: 'Значение', text: '{{text}}' }] },
      {
        type: 'table',
        variable: 'rows',
        when: 'rows',
        columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((field) => ({ field, title: `Голова ${field}` })),
      },
      { type: 'signatures', lines: [{ title: 'Руководитель', name: '{{text}}', note: 'подпись' }] },
    ],
  }),
  variable_schema: JSON.stringify(schema),
  values: { text: 'Сәрсенбаева Әйгерім' },
};
const THREAD = new URL('./printing-thread.ts', import.meta.url);
/** More time than the service gives to a document, for slow machines. */
const PATIENCE = { longestMs: 240_000, longestWaitMs: 240_000 };
const patient = new Printer(THREAD, PATIENCE);

/** Also of values that a creation refuses, as the name of an organisation may have the same letters. */
function filled({ content, variable_schema, values, ...fields }: DocumentInput): FilledDocument {
  const parsed = parseContent(content);
  const { blocks = [] } = fillTemplate(parsed, parseSchema(variable_schema), values, fields) ?? {};
  return { ...fields, locale: parsed.locale, blocks };
}
const render = (input: DocumentInput) => patient.print({ kind: 'document', input: filled(input) }, TENANT);
const print = async (values: object, rest: Partial<DocumentInput> = {}): Promise<TextRun[]> =>
  readText(await render({ ...base, ...rest, values }));
const paragraph: Block = { type: 'paragraph', text: '{{text}}' };
const contentOf = (...blocks: Block[]) => ({ content: JSON.stringify({ locale: 'ru', blocks }) });
/** Without white space, which wrapping moves. */
const textOf = (runs: readonly TextRun[]) =>
  runs
    .map(({ text }) => text)
    .join('')
    .replace(/\s/g, '');

/** Every run begins within the margins of the page. */
function expectOnPage(runs: readonly TextRun[]): void {
  for (const { x, y, text } of runs) {
    expect({ text, fits: x >= 42 && x <= 595 - 42 && y >= 20 && y <= 842 - 50 }).toEqual({ text, fits: true });
  }
}

test('a document shows organisation, title, number, date, the filled text and page numbers', async () => {
  const text = textOf(await print(base.values));
  const parts = [base.organization, base.title, '№ Ж-118', '02.03.2026', 'Сәрсенбаева Әйгерім', 'Руководитель'];
  for (const part of [...parts, 'стр. 1 из 1']) expect(text).toContain(part.replaceAll(' ', ''));
});

test('a Kazakh template has its page numbers in Kazakh', async () => {
  const content = JSON.stringify({ locale: 'kk', blocks: [{ type: 'paragraph', text: '{{text}}' }] });
  expect(textOf(await print(base.values, { content }))).toContain('1-бет,барлығы1');
});

describe('equal input gives equal bytes', () => {
  const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
  const script = `
    const { Printer } = await import(${JSON.stringify(resolve(import.meta.dirname, 'printer.ts'))});
    const printer = new Printer(new URL('${THREAD}'.split('?')[0]), ${JSON.stringify(PATIENCE)});
    const { hash } = await import('node:crypto');
    const bytes = await printer.print({ kind: 'document', input: JSON.parse(process.argv[2]) }, 'tenant');
    console.log(hash('sha256', bytes, 'hex'));`;

  test('in another process, in another time zone, later', async () => {
    const mine = digest(await render(base));
    const dir = await mkdtemp(join(tmpdir(), 'render-'));
    try {
      const program = join(dir, 'render.mjs');
      await writeFile(program, script);
      const argv = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(filled(base))];
      const env = { ...process.env, TZ: 'Pacific/Kiritimati', NODE_OPTIONS: '' };
      const other = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
      expect(other.stderr).toBe('');
      expect(other.stdout.trim()).toBe(mine);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  test('which name the day of the document and no present time', async () => {
    const text = Buffer.from(await render(base)).toString('latin1');
    expect(text).toContain('(D:20260302000000Z)');
    expect(text).not.toContain('ModDate');
  });
});

describe('long values', () => {
  test('of text are printed completely', async () => {
    const words = Array.from({ length: 3_000 }, (_, nth) => `(с${nth})`);
    const runs = await print({ text: words.join(' ') });
    const counts = new Map<string, number>();
    for (const [word] of textOf(runs).matchAll(/\(с\d+\)/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
    // In the paragraph, in the definition and beside the signature.
    for (const word of words) expect({ word, times: counts.get(word) }).toEqual({ word, times: 3 });
    expectOnPage(runs);
  });

  test('in rows taller than a page continue on the next one, and every page repeats the heads', async () => {
    const words = Array.from({ length: 700 }, (_, nth) => `с${nth};`);
    const runs = await print({ text: 'x', rows: [{ a: words.join(' '), h: words.join(' ') }, { a: 'последняя' }] });
    const text = textOf(runs);
    for (const word of words) expect(text.split(word).length).toBe(3);
    expect(text).toContain('последняя');
    const pages = new Set(runs.filter((run) => /с\d+;/.test(run.text)).map(({ page }) => page));
    expect(pages.size).toBeGreaterThan(5);
    for (const page of pages) expect(textOf(runs.filter((run) => run.page === page))).toContain('Головаa');
    expectOnPage(runs);
  });

  test('fit as title, number and organisation of the greatest length', async () => {
    const rest = { title: 'Ъ'.repeat(500), number: 'Щ'.repeat(100), organization: 'Ж'.repeat(500) };
    const runs = await print({ text: 'x' }, rest);
    expect(textOf(runs).split('Ж')).toHaveLength(501);
    expectOnPage(runs);
  });

  test.each<[string, string]>([
    ['single letters', 'ы '.repeat(LARGEST_VALUES / 2)],
    ['characters of other faces', '😀ы'.repeat(LARGEST_VALUES / 2)],
  ])('the largest values are printed, off the main thread: %s', async (_, text) => {
    let ticks = 0;
    const clock = setInterval(() => ticks++, 1);
    try {
      const input = filled({ ...base, ...contentOf(paragraph), values: { text } });
      const runs = readText(await patient.print({ kind: 'document', input }, TENANT));
      expect(new Set(runs.map(({ page }) => page)).size).toBeGreaterThan(10);
      expect(ticks).toBeGreaterThan(5);
    } finally {
      clearInterval(clock);
    }
  });
});

describe('characters out of the ordinary', () => {
  test.each([
    ['combining marks', `и\u0306${'\u0301'.repeat(500)}`, 'й\u0301\u0301\u0301\u0301'],
    ['what looks like PDF', ') Tj (\\) >> endobj %%EOF <</JS (x)>>', ')Tj(\\)>>endobj%%EOF<</JS(x)>>'],
    [
      'what looks like markup',
      '<b>*x*</b> {{text}} {"link":"http://a.example"}',
      '<b>*x*</b>{{text}}{"link":"http://a.example"}',
    ],
  ])('%s are text at most', async (_, text, printed) => {
    const runs = await print({ text });
    expect(textOf(runs)).toContain(printed);
    expectOnPage(runs);
  });

  test.each(['😀👨‍👩‍👧', 'سلام שלום', '漢字', '\ud800', '\ufffe\uffff', 'ᄀ'.repeat(50), '\u{e0041}', ''])(
    'do not break a document: %j',
    async (text) => {
      const rest = { title: `Т ${text}`, number: text, organization: text };
      expect(textOf(await print({ text, rows: [{ a: text }] }, rest))).toMatch(/стр\.1из\d/);
    },
  );

  test('do not become a link, a script or a file', async () => {
    const text = '{"text":"x","link":"http://a.example"} file:///etc/passwd http://a.example';
    const bytes = Buffer.from(await render({ ...base, title: text, values: { text } })).toString('latin1');
    for (const key of ['/Annot', '/URI', '/JavaScript', '/EmbeddedFile', '/OpenAction'])
      expect(bytes).not.toContain(key);
  });
});

const table: Block = {
  type: 'table',
  variable: 'rows',
  when: 'rows',
  columns: ['a', 'b', 'c'].map((field) => ({ field, title: field })),
};
const justified = contentOf({ ...paragraph, align: 'justify' });

describe('the number of text runs', () => {
  // Each run of text is laid out and written by itself, and takes about the same time.
  test.each([
    ['pictures', '😀'],
    ['words of one letter', 'ы '],
    ['one long word', 'ы'],
  ])('of %s is one a line, not one a character', async (_, part) => {
    const cell = part.repeat(200 / part.length);
    const rows = Array.from({ length: 200 }, () => ({ a: cell, b: cell, c: cell }));
    const runs = await print({ text: part.repeat(1_000), rows }, contentOf(paragraph, table));
    const lines = new Set(runs.map(({ page, x, y }) => `${page} ${x} ${y}`));
    expect(lines.size).toBe(runs.length);
    expect(runs.length).toBeLessThan((200 * 3 * 200) / 15);
  });

  test.each(['left', 'center', 'right'] as const)('of a paragraph that is aligned %s is small too', async (align) => {
    const runs = await print({ text: 'слово '.repeat(1_000) }, contentOf({ ...paragraph, align }));
    expect(runs.length).toBeLessThan(1_000 / 8);
  });

  test('of justified text is one a word, where a line has words of a language', async () => {
    const words = await print({ text: 'слово '.repeat(1_000) }, justified);
    expect(words.length).toBeGreaterThan(1_000);
    const letters = await print({ text: 'ы '.repeat(5_000) }, justified);
    expect(letters.length).toBeLessThan(5_000 / 3);
  });
});

describe('justified text', () => {
  test.each(['слово ', 'ы ', 'кое-где «там» '])(
    'of %j is flush on both sides except in its last line',
    async (part) => {
      const source = part.repeat(1_200 / part.length);
      const runs = await print({ text: source }, justified);
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
    const runs = await print({ text: `а ${word} б` }, justified);
    const printed = runs.map((run) => run.text).join('');
    expect(printed.split('Щ')).toHaveLength(401);
    for (const run of runs) expect(run.text.length).toBeLessThan(100);
  });
});

test('a document that was printed earlier does not show in a later one', async () => {
  // The font draws both by one glyph, which stands for what it was first used for in the document.
  const [sign, letters] = ['\ufb01', 'fi'];
  const drawn = (text: string) => render({ ...base, values: { text } });
  const first = await drawn(letters);
  await drawn(sign);
  const again = await drawn(letters);
  expect(Buffer.compare(first, again)).toBe(0);
  expect(textOf(readText(again))).toContain(letters);
  expect(textOf(readText(await drawn(sign)))).toContain(sign);
});
