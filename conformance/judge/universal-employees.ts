/** Rules for every answer with employees, for all requests. */
import { operations } from '../../generated/contract.ts';
import { componentSchema } from '../rules/shared/contract-inputs.ts';
import { type Check, firstComplaint, type View } from './universal-check.ts';

interface Employee extends Record<string, unknown> {
  redacted_fields?: unknown;
  person?: Record<string, unknown>;
}

const PERSON_FIELDS = componentSchema('Person').fields.map(({ name }) => name);

const isRow = (value: unknown): value is Employee => typeof value === 'object' && value !== null;

function employeesOf({ body, exchange }: View): Employee[] {
  const { employee, employees } = (body ?? {}) as { employee?: unknown; employees?: unknown };
  if (exchange.operationId === 'listEmployees') return Array.isArray(employees) ? employees.filter(isRow) : [];
  return exchange.operationId === 'getEmployee' && isRow(employee) ? [employee] : [];
}

/**
 * A check of each employee to whom it applies; null if an answer holds none.
 * @param find null if the check does not apply to the employee, since nothing of him is shown that it could judge
 */
function eachEmployee(find: (employee: Employee, view: View) => string | null): Check {
  return (view) =>
    firstComplaint(view.isError ? [] : employeesOf(view), (row) => {
      const complaint = find(row, view);
      return complaint ? `employee ${String(row.id)}: ${complaint}` : complaint;
    });
}

const listed = (employee: Employee): string[] =>
  Array.isArray(employee.redacted_fields) ? employee.redacted_fields.map(String) : [];

function fieldOf(employee: Employee, key: string): unknown {
  const [object, field = ''] = key.split('.');
  return object === 'persons' ? employee.person?.[field] : employee[field];
}

const isSingleSpaced = (text: string) => text === text.trim() && !text.includes('  ');

const asked = ({ exchange }: View) => new URLSearchParams(exchange.target.split('?', 2)[1] ?? '').getAll('expand');

/** The checks by the ids of their rules. */
export const employeeChecks: Readonly<Record<string, Check>> = {
  'EMP-7': ({ exchange, body, isError }) => {
    const parameters = exchange.operationId ? operations[exchange.operationId].parameters : [];
    const declared = parameters.find(({ name }) => name === 'limit');
    const rows = Object.values((body ?? {}) as object).find(Array.isArray) as unknown[] | undefined;
    if (isError || declared === undefined || rows === undefined) return null;
    const asked = new URLSearchParams(exchange.target.split('?', 2)[1]).get('limit') ?? declared.default;
    const limit = Math.min(Number(asked), 1000);
    // What is no limit is to be refused.
    if (!(limit >= 1)) return null;
    return rows.length <= limit ? '' : `${rows.length} rows where at most ${limit} were asked for`;
  },
  'EMP-24': eachEmployee((employee, view) => {
    const names = asked(view);
    const unasked = ['person', 'department', 'job_title', 'manager'].find(
      (name) => name in employee && !names.includes(name),
    );
    if (unasked !== undefined) return `${unasked} was not asked for`;
    return names.includes('person') && !('person' in employee) ? 'person was asked for' : '';
  }),
  'EMP-45': eachEmployee(({ status, end_date }) => {
    // What is no text is none of the contract, and not a day.
    if (typeof end_date !== 'string') return null;
    return status === 'EMPLOYEE_STATUS_TERMINATED' || end_date === '' ? '' : 'has an end_date without being terminated';
  }),
  'EMP-46': eachEmployee((employee) => {
    const expanded = ['manager', 'department', 'job_title'].filter((name) => employee[name]);
    if (expanded.length === 0) return null;
    const other = expanded.find((name) => (employee[name] as { id?: unknown }).id !== employee[`${name}_id`]);
    return other === undefined ? '' : `${other}.id differs from ${other}_id`;
  }),
  'EMP-53': eachEmployee(({ create_time, update_time }) =>
    Date.parse(String(update_time)) < Date.parse(String(create_time)) ? 'was changed before it was created' : '',
  ),
  'EMP-59': eachEmployee(({ person, manager }) => {
    const names = [person?.full_name, (manager as { full_name?: unknown } | null | undefined)?.full_name];
    const shown = names.filter((name) => name !== undefined);
    if (shown.length === 0) return null;
    if (!shown.every((name) => isSingleSpaced(String(name))))
      return 'has a full_name with a blank at an end, or two blanks in a row';
    const parts = [person?.last_name, person?.first_name, person?.middle_name];
    const right = parts.filter((part) => part !== '').join(' ');
    const isRight = names[0] === undefined || parts.includes(undefined) || names[0] === right;
    return isRight ? '' : 'has a full_name that is not the last, first and middle name';
  }),
  'RED-4': eachEmployee((employee) => {
    const { person } = employee;
    const hidden = listed(employee);
    if (person === undefined && hidden.length === 0) return null;
    const shown = hidden.find((key) => fieldOf(employee, key) !== undefined);
    if (shown !== undefined) return `${shown} is listed as hidden and yet there`;
    const lost = PERSON_FIELDS.find((name) => person?.[name] === undefined && !hidden.includes(`persons.${name}`));
    return person === undefined || lost === undefined ? '' : `person.${lost} is absent and not listed as hidden`;
  }),
};
