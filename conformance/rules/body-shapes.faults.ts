/** Faults that the rules of body-shapes.rules.ts must catch. */
import { errors } from '../../generated/errors.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { accepts, bodies, drop, everything, failing, heads, setHeader } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor, type ProxiedAnswer, type ProxiedRequest } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { contractInputs } from './shared/contract-inputs.ts';

const statusOf = (name: 'UNSUPPORTED_MEDIA_TYPE' | 'REQUEST_TOO_LARGE') => errors[name].httpStatus;

/** The limit on most bodies; a body that may be larger is not sent for its size alone. */
const LIMIT = operations.createDocument.bodyLimitBytes;

const ofBody = (rule: string, operation: OperationId): Fault[] =>
  faultsFor(
    rule,
    {
      'any-type': [
        'takes a body of any media type',
        accepts(operation, ({ status }) => status === statusOf('UNSUPPORTED_MEDIA_TYPE')),
      ],
      array: [
        'takes an array for an object',
        accepts(operation, ({ status }, asked) => status === 400 && asked.body.toString().startsWith('[')),
      ],
      nothing: [
        'treats no body otherwise',
        failing(
          (_answer, asked) => asked.operation === operation && asked.body.length === 0,
          operations[operation].body === 'required' ? 'INTERNAL' : 'INVALID_ARGUMENT',
        ),
      ],
      ...(operations[operation].bodyLimitBytes <= LIMIT && {
        'any-size': [
          'takes a body of any size',
          accepts(operation, ({ status }) => status === statusOf('REQUEST_TOO_LARGE')),
        ],
      }),
      'own-fields': [
        'overlooks fields that only the service decides',
        bodies(operation, drop('id', 'status', 'tenant_id', 'create_time')),
      ],
    },
    operation,
    (name) => `body-${name}-${operation}`,
  );

const ofPath = (rule: string, path: string): Fault[] => {
  const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/?]+')}$`);
  const isRefused = (answer: ProxiedAnswer, { target }: ProxiedRequest) =>
    answer.status === 405 && pattern.test(target);
  const allow = (value?: string) => heads(everything, (answer) => setHeader(answer, 'Allow', value), isRefused);
  const wrongs: FaultRows = {
    'allow-missing': ['has no Allow', allow()],
    'allow-more': ['names a method in Allow that it does not have', allow('GET, HEAD, POST, DELETE, PATCH')],
    'method-unknown': ['is 404 with a method that it does not have', failing(isRefused, 'PATH_NOT_FOUND')],
  };
  return faultsFor(rule, wrongs, path, (name) => `${name}-${path}`);
};

export const faults: readonly Fault[] = contractInputs.flatMap(({ operation, body }) => {
  const of = (family: string) =>
    rules.find((rule) => rule.family === family && rule.place.split(', ')[0] === operation.operationId);
  const [shape, methods] = [of('form of a body'), of('methods of a path')];
  return [
    ...(body === undefined || shape === undefined ? [] : ofBody(shape.id, operation.operationId)),
    ...(methods === undefined ? [] : ofPath(methods.id, operation.path)),
  ];
});
