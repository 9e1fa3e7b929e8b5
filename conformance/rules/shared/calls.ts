/** Requests that several sections use. */
import { writeFileSync } from 'node:fs';
import { enumerations, type Operation, operations } from '../../../generated/contract.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Call, EmployeeRow } from '../../http/api.ts';
import { additionOf } from '../../http/capability.ts';
import { NoAnswer } from '../../http/client.ts';

export const UNKNOWN_ID = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

/** A parameter that no operation has. */
export const NO_SUCH_PARAMETER = 'no_such_parameter';

export const all: readonly Operation[] = Object.values(operations);

/**
 * Operations that the target claims to have, for a rule that goes over all of them and needs none. The rules about
 * versions judge whether the others are absent.
 */
export function claimed(t: TestContext): Operation[] {
  t.uses.isOverOperations = true;
  const { capabilities } = t.profile;
  return all.filter(({ operationId }) => {
    const addition = additionOf(operationId);
    return addition === undefined || capabilities.includes(addition);
  });
}
export const reads = (t: TestContext): Operation[] => claimed(t).filter(({ method }) => method === 'get');
export const writes = (t: TestContext): Operation[] => claimed(t).filter(({ body }) => body !== 'none');

let keys = 0;

/** An Idempotency-Key that was never used. */
export const newKey = (t: TestContext): string => `C-${t.run_id}-${t.rule.id}-${process.pid}-${++keys}`;

/** A request that addresses the operation correctly and would change nothing even if it were let in. */
export function callOf(operation: Operation, id = UNKNOWN_ID): Call {
  const path = operation.path.replace('{source_type}', 'KEDO').replace(/\{[^}]+\}/g, id);
  const call: Call = { method: operation.method.toUpperCase(), path, absolute: true };
  if (operation.idempotency === 'required') call.headers = { 'Idempotency-Key': `none-${id}` };
  if (operation.body !== 'none') call.body = { no_such_field: true };
  return call;
}

/** Every employee status that a list can show. */
export const statuses = Object.values(enumerations.employee_status).filter((one) => !one.endsWith('_UNSPECIFIED'));

/**
 * Changes employees by an admin command: of the tenant, or of the one whose flag is switched.
 * @param name part of the file's name, to distinguish the calls of a rule
 * @returns what the command printed
 */
export async function applyChanges(
  t: TestContext,
  name: string,
  changes: readonly object[],
  command: 'apply_employee_changes' | 'apply_toggle_employee_changes' = 'apply_employee_changes',
): Promise<string> {
  if (changes.length === 0) return '';
  const file = t.path(`changes-${t.rule.id}-${name}.jsonl`);
  writeFileSync(file, changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
  return t.admin(command, { file });
}

/** What the refusal says under a name in the metadata of its details. */
export function metadataOf(answer: Answer, name: string): string | undefined {
  const { details } = answer.json as { details: { metadata?: Record<string, string> }[] };
  return details.map(({ metadata }) => metadata?.[name]).find((value) => value !== undefined);
}

/** What is made of 0, of 1, and so on up to `count` of them. */
export const series = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Every element once, in the order of first appearance. */
export const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Deletes employees, all in one change. */
export const deleteEmployees = (t: TestContext, ids: readonly string[]): Promise<string> =>
  applyChanges(
    t,
    'delete',
    ids.map((id) => ({ op: 'delete', id })),
  );

/** Fields of the card of somebody who has left. */
export const LEFT = { status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2026-01-31' };

/** Changes fields of employees' cards, all in one change. @param name as in {@link applyChanges} */
export const updateEmployees = (
  t: TestContext,
  name: string,
  cards: readonly (readonly [id: string, employee: object])[],
): Promise<string> =>
  applyChanges(
    t,
    name,
    cards.map(([id, employee]) => ({ op: 'update', id, employee })),
  );

/**
 * Makes employees, all in one change; the caller deletes them again.
 * @param cards what is said of each; without a number it gets one of the rule
 * @returns them in this order, as `full` sees them in the lists of their departments
 */
export async function madeEmployees(
  t: TestContext,
  cards: readonly { department_id: string; employee_number?: string; [field: string]: string | undefined }[],
): Promise<EmployeeRow[]> {
  const person = { first_name: 'Проверка', last_name: 'Соответствия' };
  const numbered = cards.map((card, nth) => ({ employee_number: `C-${t.run_id}-${t.rule.id}-${nth}`, ...card }));
  await applyChanges(
    t,
    'made',
    numbered.map((employee) => ({ op: 'create', employee, person })),
  );
  const department_id = unique(cards.map((card) => card.department_id));
  const rows = await t.as('full').walk('listEmployees', { department_id, expand: 'person', limit: 1000 });
  const byNumber = new Map(rows.map((row) => [row.employee_number, row]));
  return numbered.map(({ employee_number: number }) => t.present(byNumber.get(number), 'a new employee is not listed'));
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * A new employee in draft, and one whom everybody sees. The draft is shown nowhere but in what the command prints, so
 * the rule is UNTESTED if it prints no ids.
 */
export async function draftAndOther(t: TestContext): Promise<[draft: string, other: string]> {
  const department_id = t.fixture('department_id');
  const person = { first_name: 'Черновик', last_name: 'Проверочный' };
  const employees = ['CREATED', 'EMPLOYEE_STATUS_ACTIVE'].map((status, nth) => ({
    department_id,
    status,
    employee_number: `D-${t.run_id}-${nth}`,
  }));
  const said = await applyChanges(
    t,
    'made',
    employees.map((employee) => ({ op: 'create', employee, person })),
  );
  const [draft, other] = said.match(ID) ?? [];
  if (draft === undefined || other === undefined)
    t.untested('no_such_data', 'apply_employee_changes does not print the ids of the employees that it creates');
  return [draft, other];
}

/** Sends what a target may refuse by closing the connection, as before a whole body was sent. @returns undefined then */
export async function orClosed(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NoAnswer && error.code !== 'TIMEOUT') return undefined;
    throw error;
  }
}

/**
 * Sends a request and changes something after the first half of its body was sent, which is there long before the
 * change is made.
 * @param send gets what is to be called halfway
 */
export async function whileBodyArrives(
  t: TestContext,
  change: () => Promise<unknown>,
  send: (halfway: () => Promise<unknown>) => Promise<Answer>,
): Promise<Answer> {
  let changed: Promise<unknown> = Promise.resolve();
  await t.mayWrite();
  const answer = await send(() => {
    changed = change();
    return changed;
  });
  await changed;
  if (answer.status === 408)
    t.untested(
      'not_exercised',
      `the change took too long: the request was given up after ${Math.round(answer.tookMs)} ms`,
    );
  return answer;
}

/** Sends what must be answered with one of these statuses, or with the end of the connection. */
export async function mustAnswerOrClose(
  t: TestContext,
  what: string,
  statuses: readonly number[],
  send: () => Promise<Answer>,
): Promise<void> {
  const answer = await orClosed(send);
  const isRight = answer === undefined || statuses.includes(answer.status);
  t.check(isRight, `${what}: expected ${statuses.join(', ')} or a close, got ${answer?.brief}`, answer);
}
