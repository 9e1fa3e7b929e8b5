/** Faults that the rules of gates.rules.ts must catch: for each operation a gate that is open, or that comes too late. */
import { type ErrorName, errors } from '../../generated/errors.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { accepts, answers, failing, isFor, keyOf, madeError, mistaken, reasonOf } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor, type ProxiedRequest } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { NO_SUCH_PARAMETER } from './shared/calls.ts';

const membersOf = (family: string) =>
  rules.flatMap((rule) => (rule.family === family ? [{ rule: rule.id, operation: rule.place as OperationId }] : []));

/** A gate that is open for an operation, and one that is looked at after what else is wrong with the request. */
const open = (family: string, name: ErrorName) =>
  membersOf(family).flatMap(({ rule, operation }): Fault[] => {
    const { reason } = errors[name];
    if (family === 'scope' && operations[operation].scope === null) return [];
    const isBroken = (asked: ProxiedRequest) =>
      asked.operation === operation && asked.target.includes(NO_SUCH_PARAMETER);
    const wrongs: FaultRows = {
      open: ['is open', accepts(operation, isFor(reason))],
      late: [`judges the request before the ${family}`, mistaken(reason, 'INVALID_ARGUMENT', isBroken)],
    };
    return faultsFor(rule, wrongs, operation, (wrong) => `${family}-${wrong}-${operation}`);
  });

const { reason: LACKING } = errors.SCOPE_INSUFFICIENT;

const wrongScope = (operation: OperationId): FaultRows =>
  operations[operation].scope === null
    ? { needed: ['needs a scope', async () => madeError('SCOPE_INSUFFICIENT')] }
    : {
        alone: [
          'is refused with its scope alone',
          async (asked, forward, memory) =>
            asked.operation !== operation || [memory.key('full'), memory.key('no_scope')].includes(keyOf(asked) ?? '')
              ? forward(asked)
              : madeError('SCOPE_INSUFFICIENT'),
        ],
        any: [
          'is open to a key with any scope',
          failing(
            (answer, asked, memory) => reasonOf(answer) === LACKING && keyOf(asked) !== memory.key('no_scope'),
            'INVALID_ARGUMENT',
          ),
        ],
        named: [
          'names another scope in its refusal',
          answers(
            operation,
            (json) => {
              json.details[0].metadata = { required_scope: 'employees:write' };
            },
            isFor(LACKING),
          ),
        ],
      };

export const faults: readonly Fault[] = [
  ...open('key', 'API_KEY_INVALID'),
  ...open('flag', 'FEATURE_FLAG_OFF'),
  ...open('scope', 'SCOPE_INSUFFICIENT'),
  ...membersOf('scope').flatMap(({ rule, operation }) =>
    faultsFor(rule, wrongScope(operation), operation, (wrong) => `scope-${wrong}-${operation}`),
  ),
];
