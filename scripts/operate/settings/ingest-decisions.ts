/** Records that were skipped because they name another person than the one who has their number: shown and decided (D-29). */

import type { PersonDecision } from '../../../handlers/data/collections/external_bindings.ts';
import type { IngestOutcomeRow, PersonQuestion } from '../../../handlers/data/collections/ingest_outcomes.ts';
import type { IngestRequestRow } from '../../../handlers/data/collections/ingest_requests.ts';
import { refuse } from '../../kit/command-line.ts';
import type { Column, TenantContext } from './command.ts';
import { rowsById, rowsOf, setFields } from './lookup.ts';
import { type Shape, same } from './shape.ts';

type QuestionedRecord = Awaited<ReturnType<typeof questionsOf>>[number];

/** What people have decided about a record, or that they can. */
export const decisionOf = ({ question }: Pick<IngestOutcomeRow, 'question'>): string =>
  question === undefined ? '' : (question.is ?? 'TO_DECIDE').toLowerCase();

/** Whether nobody has decided about a record yet. */
export const isOpen = ({ question }: Pick<IngestOutcomeRow, 'question'>): boolean =>
  question !== undefined && question.is === undefined;

const knownPerson = ({ person }: QuestionedRecord): string =>
  person === undefined ? '' : [person.last_name, person.first_name, person.birth_date].filter((text) => text).join(' ');

export const questionColumns: readonly Column<QuestionedRecord>[] = [
  ['RECORD', 'index'],
  ['EXTERNAL_ID', 'external_id'],
  ['BELONGS TO', knownPerson],
  ['STATUS', ({ employee }) => employee?.status ?? ''],
  ['WHY SKIPPED', 'reason'],
  ['DECISION', decisionOf],
];

export const questionJson: Shape<QuestionedRecord> = {
  ...same('index', 'external_id', 'reason'),
  employee_id: ({ question }) => question.employee_id,
  person_id: ({ question }) => question.person_id,
  decision: decisionOf,
};

type Question = IngestOutcomeRow & { readonly question: PersonQuestion };

const hasQuestion = (row: IngestOutcomeRow): row is Question => row.question !== undefined;

/** The records of a batch that name another person than the one who has their number, in their order, with that one. */
export async function questionsOf(at: TenantContext, { _id: request_id }: IngestRequestRow) {
  const asked = { request_id, question: { $exists: true } };
  const rows = (await rowsOf(at, 'ingest_outcomes', asked, { sort: { index: 1 } })).filter(hasQuestion);
  const idsOf = (name: 'employee_id' | 'person_id') => rows.map(({ question }) => question[name]);
  const employees = await rowsById(at, 'employees', idsOf('employee_id'));
  const persons = await rowsById(at, 'persons', idsOf('person_id'));
  return rows.map((row) => ({
    ...row,
    employee: employees.get(row.question.employee_id),
    person: persons.get(row.question.person_id),
  }));
}

/** Keeps a decision for the natural id, the known person, and the record's IIN, name and date of birth. */
export async function decide(
  at: TenantContext,
  batch: IngestRequestRow,
  record: number,
  is: PersonDecision['is'],
): Promise<Question> {
  const _id = `${batch._id}:${record}`;
  const [row] = await rowsOf(at, 'ingest_outcomes', { _id });
  if (row === undefined || !hasQuestion(row)) {
    return refuse(`Nothing is to be decided about record ${record}. See: settings ingests questions ${batch._id}`);
  }
  const { binding_id, person_id, record: digest } = row.question;
  // Of several decisions about one record the last one counts.
  const { matchedCount } = await at.store.external_bindings.updateOne(
    { _id: binding_id, tenant_id: at.tenant._id },
    { $push: { decisions: { person_id, record: digest, is } } },
  );
  if (matchedCount === 0) return refuse('Nobody has its number any more: send the record again.');
  await setFields(at, 'ingest_outcomes', row, { 'question.is': is });
  return { ...row, question: { ...row.question, is } };
}
