/** Faults that the rules of body-forms.rules.ts must catch: for each field each way of taking what is wrong, and more. */
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../generated/operations.ts';
import { accepts, denies, parse, refusals, violationsOf } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor, type ProxiedRequest } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { type BodyField, contractInputs, type InputSchema } from './shared/contract-inputs.ts';
import { firstPlace, isWithin, NO_SUCH_FIELD, rightValues, valueAt, wrongValues } from './shared/input-values.ts';
import { PUBLIC_URL } from './shared/target-inputs.ts';

/** Fields of a creation whose right values are right only if what they name exists. */
const SOURCES = ['template_id', 'file_id', 'template_version'];

/** Wrong values of each kind are taken. */
const taken = (operationId: OperationId, path: string, schema: InputSchema): FaultRows =>
  Object.fromEntries(
    [...Map.groupBy(wrongValues(schema), ({ kind }) => kind)].map(([kind, values]) => {
      const isWrong = (asked: ProxiedRequest) =>
        values.some(({ value }) => isDeepStrictEqual(value, valueAt(parse(asked.body), path)));
      const alter = accepts(operationId, (answer, asked) => answer.status === 400 && isWrong(asked));
      return [kind.replaceAll(' ', '-'), [`wrong values are taken (${kind})`, alter] as const];
    }),
  );

const ofField = (operationId: OperationId, field: BodyField): Fault[] => {
  const { path, required } = field;
  const schema = path === 'url' ? { ...field.schema, example: PUBLIC_URL } : field.schema;
  const rule = rules.find(({ place, family }) => family === 'form of a field' && place === `${operationId}: ${path}`);
  if (rule === undefined) return [];
  const isAsked = (asked: ProxiedRequest, value: unknown) =>
    asked.operation === operationId && valueAt(parse(asked.body), path) === value;
  const last = rightValues(schema).findLast(({ value }) => typeof value !== 'object' || value === null);
  const isJudged =
    last !== undefined && !String(last.value).startsWith(UNKNOWN_ID.slice(0, 23)) && !SOURCES.includes(path);
  const wrongs: FaultRows = {
    ...taken(operationId, path, schema),
    ...(required && {
      missing: ['it may be missing', denies((asked) => isAsked(asked, undefined), 'INVALID_ARGUMENT', NO_SUCH_FIELD)],
    }),
    ...(isJudged && {
      refused: [
        `${last.what} is refused`,
        denies((asked) => isAsked(asked, last.value), 'INVALID_ARGUMENT', firstPlace(path)),
      ],
    }),
    blamed: [
      'the whole body is blamed',
      refusals('INVALID_ARGUMENT', (json) => {
        for (const one of violationsOf(json)) if (isWithin(one.field, firstPlace(path))) one.field = 'body';
      }),
    ],
  };
  const at = `${operationId}.${path.replaceAll('[]', '')}`;
  return faultsFor(rule.id, wrongs, `${path} of ${operationId}:`, (kind) => `form-${kind}-${at}`);
};

export const faults: readonly Fault[] = contractInputs.flatMap(({ operation, fields }) =>
  fields.flatMap((field) => ofField(operation.operationId, field)),
);
