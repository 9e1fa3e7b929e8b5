/** What changes of employees and persons have in common: which values fields may have, and what differs. */
import { isDeepStrictEqual } from 'node:util';
import { isDay } from '../../../generated/validators.js';
import type { Violation } from '../../answers/errors.ts';
import { type EmployeeRow, LISTED_STATUSES, type StoredEmployeeStatus } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';

/** A change that was refused as a whole; nothing of it was written. */
export class ChangeRefused extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ field, description }) => `${field} ${description}`).join('; '));
    this.violations = violations;
  }
}

/** Every status that is stored, the draft first. */
export const employeeStatuses: readonly StoredEmployeeStatus[] = ['CREATED', ...LISTED_STATUSES];

/** The longest text of any field, in UTF-16 units (D-29). */
const TEXT_LIMIT = 1_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Why a text cannot be stored, or null: too long, control characters, half of a surrogate pair. */
export function textProblem(text: string): string | null {
  if (text.length > TEXT_LIMIT) return `must have at most ${TEXT_LIMIT} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'must not hold control characters';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

type Check = (value: string) => string | null;

const empty =
  (check: Check): Check =>
  (value) =>
    value === '' ? null : check(value);
const date = empty((value) => (isDay(value) ? null : 'must be a real date, YYYY-MM-DD, of the years 1 to 9999'));
const email = empty((value) => (EMAIL.test(value) && value.length <= 254 ? null : 'must be an e-mail address'));
const id = empty((value) => (UUID.test(value) ? null : 'must be a UUID'));
const iin = empty((value) => (/^\d{12}$/.test(value) ? null : 'must have exactly 12 digits'));
const status: Check = (value) =>
  employeeStatuses.some((known) => known === value) ? null : `must be one of ${employeeStatuses.join(', ')}`;

const employeeChecks = {
  status,
  organization_id: id,
  department_id: id,
  job_title_id: id,
  manager_id: id,
  location_id: id,
  employee_number: textProblem,
  start_date: date,
  end_date: date,
  work_email: email,
} satisfies Partial<Record<keyof EmployeeRow, Check>>;

const personChecks = {
  first_name: textProblem,
  last_name: textProblem,
  middle_name: textProblem,
  birth_date: date,
  iin,
  personal_email: email,
  phone: textProblem,
} satisfies Partial<Record<keyof PersonRow, Check>>;

/** The fields of an employee that a change may set; the person is not among them. */
export type EmployeeFields = Pick<EmployeeRow, keyof typeof employeeChecks>;
export type PersonFields = Pick<PersonRow, keyof typeof personChecks>;

const emptyOf = (checks: object) => Object.fromEntries(Object.keys(checks).map((field) => [field, '']));
export const noEmployeeFields = { ...emptyOf(employeeChecks), status: 'EMPLOYEE_STATUS_ACTIVE' } as EmployeeFields;
export const noPersonFields = emptyOf(personChecks) as PersonFields;

function violationsOf(checks: Readonly<Record<string, Check>>, fields: object): Violation[] {
  const violations: Violation[] = [];
  for (const [field, value] of Object.entries(fields)) {
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    const description =
      check === undefined ? 'is not known' : typeof value === 'string' ? check(value) : 'must be a text';
    if (description !== null) violations.push({ field, description });
  }
  return violations;
}

/** What is wrong with single given fields of an employee; unknown fields and wrong types are violations too. */
export function employeeViolations(fields: object): Violation[] {
  return violationsOf(employeeChecks, fields);
}

/** What is wrong with a person's given fields. */
export function personViolations(fields: object): Violation[] {
  return violationsOf(personChecks, fields);
}

/** Contradictions between the fields of a whole employee. */
export function employeeConflicts({ start_date, end_date }: Pick<EmployeeRow, 'start_date' | 'end_date'>): Violation[] {
  if (start_date === '' || end_date === '' || start_date <= end_date) return [];
  return [{ field: 'end_date', description: 'must not be before start_date' }];
}

/** What is wrong with a whole person: a name is needed to show one. */
export function personConflicts({ first_name, last_name }: Pick<PersonRow, 'first_name' | 'last_name'>): Violation[] {
  return first_name === '' && last_name === ''
    ? [{ field: 'last_name', description: 'or first_name must be given' }]
    : [];
}

/** What a change may contain besides the shown fields. */
export interface ChangeExtra {
  /** True if an ingest has checked the fields: then only contradicting dates are refused, no person without a name (D-29). */
  readonly loaded?: boolean;
  readonly details?: string;
}

export interface WriteMoment {
  readonly now: Date;
  /** The tenant's day at that instant, YYYY-MM-DD. */
  readonly today: string;
}

/** @throws ChangeRefused when there are violations */
export function refuseIf(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ChangeRefused(violations);
}

/** The given fields that differ from the row, or null when none does. */
export function differences<Row extends object>(row: Row, fields: Partial<Row>): Partial<Row> | null {
  const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Row>);
}
