import { Binary, BSONRegExp, Decimal128, MaxKey, MinKey } from 'bson';
import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { isNumeric, toInteger, toNumber, truncate } from './numbers.ts';
import type { Test } from './paths.ts';
import { toRegExp } from './regex.ts';
import { typeAliases } from './type-names.ts';
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

export function typeTest(value: Value): Test {
  const aliases = typeAliases(value);
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

export function modTest(value: Value): Test {
  if (!Array.isArray(value)) return fail(2, 'malformed mod, needs to be an array');
  if (value.length < 2) fail(2, 'malformed mod, not enough elements');
  if (value.length > 2) fail(2, 'malformed mod, too many elements');
  const [divisor, remainder] = value.map((item, i) => {
    if (!isNumeric(item)) return fail(2, `malformed mod, ${i === 0 ? 'divisor' : 'remainder'} not a number`);
    return truncate(item) ?? fail(2, 'malformed mod, value is not a 64-bit integer');
  });
  if (divisor === 0n || divisor === undefined) return fail(2, 'divisor cannot be 0');
  return (found) => {
    if (!isNumeric(found)) return false;
    const integer = truncate(found);
    return integer !== undefined && integer % divisor === remainder;
  };
}

export function sizeTest(value: Value): Test {
  const size = isNumeric(value) ? toInteger(value) : undefined;
  if (size === undefined) return fail(2, 'Failed to parse $size. Expected an integer');
  if (size < 0n) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return (found) => Array.isArray(found) && found.length === Number(size);
}

export function bitsTest(name: string, value: Value): Test {
  let mask = 0n;
  if (Array.isArray(value)) {
    for (const bit of value) {
      const place = isNumeric(bit) ? toInteger(bit) : undefined;
      if (place === undefined || place < 0n) return fail(2, `bit positions must be integers >= 0`);
      mask |= 1n << place;
    }
  } else if (isNumeric(value)) {
    mask = toInteger(value) ?? fail(9, `Expected an integer: ${name}`);
    if (mask < 0n) fail(9, `Expected a non-negative number in: ${name}`);
  } else if (value instanceof Binary) {
    mask = BigInt(`0x${Buffer.from(value.value()).reverse().toString('hex') || '0'}`);
  } else fail(2, `${name} takes an Array, a number, or a BinData but received: ${typeName(value)}`);
  return (found) => {
    let bits: bigint | undefined;
    if (found instanceof Binary) bits = BigInt(`0x${Buffer.from(found.value()).reverse().toString('hex') || '0'}`);
    else if (isNumeric(found) && !(found instanceof Decimal128)) bits = toInteger(found);
    if (bits === undefined) return false;
    if (name === '$bitsAllSet') return (bits & mask) === mask;
    if (name === '$bitsAllClear') return (bits & mask) === 0n;
    return name === '$bitsAnySet' ? (bits & mask) !== 0n : (bits & mask) !== mask;
  };
}

/** MinKey and MaxKey compare with every type, so no bracket bounds them. */
export function isUnbounded(value: Value): boolean {
  return value instanceof MinKey || value instanceof MaxKey;
}
