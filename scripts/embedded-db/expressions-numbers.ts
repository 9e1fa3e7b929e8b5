import { Decimal128, ObjectId } from 'bson';
import { compareValues } from './compare.ts';
import { fail } from './errors.ts';
import { arithmetic, isNumeric, kindOf, makeDouble, makeInteger, toDecimal, toNumber, truncate } from './numbers.ts';
import { isNullish, isTruthy, type Operator, refuseDecimal } from './operators.ts';
import { type Maybe, type Numeric, typeName, type Value } from './values.ts';

const MANY = Number.POSITIVE_INFINITY;

/** An operator on one number. For null and missing values it gives null. */
function unary(name: string, apply: (value: Numeric) => Value): Operator {
  return {
    min: 1,
    max: 1,
    apply: ([value]) => {
      if (isNullish(value)) return null;
      if (!isNumeric(value)) return fail(28765, `${name} only supports numeric types, not ${typeName(value)}`);
      refuseDecimal(name, value);
      return apply(value);
    },
  };
}

/** If a Long overflows, expressions continue with a Double. */
function calculate(operation: 'add' | 'subtract' | 'multiply', a: Numeric, b: Numeric): Numeric {
  const result = arithmetic(operation, a, b);
  if (result !== undefined) return result;
  const [x, y] = [toNumber(a), toNumber(b)];
  return makeDouble(operation === 'add' ? x + y : operation === 'subtract' ? x - y : x * y);
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
  refuseDecimal('$divide', a);
  refuseDecimal('$divide', b);
  if (toNumber(b) === 0) fail(2, "can't $divide by zero");
  return makeDouble(toNumber(a) / toNumber(b));
}

function mod([a, b]: Maybe[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) return fail(16611, '$mod only supports numeric types');
  refuseDecimal('$mod', a);
  refuseDecimal('$mod', b);
  if (toNumber(b) === 0) fail(16610, "can't $mod by zero");
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('double')) return makeDouble(toNumber(a) % toNumber(b));
  const result = BigInt(a as number | bigint) % BigInt(b as number | bigint);
  return makeInteger(result, kinds.includes('long') ? 'long' : 'int') ?? null;
}

/** Leaves integers unchanged and applies a rounding to doubles. */
const rounding = (round: (value: number) => number) => (value: Numeric) =>
  kindOf(value) === 'double' ? makeDouble(round(toNumber(value))) : value;

function halfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function places(name: string, round: (value: number) => number): Operator {
  return {
    min: 1,
    max: 2,
    apply: ([value, digits]) => {
      if (isNullish(value) || digits === null) return null;
      if (!isNumeric(value)) return fail(51081, `${name} only supports numeric types, not ${typeName(value)}`);
      refuseDecimal(name, value);
      if (digits === undefined || (isNumeric(digits) && toNumber(digits) === 0)) return rounding(round)(value);
      if (!isNumeric(digits) || toNumber(digits) < -20 || toNumber(digits) > 100) {
        return fail(51083, `cannot apply ${name} with precision value`);
      }
      return roundPlaces(value, toNumber(digits), round);
    },
  };
}

function roundPlaces(value: Numeric, digits: number, round: (value: number) => number): Value {
  const number = toNumber(value);
  const shifted = round(Number(`${number}e${digits}`));
  const result = Number.isFinite(shifted) ? Number(`${shifted}e${-digits}`) : number;
  if (kindOf(value) === 'double') return makeDouble(result);
  return digits > 0 ? value : (makeInteger(BigInt(result), kindOf(value) === 'long' ? 'long' : 'int') ?? value);
}

/** `$sum`, `$avg`, `$min` and `$max` outside `$group`: over their arguments, or over one array. */
function overList(fold: (values: Value[]) => Value): Operator {
  return {
    min: 0,
    max: MANY,
    apply: (args) => {
      const list = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
      return fold(list.filter((item): item is Value => !isNullish(item)));
    },
  };
}

/** The sum of the numbers among some values (manual: "$sum (aggregation)"). */
export function sum(values: readonly Value[]): Numeric {
  let total: Numeric = 0;
  for (const value of values) if (isNumeric(value)) total = calculate('add', total, value);
  return total;
}

/** The average of the numbers among some values; null if there is none. */
export function average(values: readonly Value[]): Value {
  const numbers = values.filter(isNumeric);
  if (numbers.length === 0) return null;
  for (const number of numbers) refuseDecimal('$avg', number);
  return makeDouble(toNumber(sum(numbers)) / numbers.length);
}

/** The smallest (-1) or greatest (1) of some values; null if there is none. */
export function extreme(values: readonly Value[], sign: 1 | -1): Value {
  let best: Value | undefined;
  for (const value of values) if (best === undefined || compareValues(value, best) * sign > 0) best = value;
  return best ?? null;
}

function convertInteger(name: string, width: 'int' | 'long'): Operator {
  return {
    min: 1,
    max: 1,
    apply: ([value]) => {
      if (isNullish(value)) return null;
      let integer: bigint | undefined;
      if (typeof value === 'boolean') integer = BigInt(value);
      else if (value instanceof Date && width === 'long') integer = BigInt(value.getTime());
      else if (isNumeric(value)) integer = truncate(value);
      else if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) integer = BigInt(value.replace('+', ''));
      const result = integer === undefined ? undefined : makeInteger(integer, width);
      if (result === undefined || (width === 'int' && typeof result === 'bigint')) {
        return fail(241, `Failed to convert value of type ${typeName(value)} in ${name} with no onError value`);
      }
      return result;
    },
  };
}

function toDouble([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  if (typeof value === 'boolean') return makeDouble(Number(value));
  if (value instanceof Date) return makeDouble(value.getTime());
  if (isNumeric(value)) return makeDouble(toNumber(value));
  if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value))
    return makeDouble(Number(value));
  return fail(241, `Failed to convert value of type ${typeName(value)} in $toDouble with no onError value`);
}

function convertDecimal([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  if (value instanceof Decimal128) return value;
  if (isNumeric(value)) {
    return kindOf(value) === 'double' ? toDecimal(toNumber(value)) : Decimal128.fromString(value.toString());
  }
  if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value)) {
    return Decimal128.fromStringWithRounding(value);
  }
  return fail(241, `Failed to convert value of type ${typeName(value)} in $toDecimal with no onError value`);
}

function toObjectId([value]: Maybe[]): Value {
  if (isNullish(value)) return null;
  if (value instanceof ObjectId) return value;
  if (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  return fail(241, `Failed to parse objectId in $toObjectId with no onError value`);
}

export const NUMBER_OPERATORS: Readonly<Record<string, Operator>> = {
  $add: { min: 0, max: MANY, apply: add },
  $subtract: { min: 2, max: 2, apply: subtract },
  $multiply: { min: 0, max: MANY, apply: multiply },
  $divide: { min: 2, max: 2, apply: divide },
  $mod: { min: 2, max: 2, apply: mod },
  $abs: unary('$abs', (value) => (toNumber(value) < 0 ? calculate('subtract', 0, value) : value)),
  $ceil: unary('$ceil', rounding(Math.ceil)),
  $floor: unary('$floor', rounding(Math.floor)),
  $sqrt: unary('$sqrt', (value) =>
    toNumber(value) < 0
      ? fail(28714, "$sqrt's argument must be greater than or equal to 0")
      : makeDouble(Math.sqrt(toNumber(value))),
  ),
  $round: places('$round', halfEven),
  $trunc: places('$trunc', Math.trunc),
  $sum: overList(sum),
  $avg: overList(average),
  $min: overList((values) => extreme(values, -1)),
  $max: overList((values) => extreme(values, 1)),
  $toInt: convertInteger('$toInt', 'int'),
  $toLong: convertInteger('$toLong', 'long'),
  $toDouble: { min: 1, max: 1, apply: toDouble },
  $toDecimal: { min: 1, max: 1, apply: convertDecimal },
  $toBool: { min: 1, max: 1, apply: ([value]) => (isNullish(value) ? null : isTruthy(value)) },
  $toObjectId: { min: 1, max: 1, apply: toObjectId },
  $isNumber: { min: 1, max: 1, apply: ([value]) => isNumeric(value) },
  $rand: { min: 0, max: 0, apply: () => makeDouble(Math.random()) },
};
