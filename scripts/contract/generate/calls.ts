/** What the client calls each operation, and what it must know of it. */
import type { ContractOperation } from '../read.ts';
import { idempotencyOf } from './operations.ts';

/** How an operation is called. Every client carries this, so it says nothing twice. */
export const callOf = (operation: ContractOperation) => ({
  method: operation.method.toUpperCase(),
  path: operation.path,
  ...(idempotencyOf(operation) !== null && { takesIdempotencyKey: true }),
});

/** Where a client offers an operation: the tag, and what its operationId says besides the tag. */
export function methodOf(operation: ContractOperation) {
  const resource = camelCase(operation.tag);
  return { resource, name: nameIn(resource, operation.operationId) };
}

/** What an operationId says besides the resource: `setDocumentRoute` of `documents` is `setRoute`. */
function nameIn(resource: string, operationId: string): string {
  const [first = '', ...rest] = operationId.split(/(?=[A-Z])/);
  const words = [first, ...rest]
    .join(' ')
    .replace(new RegExp(`(${inWords(resource)}|${inWords(singular(resource))})\\b ?`, 'i'), '');
  const [name = '', ...more] = words.trim().split(' ');
  return name.toLowerCase() + more.join('');
}

/** `document_types` as `documentTypes`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `employees` as `employee`, `categories` as `category`. */
export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

function inWords(name: string): string {
  return name.split(/(?=[A-Z])/).join(' ');
}
