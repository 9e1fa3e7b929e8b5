import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import type { Test } from './paths.ts';
import { toRegExp } from './regex.ts';
import { type Doc, isDoc, type Maybe, RANK, rankOf, typeName, type Value } from './values.ts';

/** Whether a filter's value is a document of operators, rather than a value for comparison. */
export function isOperators(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = Object.keys(value);
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

export function equalityTest(value: Value): Test {
  if (value === null) return (found) => found === undefined || found === null;
  if (typeof value === 'string' || typeof value === 'boolean') return (found) => found === value;
  return (found) => found !== undefined && equalValues(found, value);
}

export function regexTest(value: BSONRegExp): Test {
  const regex = toRegExp(value);
  return (found) =>
    typeof found === 'string' ? regex.test(found) : found instanceof BSONRegExp && equalValues(found, value);
}

type RangeOperator = '$gt' | '$gte' | '$lt' | '$lte';

export function rangeTest(operator: RangeOperator, bound: Value): Test {
  const rank = rankOf(bound);
  const orEqual = operator === '$gte' || operator === '$lte';
  const greater = operator === '$gt' || operator === '$gte';
  if (rank === RANK.null) return (found) => orEqual && (found === undefined || found === null);
  // MinKey and MaxKey compare with every type.
  if (rank === RANK.minKey || rank === RANK.maxKey) {
    const all = (rank === RANK.minKey) === greater;
    return (found) => found !== undefined && (rankOf(found) === rank ? orEqual : all);
  }
  const isNan = isNumeric(bound) && Number.isNaN(toNumber(bound));
  return (found) => {
    if (found === undefined || rankOf(found) !== rank) return false;
    const order = compareValues(found, bound);
    if (order === 0) return orEqual;
    if (rank === RANK.number && (isNan || Number.isNaN(toNumber(found as number)))) return false;
    return greater ? order > 0 : order < 0;
  };
}

export function inTest(name: string, value: Value): Test {
  if (!Array.isArray(value)) return fail(2, `${name} needs an array`);
  if (value.some((item) => isOperators(item))) fail(2, `cannot nest $ under ${name}`);
  const strings = new Set(value.filter((item) => typeof item === 'string'));
  const others = value
    .filter((item) => typeof item !== 'string')
    .map((item) => (item instanceof BSONRegExp ? regexTest(item) : equalityTest(item)));
  return (found) => (typeof found === 'string' && strings.has(found)) || others.some((test) => test(found));
}

const TYPE_NAMES: readonly string[] = [
  ...['double', 'string', 'object', 'array', 'binData', 'objectId', 'bool', 'date', 'null', 'regex'],
  ...['int', 'timestamp', 'long', 'decimal', 'minKey', 'maxKey', 'number'],
];

/** `$type` by name (manual: "BSON Types"); the names are those of typeName, and `number`. */
export function typeTest(value: Value): Test {
  const names = Array.isArray(value) ? value : [value];
  if (names.length === 0) fail(9, 'type must match at least one type');
  for (const name of names) {
    if (typeof name !== 'string') return fail(115, '$type by number is not supported by this database');
    if (!TYPE_NAMES.includes(name)) fail(2, `Unknown type name alias: ${name}`);
  }
  const aliases = new Set(names);
  return (found) =>
    found !== undefined && (aliases.has(typeName(found)) || (aliases.has('number') && rankOf(found) === RANK.number));
}

export function regexOf(value: Value, options: Maybe): BSONRegExp {
  if (options !== undefined && typeof options !== 'string') fail(2, '$options has to be a string');
  if (value instanceof BSONRegExp) {
    if (options !== undefined && value.options !== '') fail(51075, 'options set in both $regex and $options');
    return options === undefined ? value : new BSONRegExp(value.pattern, String(options));
  }
  if (typeof value !== 'string') return fail(2, '$regex has to be a string');
  if (/[^imsxu]/.test(String(options ?? ''))) fail(51108, `invalid flag in regex options: ${options}`);
  return new BSONRegExp(value, options === undefined ? '' : String(options));
}

export function sizeTest(value: Value): Test {
  const size = isNumeric(value) ? toInteger(value) : undefined;
  if (size === undefined) return fail(2, 'Failed to parse $size. Expected an integer');
  if (size < 0n) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return (found) => Array.isArray(found) && found.length === Number(size);
}

/** MinKey and MaxKey compare with every type, so no bracket bounds them. */
export function isUnbounded(value: Value): boolean {
  return value instanceof MinKey || value instanceof MaxKey;
}
