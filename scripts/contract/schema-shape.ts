import { asArray, asObject, asString, type Contract, type Json, type JsonObject, resolve } from './read.ts';

/** All types of JSON Schema. */
export const ALL_TYPES: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/**
 * A schema as a list of plain schemas: references are followed, allOf is merged, and each branch of anyOf or oneOf is
 * merged with the keywords next to it.
 */
export function alternatives(contract: Contract, raw: JsonObject): JsonObject[] {
  const { $ref, ...beside } = raw;
  const node = $ref === undefined ? raw : merged(resolve(contract, raw), beside);
  const { anyOf, oneOf, allOf, ...rest } = node;
  let bases: JsonObject[] = [rest];
  for (const part of asArray(allOf)) {
    const branches = alternatives(contract, asObject(part));
    bases = bases.flatMap((base) => branches.map((branch) => merged(base, branch)));
  }
  for (const choice of [anyOf, oneOf]) {
    if (!Array.isArray(choice)) continue;
    const branches = choice.flatMap((part) => alternatives(contract, asObject(part)));
    // If one branch accepts any value, the anyOf or oneOf restricts nothing, and only the keywords next to it count.
    const open = branches.some((branch) =>
      Object.keys(branch).every((key) => key === 'title' || key === 'description'),
    );
    if (!open) bases = bases.flatMap((base) => branches.map((branch) => merged(base, branch)));
  }
  return bases;
}

function merged(base: JsonObject, more: JsonObject): JsonObject {
  const result: JsonObject = { ...base, ...more };
  if (base.properties !== undefined && more.properties !== undefined) {
    result.properties = { ...asObject(base.properties), ...asObject(more.properties) };
  }
  if (base.required !== undefined && more.required !== undefined) {
    result.required = [...new Set([...asArray(base.required).map(asString), ...asArray(more.required).map(asString)])];
  }
  return result;
}

/** The types that a schema accepts, in alphabetical order; all types if it names none. An integer is a number, too. */
export function typesOf(schema: JsonObject): string[] {
  const values = valuesOf(schema);
  const stated =
    schema.type === undefined
      ? ALL_TYPES
      : Array.isArray(schema.type)
        ? schema.type.map(asString)
        : [asString(schema.type)];
  const known = schema.type === undefined && values !== undefined ? [...new Set(values.map(typeOf))] : stated;
  return [...new Set(known.flatMap((type) => (type === 'number' ? ['integer', 'number'] : [type])))].sort();
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

/** The only values that a schema accepts, or undefined if there is no such list. */
function valuesOf(schema: JsonObject): Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? undefined : [schema.const];
}
