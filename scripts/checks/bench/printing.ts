/**
 * `npm run bench:printing`: the cost of printing documents: a small one, a heavy one, and the worst that a template and
 * its values can request. The documents take turns, and processor time is measured, so that a busy machine affects all
 * equally.
 */
import { unprintableIn } from '../../../handlers/documents/pdf/glyphs.ts';
import { print } from '../../../handlers/documents/pdf/print.ts';
import type { Block, Content } from '../../../handlers/documents/templates/content.ts';
import { commandLine, runProgram, wholeNumber } from '../../command-line.ts';
import { type Definition, documentOf, fields, printedDocuments } from './printed-documents.ts';
import { processorTimes } from './processor-time.ts';

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
  ...printedDocuments,
  'worst: short words, all different': documentOf(twice(), { text: words.slice(0, MOST) }),
  'worst: single letters, justified': documentOf(twice({ align: 'justify' }), { text: 'ы '.repeat(MOST / 2) }),
  'worst: one word': documentOf(twice(), { text: 'Щы'.repeat(MOST / 2) }),
  'worst: characters, all different': documentOf(twice(), { text: printed.slice(0, MOST) }),
  'worst: changes of face': documentOf(twice(), { text: 'ы😀 '.repeat(MOST / 3) }),
  'worst: heaps of marks': documentOf(twice(), { text: 'и\u0301\u0302\u0303\u0304 '.repeat(MOST / 6) }),
  'worst: clusters': documentOf(twice(), { text: 'ш\u0301'.repeat(MOST / 2) }),
  'worst: line feeds': documentOf(blocks(paragraph('{{text}}'), paragraph('{{text}}'), paragraph('{{text}}')), {
    text: 'ы\n'.repeat(1_200),
  }),
  'worst: a narrow column': documentOf(blocks(table(1, 20, 20, 20, 20, 20, 20, 20)), {
    rows: [{ a: 'ы'.repeat(16_000) }],
  }),
  'worst: cells': documentOf(blocks(table(1, 1, 1, 1, 1, 1, 1, 1)), { rows: Array(850).fill({}) }),
  'worst: list entries': documentOf(blocks(...Array(3).fill({ type: 'list', variable: 'texts', numbered: true })), {
    texts: Array(2_400).fill('ы'),
  }),
  'worst: lines to sign on': documentOf(blocks(...Array(240).fill(signatures)), {}),
  'worst: rows of definitions': documentOf(blocks(...Array(36).fill(definitions)), {}),
  'worst: pages': documentOf(blocks(...Array(119).fill({ type: 'page_break' })), {}),
};

interface Measured {
  readonly name: string;
  readonly cpuMs: number;
  readonly timesSmall: number;
  readonly pages: number;
  readonly kilobytes: number;
}

async function measure(names: readonly string[], rounds: number): Promise<Measured[]> {
  const printed = new Map<string, Uint8Array>();
  const works = names.map((name) => {
    const make = documents[name] as () => Definition;
    return [name, async () => printed.set(name, await print(make()))] as const;
  });
  const times = await processorTimes(new Map(works), rounds);
  const timeOf = (name: string) => times.get(name) ?? 0;
  return names.map((name) => {
    const bytes = Buffer.from(printed.get(name) ?? []);
    const pages = bytes.toString('latin1').split('/Type /Page\n').length - 1;
    const cpuMs = timeOf(name);
    return { name, cpuMs, timesSmall: cpuMs / timeOf('small'), pages, kilobytes: Math.round(bytes.length / 1_000) };
  });
}

interface Flags {
  readonly rounds: number;
  readonly only?: string;
  readonly json?: boolean;
}

async function bench({ rounds, only = '', json }: Flags): Promise<void> {
  const names = Object.keys(documents).filter((name) => name === 'small' || name.includes(only));
  const measured = await measure(names, rounds);
  if (json) return void console.log(JSON.stringify(measured, null, 2));
  for (const { name, cpuMs, timesSmall, pages, kilobytes } of measured) {
    const time = `${cpuMs.toFixed(0).padStart(6)} ms ${timesSmall.toFixed(1).padStart(6)} × small`;
    console.log(`${name.padEnd(36)}${time} ${String(pages).padStart(5)} pages ${String(kilobytes).padStart(5)} KB`);
  }
}

const about = 'Prints documents in this process and shows the processor time of each.';
const program = commandLine('npm run bench:printing --', about)
  .option('--rounds <N>', 'how often each is printed; the median counts', wholeNumber(1, 1000), 5)
  .option('--only <text>', 'only the documents whose name contains the text, and the small one')
  .option('--json', 'prints JSON instead of a table')
  .action(bench);
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);
