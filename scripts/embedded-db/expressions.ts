import { compareValues } from './compare.ts';
import { fail } from './errors.ts';
import type { Expression } from './expression-types.ts';
import { ARRAY_OPERATORS } from './expressions-arrays.ts';
import { DATE_OPERATORS } from './expressions-dates.ts';
import { NUMBER_OPERATORS } from './expressions-numbers.ts';
import { SPECIAL } from './expressions-special.ts';
import { STRING_OPERATORS } from './expressions-strings.ts';
import { isNullish, isTruthy, type Operator, valueAt } from './operators.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

const compare = (test: (order: number) => boolean): Operator => ({
  min: 2,
  max: 2,
  apply: ([a, b]) => test(compareValues(a, b)),
});

const CORE_OPERATORS: Readonly<Record<string, Operator>> = {
  $cmp: { min: 2, max: 2, apply: ([a, b]) => Math.sign(compareValues(a, b)) },
  $eq: compare((order) => order === 0),
  $ne: compare((order) => order !== 0),
  $gt: compare((order) => order > 0),
  $gte: compare((order) => order >= 0),
  $lt: compare((order) => order < 0),
  $lte: compare((order) => order <= 0),
  $not: { min: 1, max: 1, apply: ([a]) => !isTruthy(a) },
  $type: { min: 1, max: 1, apply: ([a]) => typeName(a) },
  $mergeObjects: { min: 0, max: Number.POSITIVE_INFINITY, apply: mergeObjects },
};

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    ...CORE_OPERATORS,
    ...NUMBER_OPERATORS,
    ...STRING_OPERATORS,
    ...ARRAY_OPERATORS,
    ...DATE_OPERATORS,
  }),
);

function mergeObjects(args: Maybe[]): Value {
  const merged: Doc = {};
  const list = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
  for (const item of list) {
    if (isNullish(item)) continue;
    if (!isDoc(item))
      return fail(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(item)}`);
    for (const [name, value] of Object.entries(item)) setField(merged, name, value);
  }
  return merged;
}

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
    if (name.includes('.'))
      fail(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
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
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special(argument, compileExpression);
  const operator = OPERATORS.get(name);
  if (operator === undefined) return fail(168, `Unrecognized expression '${name}'`);
  const parts =
    isDoc(argument) && NAMED_ARGUMENTS[name] !== undefined ? namedArguments(name, argument) : compileList(argument);
  if (parts.length < operator.min || parts.length > operator.max) {
    fail(16020, `Expression ${name} takes ${arity(operator)} arguments. ${parts.length} were passed in.`);
  }
  return (scope) => operator.apply(parts.map((part) => part(scope)));
}

function arity({ min, max }: Operator): string {
  if (min === max) return `exactly ${min}`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `at least ${min} arguments, and at most ${max}`;
}

function compileList(argument: Value): Expression[] {
  return (Array.isArray(argument) ? argument : [argument]).map((item) => compileExpression(item));
}

/** Operators with named arguments; the names are in the order in which the implementation takes them. */
const NAMED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  $dateToString: ['date', 'format', 'timezone', 'onNull'],
  $dateTrunc: ['date', 'unit', 'binSize', 'timezone'],
  $dateAdd: ['startDate', 'unit', 'amount', 'timezone'],
  $dateSubtract: ['startDate', 'unit', 'amount', 'timezone'],
  $dateDiff: ['startDate', 'endDate', 'unit', 'timezone'],
  $trim: ['input', 'chars'],
  $ltrim: ['input', 'chars'],
  $rtrim: ['input', 'chars'],
  $regexMatch: ['input', 'regex', 'options'],
  $replaceOne: ['input', 'find', 'replacement'],
  $replaceAll: ['input', 'find', 'replacement'],
  $sortArray: ['input', 'sortBy'],
};

/** Some arguments are constants, such as `sortBy: {a: 1}`, which is not an expression. */
function namedArguments(name: string, argument: Doc): Expression[] {
  const known = NAMED_ARGUMENTS[name] ?? [];
  for (const given of Object.keys(argument)) {
    if (!known.includes(given)) fail(18535, `Unrecognized argument to ${name}: ${given}`);
  }
  return known.map((each) => {
    const value = argument[each];
    if (value === undefined) return () => undefined;
    return each === 'sortBy' ? () => value : compileExpression(value);
  });
}

function compilePath(path: string): Expression {
  const parts = splitPath(path);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return ({ root }) => (isDoc(root) ? getField(root, first) : undefined);
  return ({ root }) => valueAt(root, parts, 0);
}

function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (parts.includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$'))) fail(16410, "FieldPath field names may not start with '$'.");
  return parts;
}

function compileVariable(path: string): Expression {
  const [name = '', ...parts] = path.split('.');
  if (parts.length > 0) splitPath(parts.join('.'));
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return ({ root }) => valueAt(root, parts, 0);
    case 'REMOVE':
      return () => undefined;
    case 'NOW': {
      const now = new Date();
      return () => now;
    }
    default:
      if (/^[A-Z]/.test(name)) fail(17276, `Use of undefined variable: ${name}`);
      return ({ vars }) => {
        if (vars === undefined || !vars.has(name)) return fail(17276, `Use of undefined variable: ${name}`);
        return valueAt(vars.get(name), parts, 0);
      };
  }
}
