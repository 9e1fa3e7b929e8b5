/**
 * `npm run bench:plans`: what lists of a large tenant cost the database: milliseconds, keys and documents examined. The
 * handlers run in this process. The database itself reports what it examined, by an `explain` of each command that was
 * sent.
 */
import { parseArgs } from 'node:util';
import { watchCommands } from '../../handlers/testing/examined.ts';
import { withDatabase } from './database.ts';
import { benchDocuments } from './plans-documents.ts';
import { benchEmployees } from './plans-employees.ts';
import { Bench } from './plans-measure.ts';

const HELP = `Usage: npm run bench:plans -- [options]

Seeds one tenant with employees and documents, and prints what lists of them cost the database.

  --employees N     how many employees (default 20000; 0 for none)
  --documents N     how many documents (default 20000; 0 for none)
  --only TEXT       only the measurements whose name contains the text
  --database NAME   keeps the data in this database; a further run with the same numbers measures at once
  --json            prints JSON instead of a table

The database is MONGODB_URI, or an embedded one that is removed afterwards. Each measurement is made three times; the
median counts. A million of each on a MongoDB takes about ten minutes the first time.`;

const TIMEOUT_MS = 60 * 60 * 1000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      employees: { type: 'string', default: '20000' },
      documents: { type: 'string', default: '20000' },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void console.log(HELP);
  const take = watchCommands();
  await withDatabase({ name: values.database, timeoutMs: TIMEOUT_MS }, async ({ store }) => {
    const bench = new Bench(store, take, values.only, values.json);
    const heads = ['rows', 'ms', 'keys', 'documents'].map((head) => head.padStart(9)).join('');
    if (!values.json) console.log(`${''.padEnd(58)}${heads}`);
    if (Number(values.employees) > 0) await benchEmployees(bench, Number(values.employees));
    if (Number(values.documents) > 0) await benchDocuments(bench, Number(values.documents));
    if (values.json) console.log(JSON.stringify(bench.lines, null, 2));
  });
}

await main();
