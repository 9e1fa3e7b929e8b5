/** `settings employees`: list, show, create, change, delete; many changes at once with `apply`. */

import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import type { PersonRow } from '../../../handlers/data/collections/persons.ts';
import { createEmployee, deleteEmployee, updateEmployee } from '../../../handlers/employees/write/employees.ts';
import { employeeStatuses } from '../../../handlers/employees/write/fields.ts';
import { EXIT, Failure, refuse } from '../../kit/command-line.ts';
import { apply, moment, type Outcome } from './apply.ts';
import { type Column, command, factsOfShape, type Group, listing, take } from './command.ts';
import { idOrNone, kinds, row, rowsById, rowsOf } from './lookup.ts';
import { personJson } from './persons.ts';
import { rowShape, same, shaped } from './shape.ts';
import { inputFile, limitOf, statusOf, text, withoutUndefined } from './values.ts';
import { leftWork, leftWorkNote } from './waiting-documents.ts';

interface ListedEmployee extends EmployeeRow {
  readonly full_name: string;
}

interface ShownEmployee extends EmployeeRow {
  readonly person: PersonRow | null;
}

const fullName = (person: PersonRow | undefined) =>
  [person?.last_name, person?.first_name, person?.middle_name].filter(Boolean).join(' ');
const short = (status: string) => status.replace('EMPLOYEE_STATUS_', '');

const columns: readonly Column<ListedEmployee>[] = [
  ['NAME', 'full_name'],
  ['STATUS', ({ deleted_at, status }) => (deleted_at === null ? short(status) : 'deleted')],
  ['NUMBER', 'employee_number'],
  ['START', 'start_date'],
  ['UPDATED', 'update_time'],
  ['ID', '_id', 'id'],
];

/** As the contract shows an employee, with the ids of what it expands, and with what only administrators see. */
const json = rowShape(
  'status',
  'organization_id',
  'department_id',
  'job_title_id',
  'manager_id',
  'location_id',
  'person_id',
  'employee_number',
  'start_date',
  'end_date',
  'work_email',
  'create_time',
  'update_time',
  'deleted_at',
);

const status = statusOf(employeeStatuses, short);

/** Words that clear a reference. */
const NONE = ['', 'none'];

const fields = {
  status: take.optional(status),
  organization_id: take.optional(idOrNone(kinds.organization, NONE)),
  department_id: take.optional(idOrNone(kinds.department, NONE)),
  job_title_id: take.optional(idOrNone(kinds.job_title, NONE)),
  manager_id: take.optional(idOrNone(kinds.employee, NONE)),
  location_id: take.optional(idOrNone(kinds.location, NONE)),
  employee_number: take.optional(text(), 'personnel number', 'number'),
  start_date: take.optional(text('date'), 'first day, YYYY-MM-DD'),
  end_date: take.optional(text('date'), 'last day, YYYY-MM-DD; shown only while TERMINATED'),
  work_email: take.optional(text('address'), 'work e-mail address', 'email'),
};

const employee = take.argument(row(kinds.employee));
const FORM = `
Each line is one of:
  {"op":"create","employee":{"department_id":"…","start_date":"2026-03-01"},"person":{"last_name":"Ахметова","first_name":"Айгүл"}}
  {"op":"create","employee":{"person_id":"…"}}
  {"op":"update","id":"…","employee":{"status":"EMPLOYEE_STATUS_LEAVE"},"person":{"phone":"+77000000001"}}
  {"op":"delete","id":"…"}
Lines are independent of each other: a wrong one is reported and the others are applied. Exit code 1 when one failed.`;

function countsOf(outcomes: readonly Outcome[]) {
  const counts = { total: outcomes.length, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };
  for (const { outcome } of outcomes) counts[outcome]++;
  return counts;
}

export const employees: Group = {
  about: 'Employees: list, show, create, change, delete, and many changes at once.',
  examples: [
    'employees list --status ACTIVE --department "Отдел качества" --limit 20',
    'employees create --person PERSON_ID --department "Отдел качества" --start-date 2026-03-01',
    'employees update 000123 --status TERMINATED --end-date 2026-03-31',
    'employees apply --file changes.jsonl',
  ],
  commands: {
    list: command({
      about: 'List employees, newest first; drafts only with --drafts, deleted ones only with --deleted.',
      reads: true,
      json: { ...json, ...same('full_name') },
      takes: {
        status: take.optional(status, 'only this status'),
        department: take.optional(row(kinds.department), 'only this department itself: id or exact title'),
        manager: take.optional(row(kinds.employee), 'only direct reports of: id or personnel number'),
        drafts: take.flag('only drafts'),
        deleted: take.flag('only deleted ones'),
        limit: limitOf(50),
      },
      examples: ['employees list --limit 10', 'employees list --manager 000001', 'employees list --deleted --json'],
      async run(at, { status, department, manager, drafts, deleted, limit }) {
        const filter = {
          listed: !(drafts || deleted),
          ...(drafts && { status: 'CREATED' as const, deleted_at: null }),
          ...(deleted && { deleted_at: { $ne: null } }),
          ...(status && { status }),
          ...(department && { department_id: department._id }),
          ...(manager && { manager_id: manager._id }),
        };
        const rows = await rowsOf(at, 'employees', filter, { sort: { create_time: -1, _id: -1 }, limit });
        const ids = rows.map(({ person_id }) => person_id);
        const persons = await rowsById(at, 'persons', ids);
        const all = rows.map((row) => ({ ...row, full_name: fullName(persons.get(row.person_id)) }));
        return listing(all, columns);
      },
    }),
    show: command({
      about: 'Show one employee with its person.',
      reads: true,
      json: {
        ...json,
        person: ({ person }: ShownEmployee) => person && shaped(personJson, person),
      },
      takes: { employee },
      async run(at, { employee }) {
        const [person = null] = await rowsOf(at, 'persons', { _id: employee.person_id });
        const ofPerson = person === null ? [] : ['person', factsOfShape(personJson, person)];
        return { of: { ...employee, person }, text: [factsOfShape(json, employee), ...ofPerson] };
      },
    }),
    create: command({
      about:
        'Create an employment of a person. Without a status the dates decide: ACCEPTED, ACTIVE or TERMINATED; CREATED makes a draft.',
      json,
      takes: { ...fields, person: take.required(row(kinds.person)) },
      examples: [
        'employees create --person PERSON_ID --department ID --job-title "Бухгалтер" --manager 000001 --number 004321',
      ],
      async run(at, { person, ...given }) {
        const row = await createEmployee(
          at.store,
          at.tenant._id,
          person._id,
          withoutUndefined(given),
          moment(at, at.now),
        );
        return { of: row, text: `Created the employee ${fullName(person)}: ${row._id} (${short(row.status)})` };
      },
    }),
    update: command({
      about:
        'Change an employee; "" clears a field. A draft may get any status, but nobody becomes a draft again. Dates change the status: immediately if only dates are changed, otherwise when their day comes (within a minute if it has come).',
      json: { ...json, ...same('changed', 'waiting_documents') },
      takes: { employee, ...fields },
      lacking: 'Say what to change, such as --status or --department.',
      examples: ['employees update 000123 --status LEAVE', 'employees update ID --manager none --location ""'],
      async run(at, { employee: { _id }, ...given }) {
        const updated = await updateEmployee(at.store, at.tenant._id, _id, withoutUndefined(given), moment(at, at.now));
        if (!updated) refuse(`The employee ${_id} is deleted; deleted ones stay as they are.`);
        const { row, changed } = updated;
        const left = (await leftWork(at, [_id]))(_id);
        const done = `${changed ? 'Changed' : 'Nothing to change in'} the employee ${_id}.`;
        return { of: { ...row, changed, ...left }, text: done + leftWorkNote(_id, left) };
      },
    }),
    delete: command({
      about: 'Delete an employee and clear it as a manager. Repeat the command if it was interrupted.',
      json: same('id', 'deleted', 'cleared_reports', 'waiting_documents'),
      takes: { employee },
      async run(at, { employee: { _id } }) {
        const result = await deleteEmployee(at.store, at.tenant._id, _id, at.now);
        const left = (await leftWork(at, [_id]))(_id);
        const done = result?.deleted ? 'Deleted' : 'Already deleted:';
        const cleared = result?.cleared_reports ?? 0;
        return {
          of: { id: _id, deleted: result?.deleted ?? false, cleared_reports: cleared, ...left },
          text: `${done} the employee ${_id}; cleared as the manager of ${cleared}.${leftWorkNote(_id, left)}`,
        };
      },
    }),
    apply: command({
      about: 'Apply many changes in one process: reads JSON lines, prints one outcome for each line.',
      json: same('total', 'created', 'updated', 'unchanged', 'deleted', 'failed', 'outcomes'),
      takes: { file: take.required(inputFile('path'), 'JSON lines; - reads standard input') },
      note: FORM,
      examples: [
        'employees apply --tenant demo --file changes.jsonl',
        'generate-changes | npm run --silent settings -- employees apply --file - --json',
      ],
      async run(at, { file }) {
        const outcomes = await apply(at, file.text);
        const counts = countsOf(outcomes);
        const lines = outcomes.map(
          ({ line, outcome, id = '', error, waiting_documents }) =>
            [`line ${line}`, outcome, id, error].filter(Boolean).join(' ') + leftWorkNote(id, { waiting_documents }),
        );
        const summary = Object.entries(counts).map(([what, n]) => `${n} ${what}`);
        const answer = { of: { ...counts, outcomes }, text: [...lines, summary.join(', ')].join('\n') };
        if (counts.failed === 0) return answer;
        const failed = `${counts.failed} of ${counts.total} changes failed; the others were applied.`;
        return { ...answer, failure: new Failure(EXIT.refused, failed) };
      },
    }),
  },
};
