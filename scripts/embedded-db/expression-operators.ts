import { compareValues, distinctValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { arithmetic, doubleArithmetic, isNumeric, kindOf, makeDouble, toNumber } from './numbers.ts';
import { isNullish, isTruthy, type Operator } from './operators.ts';
import { type Maybe, type Numeric, typeName, type Value } from './values.ts';

const MANY = Number.POSITIVE_INFINITY;

const compare = (test: (order: number) => boolean): Operator => ({
  min: 2,
  max: 2,
  apply: ([a, b]) => test(compareValues(a, b)),
});

/** If a Long overflows, expressions continue with a Double. */
export function calculate(operation: 'add' | 'subtract' | 'multiply', a: Numeric, b: Numeric): Numeric {
  return arithmetic(operation, a, b) ?? makeDouble(doubleArithmetic(operation, toNumber(a), toNumber(b)));
}

function makeDate(milliseconds: number): Date {
  const date = new Date(Math.trunc(milliseconds));
  return Number.isNaN(date.getTime()) ? fail(15, 'date overflow') : date;
}

function add(args: Maybe[]): Value {
  let sum: Numeric = 0;
  let date: Date | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date !== undefined) fail(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumeric(value)) sum = calculate('add', sum, value);
    else fail(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return date === undefined ? sum : makeDate(date.getTime() + toNumber(sum));
}

function subtract([a, b]: Maybe[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return makeDate(a.getTime() - toNumber(b));
  if (isNumeric(a) && isNumeric(b)) return calculate('subtract', a, b);
  return fail(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function multiply(args: Maybe[]): Value {
  let product: Numeric = 1;
  for (const value of args) {
    if (isNullish(value)) return null;
    if (!isNumeric(value)) return fail(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    product = calculate('multiply', product, value);
  }
  return product;
}

function divide([a, b]: Maybe[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) return fail(14, `$divide only supports numeric types`);
  if (toNumber(b) === 0) fail(2, "can't $divide by zero");
  return makeDouble(toNumber(a) / toNumber(b));
}

/** Leaves integers unchanged. */
function floor([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  if (!isNumeric(value)) return fail(28765, `$floor only supports numeric types, not ${typeName(value)}`);
  return kindOf(value) === 'double' ? makeDouble(Math.floor(toNumber(value))) : value;
}

/** The smaller (-1) or greater (1) of two values. */
export const extreme = (a: Value, b: Value, sign: 1 | -1): Value => (compareValues(b, a) * sign > 0 ? b : a);

/** `$min` and `$max` outside `$group`: over their arguments, or over one array. */
const extremeOf = (sign: 1 | -1): Operator => ({
  min: 0,
  max: MANY,
  apply: (args) => {
    const list = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
    const [first = null, ...others] = list.filter((item) => !isNullish(item));
    return others.reduce((best, item) => extreme(best, item as Value, sign), first);
  },
});

function array(name: string, value: Maybe, code: number): Value[] {
  return Array.isArray(value)
    ? value
    : fail(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
}

/** An operator on arrays. If a value is null or missing, it gives null. */
const onArrays = (name: string, code: number, apply: (items: Value[]) => Value): Operator => ({
  min: 0,
  max: MANY,
  apply: (args) => (args.some(isNullish) ? null : apply(args.flatMap((value) => array(name, value, code)))),
});

/** The operators whose arguments are all evaluated (manual: "Aggregation Operators"). */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', compare((order) => order === 0)],
  ['$gt', compare((order) => order > 0)],
  ['$gte', compare((order) => order >= 0)],
  ['$lt', compare((order) => order < 0)],
  ['$lte', compare((order) => order <= 0)],
  ['$not', { min: 1, max: 1, apply: ([a]) => !isTruthy(a) }],
  ['$add', { min: 0, max: MANY, apply: add }],
  ['$subtract', { min: 2, max: 2, apply: subtract }],
  ['$multiply', { min: 0, max: MANY, apply: multiply }],
  ['$divide', { min: 2, max: 2, apply: divide }],
  ['$floor', { min: 1, max: 1, apply: floor }],
  ['$min', extremeOf(-1)],
  ['$max', extremeOf(1)],
  ['$size', { min: 1, max: 1, apply: ([value]) => array('$size', value, 17124).length }],
  [
    '$in',
    {
      min: 2,
      max: 2,
      apply: ([value, items]) =>
        array('$in', items, 40081).some((item) => value !== undefined && equalValues(item, value)),
    },
  ],
  ['$concatArrays', onArrays('$concatArrays', 28664, (items) => items)],
  ['$setUnion', onArrays('$setUnion', 17043, distinctValues)],
]);
