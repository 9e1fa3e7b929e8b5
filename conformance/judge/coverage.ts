/** How much of the contract a run exercised: for each operation its inputs, and the statuses and properties of its answers. */
import { enumerations, type OperationId, operations } from '../../generated/contract.ts';
import type { Values } from '../profile/values.ts';
import { answerOf, contractInputs, type InputSchema, type SchemaField } from '../rules/shared/contract-inputs.ts';
import { expectedError } from './contract.ts';
import { pathOf, type Sighting } from './contract-coverage.ts';
import { type InputNames, valueName } from './inputs.ts';

/** What a run exercised of an operation. */
export interface OperationCoverage {
  operation: OperationId;
  method: string;
  path: string;
  /** Release that introduced the operation, such as 1.5.0. */
  since: string;
  /** Statuses that the contract documents for the operation. */
  documented: number[];
  /** How often each status was seen. */
  seen: Record<string, number>;
  /** Properties of a successful answer: how many the contract declares, and which were never seen. */
  properties: { declared: number; unseen: string[] };
  /**
   * Parameters, fields of the body and their values: how many the contract declares, and which no successful request
   * had. Absent in results of an earlier version of the suite.
   */
  inputs?: { declared: number; unsent: string[] };
  /** Errors that the contract lists for the operation: how many, and which were never seen. Absent as above. */
  errors?: { declared: number; unseen: string[] };
}

/** How much of one kind of thing in the contract a run has touched. */
export interface TouchedShare {
  kind: 'operations' | 'parameters' | 'fields of requests' | 'fields of answers' | 'values' | 'errors' | 'events';
  touched: number;
  declared: number;
}

/** The paths of fields and of what is below them: fields at any depth, also of each object that one may be, and values. */
const namesOf = (fields: readonly SchemaField[], at = ''): string[] =>
  fields.flatMap((field) => [pathOf(at, field.name), ...namesBelow(field.schema, pathOf(at, field.name))]);

const namesBelow = ({ values = [], items, fields, shapes }: InputSchema, at = ''): string[] => [
  ...values.map((value) => valueName(at, value)),
  ...(items ? namesBelow(items, `${at}[]`) : []),
  ...namesOf(fields, at),
  ...shapes.flatMap((shape) => namesBelow(shape, at)),
];

const isValue = (name: string): boolean => name.includes(' = ');

/** The inputs that the contract declares for each operation. */
export function declaredInputs(): InputNames {
  const inputs = contractInputs.map(({ operation, parameters, body }) => {
    const named = parameters.flatMap((one) => namesOf([one]).map((name) => `${one.place} ${name}`));
    const inBody = body ? namesBelow(body).map((name) => `body ${name}`) : [];
    return [operation.operationId, [...new Set([...named, ...inBody])]] as const;
  });
  return Object.fromEntries(inputs);
}

/** Joins what the rules of a run saw. */
export function coverageOf(sightings: readonly Sighting[], values: Values): OperationCoverage[] {
  const inputs = declaredInputs();
  return (Object.keys(operations) as OperationId[]).map((id) => {
    const { method, path, since, errors } = operations[id];
    const seen: Record<string, number> = {};
    for (const { operations: counts } of sightings)
      for (const [status, count] of Object.entries(counts[id] ?? {})) seen[status] = (seen[status] ?? 0) + count;
    const named = (kind: 'properties' | 'inputs' | 'errors') =>
      new Set(sightings.flatMap((sighting) => sighting[kind]?.[id] ?? []));
    const [paths, sent, refused] = [named('properties'), named('inputs'), named('errors')];
    const wanted = new Set(namesBelow(answerOf(id)).filter((name) => !isValue(name)));
    const taken = inputs[id] ?? [];
    const expected = errors.map((name) => expectedError(name, values));
    const statuses = new Set([200, ...expected.map(({ status }) => status)]);
    const unseen = expected.filter(({ status, code }) => !refused.has(`${status} ${code}`)).map(({ name }) => name);
    return {
      operation: id,
      method: method.toUpperCase(),
      path,
      since,
      documented: [...statuses].sort((a, b) => a - b),
      seen,
      properties: { declared: wanted.size, unseen: [...wanted].filter((one) => !paths.has(one)) },
      inputs: { declared: taken.length, unsent: taken.filter((one) => !sent.has(one)) },
      errors: { declared: errors.length, unseen },
    };
  });
}

/** How many operations were called. */
export const calledOf = (rows: readonly OperationCoverage[]): number =>
  rows.filter(({ seen }) => Object.keys(seen).length > 0).length;

/**
 * What share of the contract a run has touched. An input counts if a successful request had it.
 * @param events the types of the events that were delivered
 */
export function touchedShares(rows: readonly OperationCoverage[], events: ReadonlySet<string>): TouchedShare[] {
  const inputs = declaredInputs();
  const isParameter = (name: string) => !isValue(name) && !name.startsWith('body ');
  const isField = (name: string) => !isValue(name) && name.startsWith('body ');
  const share = (kind: TouchedShare['kind'], declared: number, missing: number): TouchedShare => ({
    kind,
    touched: declared - missing,
    declared,
  });
  const ofInputs = (kind: TouchedShare['kind'], isOf: (name: string) => boolean) => {
    const declared = rows.flatMap((row) => inputs[row.operation] ?? []);
    const unsent = rows.flatMap((row) => row.inputs?.unsent ?? []);
    return share(kind, declared.filter(isOf).length, unsent.filter(isOf).length);
  };
  const ofAnswers = (kind: TouchedShare['kind'], found: readonly OperationCoverage['properties'][]) =>
    share(
      kind,
      found.reduce((sum, { declared }) => sum + declared, 0),
      found.flatMap(({ unseen }) => unseen).length,
    );
  const types = Object.keys(enumerations.webhook_event_type);
  const properties = rows.map((row) => row.properties);
  const refusals = rows.flatMap((row) => row.errors ?? []);
  const called = calledOf(rows);
  return [
    share('operations', rows.length, rows.length - called),
    ofInputs('parameters', isParameter),
    ofInputs('fields of requests', isField),
    ofAnswers('fields of answers', properties),
    ofInputs('values', isValue),
    ofAnswers('errors', refusals),
    { kind: 'events', touched: types.filter((type) => events.has(type)).length, declared: types.length },
  ];
}

/** One line for people: `operations 21 of 21, parameters 40 of 41, …`. */
export const sharesText = (shares: readonly TouchedShare[]): string =>
  shares.map(({ kind, touched, declared }) => `${kind} ${touched} of ${declared}`).join(', ');
