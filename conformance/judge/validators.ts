/** The generated validators, under types that allow any operation to be looked up, and any value that the suite made. */
import type { OperationId } from '../../generated/contract.ts';
import type { Validate } from '../../generated/validators.d.ts';
import * as generated from '../../generated/validators.js';

export const validators: Readonly<
  Record<OperationId, { parameters: Validate; body: Validate | null; answer: Validate }>
> = generated.validators as never;

export const errorBody: Validate = generated.errorBody;
