/** Faults that the rules of parameter-forms.rules.ts must catch: for each parameter what is refused and taken wrongly. */
import { errors } from '../../generated/errors.ts';
import type { OperationId } from '../../generated/operations.ts';
import { headerOf } from '../http/exchange.ts';
import { OUTSIDE } from '../judge/readers.ts';
import {
  accepts,
  denies,
  failing,
  isFor,
  mistaken,
  namedBy,
  put,
  reasonOf,
  refusals,
  status,
} from '../mutation/alter.ts';
import { freshKey } from '../mutation/alter-ingest.ts';
import { lenient } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import {
  type Fault,
  type FaultRows,
  faultsFor,
  faultsOf,
  type ProxiedAnswer,
  type ProxiedRequest,
} from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { NO_SUCH_PARAMETER } from './shared/calls.ts';
import { contractInputs, type InputParameter } from './shared/contract-inputs.ts';

const isOf = (name: string, parameter: string) => name === parameter || /^[.[]/.test(name.slice(parameter.length));

const valuesOf = (asked: ProxiedRequest, name: string) => new URLSearchParams(asked.target.split('?')[1]).getAll(name);

function queryFaults(operation: OperationId, { name, schema }: InputParameter): FaultRows {
  const values = (asked: ProxiedRequest) => valuesOf(asked, name);
  /** Taken where nothing but this parameter is wrong. */
  const taken = (when: (asked: ProxiedRequest) => boolean) =>
    accepts(
      operation,
      (answer, asked) => answer.status === 400 && namedBy(answer).every((one) => isOf(one, name)) && when(asked),
    );
  const isFree = schema.types.join() === 'string' && !schema.values && !schema.format && !schema.minLength;
  const last = schema.values?.at(-1);
  return {
    'parameter-brackets': ['brackets are read', taken((asked) => /\[|%5B/.test(asked.target))],
    'parameter-twice': ['however many values are taken', taken((asked) => values(asked).length > 1)],
    ...(!isFree && {
      'parameter-empty': [
        'an empty value counts as absent',
        taken((asked) => values(asked).join() === '' && values(asked).length > 0),
      ],
      'parameter-form': ['any form is taken', taken((asked) => values(asked).length === 1 && values(asked)[0] !== '')],
    }),
    ...(schema.format === 'date-time' && {
      'parameter-outside': [
        'an instant that not every reader holds is taken',
        taken((asked) => values(asked).some((one) => OUTSIDE['date-time']?.includes(one))),
      ],
    }),
    ...(last !== undefined && {
      'parameter-value': [
        `${last} is refused`,
        denies((asked) => asked.operation === operation && values(asked).includes(last), 'INVALID_ARGUMENT', name),
      ],
    }),
  };
}

const isAbsence = (answer: ProxiedAnswer): boolean => /(?<!^PATH)_NOT_FOUND$/.test(reasonOf(answer) ?? '');

const idFaults = (operation: OperationId): FaultRows => ({
  'id-taken': ['one that nothing has is taken', accepts(operation, isAbsence)],
  'id-otherwise': [
    'one that nothing has is answered otherwise',
    failing((answer, asked) => asked.operation === operation && isAbsence(answer), 'PATH_NOT_FOUND'),
  ],
  'id-capitals': [
    'capitals are not known',
    denies(
      (asked) =>
        asked.operation === operation && /[A-F0-9]{8}-[A-F0-9]{4}-/.test(asked.target) && /[A-F]/.test(asked.target),
      'INVALID_ARGUMENT',
      'id',
    ),
  ],
});

const { reason: MISSING } = errors.IDEMPOTENCY_KEY_MISSING;

const headerFaults = (operation: OperationId, { required }: InputParameter): FaultRows => ({
  'key-form': ['any is taken', accepts(operation, (answer) => namedBy(answer).includes('Idempotency-Key'))],
  ...(required && {
    'key-optional': ['it may be missing', accepts(operation, isFor(MISSING))],
    'key-missing': ['a missing one is reported as a wrong one', mistaken(MISSING, 'INVALID_ARGUMENT', operation)],
  }),
  'key-long': [
    'a long one is refused',
    denies(
      (asked) => asked.operation === operation && (headerOf(asked, 'idempotency-key')?.length ?? 0) > 200,
      'INVALID_ARGUMENT',
      'Idempotency-Key',
    ),
  ],
});

const strangeFaults = (operation: OperationId): FaultRows => ({
  strange: [
    'overlooks parameters that it does not have',
    accepts(operation, (answer) => namedBy(answer).includes(NO_SUCH_PARAMETER)),
  ],
  unnamed: [
    'does not name the parameter that it does not have',
    refusals('INVALID_ARGUMENT', put('details[].field_violations[].field', 'query')),
  ],
});

const idOfRule = (place: string): string =>
  rules.find((one) => one.family === 'form of a parameter' && one.place === place && one.check !== undefined)?.id ?? '';

/** A value of updated_since that is read as another one. */
const sinceAs = (pattern: RegExp, as: string) => changedQueryValue('updated_since', (at) => at.replace(pattern, as));

/** What readers of instants, names and booleans are lenient in. */
const ofReaders = faultsOf({
  'EMP-20': {
    'emp-since-raw-plus': ['a blank in the zone is read as a plus', sinceAs(/ (?=\d\d:)/, '+')],
    'emp-since-day': ['a day alone is an instant', sinceAs(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00Z')],
    'emp-since-no-zone': ['an instant without a zone is one of UTC', sinceAs(/T\d\d:\d\d:\d\d(\.\d+)?$/, '$&Z')],
    'emp-since-epoch': ['seconds since 1970 are an instant', sinceAs(/^\d{9,13}$/, '2001-01-01T00:00:00Z')],
    'emp-since-30th-of-february': ['a day that does not exist is the next one', sinceAs(/-02-(29|30|31)T/, '-03-01T')],
    'emp-since-malformed': ['a malformed updated_since does nothing', lenient(/updated_since/)],
  },
  'EMP-29': {
    'emp-unknown-expand': ['an unknown expansion is overlooked', lenient(/expand=/)],
    'emp-nested-expand': ['a nested expansion is overlooked', lenient(/expand=\w+(\.|%2F|%5B)/)],
  },
  'EMP-51': {
    'emp-unknown-is-403': [
      'an unknown id is refused for lack of a scope',
      mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT'),
    ],
  },
  'DREAD-20': {
    'read-odd-id-500': ['an odd id is answered 500', status(500, ({ status: code }) => code === 404 || code === 400)],
  },
  'ERR-12': {
    'ing-key-any': ['a malformed Idempotency-Key of a batch is overlooked', freshKey],
  },
  'EMP-37': {
    'emp-total-any-case': [
      'include_total counts in any case',
      changedQueryValue('include_total', (value) => value.toLowerCase()),
    ],
    'emp-odd-boolean': ['include_total=1 is taken for true', lenient(/include_total=/)],
  },
});

const ofParameter = (operation: OperationId, parameter: InputParameter): FaultRows => {
  if (parameter.place === 'query') return queryFaults(operation, parameter);
  return parameter.place === 'path' ? idFaults(operation) : headerFaults(operation, parameter);
};

export const faults: readonly Fault[] = [
  ...ofReaders,
  ...contractInputs.flatMap(({ operation: { operationId }, parameters }) => [
    ...faultsFor(
      idOfRule(operationId),
      strangeFaults(operationId),
      operationId,
      (kind) => `parameter-${kind}-${operationId}`,
    ),
    ...parameters.flatMap((parameter) => {
      const { name } = parameter;
      const rule = idOfRule(`${operationId}: ${name}`);
      const wrongs = rule === '' ? {} : ofParameter(operationId, parameter);
      return faultsFor(rule, wrongs, `${name} of ${operationId}:`, (kind) => `${kind}-${operationId}.${name}`);
    }),
  ]),
];
