/** The body of a request from a file: read and refused as the service does it. */
import { type OperationId, operations } from '../../../generated/contract.ts';
import { validators, type WalkedValue } from '../../../generated/validators.js';
import { ApiError, refuseIfAny } from '../../../handlers/answers/errors.ts';
import { readJson } from '../../../handlers/http/json-body.ts';
import { bodyViolations } from '../../../handlers/http/violations.ts';
import { refuse } from '../../kit/command-line.ts';

/** Reads the body of an operation. @throws ApiError as the answer would say it */
export async function requestBody(operationId: OperationId, bytes: Buffer): Promise<WalkedValue> {
  const operation = operations[operationId];
  const { value, wrong } = await readJson(bytes, operation);
  const isValid = validators[operationId].body;
  if (isValid !== null && !isValid(value)) wrong.push(...bodyViolations(isValid.errors, operation.bodyFields));
  refuseIfAny(wrong);
  return value;
}

/** Does work that the service may refuse. @throws Failure with all that its answer would name */
export async function asAnswered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, extras } = error;
    const [, ...others] = (extras.violations ?? []).map(({ field, description }) => `${field} ${description}.`);
    return refuse(['The service would refuse it:', message, ...others].join('\n  '));
  }
}
