/**
 * `npm run bench:plans`: what lists of a large tenant cost the database: milliseconds, keys and documents examined. The
 * handlers run in this process. The database itself reports what it examined, by an `explain` of each command that was
 * sent.
 */

import { commandLine, runProgram, wholeNumber } from '../../command-line.ts';
import { watchCommands } from '../../testbed/examined.ts';
import { withDatabase } from './database.ts';
import { benchDocuments } from './plans-documents.ts';
import { benchEmployees } from './plans-employees.ts';
import { Bench } from './plans-measure.ts';

const TIMEOUT_MS = 60 * 60 * 1000;

interface Flags {
  readonly employees: number;
  readonly documents: number;
  readonly only?: string;
  readonly database?: string;
  readonly json?: boolean;
  readonly rounds: number;
  readonly warm?: boolean;
}

async function bench({ employees, documents, only = '', database, json = false, ...flags }: Flags): Promise<void> {
  const { rounds, warm = false } = flags;
  const take = watchCommands();
  await withDatabase({ name: database, timeoutMs: TIMEOUT_MS }, async ({ store }) => {
    const bench = new Bench(store, take, { only, json, rounds, warm });
    const heads = ['rows', 'ms', 'p99', 'keys', 'documents'].map((head) => head.padStart(9)).join('');
    if (!json) console.log(`${''.padEnd(58)}${heads}`);
    if (employees > 0) await benchEmployees(bench, employees);
    if (documents > 0) await benchDocuments(bench, documents);
    if (json) console.log(JSON.stringify(bench.lines, null, 2));
  });
}

const count = wholeNumber(0, 10_000_000);
const about = 'Fills one tenant with employees and documents, and prints what lists of them cost the database.';
const program = commandLine('npm run bench:plans --', about)
  .option('--employees <N>', 'how many employees; 0 for none', count, 20_000)
  .option('--documents <N>', 'how many documents; 0 for none', count, 20_000)
  .option('--only <text>', 'only the measurements whose name contains the text')
  .option(
    '--database <name>',
    'keeps the data in this database; a further run with the same numbers measures immediately',
  )
  .option('--rounds <N>', 'how often each measurement is made', wholeNumber(1, 10_000), 3)
  .option('--warm', 'lets the database keep its plans; otherwise it forgets those of employees before each measurement')
  .option('--json', 'prints JSON instead of a table')
  .addHelpText(
    'after',
    `
The database is MONGODB_URI, or an embedded one that is removed afterwards. The median of the rounds and their 99th
percentile are shown, and what the last round examined. A million of each on a MongoDB takes about ten minutes the first time.`,
  )
  .action(bench);
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);
