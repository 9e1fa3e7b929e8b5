import { fail } from './errors.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** Fields that are allowed in every command. */
const GENERIC = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'comment',
  'maxTimeMS',
  'txnNumber',
]);

/** Fails with 40415 for unknown fields of a command, instead of ignoring them. */
export function checkFields(command: string, body: Doc, known: readonly string[]): void {
  for (const name of Object.keys(body)) {
    if (!GENERIC.has(name) && !known.includes(name))
      fail(40415, `BSON field '${command}.${name}' is an unknown field.`);
  }
}

/** Refuses what a standalone server refuses, such as transactions. */
export function checkGeneric(body: Doc): void {
  if (body.txnNumber !== undefined) {
    fail(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  const { writeConcern, readConcern } = body;
  if (isDoc(writeConcern) && Number(writeConcern.w) > 1) {
    fail(2, "cannot use 'w' > 1 when a host is not replicated");
  }
  if (
    isDoc(readConcern) &&
    readConcern.level !== undefined &&
    !['local', 'available', 'majority'].includes(String(readConcern.level))
  ) {
    fail(20, `read concern level ${readConcern.level} is not supported on a standalone server`);
  }
}

/**
 * A whole number, rounded toward zero; `fallback` if it is absent. Fails with 14 for other types, and with 51024
 * below zero.
 */
export function integer(name: string, value: Value | undefined, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number') return fail(14, `BSON field '${name}' is the wrong type, expected a number`);
  if (!(value >= 0)) fail(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  return Math.trunc(value);
}

export function document(name: string, value: Value | undefined): Doc {
  if (value === undefined || value === null) return {};
  return isDoc(value) ? value : fail(14, `BSON field '${name}' is the wrong type, expected type 'object'`);
}

export function text(name: string, value: Value | undefined): string {
  return typeof value === 'string' ? value : fail(73, `collection name has invalid type for ${name}`);
}

/** The single field of a stage. Fails with 40323 if there are more fields, or none. */
export function stageOf(stage: Value): [name: string, spec: Value] {
  const entries = isDoc(stage) ? Object.entries(stage) : [];
  const [only] = entries;
  if (only === undefined || entries.length > 1)
    return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  return only;
}
