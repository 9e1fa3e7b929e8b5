/** How much of the contract a run exercised: for each operation its inputs, and the statuses and properties of its answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Values } from '../profile/values.ts';
import { expectedError } from './contract.ts';
import { type InputNames, valueName } from './inputs.ts';
import type { Sighting } from './seen.ts';

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
}

interface Schema {
  $ref?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const DEEPEST = 12;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

type Schemas = Readonly<Record<string, Schema>>;

/**
 * The paths of the properties that a schema declares; a recursive schema is followed once.
 * @param onValue is called for each value of an enumeration, with its path
 */
export function declaredPaths(
  schema: Schema,
  schemas: Schemas,
  onValue: (at: string, value: string) => void = () => {},
): Set<string> {
  const found = new Set<string>();
  const visit = (node: Schema, at: string, within: readonly string[]): void => {
    if (within.length > DEEPEST) return;
    if (node.$ref !== undefined) {
      const name = nameOf(node.$ref);
      const next = schemas[name];
      if (next && !within.includes(name)) visit(next, at, [...within, name]);
    }
    for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) visit(part, at, within);
    // An empty text stands for an absent one.
    for (const value of node.enum ?? []) if (typeof value === 'string' && value !== '') onValue(at, value);
    if (node.items) visit(node.items, `${at}[]`, within);
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const path = at === '' ? name : `${at}.${name}`;
      found.add(path);
      visit(child, path, within);
    }
  };
  visit(schema, '', []);
  return found;
}

interface Media {
  content?: Record<string, { schema?: Schema }>;
}

interface ContractParameter {
  in: string;
  name: string;
  schema: Schema;
}

interface Contract {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: (ContractParameter & { $ref?: string })[]; requestBody?: Media; responses?: Record<string, Media> }
    >
  >;
  components: { schemas: Schemas; parameters?: Record<string, ContractParameter> };
}

let read: Contract | undefined;

function contract(): Contract {
  read ??= parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as Contract;
  return read;
}

function declaredOf(id: OperationId) {
  const { path, method } = operations[id];
  return contract().paths[path]?.[method];
}

const schemaOf = (media: Media | undefined): Schema => media?.content?.['application/json']?.schema ?? {};

/** Declared properties of the successful answer of an operation. */
const declaredProperties = (id: OperationId): Set<string> =>
  declaredPaths(schemaOf(declaredOf(id)?.responses?.['200']), contract().components.schemas);

/** The inputs that the contract declares for each operation. */
export function declaredInputs(): InputNames {
  const { schemas, parameters: components = {} } = contract().components;
  const namesIn = (place: string, schema: Schema): string[] => {
    const values: string[] = [];
    const paths = declaredPaths(schema, schemas, (at, value) => values.push(valueName(at, value)));
    return [...paths, ...values].map((name) => `${place} ${name}`);
  };
  const inputsOf = (id: OperationId): string[] => {
    const { parameters = [], requestBody } = declaredOf(id) ?? {};
    const resolved = parameters.flatMap(({ $ref, ...own }) => ($ref ? (components[nameOf($ref)] ?? []) : own));
    const named = resolved.flatMap(({ in: place, name, schema }) => namesIn(place, { properties: { [name]: schema } }));
    return [...new Set([...named, ...namesIn('body', schemaOf(requestBody))])];
  };
  return Object.fromEntries((Object.keys(operations) as OperationId[]).map((id) => [id, inputsOf(id)]));
}

/** Joins what the rules of a run saw. */
export function coverageOf(sightings: readonly Sighting[], values: Values): OperationCoverage[] {
  const inputs = declaredInputs();
  return (Object.keys(operations) as OperationId[]).map((id) => {
    const { method, path, since, errors } = operations[id];
    const seen: Record<string, number> = {};
    const paths = new Set<string>();
    const sent = new Set<string>();
    for (const sighting of sightings) {
      for (const [status, count] of Object.entries(sighting.operations[id] ?? {}))
        seen[status] = (seen[status] ?? 0) + count;
      for (const one of sighting.properties[id] ?? []) paths.add(one);
      for (const one of sighting.inputs[id] ?? []) sent.add(one);
    }
    const wanted = declaredProperties(id);
    const taken = inputs[id] ?? [];
    const statuses = new Set([200, ...errors.map((name) => expectedError(name, values).status)]);
    return {
      operation: id,
      method: method.toUpperCase(),
      path,
      since,
      documented: [...statuses].sort((a, b) => a - b),
      seen,
      properties: { declared: wanted.size, unseen: [...wanted].filter((one) => !paths.has(one)) },
      inputs: { declared: taken.length, unsent: taken.filter((one) => !sent.has(one)) },
    };
  });
}
