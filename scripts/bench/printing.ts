/**
 * `npm run bench:printing`: the cost of printing documents: a small one, a heavy one, and the worst that a template and
 * its values can request. The documents take turns, and processor time is measured, so that a busy machine affects all
 * equally.
 */
import { documentLayout } from '../../handlers/documents/pdf/layout.ts';
import { print } from '../../handlers/documents/pdf/print.ts';
import { filledDocument } from '../../handlers/documents/pdf/render.ts';
import { type SheetInput, sheetLayout } from '../../handlers/documents/pdf/sheet-layout.ts';
import type { Block, Content } from '../../handlers/documents/templates/content.ts';
import { templateValueViolations } from '../../handlers/documents/templates/values.ts';
import { commandLine, runProgram, wholeNumber } from '../command-line.ts';
import { templateContents } from '../seed/template-contents.ts';
import { median } from '../statistics.ts';

const text = { type: 'string' };
const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const listOf = (names: readonly string[]) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, text])),
    required: [],
    additionalProperties: false,
  },
});
const variables = {
  ...{ text, texts: { type: 'array', items: text }, rows: listOf(fields) },
  ...{ employee_name: text, position: text, city: text, start_date: text },
  ...{ salary: { type: 'number' }, probation_months: { type: 'integer' }, remote: { type: 'boolean' } },
  allowances: listOf(['title', 'amount', 'until']),
};
const variable_schema = JSON.stringify({
  ...{ type: 'object', properties: variables, required: [], additionalProperties: false },
});

type Definition = ReturnType<typeof documentLayout>;

function documentOf(content: Content, values: object, title = 'Трудовой договор'): () => Definition {
  const wrong = templateValueViolations(variable_schema, values);
  const input = { id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00', title, number: 'К-7', date: '2026-03-02' };
  const whole = { ...input, organization: 'ТОО «Тұлпар»', content: JSON.stringify(content), variable_schema, values };
  const filled = filledDocument(whole);
  if (wrong.length > 0 || filled === undefined)
    throw new Error('a document of the bench is refused, so its time means nothing');
  return () => documentLayout(filled);
}

const contract = templateContents['Трудовой договор']?.at(-1) as Content;
const ideographs = (count: number) => '漢'.repeat(count);
const person = { employee_name: 'Әсел Нұрланова', position: 'Бухгалтер', city: 'Алматы', start_date: '16.03.2026' };
const small = { ...person, salary: 450_000, remote: false, allowances: [{ title: 'За стаж', amount: '10 000' }] };
const heavy = {
  ...{ employee_name: ideographs(200), position: ideographs(300), city: ideographs(100), start_date: '16.03.2026' },
  ...{ salary: 450_000, remote: true },
  allowances: Array.from({ length: 200 }, () => ({ title: ideographs(200), amount: '10 000', until: '16.03.2026' })),
};

/** The longest text that values may hold: their limit minus what they count besides their characters. */
const MOST = 99_900;
const paragraph = (one: string, more: object = {}): Block => ({ type: 'paragraph', text: one, ...more });
const blocks = (...all: Block[]): Content => ({ locale: 'ru', blocks: all });
/** The same text in both faces, because what is cached for one does not help the other. */
const twice = (more: object = {}) =>
  blocks(paragraph('{{text}}', more), paragraph('{{text}}', { ...more, bold: true }));
const letters = Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяabcdefghijklmnopqrstuvwxyz');
const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c} `))).join('');
const codePoints = (from: number, count: number) =>
  Array.from({ length: count }, (_, nth) => String.fromCodePoint(from + nth)).join('');
const columns = (...widths: number[]) =>
  widths.map((width, nth) => ({ field: fields[nth] ?? '', title: 'ы', width, align: 'justify' as const }));
const table = (...widths: number[]): Block => ({ type: 'table', variable: 'rows', columns: columns(...widths) });
const signatures: Block = { type: 'signatures', lines: Array(10).fill({ title: 'а', name: 'б', note: 'в' }) };
const definitions: Block = { type: 'definitions', rows: Array(100).fill({ title: 'а', text: 'б' }) };

const sheet: SheetInput = {
  ...{ document_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00', sha256: 'ab'.repeat(32), size_bytes: 12_345 },
  ...{ attached: false, completed_at: new Date('2026-03-02T09:00:00Z') },
  entries: Array.from({ length: 1_000 }, (_, nth) => ({
    ...{
      step: Math.floor(nth / 50),
      participant_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
      action: 'SIGNED' as const,
    },
    ...{ employee_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00', at: new Date('2026-03-02T09:00:00Z') },
    ...{ key_type: 'EDS' as const, pdf_sha256: 'cd'.repeat(32), certificate_serial: '0123456789abcdef'.repeat(2) },
  })),
};

const documents: Readonly<Record<string, () => Definition>> = {
  small: documentOf(contract, small),
  heavy: documentOf(contract, heavy, ideographs(500)),
  'signing sheet, 1,000 acts': () => sheetLayout(sheet),
  'worst: short words, all different': documentOf(twice(), { text: words.slice(0, MOST) }),
  'worst: single letters, justified': documentOf(twice({ align: 'justify' }), { text: 'ы '.repeat(MOST / 2) }),
  'worst: one word': documentOf(twice(), { text: 'Щы'.repeat(MOST / 2) }),
  'worst: characters, all different': documentOf(twice(), {
    text: codePoints(0x21, 0x2fff) + codePoints(0x3400, 42_000),
  }),
  'worst: joined letters': documentOf(twice(), { text: 'السلامعليكم'.repeat(MOST / 11) }),
  'worst: turns of direction': documentOf(twice(), { text: '漢ا '.repeat(MOST / 3) }),
  'worst: heaps of marks': documentOf(twice(), { text: 'и\u0301\u0302\u0303\u0304 '.repeat(MOST / 6) }),
  'worst: clusters': documentOf(twice(), { text: 'क\u093f\u0947'.repeat(MOST / 3) }),
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
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  const printed = new Map<string, Uint8Array>();
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const before = process.cpuUsage();
      printed.set(name, await print((documents[name] as () => Definition)()));
      const { user, system } = process.cpuUsage(before);
      // The first round also reads the fonts, so it is not counted.
      if (round > 0) times.get(name)?.push((user + system) / 1_000);
    }
  }
  const medianOf = (name: string) => median(times.get(name) ?? []);
  return names.map((name) => {
    const bytes = Buffer.from(printed.get(name) ?? []);
    const pages = bytes.toString('latin1').split('/Type /Page\n').length - 1;
    const cpuMs = medianOf(name);
    return { name, cpuMs, timesSmall: cpuMs / medianOf('small'), pages, kilobytes: Math.round(bytes.length / 1_000) };
  });
}

interface Flags {
  readonly rounds: number;
  readonly only?: string;
  readonly json?: boolean;
}

async function main({ rounds, only = '', json }: Flags): Promise<void> {
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
  .action(main);
process.exitCode = await runProgram(program, process.argv.slice(2));
