/** Rules for every answer with employees, for all requests. */
import type { Check, View } from './universal-check.ts';
import { properties } from './universal-check.ts';

interface Employee extends Record<string, unknown> {
  redacted_fields?: unknown;
  person?: Record<string, unknown>;
}

const STATUSES = new Set([
  'EMPLOYEE_STATUS_UNSPECIFIED',
  'EMPLOYEE_STATUS_HIRED',
  'EMPLOYEE_STATUS_ACCEPTED',
  'EMPLOYEE_STATUS_ONBOARDING',
  'EMPLOYEE_STATUS_ACTIVE',
  'EMPLOYEE_STATUS_TERMINATED',
  'EMPLOYEE_STATUS_LEAVE',
  'EMPLOYEE_STATUS_ON_HOLD',
]);
const PERSON_FIELDS = [
  'first_name',
  'last_name',
  'middle_name',
  'full_name',
  'birth_date',
  'iin',
  'personal_email',
  'phone',
];

function employeesOf({ body, exchange }: View): Employee[] {
  if (exchange.operationId === 'listEmployees') {
    const rows = (body as { employees?: unknown } | undefined)?.employees;
    return Array.isArray(rows) ? rows.filter((row): row is Employee => typeof row === 'object' && row !== null) : [];
  }
  const one =
    exchange.operationId === 'getEmployee' ? (body as { employee?: unknown } | undefined)?.employee : undefined;
  return typeof one === 'object' && one !== null ? [one as Employee] : [];
}

/**
 * A check of each employee to whom it applies; null if an answer holds none.
 * @param find null if the check does not apply to the employee, since nothing of him is shown that it could judge
 */
function eachEmployee(find: (employee: Employee, view: View) => string | null): Check {
  return (view) => {
    if (view.isError) return null;
    let applies = false;
    for (const row of employeesOf(view)) {
      const complaint = find(row, view);
      if (complaint) return `employee ${String(row.id)}: ${complaint}`;
      applies ||= complaint !== null;
    }
    return applies ? '' : null;
  };
}

/** A check of each employee of whom something is hidden; null if there is none. */
const eachRedacted = (find: (employee: Employee) => string): Check =>
  eachEmployee((employee) => (listed(employee).length === 0 ? null : find(employee)));

const listed = (employee: Employee): string[] =>
  Array.isArray(employee.redacted_fields) ? employee.redacted_fields.map(String) : [];

function fieldOf(employee: Employee, key: string): unknown {
  const [object, field = ''] = key.split('.');
  return object === 'persons' ? employee.person?.[field] : employee[field];
}

const isSingleSpaced = (text: string) => text === text.trim() && !text.includes('  ');

const asked = ({ exchange }: View) => new URLSearchParams(exchange.target.split('?', 2)[1] ?? '').getAll('expand');

export const employeeChecks: Readonly<Record<string, Check>> = {
  'EMP-7': (view) => {
    if (view.isError || view.exchange.operationId !== 'listEmployees') return null;
    const limit = Math.min(
      Number(new URLSearchParams(view.exchange.target.split('?', 2)[1]).get('limit') ?? 100),
      1000,
    );
    const rows = employeesOf(view).length;
    return rows <= limit ? '' : `${rows} employees where at most ${limit} were asked for`;
  },
  'EMP-24': eachEmployee((employee, view) =>
    'person' in employee === asked(view).includes('person') ? '' : 'person is there exactly when it was asked for',
  ),
  'EMP-39': eachEmployee(({ status }) => (/CREATED/.test(String(status)) ? 'is a draft' : '')),
  'EMP-41': eachEmployee(({ status }) => (STATUSES.has(String(status)) ? '' : `has the status ${String(status)}`)),
  'EMP-43': (view) => {
    if (view.isError || !view.inApi) return null;
    for (const [name] of properties(view.body))
      if (/external_?id/i.test(name)) return `an answer has the field ${name}`;
    return '';
  },
  'EMP-45': eachEmployee(({ status, end_date }) =>
    status === 'EMPLOYEE_STATUS_TERMINATED' || end_date === '' ? '' : 'has an end_date without being terminated',
  ),
  'EMP-46': eachEmployee((employee) => {
    const expanded = ['manager', 'department', 'job_title'].filter((name) => employee[name]);
    if (expanded.length === 0) return null;
    const other = expanded.find((name) => (employee[name] as { id?: unknown }).id !== employee[`${name}_id`]);
    return other === undefined ? '' : `${other}.id differs from ${other}_id`;
  }),
  'EMP-53': eachEmployee(({ create_time, update_time }) =>
    Date.parse(String(update_time)) >= Date.parse(String(create_time)) ? '' : 'was changed before it was created',
  ),
  'EMP-59': eachEmployee(({ person, manager }) => {
    const names = [person?.full_name, (manager as { full_name?: unknown } | null | undefined)?.full_name];
    const shown = names.filter((name) => name !== undefined);
    if (shown.length === 0) return null;
    const odd = shown.find((name) => !isSingleSpaced(String(name)));
    return odd === undefined ? '' : 'has a full_name with a blank at an end, or two blanks in a row';
  }),
  'EMP-60': eachEmployee(({ person }) => {
    const parts = [person?.last_name, person?.first_name, person?.middle_name];
    if (person?.full_name === undefined || parts.includes(undefined)) return null;
    const right = parts.filter((part) => part !== '').join(' ');
    return person.full_name === right ? '' : 'has a full_name that is not the last, first and middle name';
  }),
  'RED-3': eachRedacted((employee) => {
    const odd = listed(employee).find((key) => !/^[a-z_]+\.[a-z_]+$/.test(key));
    return odd === undefined ? '' : `redacted_fields has ${odd}`;
  }),
  'RED-4': eachRedacted((employee) => {
    const shown = listed(employee).find((key) => fieldOf(employee, key) !== undefined);
    return shown === undefined ? '' : `${shown} is listed as hidden and yet there`;
  }),
  'RED-5': eachEmployee((employee) => {
    if (employee.person === undefined) return null;
    const hidden = listed(employee);
    const lost = PERSON_FIELDS.find(
      (name) => employee.person?.[name] === undefined && !hidden.includes(`persons.${name}`),
    );
    return lost === undefined ? '' : `person.${lost} is absent and not listed as hidden`;
  }),
  'RED-8': eachEmployee(({ redacted_fields }) => (Array.isArray(redacted_fields) ? '' : 'redacted_fields is no array')),
};
