/** `settings ingests`: the results of accepted batches, record by record, kept for 30 days (D-29). */

import type { IngestOutcomeRow } from '../../../handlers/data/collections/ingest_outcomes.ts';
import type { IngestRequestRow } from '../../../handlers/data/collections/ingest_requests.ts';
import { wholeNumber } from '../../kit/command-line.ts';
import {
  type Answer,
  type Column,
  cellsOf,
  command,
  factsOfShape,
  type Group,
  listing,
  tableOf,
  take,
} from './command.ts';
import { batchParameters, type ExpectedOutcome, expectedOutcomes } from './ingest-check.ts';
import { decide, decisionOf, isOpen, questionColumns, questionJson, questionsOf } from './ingest-decisions.ts';
import { kinds, listOf, row } from './lookup.ts';
import { rowShape, type Shape, same, shaped } from './shape.ts';
import { count, limitOf, text } from './values.ts';

type Outcome = IngestOutcomeRow['outcome'];
const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged', 'skipped'];

const json: Shape<IngestRequestRow> = {
  ...rowShape('source_type', 'payload_type', 'create_missing', 'status', 'record_count'),
  created: ({ counts }) => counts.created,
  updated: ({ counts }) => counts.updated,
  unchanged: ({ counts }) => counts.unchanged,
  skipped: ({ counts }) => counts.skipped,
  ...same('api_key_id', 'create_time', 'started_at', 'ended_at'),
};

const outcomeJson: Shape<ExpectedOutcome> = {
  ...same('index', 'external_id', 'outcome', 'reason', 'unresolved'),
  note: ({ note = '' }) => note,
  decision: decisionOf,
  object_id: ({ object_id }) => object_id,
};

interface ExpectedBatch {
  readonly counts: readonly OutcomeCount[];
  readonly records: readonly ExpectedOutcome[];
}

interface ShownRequest extends IngestRequestRow {
  readonly records: readonly IngestOutcomeRow[];
  /** The file to which records were written instead, and how many. */
  readonly file?: string;
  readonly written?: number;
}

/** Which outcomes there were, without those that no record had: `2 created, 1 skipped`. */
function resultOf({ counts }: IngestRequestRow): string {
  const found = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  return found.map((outcome) => `${counts[outcome]} ${outcome}`).join(', ');
}

const requestColumns: readonly Column<IngestRequestRow>[] = [
  ['ACCEPTED', 'create_time'],
  ['PAIR', ({ source_type, payload_type }) => `${source_type}/${payload_type}`],
  ['STATUS', 'status'],
  ['RECORDS', 'record_count'],
  ['RESULT', resultOf],
  ['ID', '_id', 'id'],
];

const outcomeColumns: readonly Column<ExpectedOutcome>[] = [
  ['RECORD', 'index'],
  ['EXTERNAL_ID', 'external_id'],
  ['OUTCOME', 'outcome'],
  ['REASON', 'reason'],
  ['UNRESOLVED', ({ unresolved }) => unresolved.join(', ')],
  ['NOTE', ({ note = '' }) => note],
  ['DECISION', decisionOf],
  ['OBJECT_ID', 'object_id'],
];

/** The characters that a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** One line of CSV (RFC 4180). An apostrophe makes a text of a cell that a spreadsheet would run as a formula. */
export function csvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell));
  return `${safe.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\r\n`;
}

type Outcomes = AsyncIterable<IngestOutcomeRow>;

/** All the given outcomes as CSV, one line per record. */
async function exported(
  row: IngestRequestRow,
  outcomes: Outcomes,
  path: string,
  isForced: boolean,
): Promise<Answer<ShownRequest>> {
  const lines = [csvLine(outcomeColumns.map(([head]) => head.toLowerCase()))];
  for await (const each of outcomes) lines.push(csvLine(cellsOf(each, outcomeColumns)));
  const records = lines.length - 1;
  return {
    of: { ...row, records: [], file: path, written: records },
    text: `Wrote ${records} records to ${path}.`,
    file: { path, text: lines.join(''), isForced, isPrivate: true },
  };
}

const request = take.argument(row(kinds.ingest_request));

const shownOutcome = take.optional<Outcome>(
  { placeholder: 'outcome', choices: OUTCOMES },
  'only records with this outcome',
);

/** How many records of a batch have the same outcome for the same reason. */
interface OutcomeCount extends Pick<ExpectedOutcome, 'outcome' | 'reason'> {
  readonly records: number;
}

const countColumns: readonly Column<OutcomeCount>[] = [
  ['RECORDS', 'records'],
  ['OUTCOME', 'outcome'],
  ['REASON', 'reason'],
];

function countsOf(outcomes: readonly ExpectedOutcome[]): OutcomeCount[] {
  const groups = Map.groupBy(outcomes, ({ outcome, reason }) => `${OUTCOMES.indexOf(outcome)} ${reason}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first ? [{ ...first, records: 1 + others.length }] : []));
}

export const ingests: Group = {
  about: 'Accepted batches and the outcomes of their records; kept for 30 days.',
  examples: [
    'ingests list',
    'ingests show REQUEST_ID --outcome skipped',
    'ingests show REQUEST_ID --csv outcomes.csv',
    'ingests check --source LEDGER --file batch.json.gz',
    'ingests questions REQUEST_ID',
    'ingests decide REQUEST_ID 17 successor',
  ],
  commands: {
    list: listOf(
      'ingest_requests',
      'List the batches of the tenant, the latest first.',
      { accepted_order: -1 },
      json,
      requestColumns,
      50,
    ),
    show: command({
      about: 'Show a batch and the outcome of each of its records, in their order.',
      reads: true,
      json: {
        ...json,
        records: ({ records }: ShownRequest) => records.map((outcome) => shaped(outcomeJson, outcome)),
        file: ({ file = '' }: ShownRequest) => file,
        written: ({ written = 0 }: ShownRequest) => written,
      },
      takes: {
        request,
        outcome: shownOutcome,
        limit: take.defaulting(count(), 'the maximum number of records (a file gets all)', 100),
        csv: take.optional(text('file'), 'write the records to a CSV file'),
        force: take.flag('overwrite the file'),
      },
      examples: ['ingests show REQUEST_ID --json', 'ingests show REQUEST_ID --outcome skipped --csv skipped.csv'],
      async run({ store, tenant }, { request, outcome, limit, csv, force }) {
        const filter = { tenant_id: tenant._id, request_id: request._id, ...(outcome && { outcome }) };
        const found = store.ingest_outcomes.find(filter).sort({ index: 1 });
        if (csv !== undefined) return exported(request, found, csv, force);
        const outcomes = await found.limit(limit).toArray();
        const hint = outcomes.some(isOpen)
          ? [`\nWhat is to decide: settings ingests questions ${request._id}, then ingests decide`]
          : [];
        return {
          of: { ...request, records: outcomes },
          text: [factsOfShape(json, request), tableOf(outcomes, outcomeColumns), ...hint],
        };
      },
    }),
    check: command({
      about: 'Say what a batch would do if it were sent now, record by record. Nothing is written.',
      reads: true,
      isLong: true,
      json: {
        counts: ({ counts }: ExpectedBatch) => counts.map((each) => shaped(same('outcome', 'reason', 'records'), each)),
        records: ({ records }: ExpectedBatch) => records.map((outcome) => shaped(outcomeJson, outcome)),
      },
      takes: { ...batchParameters, outcome: shownOutcome, limit: limitOf(100) },
      examples: [
        'ingests check --source LEDGER --file batch.json.gz',
        'ingests check --source KEDO --file batch.json --outcome skipped --json',
      ],
      note: 'Batches that are accepted and not yet applied come first, and may change what this one does.',
      async run(at, { source, file, outcome, limit }) {
        const all = await expectedOutcomes(at, source, file);
        const counts = countsOf(all);
        const records = all.filter((each) => outcome === undefined || each.outcome === outcome).slice(0, limit);
        return {
          of: { counts, records },
          text: [tableOf(counts, countColumns), '', tableOf(records, outcomeColumns)],
        };
      },
    }),
    questions: command({
      about: 'Show the records that were skipped because their number belongs to another person, and who that is.',
      reads: true,
      json: questionJson,
      takes: { request },
      note: `
The fields that differ are named in WHY SKIPPED. Compare the record in your system with the person it BELONGS TO, then
say with "ingests decide" whether it is the same person, or a successor who has the number now.`,
      async run(at, given) {
        return listing(await questionsOf(at, given.request), questionColumns);
      },
    }),
    decide: command({
      about: 'Decide about a record whose number belongs to another person; it applies when the record comes again.',
      json: { ...same('index', 'external_id'), decision: decisionOf },
      takes: {
        request,
        record: take.argument(
          { placeholder: 'N', read: wholeNumber(0, 10_000) },
          'its number in the batch, as "ingests questions" shows it',
        ),
        decision: take.argument<'same' | 'successor'>(
          { placeholder: 'decision', choices: ['same', 'successor'] },
          'same: the person was corrected; successor: somebody else has the number now',
        ),
      },
      examples: ['ingests decide REQUEST_ID 17 same', 'ingests decide REQUEST_ID 17 successor'],
      async run(at, given) {
        const row = await decide(at, given.request, given.record, given.decision === 'same' ? 'SAME' : 'SUCCESSOR');
        return {
          of: row,
          text: `Decided: ${given.decision}. It applies when the record comes again: send it once more.`,
        };
      },
    }),
  },
};
