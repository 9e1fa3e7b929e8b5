import { type Contract, type ContractOperation, operationsOf } from '../read.ts';
import { capitalized, heading, union } from './literal.ts';
import { defaultedParameters, hasParameters, idempotencyOf } from './operations.ts';

/** The text of generated/handlers.ts: what a handler is given and what it answers, operation by operation. */
export function handlersModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const inputs = operations.map(
    (operation) =>
      `  ${operation.operationId}: {
    path: ${placeType(contract, operation, 'path')};
    query: ${placeType(contract, operation, 'query')};
    body: ${operation.request === undefined ? 'null' : `NonNullable<${dataType(operation)}['body']>`};
  };`,
  );
  const answers = operations.map(({ operationId, answer }) => {
    const type = answer === undefined ? 'None' : `${capitalized(operationId)}Responses[200]`;
    return `  ${operationId}: ${type};`;
  });
  const keyed = operations.flatMap((operation) => {
    const need = idempotencyOf(operation);
    return need === null ? [] : [`  ${operation.operationId}: '${need}';`];
  });
  const types = [...inputs, ...answers].join('\n');
  const used = new Set(types.match(/\w+(?:Data|Responses)(?=\[)/g));
  const withDefaults = types.includes('WithDefaults<') ? DEFAULTED : '';
  return `${heading('what handlers are given and what they answer')}
import type {
${[...used]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
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

const dataType = ({ operationId }: ContractOperation): string => `${capitalized(operationId)}Data`;

function placeType(contract: Contract, operation: ContractOperation, place: 'path' | 'query'): string {
  if (!hasParameters(operation, place)) return 'None';
  const type = `NonNullable<${dataType(operation)}['${place}']>`;
  const names = defaultedParameters(contract, operation, place);
  return names.length === 0 ? type : `WithDefaults<${type}, ${union(names).trim()}>`;
}
