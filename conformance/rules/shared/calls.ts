/** Requests that several sections use. */
import { writeFileSync } from 'node:fs';
import { type Operation, operations } from '../../../generated/operations.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Call } from '../../http/api.ts';
import { additionOf } from '../../http/capability.ts';

export const UNKNOWN_ID = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const all: readonly Operation[] = Object.values(operations);

/** Operations that the target claims to have. The rules about versions judge whether the others are absent. */
export const claimed = (t: TestContext): Operation[] =>
  all.filter(
    ({ operationId }) => t.profile.capabilities.includes(additionOf(operationId) ?? '') || !additionOf(operationId),
  );
export const reads = (t: TestContext): Operation[] => claimed(t).filter(({ method }) => method === 'get');
export const writes = (t: TestContext): Operation[] => claimed(t).filter(({ body }) => body !== 'none');

/** A request that addresses the operation correctly and would change nothing even if it were let in. */
export function callOf(operation: Operation, id = UNKNOWN_ID): Call {
  const path = operation.path.replace('{source_type}', 'KEDO').replace(/\{[^}]+\}/g, id);
  const call: Call = { method: operation.method.toUpperCase(), path, absolute: true };
  if (operation.idempotency === 'required') call.headers = { 'Idempotency-Key': `none-${id}` };
  if (operation.body !== 'none') call.body = { no_such_field: true };
  return call;
}

/** Every employee status that a list can show. */
export const statuses = [
  'EMPLOYEE_STATUS_HIRED',
  'EMPLOYEE_STATUS_ACCEPTED',
  'EMPLOYEE_STATUS_ONBOARDING',
  'EMPLOYEE_STATUS_ACTIVE',
  'EMPLOYEE_STATUS_TERMINATED',
  'EMPLOYEE_STATUS_LEAVE',
  'EMPLOYEE_STATUS_ON_HOLD',
];

/**
 * Changes employees by the admin command.
 * @param name part of the file's name, to distinguish the calls of a rule
 * @returns what the command printed
 */
export async function applyChanges(t: TestContext, name: string, changes: readonly object[]): Promise<string> {
  if (changes.length === 0) return '';
  const file = t.path(`changes-${t.rule.id}-${name}.jsonl`);
  writeFileSync(file, jsonLines(changes));
  return t.admin('apply_employee_changes', { file });
}

/** Every element once, in the order of first appearance. */
export const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Limits that are not a plain decimal integer from 1 to 2147483647, as query strings. */
export const oddLimits: readonly string[] = [
  ...['0', '-1', '2147483648', '1e2', '0x10', '%205', '5%20', '%2B5', '+5', '05', '1.0', '5.5', 'NaN', ''].map(
    (v) => `limit=${v}`,
  ),
  ...['100000000000000000000', 'abc', 'Infinity', '%D9%A5', '5%00', '5,5', 'null', '1_000', '１'].map(
    (v) => `limit=${v === '１' ? encodeURIComponent(v) : v}`,
  ),
  'limit=5&limit=5',
  'limit=5&limit=6',
  'limit[]=5',
  'limit%5B%5D=5',
  'limit[$gt]=1',
  'limit',
];

/** JSON lines for the admin command that changes employees. */
export const jsonLines = (changes: readonly object[]): string =>
  changes.map((change) => `${JSON.stringify(change)}\n`).join('');

/** Deletes employees, all in one change. */
export const deleteEmployees = (t: TestContext, ids: readonly string[]): Promise<string> =>
  applyChanges(
    t,
    'delete',
    ids.map((id) => ({ op: 'delete', id })),
  );

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
    employee_number: `D-${t.run.run_id}-${nth}`,
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
