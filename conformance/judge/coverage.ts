/** How much of the contract a run exercised: for each operation the statuses and the properties of its answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Values } from '../profile/values.ts';
import { expectedError } from './contract.ts';
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
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const DEEPEST = 12;

/** The paths of the properties that a schema declares; a recursive schema is followed once. */
export function declaredPaths(schema: Schema, schemas: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set<string>();
  const visit = (node: Schema, at: string, within: readonly string[]): void => {
    if (within.length > DEEPEST) return;
    if (node.$ref !== undefined) {
      const name = node.$ref.slice(node.$ref.lastIndexOf('/') + 1);
      const next = schemas[name];
      if (next && !within.includes(name)) visit(next, at, [...within, name]);
    }
    for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) visit(part, at, within);
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

interface Contract {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, unknown> };
}

/** Declared properties of the successful answer of each operation, read from the contract. */
function declared(): (id: OperationId) => Set<string> {
  const contract = parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as Contract;
  return (id) => {
    const { path, method } = operations[id];
    const answer = contract.paths[path]?.[method]?.responses?.['200'] as
      | { content?: Record<string, { schema?: Schema }> }
      | undefined;
    return declaredPaths(answer?.content?.['application/json']?.schema ?? {}, contract.components.schemas);
  };
}

/** Joins what the rules of a run saw. */
export function coverageOf(sightings: readonly Sighting[], values: Values): OperationCoverage[] {
  const declaredBy = declared();
  return (Object.keys(operations) as OperationId[]).map((id) => {
    const { method, path, since, errors } = operations[id];
    const seen: Record<string, number> = {};
    const paths = new Set<string>();
    for (const sighting of sightings) {
      for (const [status, count] of Object.entries(sighting.operations[id] ?? {}))
        seen[status] = (seen[status] ?? 0) + count;
      for (const one of sighting.properties[id] ?? []) paths.add(one);
    }
    const wanted = declaredBy(id);
    const statuses = new Set([200, ...errors.map((name) => expectedError(name, values).status)]);
    return {
      operation: id,
      method: method.toUpperCase(),
      path,
      since,
      documented: [...statuses].sort((a, b) => a - b),
      seen,
      properties: { declared: wanted.size, unseen: [...wanted].filter((one) => !paths.has(one)) },
    };
  });
}
