/** What exchanges showed of the contract: names of operations, statuses and properties, never a value. */
import type { OperationId } from '../../generated/operations.ts';
import { type Exchange, jsonOf } from '../http/exchange.ts';

/** How often each operation gave each status: `{ listEmployees: { "200": 3 } }`. */
export type StatusCounts = Record<string, Record<string, number>>;

export interface Sighting {
  rule: string;
  operations: StatusCounts;
  /** Paths of properties in successful answers, such as `employees[].department.id`, by operation. */
  properties: Record<string, string[]>;
}

/** The paths of all properties below a value. */
export function propertyPaths(value: unknown, found: Set<string> = new Set(), at = ''): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) {
    for (const one of value) propertyPaths(one, found, `${at}[]`);
    return found;
  }
  for (const [name, child] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`;
    found.add(path);
    propertyPaths(child, found, path);
  }
  return found;
}

/** Collects what the exchanges of one rule showed. */
export class SeenValues {
  readonly operations: StatusCounts = {};
  readonly #properties = new Map<OperationId, Set<string>>();

  note(exchange: Exchange): void {
    const { operationId, status } = exchange;
    if (operationId === undefined) return;
    let counts = this.operations[operationId];
    if (!counts) {
      counts = {};
      this.operations[operationId] = counts;
    }
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 200)
      this.#properties.set(operationId, propertyPaths(jsonOf(exchange), this.#properties.get(operationId)));
  }

  /** @param known paths that this process has reported before, as `operation path`; new ones are added */
  firstSeen(rule: string, known: Set<string>): Sighting {
    const properties: Record<string, string[]> = {};
    for (const [operationId, paths] of this.#properties) {
      const fresh = [...paths].filter((path) => !known.has(`${operationId} ${path}`));
      for (const path of fresh) known.add(`${operationId} ${path}`);
      if (fresh.length > 0) properties[operationId] = fresh;
    }
    return { rule, operations: this.operations, properties };
  }
}
