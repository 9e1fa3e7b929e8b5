import { asArray, asObject, asString, type Contract, ContractError, catalogueOf } from '../read.ts';
import { heading, literal, union } from './literal.ts';

/** The name of the page of the docs that explains an error. @param reason its textual code */
export const errorPage = (reason: string): string => `error-${reason.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

/**
 * The error catalogue, read from the named examples of the contract, in the contract's order.
 * @throws ContractError where an entry lacks a part that every error needs.
 */
function errorsOf(contract: Contract) {
  return catalogueOf(contract).map(([name, example]) => {
    const body = asObject(example.value);
    const reason = asString(asObject(asArray(body.details)[0]).reason);
    const httpStatus = example['x-http-status'];
    const rpcCode = body.code;
    const message = asString(body.message);
    if (typeof httpStatus !== 'number' || typeof rpcCode !== 'number' || reason === '' || message === '') {
      throw new ContractError(
        `components.examples.${name} must have a number x-http-status and a value with code (a number), message and details[0].reason.`,
      );
    }
    return { name, reason, rpcCode, httpStatus, message, page: errorPage(reason) };
  });
}

/** The text of generated/errors.ts. */
export function errorsModule(contract: Contract): string {
  const found = errorsOf(contract);
  const rows = found.map((error) => `  ${error.name}: ${literal(error, 1)},`);
  return `${heading('the catalogue of errors')}
export type ErrorName = ${union(found.map((error) => error.name))};

export interface CatalogueError {
  readonly name: ErrorName;
  /** The textual code, \`details[0].reason\` of the body. Two errors may share one. */
  readonly reason: string;
  /** Canonical gRPC number, \`code\` of the body. */
  readonly rpcCode: number;
  readonly httpStatus: number;
  readonly message: string;
  /** The name of its page in the docs. */
  readonly page: string;
}

export const errors: Readonly<Record<ErrorName, CatalogueError>> = {
${rows.join('\n')}
};
`;
}
