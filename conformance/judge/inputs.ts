/**
 * What operations take, by name: parameters (`query department_id`), headers, fields of bodies (`body steps[].rule`),
 * and each value of an enumeration (`body steps[].rule = …`).
 */
import { type OperationId, operations } from '../../generated/contract.ts';
import { type Exchange, headerOf, requestJsonOf } from '../http/exchange.ts';
import { type OwnSpelling, ourValues } from '../profile/spelling.ts';

/** The names of inputs, by operation. */
export type InputNames = Readonly<Partial<Record<OperationId, readonly string[]>>>;

/** Larger bodies are sent for their size, and not for what is in them. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** The name of one value at a place; that of an item is named after its list. */
export const valueName = (at: string, value: string): string => `${at.replace(/\[\]$/, '')} = ${value}`;

/**
 * The inputs that the request of an operation has, in our spelling. What is empty or null does not count, because it is
 * the same as what is absent.
 * @param declared by the contract; nothing else is found
 * @param found what other requests had, to which it adds
 */
export function sentInputs(
  exchange: Exchange,
  declared: ReadonlySet<string>,
  spelling: OwnSpelling,
  found = new Set<string>(),
): Set<string> {
  const note = (at: string, value: unknown): void => {
    if (value === null || value === undefined || value === '' || !declared.has(at)) return;
    found.add(at);
    visit(value, at);
  };
  const visit = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      for (const name of ourValues(value, spelling).map((ours) => valueName(at, ours))) {
        if (declared.has(name)) found.add(name);
      }
    }
    if (Array.isArray(value)) for (const item of value) visit(item, `${at}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) note(at === 'body' ? `body ${name}` : `${at}.${name}`, child);
    }
  };
  const query = new URLSearchParams(exchange.target.split('?')[1]);
  for (const [name, value] of query) note(`query ${name}`, value);
  for (const { in: place, name } of exchange.operationId ? operations[exchange.operationId].parameters : []) {
    if (place === 'path') note(`path ${name}`, true);
    if (place === 'header') note(`header ${name}`, headerOf({ headers: exchange.requestHeaders }, name));
  }
  if ((exchange.requestBody?.length ?? 0) <= LARGEST_BODY) visit(requestJsonOf(exchange), 'body');
  return found;
}
