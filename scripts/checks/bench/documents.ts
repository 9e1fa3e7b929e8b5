/**
 * `npm run bench:documents`: how long lists and searches of documents take in a large tenant, depending on what the
 * owner may see and on what is searched. The handlers run in this process, on a database of their own.
 */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { listDocuments } from '../../../handlers/documents/listDocuments.ts';
import { commandLine, runProgram, wholeNumber } from '../../command-line.ts';
import type { Owner } from '../../testbed/documents.ts';
import { withDatabase } from './database.ts';
import { type DocumentTenant, writeDocumentTenant } from './document-tenant.ts';

/** The embedded database writes a batch in one step, and answers nothing meanwhile. */
const BATCH = 100;
const TIMEOUT_MS = 60 * 60 * 1000;

interface Scenario {
  readonly name: string;
  readonly owner: Owner;
  readonly query: Readonly<Record<string, unknown>>;
  /** Read this many pages first. */
  readonly deep?: number;
}

interface Measured {
  readonly name: string;
  readonly rows: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly outcome: string;
}

/** Lists and searches of owners who may see different things. */
async function scenariosOf({ fixture, types, rare, employees }: DocumentTenant, count: number): Promise<Scenario[]> {
  const all = await fixture.owner({ documents: 'all' });
  const open = await fixture.owner({ documents: 'all_but_confidential' });
  const own = await fixture.owner({ documents: 'own' }, employees[3]);
  const narrow = await fixture.owner({ documents: 'own', document_types: types.slice(0, 2) }, employees[3]);
  const listed = await fixture.owner({ documents: 'all', document_types: types.slice(0, 3) }, employees[3]);
  const rarely = await fixture.owner({ documents: 'all', document_types: [rare] }, employees[3]);
  const nobody = await fixture.owner({ documents: 'own' }, '');
  const search = (name: string, text: string, owner = all): Scenario => ({
    name: `search ${name}`,
    owner,
    query: { search: text },
  });
  return [
    { name: 'list: sees all', owner: all, query: {} },
    { name: 'list: sees all, page 50', owner: all, query: {}, deep: 50 },
    { name: 'list: all but confidential', owner: open, query: {} },
    { name: 'list: own', owner: own, query: {} },
    { name: 'list: own, two types', owner: narrow, query: {} },
    { name: 'list: all of three types', owner: listed, query: {} },
    { name: 'list: all of a rare type, and own', owner: rarely, query: {} },
    { name: 'list: no employee', owner: nobody, query: {} },
    { name: 'list: type_id', owner: all, query: { type_id: [types[4]] } },
    { name: 'list: own, rare type_id', owner: own, query: { type_id: [rare] } },
    { name: 'list: created_after, the newest', owner: all, query: { created_after: '2026-02-28T00:00:00Z' } },
    search('common word', 'приказ'),
    search('common word, of own', 'приказ', own),
    search('common word, all but confidential', 'приказ', open),
    search('three common characters', 'ова'),
    search('family name', 'Оспанов'),
    search('family name, of own', 'Оспанов', own),
    search('one number', `${Math.floor(count / 3)}-`),
    search('a number of the oldest', '17-К/2019'),
    search('absent characters', 'ъЪъщщ'),
    search('absent, every gram frequent', 'сказ о'),
    search('absent, words common', 'приказ о приёме на работу: Ахметов Ахметов'),
    search('absent, swapped words', 'отпуск приказ о'),
    search('absent, 200 characters', 'приказ о предоставлении отпуска '.repeat(7).slice(0, 200)),
    search('only in the oldest, grams common', 'Заявление о приёме'),
  ];
}

async function measure({ name, owner, query, deep = 0 }: Scenario, rounds: number): Promise<Measured> {
  const times: number[] = [];
  let rows = 0;
  let outcome = 'ok';
  let page_token = '';
  for (let page = 0; page < deep; page++) {
    const { answer } = await owner.call(listDocuments, { query: { ...query, page_token } });
    page_token = answer?.next_page_token ?? '';
  }
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    try {
      const { answer, error } = await owner.call(listDocuments, { query: { ...query, page_token } });
      rows = answer?.documents.length ?? 0;
      if (error !== '') outcome = error;
    } catch (error) {
      outcome = (error as Error).message;
    }
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const [medianMs = 0, slowestMs = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
  return { name, rows, medianMs, slowestMs, outcome };
}

/** The time of one insertion with all indexes, in milliseconds. */
async function insertionMs(store: Store): Promise<number> {
  const rows = await store.documents.find({}).limit(200).toArray();
  const startedAt = performance.now();
  for (const row of rows) await store.documents.insertOne({ ...row, _id: randomUUID() });
  return (performance.now() - startedAt) / rows.length;
}

interface Flags {
  readonly documents: number;
  readonly rounds: number;
  readonly only?: string;
  readonly json?: boolean;
}

async function bench({ documents, rounds, only = '', json }: Flags): Promise<void> {
  await withDatabase({ timeoutMs: TIMEOUT_MS }, async ({ store, folder, isEmbedded }) => {
    const startedAt = performance.now();
    await createIndexes(store);
    const tenant = await writeDocumentTenant(store, documents, BATCH);
    const seededMs = performance.now() - startedAt;
    const scenarios = await scenariosOf(tenant, documents);
    const measured: Measured[] = [];
    for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
      measured.push(await measure(scenario, rounds));
    }
    const bytes = isEmbedded ? statSync(join(folder, 'db', 'data.sqlite')).size : undefined;
    const insertMs = await insertionMs(store);
    const report = { documents, seededMs, bytes, insertMs, measured };
    console.log(json ? JSON.stringify(report, null, 2) : tableOf(report));
  });
}

interface Report {
  readonly documents: number;
  readonly seededMs: number;
  /** The size of the embedded database. */
  readonly bytes: number | undefined;
  readonly insertMs: number;
  readonly measured: readonly Measured[];
}

function tableOf({ documents, seededMs, bytes, insertMs, measured }: Report): string {
  const seconds = (seededMs / 1000).toFixed(0);
  const lines = [`${documents} documents, seeded in ${seconds} s; one insertion ${insertMs.toFixed(2)} ms`];
  if (bytes !== undefined) lines.push(`the database has ${(bytes / 1e6).toFixed(0)} MB`);
  for (const { name, rows, medianMs, slowestMs, outcome } of measured) {
    const numbers = `${medianMs.toFixed(1).padStart(8)} ms  slowest ${slowestMs.toFixed(1).padStart(8)} ms`;
    lines.push(`${name.padEnd(42)} ${String(rows).padStart(4)} rows ${numbers}  ${outcome === 'ok' ? '' : outcome}`);
  }
  return lines.join('\n');
}

const count = wholeNumber(1, 10_000_000);
const program = commandLine('npm run bench:documents --', 'Seeds invented documents and measures lists and searches.')
  .option('--documents <N>', 'how many', count, 100_000)
  .option('--rounds <N>', 'how often each is measured; the median and the slowest count', count, 7)
  .option('--only <text>', 'only the measurements whose name contains the text')
  .option('--json', 'prints JSON instead of a table')
  .addHelpText('after', '\nThe database is MONGODB_URI, or an embedded one that is removed afterwards.')
  .action(bench);
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);
