/** What exchanges showed of the contract: names of operations, statuses, inputs and properties, never other values. */
import type { OperationId } from '../../generated/contract.ts';
import { type Exchange, jsonOf } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';
import { codeOf } from './contract.ts';
import { type InputNames, sentInputs } from './inputs.ts';

/** How often each operation gave each status: `{ listEmployees: { "200": 3 } }`. */
export type StatusCounts = Record<string, Record<string, number>>;

/** What the exchanges of a rule showed, as far as no rule before it has. */
export interface Sighting {
  rule: string;
  operations: StatusCounts;
  /** Paths of properties in successful answers, such as `employees[].department.id`, by operation. */
  properties: Record<string, string[]>;
  /** Statuses and codes of errors, such as `404 EMPLOYEE_NOT_FOUND`, by operation. */
  errors?: Record<string, string[]>;
  /** What requests that were answered with success had of the operation's inputs, by operation. */
  inputs: Record<string, string[]>;
}

/** The path of a property of what is at a path. */
export const pathOf = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** The paths of all properties below a value. */
function propertyPaths(value: unknown, found: Set<string> = new Set(), at = ''): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) {
    for (const one of value) propertyPaths(one, found, `${at}[]`);
    return found;
  }
  for (const [name, child] of Object.entries(value)) {
    const path = pathOf(at, name);
    found.add(path);
    propertyPaths(child, found, path);
  }
  return found;
}

/** Collects what the exchanges of one rule showed. */
export class SeenValues {
  readonly operations: StatusCounts = {};
  readonly #declared: InputNames;
  readonly #values: Values;
  readonly #errors = new Map<OperationId, Set<string>>();
  readonly #properties = new Map<OperationId, Set<string>>();
  readonly #inputs = new Map<OperationId, Set<string>>();

  /** @param declared the inputs of the contract */
  constructor(declared: InputNames, values: Values) {
    this.#declared = declared;
    this.#values = values;
  }

  /** Notes what an exchange shows. */
  note(exchange: Exchange): void {
    const { operationId, status } = exchange;
    if (operationId === undefined) return;
    const counts = this.operations[operationId] ?? {};
    this.operations[operationId] = counts;
    counts[status] = (counts[status] ?? 0) + 1;
    if (status >= 400) {
      const known = this.#errors.get(operationId) ?? new Set();
      this.#errors.set(operationId, known.add(`${status} ${codeOf(exchange, this.#values)}`));
    }
    if (status !== 200) return;
    this.#properties.set(operationId, propertyPaths(jsonOf(exchange), this.#properties.get(operationId)));
    const declared = new Set(this.#declared[operationId]);
    this.#inputs.set(operationId, sentInputs(exchange, declared, this.#values, this.#inputs.get(operationId)));
  }

  /** What no rule before this one showed. @param known what those showed; new names are added */
  firstSeen(rule: string, known: Set<string>): Sighting {
    const fresh = (what: string, all: ReadonlyMap<OperationId, ReadonlySet<string>>) =>
      [...all].flatMap(([operationId, names]) => {
        const first = [...names].filter((name) => !known.has(`${what} ${operationId} ${name}`));
        for (const name of first) known.add(`${what} ${operationId} ${name}`);
        return first.length > 0 ? [[operationId, first] as const] : [];
      });
    const properties = Object.fromEntries(fresh('property', this.#properties));
    const inputs = Object.fromEntries(fresh('input', this.#inputs));
    const errors = Object.fromEntries(fresh('error', this.#errors));
    return { rule, operations: this.operations, properties, inputs, errors };
  }
}
