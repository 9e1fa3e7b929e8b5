/** `settings ingests`: the results of accepted batches, record by record, kept for 30 days (D-29). */
import { type Command, Option } from 'commander';
import type { IngestOutcomeRow, IngestRequestRow } from '../../handlers/data/store.ts';
import { limit, shown } from './arguments.ts';
import { type Answer, type At, type Column, type Context, group, withExamples } from './context.ts';
import { csvLine, writeNewFile } from './csv.ts';
import { refuse } from './failure.ts';

type Outcome = IngestOutcomeRow['outcome'];
const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged', 'skipped'];

/** What is shown of a request: neither the digest of its Idempotency-Key nor which process works on it. */
function told(row: IngestRequestRow) {
  const { _id, source_type, payload_type, create_missing, status, record_count, counts, api_key_id } = row;
  const { create_time, started_at, ended_at } = row;
  return {
    ...{ _id, source_type, payload_type, create_missing, status, record_count, ...counts, api_key_id },
    ...{ create_time, started_at, ended_at },
  };
}

const requestColumns: readonly Column<IngestRequestRow>[] = [
  ['ACCEPTED', ({ create_time }) => shown(create_time)],
  ['SOURCE', ({ source_type }) => source_type],
  ['PAYLOAD', ({ payload_type }) => payload_type],
  ['STATUS', ({ status }) => status],
  ['RECORDS', ({ record_count }) => `${record_count}`],
  ...OUTCOMES.map((outcome): Column<IngestRequestRow> => [outcome.toUpperCase(), ({ counts }) => `${counts[outcome]}`]),
  ['ID', ({ _id }) => _id],
];

const outcomeColumns: readonly Column<IngestOutcomeRow>[] = [
  ['RECORD', ({ index }) => `${index}`],
  ['EXTERNAL_ID', ({ external_id }) => external_id],
  ['OUTCOME', ({ outcome }) => outcome],
  ['REASON', ({ reason }) => reason],
  ['UNRESOLVED', ({ unresolved }) => unresolved.join(', ')],
  ['OBJECT_ID', ({ object_id }) => object_id],
];

async function find({ store, tenant }: At, wanted: string): Promise<IngestRequestRow> {
  const row = await store.ingest_requests.findOne({ _id: wanted, tenant_id: tenant._id });
  return (
    row ??
    refuse(
      `There is no ingest request "${wanted}" in the tenant ${tenant.name}; they are kept for 30 days. See: settings ingests list`,
    )
  );
}

interface ShowFlags {
  outcome?: Outcome;
  csv?: string;
  force?: boolean;
  limit: number;
}

function outcomesOf({ store, tenant }: At, requestId: string, { outcome }: ShowFlags) {
  const filter = { tenant_id: tenant._id, request_id: requestId, ...(outcome && { outcome }) };
  return store.ingest_outcomes.find(filter).sort({ index: 1 });
}

/** Exports all outcomes of the request as CSV, one line per record. */
async function exported(at: At, row: IngestRequestRow, flags: ShowFlags, file: string): Promise<Answer> {
  const lines = [csvLine(outcomeColumns.map(([head]) => head.toLowerCase()))];
  for await (const each of outcomesOf(at, row._id, flags))
    lines.push(csvLine(outcomeColumns.map(([, cell]) => cell(each))));
  writeNewFile(file, lines.join(''), flags.force ?? false);
  return {
    json: { ...told(row), file, records: lines.length - 1 },
    text: `Wrote ${lines.length - 1} records to ${file}.`,
  };
}

async function show({ list }: Context, at: At, wanted: string, flags: ShowFlags): Promise<Answer> {
  const row = await find(at, wanted);
  if (flags.csv !== undefined) return exported(at, row, flags, flags.csv);
  const outcomes = await outcomesOf(at, row._id, flags).limit(flags.limit).toArray();
  const records = outcomes.map(({ index, external_id, outcome, reason, unresolved, object_id }) => ({
    ...{ index, external_id, outcome, reason, unresolved, object_id },
  }));
  const facts = Object.entries(told(row)).map(([name, value]) => {
    return `${name.padEnd(16)}${value instanceof Date ? shown(value) : (value ?? '')}`;
  });
  const { text } = list(outcomes, outcomeColumns, records);
  return { json: { ...told(row), records }, text: [...facts, '', text].join('\n') };
}

export function ingestsCommand(context: Context): Command {
  const { inTenant, list } = context;
  const ingests = group('ingests', 'Accepted batches and what became of their records; kept for 30 days.', [
    'ingests list',
    'ingests show REQUEST_ID --outcome skipped',
    'ingests show REQUEST_ID --csv outcomes.csv',
  ]);
  ingests
    .command('list')
    .description('List the batches of the tenant, the latest first.')
    .option('--limit <N>', 'at most so many', limit, 50)
    .action(
      inTenant(async ({ store, tenant }, flags: { limit: number }) => {
        const rows = await store.ingest_requests
          .find({ tenant_id: tenant._id })
          .sort({ accepted_order: -1 })
          .limit(flags.limit)
          .toArray();
        return list(rows, requestColumns, rows.map(told));
      }),
    );
  const shows = ingests
    .command('show')
    .description('Show a batch and what became of each of its records, in their order.')
    .argument('<request>', 'ingest_request_id')
    .addOption(new Option('--outcome <outcome>', 'only records with this outcome').choices(OUTCOMES))
    .option('--limit <N>', 'at most so many records (a file gets all)', limit, 100)
    .option('--csv <file>', 'write the records to a CSV file')
    .option('--force', 'overwrite the file')
    .action(inTenant((at, wanted: string, flags: ShowFlags) => show(context, at, wanted, flags)));
  withExamples(shows, [
    'ingests show REQUEST_ID --json',
    'ingests show REQUEST_ID --outcome skipped --csv skipped.csv',
  ]);
  return ingests;
}
