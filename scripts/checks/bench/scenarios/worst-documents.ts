/** The cost of the worst that a template and its values can request, in turn, each beside a small document. */
import { unprintableIn } from '../../../../handlers/documents/pdf/glyphs.ts';
import { print } from '../../../../handlers/documents/pdf/print.ts';
import type { Block, Content } from '../../../../handlers/documents/templates/content.ts';
import { processorTimes } from '../load.ts';
import { figure, type Row, type Scenario, type ScenarioOptions } from '../scenario.ts';
import { type Definition, documentOf, fields, printedDocuments } from './printed-documents.ts';

/** The longest text that values may hold: their limit minus what they count besides their characters. */
const MOST = 99_900;
const paragraph = (one: string, more: object = {}): Block => ({ type: 'paragraph', text: one, ...more });
const blocks = (...all: Block[]): Content => ({ locale: 'ru', blocks: all });
/** The same text in both faces, because what is cached for one does not help the other. */
const twice = (more: object = {}) =>
  blocks(paragraph('{{text}}', more), paragraph('{{text}}', { ...more, bold: true }));
const letters = Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяabcdefghijklmnopqrstuvwxyz');
const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c} `))).join('');
const printed = Array.from({ length: 0x20000 }, (_, codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => unprintableIn(character) === undefined)
  .join('');
const columns = (...widths: number[]) =>
  widths.map((width, nth) => ({ field: fields[nth] ?? '', title: 'ы', width, align: 'justify' as const }));
const table = (...widths: number[]): Block => ({ type: 'table', variable: 'rows', columns: columns(...widths) });
const signatures: Block = { type: 'signatures', lines: Array(10).fill({ title: 'а', name: 'б', note: 'в' }) };
const definitions: Block = { type: 'definitions', rows: Array(100).fill({ title: 'а', text: 'б' }) };

const documents: Readonly<Record<string, () => Definition>> = {
  'short words, all different': documentOf(twice(), { text: words.slice(0, MOST) }),
  'single letters, justified': documentOf(twice({ align: 'justify' }), { text: 'ы '.repeat(MOST / 2) }),
  'one word': documentOf(twice(), { text: 'Щы'.repeat(MOST / 2) }),
  'characters, all different': documentOf(twice(), { text: printed.slice(0, MOST) }),
  'changes of face': documentOf(twice(), { text: 'ы😀 '.repeat(MOST / 3) }),
  'heaps of marks': documentOf(twice(), { text: 'и\u0301\u0302\u0303\u0304 '.repeat(MOST / 6) }),
  clusters: documentOf(twice(), { text: 'ш\u0301'.repeat(MOST / 2) }),
  'line feeds': documentOf(blocks(paragraph('{{text}}'), paragraph('{{text}}'), paragraph('{{text}}')), {
    text: 'ы\n'.repeat(1_200),
  }),
  'a narrow column': documentOf(blocks(table(1, 20, 20, 20, 20, 20, 20, 20)), {
    rows: [{ a: 'ы'.repeat(16_000) }],
  }),
  cells: documentOf(blocks(table(1, 1, 1, 1, 1, 1, 1, 1)), { rows: Array(850).fill({}) }),
  'list entries': documentOf(blocks(...Array(3).fill({ type: 'list', variable: 'texts', numbered: true })), {
    texts: Array(2_400).fill('ы'),
  }),
  'lines to sign on': documentOf(blocks(...Array(240).fill(signatures)), {}),
  'rows of definitions': documentOf(blocks(...Array(36).fill(definitions)), {}),
  pages: documentOf(blocks(...Array(119).fill({ type: 'page_break' })), {}),
};

const pagesOf = (bytes: Uint8Array): number => Buffer.from(bytes).toString('latin1').split('/Type /Page\n').length - 1;

async function run({ isQuick, say, rounds = isQuick ? 1 : 5 }: ScenarioOptions): Promise<Row[]> {
  const printed = new Map<string, Uint8Array>();
  const all = Object.entries({ small: printedDocuments.small, ...documents }).slice(0, isQuick ? 3 : undefined);
  const works = all.map(([name, make]) => [name, async () => printed.set(name, await print(make()))] as const);
  const times = await processorTimes(new Map(works), rounds, say);
  const small = times.get('small') ?? Number.NaN;
  return [...times].map(([label, ms]) => {
    const bytes = printed.get(label) ?? new Uint8Array();
    const figures = [
      figure('processor', ms, 'ms'),
      figure('of small', ms / small, '×'),
      figure('pages', pagesOf(bytes), ''),
      figure('bytes', bytes.length, ''),
    ];
    return { label, figures };
  });
}

/** The scenario. */
export const worstDocuments: Scenario = {
  name: 'worst-documents',
  about: 'processor time of the worst PDFs that a template and its values can cause',
  seconds: 120,
  run,
};
