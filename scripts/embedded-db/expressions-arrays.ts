import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { encodeKey } from './keys.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import { isNullish, isTruthy, type Operator, valueAt } from './operators.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

const MANY = Number.POSITIVE_INFINITY;

function array(name: string, value: Maybe, code = 17124): Value[] {
  return Array.isArray(value)
    ? value
    : fail(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
}

/** An operator on one array. For null and missing values it gives null. */
function onArray(name: string, code: number, apply: (items: Value[]) => Maybe): Operator {
  return { min: 1, max: 1, apply: ([value]) => (isNullish(value) ? null : apply(array(name, value, code))) };
}

function integer(name: string, value: Maybe, code: number): number {
  const result = isNumeric(value) ? toInteger(value) : undefined;
  return result === undefined ? fail(code, `${name} needs an integer, not ${typeName(value)}`) : Number(result);
}

function elementAt([value, index]: Maybe[]): Maybe {
  if (isNullish(value) || isNullish(index)) return null;
  const items = array('$arrayElemAt', value, 28689);
  return items.at(integer('$arrayElemAt', index, 28691));
}

function slice([value, from, count]: Maybe[]): Maybe {
  if (isNullish(value) || isNullish(from) || count === null) return null;
  const items = array('$slice', value, 28724);
  const start = integer('$slice', from, 28725);
  if (count === undefined) return start < 0 ? items.slice(start) : items.slice(0, start);
  const length = integer('$slice', count, 28727);
  if (length <= 0) fail(28729, 'Third argument to $slice must be positive');
  const at = start < 0 ? Math.max(0, items.length + start) : start;
  return items.slice(at, at + length);
}

function range(args: Maybe[]): Value[] {
  const [from = 0, to = 0, step = 1] = args.map((value) => integer('$range', value, 34443));
  if (step === 0) fail(34449, '$range requires a non-zero step value');
  const result: Value[] = [];
  if (Math.abs((to - from) / step) > 1_000_000) fail(115, '$range of more than a million values is not supported');
  for (let value = from; step > 0 ? value < to : value > to; value += step) result.push(value);
  return result;
}

/** The values without repetition, by MongoDB's equality, in the order of their first appearance. */
export function distinctValues(values: Iterable<Value>): Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) {
    const key = encodeKey(value).toString('latin1');
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

const includes = (items: Value[], value: Value): boolean => items.some((item) => equalValues(item, value));

function sets(name: string, args: Maybe[]): Value[][] | null {
  if (args.some(isNullish)) return null;
  return args.map((value) => array(name, value, 17043));
}

function pairs([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  if (!isDoc(value)) return fail(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
  return Object.entries(value).map(([k, v]) => ({ k, v }));
}

function fromPairs([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  const result: Doc = {};
  for (const item of array('$arrayToObject', value, 40386)) {
    const [name, field] = Array.isArray(item) ? item : isDoc(item) ? [getField(item, 'k'), getField(item, 'v')] : [];
    if (typeof name !== 'string' || field === undefined)
      return fail(40392, '$arrayToObject requires pairs of a string and a value');
    setField(result, name, field);
  }
  return result;
}

/**
 * Sorts an array like `$push` with `$sort` and like `$sortArray`: 1 or -1 sorts the elements themselves, a document
 * sorts them by their fields. Equal elements keep their order.
 */
export function sortValues(items: readonly Value[], by: Value): Value[] {
  if (isNumeric(by)) {
    const sign = toNumber(by);
    if (sign !== 1 && sign !== -1) fail(2, 'The $sort element value must be either 1 or -1');
    return [...items].sort((a, b) => compareValues(a, b) * sign);
  }
  if (!isDoc(by) || Object.keys(by).length === 0)
    return fail(2, 'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1}');
  const fields = Object.entries(by).map(([path, direction]) => {
    const sign = isNumeric(direction) ? toNumber(direction) : 0;
    if (sign !== 1 && sign !== -1) fail(2, 'The $sort element value must be either 1 or -1');
    return { parts: path.split('.'), sign };
  });
  const field = (item: Value, parts: string[]): Value => (isDoc(item) ? (valueAt(item, parts, 0) ?? null) : null);
  return [...items].sort((a, b) => {
    for (const { parts, sign } of fields) {
      const order = compareValues(field(a, parts), field(b, parts));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

export const ARRAY_OPERATORS: Readonly<Record<string, Operator>> = {
  $size: { min: 1, max: 1, apply: ([value]) => array('$size', value, 17124).length },
  $isArray: { min: 1, max: 1, apply: ([value]) => Array.isArray(value) },
  $arrayElemAt: { min: 2, max: 2, apply: elementAt },
  $first: onArray('$first', 28689, (items) => items[0]),
  $last: onArray('$last', 28689, (items) => items.at(-1)),
  $reverseArray: onArray('$reverseArray', 34435, (items) => items.toReversed()),
  $concatArrays: {
    min: 0,
    max: MANY,
    apply: (args) => (args.some(isNullish) ? null : args.flatMap((value) => array('$concatArrays', value, 28664))),
  },
  $in: {
    min: 2,
    max: 2,
    apply: ([value, items]) =>
      array('$in', items, 40081).some((item) => value !== undefined && equalValues(item, value)),
  },
  $indexOfArray: {
    min: 2,
    max: 2,
    apply: ([items, value]) =>
      isNullish(items)
        ? null
        : array('$indexOfArray', items, 40090).findIndex((item) => value !== undefined && equalValues(item, value)),
  },
  $slice: { min: 2, max: 3, apply: slice },
  $range: { min: 2, max: 3, apply: range },
  $setUnion: {
    min: 0,
    max: MANY,
    apply: (args) => {
      const list = sets('$setUnion', args);
      return list === null ? null : distinctValues(list.flat());
    },
  },
  $setIntersection: {
    min: 0,
    max: MANY,
    apply: (args) => {
      const list = sets('$setIntersection', args);
      if (list === null) return null;
      const [first = [], ...others] = list;
      return distinctValues(first.filter((item) => others.every((other) => includes(other, item))));
    },
  },
  $setDifference: {
    min: 2,
    max: 2,
    apply: (args) => {
      const list = sets('$setDifference', args);
      return list === null ? null : distinctValues((list[0] ?? []).filter((item) => !includes(list[1] ?? [], item)));
    },
  },
  $setEquals: {
    min: 2,
    max: MANY,
    apply: (args) => {
      const [first = [], ...others] =
        sets('$setEquals', args) ?? fail(17044, 'All operands of $setEquals must be arrays');
      return others.every(
        (other) => other.every((item) => includes(first, item)) && first.every((item) => includes(other, item)),
      );
    },
  },
  $setIsSubset: {
    min: 2,
    max: 2,
    apply: (args) => {
      const [part = [], whole = []] =
        sets('$setIsSubset', args) ?? fail(17046, 'both operands of $setIsSubset must be arrays');
      return part.every((item) => includes(whole, item));
    },
  },
  $anyElementTrue: onArray('$anyElementTrue', 17041, (items) => items.some(isTruthy)),
  $allElementsTrue: onArray('$allElementsTrue', 17040, (items) => items.every(isTruthy)),
  $objectToArray: { min: 1, max: 1, apply: pairs },
  $arrayToObject: { min: 1, max: 1, apply: fromPairs },
  $sortArray: {
    min: 2,
    max: 2,
    apply: ([value, by]) =>
      isNullish(value)
        ? null
        : sortValues(array('$sortArray', value, 2942504), by ?? fail(2942503, '$sortArray requires sortBy')),
  },
};
