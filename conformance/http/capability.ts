/** Whether the target has an operation at all, and what its absence means for a rule that needs it. */
import { type OperationId, operations } from '../../generated/contract.ts';
import { isNotBuilt, isOneOf } from '../judge/contract.ts';
import { RuleSkipped, RuleUntested, Violation } from '../judge/outcome.ts';
import type { Capability } from '../profile/profile.ts';
import type { Values } from '../profile/values.ts';
import type { Exchange } from './exchange.ts';

/** The addition that introduced the operation, such as `1.5`; undefined for an operation that every target has. */
export function additionOf(operationId: OperationId): Capability | undefined {
  const release = operations[operationId].since.replace(/\.0$/, '');
  return release === '1.0' ? undefined : (release as Capability);
}

/** Whether an answer shows that the target lacks an operation of an addition: it is not built, or its path or method is unknown. */
export function showsAbsence(exchange: Exchange, operationId: OperationId, values: Values): boolean {
  if (additionOf(operationId) === undefined) return false;
  if (isNotBuilt(exchange, values)) return true;
  // A target may use the same code for unknown paths and unknown things. Then the answer proves nothing.
  if (isOneOf(exchange, operations[operationId].errors, values)) return false;
  return isOneOf(exchange, ['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'], values);
}

/**
 * What a rule throws when an operation that it needs is absent. If the profile claims the operation's addition, this is
 * a violation; if it does not, the rule does not apply. An operation that every target has is not built yet.
 */
export function absence(
  operationId: OperationId,
  capabilities: readonly string[],
  answered: string,
): Violation | RuleSkipped | RuleUntested {
  const addition = additionOf(operationId);
  if (addition === undefined) return new RuleUntested('operation_not_built', `${operationId} answers ${answered}`);
  if (capabilities.includes(addition))
    return new Violation(`the profile claims ${addition}, but ${operationId} is absent: it answers ${answered}`);
  return new RuleSkipped(
    `${addition} is not claimed, and ${operationId} is absent (${answered})`,
    'capability_not_claimed',
  );
}
