import { compareValues } from './compare.ts';
import { fail } from './errors.ts';
import { ARRAY_OPERATORS } from './expressions-arrays.ts';
import { DATE_OPERATORS } from './expressions-dates.ts';
import { NUMBER_OPERATORS } from './expressions-numbers.ts';
import { STRING_OPERATORS } from './expressions-strings.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import { isNullish, isTruthy, type Operator, valueAt } from './operators.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

/** What an expression sees: the document and the variables of `$let`, `$map`, `$lookup` and so on. */
export interface Scope {
  readonly root: Value;
  readonly vars: ReadonlyMap<string, Maybe> | undefined;
}

/** A compiled expression; undefined stands for a missing value, which `$set` and `$project` leave out. */
export type Expression = (scope: Scope) => Maybe;

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

/** Operators that decide themselves which of their arguments are evaluated, and with which variables. */
const SPECIAL: Readonly<Record<string, (argument: Value) => Expression>> = {
  $literal: (argument) => () => argument,
  $and: (argument) => {
    const parts = compileList(argument);
    return (scope) => parts.every((part) => isTruthy(part(scope)));
  },
  $or: (argument) => {
    const parts = compileList(argument);
    return (scope) => parts.some((part) => isTruthy(part(scope)));
  },
  $ifNull: (argument) => {
    const parts = compileList(argument);
    if (parts.length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${parts.length}`);
    return (scope) => {
      let value: Maybe;
      for (const part of parts) {
        value = part(scope);
        if (!isNullish(value)) return value;
      }
      return value;
    };
  },
  $cond: compileCond,
  $switch: compileSwitch,
  $let: compileLet,
  $map: compileMap,
  $filter: compileFilterExpression,
  $reduce: compileReduce,
  $getField: (argument) => {
    const named = isDoc(argument) && 'field' in argument;
    const name = compileExpression(named ? (argument.field as Value) : argument);
    const input = compileExpression(named && 'input' in argument ? (argument.input as Value) : '$$CURRENT');
    return (scope) => {
      const field = name(scope);
      const value = input(scope);
      if (typeof field !== 'string') return fail(5654602, '$getField requires the field to be a string');
      return isDoc(value) ? getField(value, field) : isNullish(value) ? null : undefined;
    };
  },
  $setField: (argument) => {
    if (!isDoc(argument)) return fail(4161100, '$setField requires an object');
    const { field, input = null, value = null } = argument;
    if (typeof field !== 'string') return fail(4161106, '$setField requires a constant string as its field');
    const [inputOf, itemOf] = [compileExpression(input), compileExpression(value)];
    return (scope) => {
      const doc = inputOf(scope);
      if (isNullish(doc)) return null;
      if (!isDoc(doc)) return fail(4161105, '$setField requires input to evaluate to type Object');
      const result = { ...doc };
      const item = itemOf(scope);
      if (item === undefined) delete result[field];
      else setField(result, field, item);
      return result;
    };
  },
};

/**
 * Compiles an aggregation expression (manual: "Aggregation Operators").
 * Fails with 168 (InvalidPipelineOperator) on operators that MongoDB or this database does not know.
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
  if (special !== undefined) return special(argument);
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

/** Operators whose arguments have names, in the order in which their implementation takes them. */
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

/** Constants among the arguments, such as `sortBy: {a: 1}`, which is no expression. */
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

/** A scope with one more set of variables. */
function extend(scope: Scope, added: Readonly<Record<string, Maybe>>): Scope {
  return { root: scope.root, vars: new Map([...(scope.vars ?? []), ...Object.entries(added)]) };
}

function fieldsOf(name: string, argument: Value, required: readonly string[], optional: readonly string[] = []): Doc {
  if (!isDoc(argument)) return fail(9, `${name} only supports an object as its argument`);
  for (const given of Object.keys(argument)) {
    if (!required.includes(given) && !optional.includes(given)) fail(9, `Unrecognized parameter to ${name}: ${given}`);
  }
  for (const each of required) if (argument[each] === undefined) fail(9, `Missing '${each}' parameter to ${name}`);
  return argument;
}

function compileCond(argument: Value): Expression {
  let list: Value[];
  if (isDoc(argument)) {
    const { if: condition, then, else: otherwise } = fieldsOf('$cond', argument, ['if', 'then', 'else']);
    list = [condition as Value, then as Value, otherwise as Value];
  } else list = Array.isArray(argument) ? argument : [argument];
  if (list.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`);
  const [condition, then, otherwise] = list.map((item) => compileExpression(item)) as [
    Expression,
    Expression,
    Expression,
  ];
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
}

function compileSwitch(argument: Value): Expression {
  const { branches, default: otherwise } = fieldsOf('$switch', argument, ['branches'], ['default']);
  if (!Array.isArray(branches) || branches.length === 0) return fail(40060, '$switch requires at least one branch.');
  const compiled = branches.map((branch) => {
    const { case: condition, then } = fieldsOf('$switch', branch, ['case', 'then']);
    return [compileExpression(condition as Value), compileExpression(then as Value)] as const;
  });
  const last = otherwise === undefined ? undefined : compileExpression(otherwise);
  return (scope) => {
    for (const [condition, then] of compiled) if (isTruthy(condition(scope))) return then(scope);
    return last === undefined
      ? fail(40066, '$switch could not find a matching branch for an input, and no default was specified.')
      : last(scope);
  };
}

function compileLet(argument: Value): Expression {
  const { vars, in: body } = fieldsOf('$let', argument, ['vars', 'in']);
  if (!isDoc(vars)) return fail(10065, 'invalid parameter: expected an object (vars)');
  const compiled = Object.entries(vars).map(([name, value]) => [name, compileExpression(value)] as const);
  const result = compileExpression(body as Value);
  return (scope) => result(extend(scope, Object.fromEntries(compiled.map(([name, value]) => [name, value(scope)]))));
}

function inputArray(name: string, value: Maybe): Value[] | null {
  if (isNullish(value)) return null;
  return Array.isArray(value) ? value : fail(28651, `input to ${name} must be an array not ${typeName(value)}`);
}

function variableName(value: Maybe): string {
  if (value === undefined) return 'this';
  return typeof value === 'string' ? value : fail(16867, 'variable name must be a string');
}

function compileMap(argument: Value): Expression {
  const { input, as, in: body } = fieldsOf('$map', argument, ['input', 'in'], ['as']);
  const [items, result] = [compileExpression(input as Value), compileExpression(body as Value)];
  const name = variableName(as);
  return (scope) =>
    inputArray('$map', items(scope))?.map((item) => result(extend(scope, { [name]: item })) ?? null) ?? null;
}

function compileFilterExpression(argument: Value): Expression {
  const { input, as, cond, limit } = fieldsOf('$filter', argument, ['input', 'cond'], ['as', 'limit']);
  const [items, test] = [compileExpression(input as Value), compileExpression(cond as Value)];
  const most = limit === undefined ? undefined : compileExpression(limit);
  const name = variableName(as);
  return (scope) => {
    const kept = inputArray('$filter', items(scope))?.filter((item) => isTruthy(test(extend(scope, { [name]: item }))));
    const count = most?.(scope);
    if (kept === undefined || isNullish(count)) return kept ?? null;
    if (!isNumeric(count) || (toInteger(count) ?? 0n) < 1n) fail(327391, '$filter: limit must be a positive integer');
    return kept.slice(0, toNumber(count as number));
  };
}

function compileReduce(argument: Value): Expression {
  const { input, initialValue, in: body } = fieldsOf('$reduce', argument, ['input', 'initialValue', 'in']);
  const items = compileExpression(input as Value);
  const [initial, step] = [compileExpression(initialValue as Value), compileExpression(body as Value)];
  return (scope) => {
    const list = inputArray('$reduce', items(scope));
    if (list === null) return null;
    let value = initial(scope);
    for (const item of list) value = step(extend(scope, { value, this: item }));
    return value;
  };
}
