/** `employees apply`: many changes of employees in one process, one per line. */

import type { Violation } from '../../../handlers/answers/errors.ts';
import { createEmployee, deleteEmployee, updateEmployee } from '../../../handlers/employees/write/employees.ts';
import {
  ChangeRefused,
  type EmployeeFields,
  employeeViolations,
  noPersonFields,
  type PersonFields,
  personViolations,
} from '../../../handlers/employees/write/fields.ts';
import { createPerson, updatePerson } from '../../../handlers/employees/write/persons.ts';
import { dayIn } from '../../../handlers/runtime/day.ts';
import type { TenantContext } from './command.ts';
import { type LeftWork, leftWork } from './waiting-documents.ts';

export interface Outcome {
  /** Counts from 1. */
  readonly line: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  readonly id?: string;
  readonly error?: string;
}

type Change = ReturnType<typeof parse>;

const PERSON_FIELDS = Object.keys(noPersonFields);

function refuse(field: string, description: string): never {
  throw new ChangeRefused([{ field, description }]);
}

function objectOf(value: unknown, field: string): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(field, 'must be an object');
  return value as Record<string, unknown>;
}

/**
 * Reads a change, with the fields of the employee and those of the person, no matter where in the line these stand.
 * @throws ChangeRefused for a line that is not a valid change
 */
function parse(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse('line', 'is not JSON');
  }
  const { op, id = '', employee, person, ...rest } = objectOf(value, 'line');
  const unknown = Object.keys(rest);
  if (unknown.length > 0) refuse(unknown.join(', '), 'is not known; a line has op, id, employee and person');
  if (op !== 'create' && op !== 'update' && op !== 'delete') refuse('op', 'must be create, update or delete');
  if (typeof id !== 'string' || (id === '') !== (op === 'create')) {
    refuse('id', op === 'create' ? 'is given by the service' : "must be the employee's id");
  }
  // A line may write the person's fields among the employee's: {"department_id": …, "last_name": …}.
  const all = Object.entries(objectOf(employee, 'employee'));
  const persons = all.filter(([field]) => PERSON_FIELDS.includes(field));
  const { person_id = '', ...own } = Object.fromEntries(all.filter(([field]) => !PERSON_FIELDS.includes(field)));
  if (typeof person_id !== 'string') refuse('person_id', 'must be a text');
  const whole = { ...Object.fromEntries(persons), ...objectOf(person, 'person') };
  const violations: Violation[] = [...employeeViolations(own), ...personViolations(whole)];
  if (violations.length > 0) throw new ChangeRefused(violations);
  const fields: { employee: Partial<EmployeeFields>; person: Partial<PersonFields> } = { employee: own, person: whole };
  return { op, id, person_id, ...fields } as const;
}

/** An instant, with the day that it has in the tenant. */
export const moment = ({ tenant }: TenantContext, now: Date) => ({ now, today: dayIn(tenant.time_zone, now) });

/** What each operation does. @throws ChangeRefused */
const operations: Readonly<
  Record<Change['op'], (at: TenantContext, change: Change, now: Date) => Promise<Omit<Outcome, 'line'>>>
> = {
  async create(at, { employee, person, person_id }, now) {
    const { store, tenant } = at;
    const hasPerson = Object.keys(person).length > 0;
    if (hasPerson === (person_id !== '')) refuse('person', 'or employee.person_id must be given, and not both');
    const owner = hasPerson ? await createPerson(store, tenant._id, person, now) : null;
    try {
      const row = await createEmployee(store, tenant._id, owner?._id ?? person_id, employee, moment(at, now));
      return { outcome: 'created', id: row._id };
    } catch (error) {
      // The person was created only for this employment.
      if (owner) await store.persons.deleteOne({ _id: owner._id, tenant_id: tenant._id });
      throw error;
    }
  },
  async update(at, { id, employee, person, person_id }, now) {
    const { store, tenant } = at;
    if (person_id !== '') refuse('person_id', 'cannot change');
    const updated = await updateEmployee(store, tenant._id, id, employee, moment(at, now));
    if (!updated) refuse('id', 'is no employee of this tenant, or a deleted one');
    const hasPerson = Object.keys(person).length > 0;
    const changedPerson = hasPerson ? await updatePerson(store, tenant._id, updated.row.person_id, person, now) : null;
    return { outcome: updated.changed || changedPerson?.changed ? 'updated' : 'unchanged', id };
  },
  async delete({ store, tenant }, { id }, now) {
    const result = await deleteEmployee(store, tenant._id, id, now);
    if (!result) refuse('id', 'is no employee of this tenant');
    return { outcome: result.deleted ? 'deleted' : 'unchanged', id };
  },
};

const ABREAST = 100;

interface Line {
  readonly line: number;
  readonly change: Change;
}

/** Whether its place among the lines matters: it names a manager, or changes a person, who may have other employments. */
function dependsOnOthers({ op, employee, person }: Change): boolean {
  return Boolean(employee.manager_id) || (op === 'update' && Object.keys(person).length > 0);
}

/** Divides the lines into groups, to be applied one after the other, in which no line depends on another. */
function* independent(lines: Iterable<Line>): Generator<Line[]> {
  let group: Line[] = [];
  let op = '';
  const named = new Set<string>();
  for (const one of lines) {
    const { id } = one.change;
    const ends = dependsOnOthers(one.change) || one.change.op !== op || group.length === ABREAST || named.has(id);
    if (ends && group.length > 0) {
      yield group;
      group = [];
      named.clear();
    }
    group.push(one);
    // A line that depends on others stays alone in its group.
    op = dependsOnOthers(one.change) ? '' : one.change.op;
    if (id !== '') named.add(id);
  }
  if (group.length > 0) yield group;
}

/** The outcome of a line that is refused. @throws any other error */
function failed(line: number, error: unknown): Outcome {
  if (!(error instanceof ChangeRefused)) throw error;
  return { line, outcome: 'failed', error: error.message };
}

async function applyOne(at: TenantContext, { line, change }: Line): Promise<Outcome> {
  const done = operations[change.op](at, change, at.clock());
  return done.then(
    (outcome) => ({ line, ...outcome }),
    (error: unknown) => failed(line, error),
  );
}

/** Applies each line by itself, those about one employee in their order. @returns outcomes in the order of lines */
export async function apply(at: TenantContext, text: string): Promise<(Outcome & LeftWork)[]> {
  const outcomes: Outcome[] = [];
  const lines: Line[] = [];
  for (const [index, one] of text.split('\n').entries()) {
    if (one.trim() === '') continue;
    try {
      lines.push({ line: index + 1, change: parse(one) });
    } catch (error) {
      outcomes.push(failed(index + 1, error));
    }
  }
  for (const group of independent(lines))
    outcomes.push(...(await Promise.all(group.map((line) => applyOne(at, line)))));
  const left = await leftWork(
    at,
    outcomes.flatMap(({ id }) => id ?? []),
  );
  return outcomes.map((one) => ({ ...one, ...left(one.id ?? '') })).sort((a, b) => a.line - b.line);
}
