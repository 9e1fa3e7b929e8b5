/** `settings employees`: list, show, create, change, delete; many changes at once with `apply`. */
import type { Command } from 'commander';
import type { DepartmentRow, EmployeeRow, PersonRow } from '../../handlers/data/store.ts';
import { createEmployee, deleteEmployee, updateEmployee } from '../../handlers/employees/write/employees.ts';
import { type EmployeeFields, employeeStatuses } from '../../handlers/employees/write/fields.ts';
import { dayIn } from '../../handlers/process/day.ts';
import { apply } from './apply.ts';
import { limit, shown } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { EXIT, Failure, misuse, refuse } from './failure.ts';
import { readInput } from './input.ts';
import { find, kinds } from './lookup.ts';

interface Shown {
  readonly row: EmployeeRow;
  readonly person: PersonRow | undefined;
}

const name = (person: PersonRow | undefined) =>
  [person?.last_name, person?.first_name, person?.middle_name].filter(Boolean).join(' ');
const short = (status: string) => status.replace('EMPLOYEE_STATUS_', '');

const columns: readonly Column<Shown>[] = [
  ['NAME', ({ person }) => name(person)],
  ['STATUS', ({ row }) => (row.deleted_at === null ? short(row.status) : 'deleted')],
  ['NUMBER', ({ row }) => row.employee_number],
  ['START', ({ row }) => row.start_date],
  ['UPDATED', ({ row }) => shown(row.update_time)],
  ['ID', ({ row }) => row._id],
];

interface FieldFlags {
  status?: string;
  organization?: string;
  department?: string;
  jobTitle?: string;
  manager?: string;
  location?: string;
  number?: string;
  startDate?: string;
  endDate?: string;
  email?: string;
}

/** The status for a word; `ACTIVE` means `EMPLOYEE_STATUS_ACTIVE`. */
function statusOf(text: string): EmployeeFields['status'] {
  const status = employeeStatuses.find((known) => known === text || known === `EMPLOYEE_STATUS_${text}`);
  return status ?? misuse(`"${text}" is no status. These are: ${employeeStatuses.map(short).join(', ')}.`);
}

/** The id of the row that a flag names; `""` or `none` clears the field. */
async function reference(at: At, kind: (typeof kinds)[keyof typeof kinds], wanted: string | undefined) {
  if (wanted === undefined) return undefined;
  return wanted === '' || wanted === 'none' ? '' : (await find(at, kind, wanted))._id;
}

async function fieldsOf(at: At, flags: FieldFlags): Promise<Partial<EmployeeFields>> {
  const given = {
    status: flags.status === undefined ? undefined : statusOf(flags.status),
    organization_id: await reference(at, kinds.organization, flags.organization),
    department_id: await reference(at, kinds.department, flags.department),
    job_title_id: await reference(at, kinds.job_title, flags.jobTitle),
    manager_id: await reference(at, kinds.employee, flags.manager),
    location_id: await reference(at, kinds.location, flags.location),
    employee_number: flags.number,
    start_date: flags.startDate,
    end_date: flags.endDate,
    work_email: flags.email,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function addFields(command: Command): Command {
  return command
    .option('--status <status>', employeeStatuses.map(short).join(', '))
    .option('--organization <organization>', 'id or exact title')
    .option('--department <department>', 'id or exact title')
    .option('--job-title <job title>', 'id or exact title')
    .option('--manager <employee>', 'id or personnel number')
    .option('--location <location>', 'id or exact title')
    .option('--number <text>', 'personnel number')
    .option('--start-date <date>', 'first day, YYYY-MM-DD')
    .option('--end-date <date>', 'last day, YYYY-MM-DD; shown only while TERMINATED')
    .option('--email <address>', 'work e-mail address');
}

const moment = ({ tenant, now }: At) => ({ now, today: dayIn(tenant.time_zone, now) });
const employee = (at: At, wanted: string) => find<EmployeeRow>(at, kinds.employee, wanted);

interface ListFlags {
  status?: string;
  department?: string;
  manager?: string;
  drafts?: boolean;
  deleted?: boolean;
  limit: number;
}

async function listed(at: At, flags: ListFlags): Promise<Shown[]> {
  const { store, tenant } = at;
  const department = flags.department && (await find<DepartmentRow>(at, kinds.department, flags.department))._id;
  const hidden = flags.drafts || flags.deleted;
  const filter = {
    tenant_id: tenant._id,
    listed: !hidden,
    ...(flags.drafts && { status: 'CREATED' as const, deleted_at: null }),
    ...(flags.deleted && { deleted_at: { $ne: null } }),
    ...(flags.status && { status: statusOf(flags.status) }),
    ...(department && { department_id: department }),
    ...(flags.manager && { manager_id: (await employee(at, flags.manager))._id }),
  };
  const rows = await store.employees.find(filter).sort({ create_time: -1, _id: -1 }).limit(flags.limit).toArray();
  const persons = await store.persons
    .find({ _id: { $in: rows.map(({ person_id }) => person_id) }, tenant_id: tenant._id })
    .toArray();
  const byId = new Map(persons.map((person) => [person._id, person]));
  return rows.map((row) => ({ row, person: byId.get(row.person_id) }));
}

export function employeesCommand(context: Context): Command {
  const { inTenant, list } = context;
  const employees = group('employees', 'Employees: list, show, create, change, delete, and many changes at once.', [
    'employees list --status ACTIVE --department "Отдел качества" --limit 20',
    'employees create --person PERSON_ID --department "Отдел качества" --start-date 2026-03-01',
    'employees update 000123 --status TERMINATED --end-date 2026-03-31',
    'employees apply --file changes.jsonl',
  ]);
  const lists = employees
    .command('list')
    .description('List employees, newest first; neither drafts nor deleted ones unless asked for.')
    .option('--status <status>', 'only this status')
    .option('--department <department>', 'only this department itself: id or exact title')
    .option('--manager <employee>', 'only direct reports of: id or personnel number')
    .option('--drafts', 'only drafts')
    .option('--deleted', 'only deleted ones')
    .option('--limit <N>', 'at most so many', limit, 50)
    .action(
      inTenant(async (at, flags: ListFlags) => {
        const rows = await listed(at, flags);
        return list(
          rows,
          columns,
          rows.map(({ row, person }) => ({ ...row, full_name: name(person) })),
        );
      }),
    );
  withExamples(lists, [
    'employees list --limit 10',
    'employees list --manager 000001',
    'employees list --deleted --json',
  ]);
  employees
    .command('show')
    .description('Show one employee with its person.')
    .argument('<employee>', 'id or personnel number')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await employee(at, wanted);
        const person = await at.store.persons.findOne({ _id: row.person_id, tenant_id: at.tenant._id });
        const shownRow = (object: object) =>
          Object.entries(object).map(
            ([field, value]) => `${field.padEnd(18)}${value instanceof Date ? value.toISOString() : (value ?? '')}`,
          );
        const text = [...shownRow(row), '', 'person', ...shownRow(person ?? {})].join('\n');
        return { json: { ...row, person }, text };
      }),
    );
  const create = addFields(
    employees
      .command('create')
      .description(
        'Create an employment of a person. Without a status the dates decide: ACCEPTED, ACTIVE or TERMINATED; CREATED makes a draft.',
      ),
  )
    .requiredOption('--person <person>', 'id or IIN')
    .action(
      inTenant(async (at, flags: FieldFlags & { person: string }) => {
        const person = await find<PersonRow>(at, kinds.person, flags.person);
        const row = await createEmployee(at.store, at.tenant._id, person._id, await fieldsOf(at, flags), moment(at));
        return { json: row, text: `Created the employee ${name(person)}: ${row._id} (${short(row.status)})` };
      }),
    );
  withExamples(create, [
    'employees create --person PERSON_ID --department ID --job-title "Бухгалтер" --manager 000001 --number 004321',
  ]);
  const update = addFields(
    employees
      .command('update')
      .description(
        'Change an employee; "" clears a field. A draft may get any status, but nobody becomes a draft again. Dates move the status: at once where they change without it, else when their day comes (within a minute where it has come).',
      )
      .argument('<employee>', 'id or personnel number'),
  ).action(
    inTenant(async (at, wanted: string, flags: FieldFlags) => {
      const { _id } = await employee(at, wanted);
      const fields = await fieldsOf(at, flags);
      if (Object.keys(fields).length === 0) misuse('Say what to change, such as --status or --department.');
      const updated = await updateEmployee(at.store, at.tenant._id, _id, fields, moment(at));
      if (!updated) refuse(`The employee ${_id} is deleted; deleted ones stay as they are.`);
      return {
        json: { ...updated.row, changed: updated.changed },
        text: `${updated.changed ? 'Changed' : 'Nothing to change in'} the employee ${_id}.`,
      };
    }),
  );
  withExamples(update, ['employees update 000123 --status LEAVE', 'employees update ID --manager none --location ""']);
  employees
    .command('delete')
    .description('Delete an employee and clear it as a manager. Repeat the command if it was interrupted.')
    .argument('<employee>', 'id or personnel number')
    .action(
      inTenant(async (at, wanted: string) => {
        const { _id } = await employee(at, wanted);
        const result = await deleteEmployee(at.store, at.tenant._id, _id, at.now);
        const cleared = result?.cleared_reports ?? 0;
        return {
          json: { _id, ...result },
          text: `${result?.deleted ? 'Deleted' : 'Already deleted:'} the employee ${_id}; cleared as the manager of ${cleared}.`,
        };
      }),
    );
  const applies = employees
    .command('apply')
    .description('Apply many changes in one process: JSON lines in, one outcome a line out.')
    .requiredOption('--file <path>', 'JSON lines; - reads standard input')
    .action(
      inTenant(async (at, flags: { file: string }) => {
        const outcomes = await apply(at, await readInput(flags.file), context.surroundings.now);
        const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
        const count = (what: string) => outcomes.filter(({ outcome }) => outcome === what).length;
        const counts = {
          total: outcomes.length,
          created: count('created'),
          updated: count('updated'),
          unchanged: count('unchanged'),
          deleted: count('deleted'),
          failed: failed.length,
        };
        const lines = outcomes.map(({ line, outcome, id, error }) =>
          [`line ${line}`, outcome, id, error].filter(Boolean).join(' '),
        );
        const summary = Object.entries(counts)
          .map(([what, n]) => `${n} ${what}`)
          .join(', ');
        const answer = { json: { ...counts, outcomes }, text: [...lines, summary].join('\n') };
        return failed.length === 0
          ? answer
          : {
              ...answer,
              failure: new Failure(
                EXIT.refused,
                `${failed.length} of ${outcomes.length} changes failed; the others were applied.`,
              ),
            };
      }),
    );
  applies.addHelpText(
    'after',
    `
Each line is one of:
  {"op":"create","employee":{"department_id":"…","start_date":"2026-03-01"},"person":{"last_name":"Ахметова","first_name":"Айгүл"}}
  {"op":"create","employee":{"person_id":"…"}}
  {"op":"update","id":"…","employee":{"status":"EMPLOYEE_STATUS_LEAVE"},"person":{"phone":"+77000000001"}}
  {"op":"delete","id":"…"}
Lines are independent of each other: a wrong one is reported and the others are applied. Exit code 1 when one failed.

Examples:
  npm run settings -- employees apply --tenant demo --file changes.jsonl
  generate-changes | npm run --silent settings -- employees apply --file - --json`,
  );
  return employees;
}
