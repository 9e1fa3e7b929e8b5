import { type Contract, type ContractOperation, jsonSchemaOf, operationsOf } from '../read.ts';
import { heading, union } from './literal.ts';
import { defaultedParameters, hasParameters, idempotencyOf } from './operations.ts';

/** The text of generated/handlers.ts: what a handler is given and what it answers, operation by operation. */
export function handlersModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const inputs = operations.map(
    (operation) =>
      `  ${operation.operationId}: {
    path: ${placeType(contract, operation, 'path')};
    query: ${placeType(contract, operation, 'query')};
    body: ${bodyType(operation)};
  };`,
  );
  const answers = operations.map((operation) => `  ${operation.operationId}: ${answerType(contract, operation)};`);
  const keyed = operations.flatMap((operation) => {
    const need = idempotencyOf(operation);
    return need === null ? [] : [`  ${operation.operationId}: '${need}';`];
  });
  const used = operations.flatMap((operation) => importsOf(contract, operation)).sort();
  const withDefaults = inputs.some((text) => text.includes('WithDefaults<')) ? DEFAULTED : '';
  return `${heading('what handlers are given and what they answer')}
import type {
${used.map((name) => `  ${name},`).join('\n')}
} from './client/types.gen.ts';

/** An operation without parameters at that place. */
export type None = Record<string, never>;
${withDefaults}
/**
 * What was read and judged valid, by operationId. Parameters with a default are always there; of a body nothing was filled in, and \`null\`
 * stands for an operation that takes none.
 */
export interface Inputs {
${inputs.join('\n')}
}

/** The operations that take an Idempotency-Key. */
export interface KeyedOperations {
${keyed.join('\n')}
}

/** The body of the answer 200, by operationId. */
export interface Answers {
${answers.join('\n')}
}
`;
}

const DEFAULTED = `
/** T in which the parameters K were filled in. */
type WithDefaults<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;
`;

function typeName(operation: ContractOperation): string {
  return operation.operationId.slice(0, 1).toUpperCase() + operation.operationId.slice(1);
}

function placeType(contract: Contract, operation: ContractOperation, place: 'path' | 'query'): string {
  if (!hasParameters(operation, place)) return 'None';
  const type = `NonNullable<${typeName(operation)}Data['${place}']>`;
  const names = defaultedParameters(contract, operation, place);
  return names.length === 0 ? type : `WithDefaults<${type}, ${union(names).trim()}>`;
}

function bodyType(operation: ContractOperation): string {
  return operation.source.requestBody === undefined ? 'null' : `NonNullable<${typeName(operation)}Data['body']>`;
}

function answerType(contract: Contract, operation: ContractOperation): string {
  return hasAnswer(contract, operation) ? `${typeName(operation)}Responses[200]` : 'None';
}

function hasAnswer(contract: Contract, operation: ContractOperation): boolean {
  const responses = operation.source.responses;
  const answer =
    typeof responses === 'object' && responses !== null && !Array.isArray(responses) ? responses['200'] : undefined;
  return answer !== undefined && jsonSchemaOf(contract, answer) !== undefined;
}

function importsOf(contract: Contract, operation: ContractOperation): string[] {
  const data =
    operation.source.requestBody !== undefined || hasParameters(operation, 'path') || hasParameters(operation, 'query');
  return [
    ...(data ? [`${typeName(operation)}Data`] : []),
    ...(hasAnswer(contract, operation) ? [`${typeName(operation)}Responses`] : []),
  ];
}
