import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { typeAliases } from './type-names.ts';
import { type Doc, isDoc, RANK, rankOf, typeName, type Value } from './values.ts';

type SchemaTest = (value: Value) => boolean;

/** JSON Schema's own type names that differ from MongoDB's aliases, which `bsonType` uses. */
const JSON_TYPES: Readonly<Record<string, string>> = { boolean: 'bool' };
const IGNORED = ['title', 'description'];

/**
 * Compiles a `$jsonSchema` (manual: "$jsonSchema"): bsonType, type, required, properties, additionalProperties as a
 * boolean, items, enum, minimum, maximum, minLength, maxLength. Other keywords fail with 9.
 */
export function compileJsonSchema(schema: Value): (doc: Doc) => boolean {
  return compileSchema(schema);
}

function compileSchema(schema: Value): SchemaTest {
  if (!isDoc(schema)) return fail(14, '$jsonSchema must be an object');
  const tests = Object.entries(schema)
    .filter(([keyword]) => !IGNORED.includes(keyword))
    .map(([keyword, value]) => compileKeyword(keyword, value, schema));
  return (value) => tests.every((test) => test(value));
}

function compileKeyword(keyword: string, value: Value, schema: Doc): SchemaTest {
  switch (keyword) {
    case 'bsonType':
    case 'type': {
      const names = Array.isArray(value) ? value : [value];
      const aliases = typeAliases(keyword === 'type' ? names.map((name) => JSON_TYPES[String(name)] ?? name) : names);
      return (item) => aliases.has(typeName(item)) || (aliases.has('number') && rankOf(item) === RANK.number);
    }
    case 'required': {
      if (!Array.isArray(value) || value.length === 0)
        return fail(9, "$jsonSchema keyword 'required' must be an array");
      return (item) => !isDoc(item) || value.every((name) => Object.hasOwn(item, String(name)));
    }
    case 'properties': {
      if (!isDoc(value)) return fail(14, "$jsonSchema keyword 'properties' must be an object");
      const tests = Object.entries(value).map(([name, inner]) => [name, compileSchema(inner)] as const);
      return (item) =>
        !isDoc(item) || tests.every(([name, test]) => !Object.hasOwn(item, name) || test(item[name] as Value));
    }
    case 'additionalProperties': {
      if (typeof value !== 'boolean') return fail(9, "$jsonSchema keyword 'additionalProperties' takes a boolean here");
      const known = isDoc(schema.properties) ? Object.keys(schema.properties) : [];
      return (item) => value || !isDoc(item) || Object.keys(item).every((name) => known.includes(name));
    }
    case 'items': {
      const test = compileSchema(value);
      return (item) => !Array.isArray(item) || item.every(test);
    }
    case 'enum': {
      if (!Array.isArray(value)) return fail(14, "$jsonSchema keyword 'enum' must be an array");
      return (item) => value.some((allowed) => equalValues(allowed, item));
    }
    case 'minimum':
    case 'maximum': {
      if (!isNumeric(value)) return fail(14, `$jsonSchema keyword '${keyword}' must be a number`);
      const sign = keyword === 'minimum' ? 1 : -1;
      return (item) => !isNumeric(item) || compareValues(item, value) * sign >= 0;
    }
    case 'minLength':
    case 'maxLength': {
      if (!isNumeric(value)) return fail(14, `$jsonSchema keyword '${keyword}' must be a number`);
      const sign = keyword === 'minLength' ? 1 : -1;
      return (item) => typeof item !== 'string' || ([...item].length - toNumber(value)) * sign >= 0;
    }
    default:
      return fail(9, `$jsonSchema keyword '${keyword}' is not currently supported`);
  }
}
