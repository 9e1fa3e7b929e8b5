/** How a document looks on paper: A4, the organisation, the title, number and date, the text, page numbers. */
import type { Content as Node, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { formatDate } from '../templates/dates.ts';
import type { DocumentFields, FilledBlock } from '../templates/fill.ts';
import { chainOf } from './faces.ts';
import { cut, FONT_SIZE, textNode } from './text.ts';

/** The input for printing a document: plain data that can be passed between threads. */
export interface FilledDocument extends DocumentFields {
  /** The document's id: it makes every print different, so a signature of one document never fits another (D-21). */
  readonly id: string;
  readonly locale: 'ru' | 'kk';
  /** The template's, with the values in them. */
  readonly blocks: readonly FilledBlock[];
}

/** Points. The left margin leaves room for a file's punched holes. */
export const PAGE = { width: 595.28, left: 71, right: 43, top: 57, bottom: 62 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
export const GREY = '#6b6b6b';
const RULE = '#9a9a9a';
export const SHADE = '#f0f0f0';
const CELL_PADDING = 4;

/** Whether texts fit a page even in the narrowest column. Texts kept together that do not fit would lose their end. */
function isShort(texts: readonly string[]): boolean {
  const text = texts.join('');
  return text.length + text.split('\n').length * 10 <= 210;
}

const LINE = FONT_SIZE * 1.45;

const WORDS = {
  ru: { language: 'ru-RU', page: (page: number, of: number) => `стр. ${page} из ${of}` },
  kk: { language: 'kk-KZ', page: (page: number, of: number) => `${page}-бет, барлығы ${of}` },
} as const;

/** Thin rules around every cell. */
export const grid = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  hLineColor: () => RULE,
  vLineColor: () => RULE,
  paddingLeft: () => CELL_PADDING,
  paddingRight: () => CELL_PADDING,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};

const bare = { hLineWidth: () => 0, vLineWidth: () => 0, paddingLeft: () => 0, paddingTop: () => 0 };

/** Column widths in points for shares of the page. They are fixed, so that content cannot widen a column. */
export function columnWidths(shares: readonly number[]): number[] {
  const rest = TEXT_WIDTH - shares.length * CELL_PADDING * 2 - 1;
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => Math.floor((rest * share * 100) / sum) / 100);
}

/** Sizes, font, margins and footer that every printed page shares. */
export function pages(language: string, footer: (page: number, of: number) => Node): Partial<TDocumentDefinitions> {
  return {
    pageSize: 'A4',
    pageMargins: [PAGE.left, PAGE.top, PAGE.right, PAGE.bottom],
    version: '1.7',
    language,
    displayTitle: true,
    defaultStyle: { font: 'Serif', fontSize: FONT_SIZE, lineHeight: 1.2 },
    footer,
  };
}

const FOOTER = { left: TEXT_WIDTH - 130, right: 130, fontSize: 8 } as const;

/** The line at the foot of each page: what is printed, and which page of how many. */
export function footerLine(left: string, right: string): Node {
  return {
    margin: [PAGE.left, 24, PAGE.right, 0],
    fontSize: FOOTER.fontSize,
    color: GREY,
    columns: [
      { width: FOOTER.left, stack: [textNode(left, FOOTER.left, { fontSize: FOOTER.fontSize })] },
      { width: FOOTER.right, text: right, alignment: 'right' },
    ],
  };
}

function table({ columns, rows }: Extract<FilledBlock, { type: 'table' }>): Node {
  const widths = columnWidths(columns.map(({ width }) => width));
  const fontSize = 9.5;
  const cell = (text: string, nth: number, style: Parameters<typeof textNode>[2]) =>
    textNode(text, widths[nth] ?? 0, { fontSize, ...style });
  return {
    margin: [0, 4, 0, 8],
    fontSize,
    layout: grid,
    table: {
      headerRows: 1,
      keepWithHeaderRows: isShort(rows[0] ?? []) ? 1 : 0,
      widths,
      body: [
        columns.map(({ title }, nth) => cell(title, nth, { bold: true, alignment: 'center', fillColor: SHADE })),
        ...rows.map((row) => row.map((text, nth) => cell(text, nth, { alignment: columns[nth]?.align ?? 'left' }))),
      ],
    },
  };
}

const SIGNATURE = { title: 180, line: 120, name: TEXT_WIDTH - 320 } as const;

function signature({ title, name, note }: { title: string; name: string; note: string }): Node {
  const below = { fontSize: 7.5, color: GREY, alignment: 'center' as const };
  return {
    margin: [0, 16, 0, 0],
    columnGap: 10,
    columns: [
      { width: SIGNATURE.title, stack: [textNode(title, SIGNATURE.title)] },
      {
        width: SIGNATURE.line,
        stack: [
          { canvas: [{ type: 'line', x1: 0, y1: LINE - 2, x2: SIGNATURE.line, y2: LINE - 2, lineWidth: 0.6 }] },
          textNode(note, SIGNATURE.line, { ...below, margin: [0, 2, 0, 0] }),
        ],
      },
      { width: SIGNATURE.name, stack: [textNode(name, SIGNATURE.name)] },
    ],
  };
}

const LIST_INDENT = 14;

/**
 * The room that pdfmake leaves before the items of a list: for the widest number, or for one digit in a bulleted list.
 */
function markerWidth({ items, numbered }: Extract<FilledBlock, { type: 'list' }>): number {
  const marker = `${numbered ? '9'.repeat(String(items.length).length) : '9'}. `;
  return chainOf('Serif', false).width(marker) * FONT_SIZE;
}

function nodeOf(block: FilledBlock): Node {
  switch (block.type) {
    case 'heading':
      return textNode(block.text, TEXT_WIDTH, {
        bold: true,
        alignment: block.align,
        margin: [0, 10, 0, 5],
        fontSize: 11,
      });
    case 'paragraph':
      return textNode(block.text, TEXT_WIDTH, {
        alignment: block.align,
        bold: block.bold,
        margin: [0, 0, 0, 6],
        leadingIndent: block.indent ? 28 : 0,
      });
    case 'table':
      return table(block);
    case 'list': {
      const width = TEXT_WIDTH - LIST_INDENT - markerWidth(block);
      const items = block.items.map((item) => textNode(item, width, { margin: [0, 0, 0, 3] }));
      return { ...(block.numbered ? { ol: items } : { ul: items }), margin: [LIST_INDENT, 0, 0, 6] };
    }
    case 'definitions': {
      const [left, right] = [150, TEXT_WIDTH - 150 - 16];
      return {
        margin: [0, 0, 0, 4],
        layout: { ...bare, paddingRight: () => 8, paddingBottom: () => 4 },
        table: {
          widths: [left, right],
          body: block.rows.map(({ title, text }) => [textNode(title, left, { color: GREY }), textNode(text, right)]),
        },
      };
    }
    case 'signatures':
      return {
        stack: block.lines.map(signature),
        unbreakable: block.lines.every(({ title, name, note }) => isShort([title, name, note])),
      };
    case 'space':
      return { text: ' ', fontSize: FONT_SIZE, lineHeight: 1.2 * block.lines };
    case 'page_break':
      return { text: '', pageBreak: 'after' };
  }
}

function head({ title, number, date, organization }: FilledDocument): Node[] {
  const numberWidth = TEXT_WIDTH - 110;
  const line = { type: 'line' as const, x1: 0, y1: 0, x2: TEXT_WIDTH, y2: 0, lineWidth: 0.8 };
  const above: Node[] = [
    textNode(organization, TEXT_WIDTH, { bold: true, alignment: 'center', margin: [0, 0, 0, 4] }),
    { canvas: [line], margin: [0, 0, 0, 18] },
  ];
  const numbered: Node = {
    columns: [
      { width: numberWidth, stack: [textNode(number === '' ? '№ __________' : `№ ${number}`, numberWidth)] },
      { width: 110, text: formatDate(date), alignment: 'right' },
    ],
    margin: [0, 0, 0, 16],
  };
  return [
    ...(organization === '' ? [] : above),
    textNode(title, TEXT_WIDTH - 40, { bold: true, fontSize: 14, alignment: 'center', margin: [20, 0, 20, 12] }),
    numbered,
  ];
}

/** The definition of the pages of a document. */
export function documentLayout(input: FilledDocument): TDocumentDefinitions {
  const { language, page } = WORDS[input.locale];
  const title = cut(input.title, 200);
  const shortTitle = cut(input.title, 60);
  return {
    ...pages(language, (nth, of) => footerLine(shortTitle, page(nth, of))),
    info: {
      title,
      subject: `urn:uuid:${input.id}`,
      ...(input.organization && { author: cut(input.organization, 200) }),
      creationDate: new Date(`${input.date}T00:00:00Z`),
    },
    content: [
      ...head(input),
      ...input.blocks.filter((block) => !('rows' in block) || block.rows.length > 0).map(nodeOf),
    ],
  };
}
