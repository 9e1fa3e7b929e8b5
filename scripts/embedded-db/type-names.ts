import { fail } from './errors.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import type { Value } from './values.ts';

/** Type numbers from the manual's page "BSON Types". The aliases are the results of typeName, and `number`. */
const TYPE_NUMBERS: Readonly<Record<string, string>> = {
  '1': 'double',
  '2': 'string',
  '3': 'object',
  '4': 'array',
  '5': 'binData',
  '6': 'undefined',
  '7': 'objectId',
  '8': 'bool',
  '9': 'date',
  '10': 'null',
  '11': 'regex',
  '12': 'dbPointer',
  '13': 'javascript',
  '14': 'symbol',
  '15': 'javascriptWithScope',
  '16': 'int',
  '17': 'timestamp',
  '18': 'long',
  '19': 'decimal',
  '-1': 'minKey',
  '127': 'maxKey',
};
const TYPE_ALIASES = new Set([...Object.values(TYPE_NUMBERS), 'number']);

/** The aliases for the types that `$type` or `bsonType` requests. */
export function typeAliases(value: Value): Set<string> {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) fail(9, 'type must match at least one type');
  return new Set(
    list.map((item) => {
      if (typeof item === 'string') return TYPE_ALIASES.has(item) ? item : fail(2, `Unknown type name alias: ${item}`);
      if (!isNumeric(item)) return fail(14, 'type must be represented as a number or a string');
      return TYPE_NUMBERS[String(toInteger(item))] ?? fail(2, `Invalid numerical type code: ${toNumber(item)}`);
    }),
  );
}
