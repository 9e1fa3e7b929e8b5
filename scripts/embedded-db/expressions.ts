import { fail } from './errors.ts';
import { compareValues, distinctness, equalValues } from './keys.ts';
import { valueAt } from './paths.ts';
import { type Doc, isDoc, type Maybe, setField, type Value } from './values.ts';

/** What an expression can read: the document, and the element that `$filter` looks at, `$$this`. */
interface Scope {
  readonly root: Value;
  readonly self?: Maybe;
}

/** A compiled expression. Its result undefined means a missing value, which `$set` and `$project` leave out. */
export type Expression = (scope: Scope) => Maybe;

/** An operator on evaluated arguments, and how many arguments it takes. */
interface Operator {
  readonly min: number;
  readonly max: number;
  readonly apply: (args: Maybe[]) => Maybe;
}

/** What counts as true (manual: "$and (aggregation)"): everything except false, null, zero and missing. */
export function isTruthy(value: Maybe): boolean {
  if (value === undefined || value === null || value === false) return false;
  return value !== 0;
}

const isNullish = (value: Maybe): value is null | undefined => value === null || value === undefined;

const MANY = Number.POSITIVE_INFINITY;

const exactly = (count: number, apply: Operator['apply']): Operator => ({ min: count, max: count, apply });
const atLeast = (count: number, apply: Operator['apply']): Operator => ({ min: count, max: MANY, apply });

const compare = (test: (order: number) => boolean): Operator => exactly(2, ([a, b]) => test(compareValues(a, b)));

const toNumber = (name: string, value: Maybe): number =>
  typeof value === 'number' ? value : fail(14, `${name} only supports numeric types`);

/** A result of arithmetic; beyond 2^53 a number does not have the value that a Long would have. */
export function exact(result: number): number {
  return Math.abs(result) > Number.MAX_SAFE_INTEGER ? fail(115, 'numbers beyond 2^53 are not supported here') : result;
}

function makeDate(milliseconds: number): Date {
  const date = new Date(Math.trunc(milliseconds));
  return Number.isNaN(date.getTime()) ? fail(15, 'date overflow') : date;
}

/** Adds numbers; a date among them makes the sum a date. */
function add(args: Maybe[]): Value {
  if (args.some(isNullish)) return null;
  const dates = args.filter((value) => value instanceof Date);
  if (dates.length > 1) fail(16612, 'only one date allowed in an $add expression');
  const sum = args.reduce(
    (total: number, value) => exact(total + (value instanceof Date ? +value : toNumber('$add', value))),
    0,
  );
  return dates.length === 0 ? sum : makeDate(sum);
}

/** Subtracts numbers, or a date from a date. */
function subtract([a, b]: Maybe[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Number(a) - Number(b);
  return exact(toNumber('$subtract', a) - toNumber('$subtract', b));
}

/** An operator on numbers. If a value is null or missing, it gives null. */
const onNumbers = (name: string, count: number, apply: (a: number, b: number) => number): Operator =>
  exactly(count, (args) => {
    if (args.some(isNullish)) return null;
    const [a = 0, b = 0] = args.map((value) => toNumber(name, value));
    return exact(apply(a, b));
  });

/** `$min` and `$max` of at least two arguments. */
const extremeOf = (sign: 1 | -1): Operator =>
  atLeast(2, (args) => {
    const [first = null, ...others] = args.filter((item) => !isNullish(item));
    return others.reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best), first);
  });

function array(name: string, value: Maybe, code: number): Value[] {
  return Array.isArray(value) ? value : fail(code, `The argument to ${name} must be an array`);
}

/** An operator on arrays. If a value is null or missing, it gives null. */
const onArrays = (name: string, code: number, apply: (items: Value[]) => Value): Operator =>
  atLeast(0, (args) => (args.some(isNullish) ? null : apply(args.flatMap((value) => array(name, value, code)))));

/** The operators whose arguments are all evaluated (manual: "Aggregation Operators"). */
const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', compare((order) => order === 0)],
  ['$gt', compare((order) => order > 0)],
  ['$gte', compare((order) => order >= 0)],
  ['$lte', compare((order) => order <= 0)],
  ['$not', exactly(1, ([a]) => !isTruthy(a))],
  ['$add', atLeast(0, add)],
  ['$subtract', exactly(2, subtract)],
  ['$multiply', onNumbers('$multiply', 2, (a, b) => a * b)],
  ['$divide', onNumbers('$divide', 2, (a, b) => (b === 0 ? fail(2, "can't $divide by zero") : a / b))],
  ['$floor', onNumbers('$floor', 1, Math.floor)],
  ['$min', extremeOf(-1)],
  ['$max', extremeOf(1)],
  ['$size', exactly(1, ([value]) => array('$size', value, 17124).length)],
  ['$in', exactly(2, ([value, items]) => array('$in', items, 40081).some((item) => equalValues(item, value)))],
  ['$concatArrays', onArrays('$concatArrays', 28664, (items) => items)],
  ['$setUnion', onArrays('$setUnion', 17043, (items) => items.filter(distinctness()))],
]);

/** An operator that decides itself which of its arguments to evaluate, and with which variables. */
type Form = (argument: Value) => Expression;

const listOf = (argument: Value): Expression[] =>
  (Array.isArray(argument) ? argument : [argument]).map((item) => compileExpression(item));

const cond: Form = (argument) => {
  const [condition, then, otherwise, ...others] = listOf(argument);
  if (condition === undefined || then === undefined || otherwise === undefined || others.length > 0)
    return fail(16020, 'Expression $cond takes exactly 3 arguments, in a list.');
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
};

const ifNull: Form = (argument) => {
  const parts = listOf(argument);
  if (parts.length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${parts.length}`);
  return (scope) => {
    let value: Maybe;
    for (const part of parts) {
      value = part(scope);
      if (!isNullish(value)) return value;
    }
    return value;
  };
};

const filter: Form = (argument) => {
  const { input, cond: condition, ...others } = isDoc(argument) ? argument : {};
  if (input === undefined || condition === undefined || Object.keys(others).length > 0)
    return fail(28648, "$filter takes 'input' and 'cond' here, and no other parameter");
  const [items, test] = [compileExpression(input), compileExpression(condition)];
  return ({ root, self }) => {
    const list = items({ root, self });
    if (isNullish(list)) return null;
    return array('$filter', list, 28651).filter((item) => isTruthy(test({ root, self: item })));
  };
};

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['$literal', (argument) => () => argument],
  ['$cond', cond],
  ['$ifNull', ifNull],
  ['$filter', filter],
]);

/**
 * Compiles an aggregation expression (manual: "Aggregation Operators"). Fails with 168 (InvalidPipelineOperator) for
 * operators that MongoDB or this database does not know.
 */
export function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string') {
    if (spec.startsWith('$$')) return compileVariable(spec.slice(2));
    if (spec.startsWith('$')) return compilePath(spec.slice(1));
    return () => spec;
  }
  if (Array.isArray(spec)) {
    const items = spec.map((item) => compileExpression(item));
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const names = Object.keys(spec);
  const [name] = names;
  if (name?.startsWith('$')) {
    if (names.length > 1) {
      fail(15983, 'an object representing an expression must have exactly one field');
    }
    return compileOperator(name, spec[name] as Value);
  }
  return compileObject(spec);
}

function compileObject(spec: Doc): Expression {
  const fields = Object.entries(spec).map(([name, value]) => {
    if (name.includes('.')) fail(16412, `FieldPath field names may not contain '.'`);
    return [name, compileExpression(value)] as const;
  });
  return (scope) => {
    const result: Doc = {};
    for (const [name, expression] of fields) {
      const value = expression(scope);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
}

function compileOperator(name: string, argument: Value): Expression {
  const form = FORMS.get(name);
  if (form !== undefined) return form(argument);
  const operator = OPERATORS.get(name) ?? fail(168, `Unrecognized expression '${name}'`);
  const parts = listOf(argument);
  if (parts.length < operator.min || parts.length > operator.max) {
    fail(
      16020,
      `Expression ${name} takes ${operator.min} to ${operator.max} arguments. ${parts.length} were passed in.`,
    );
  }
  return (scope) => operator.apply(parts.map((part) => part(scope)));
}

function compilePath(path: string): Expression {
  const parts = splitPath(path);
  return ({ root }) => valueAt(root, parts);
}

/** The parts of a path. Fails for names that no field path may have. */
export function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (parts.includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$'))) fail(16410, "FieldPath field names may not start with '$'.");
  return parts;
}

function compileVariable(path: string): Expression {
  const [name, ...parts] = path.split('.');
  if (parts.length > 0) splitPath(parts.join('.'));
  if (name === 'this') return ({ self }) => valueAt(self, parts);
  if (path !== 'NOW') fail(17276, `Use of undefined variable: ${name}`);
  const now = new Date();
  return () => now;
}
