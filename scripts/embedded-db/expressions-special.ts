import { fail } from './errors.ts';
import type { Compile, Expression, Scope } from './expression-types.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import { isNullish, isTruthy } from './operators.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

function listOf(argument: Value, compile: Compile): Expression[] {
  return (Array.isArray(argument) ? argument : [argument]).map((item) => compile(item));
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

function compileCond(argument: Value, compile: Compile): Expression {
  let list: Value[];
  if (isDoc(argument)) {
    const { if: condition, then, else: otherwise } = fieldsOf('$cond', argument, ['if', 'then', 'else']);
    list = [condition as Value, then as Value, otherwise as Value];
  } else list = Array.isArray(argument) ? argument : [argument];
  if (list.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`);
  const [condition, then, otherwise] = list.map((item) => compile(item)) as [Expression, Expression, Expression];
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
}

function compileSwitch(argument: Value, compile: Compile): Expression {
  const { branches, default: otherwise } = fieldsOf('$switch', argument, ['branches'], ['default']);
  if (!Array.isArray(branches) || branches.length === 0) return fail(40060, '$switch requires at least one branch.');
  const compiled = branches.map((branch) => {
    const { case: condition, then } = fieldsOf('$switch', branch, ['case', 'then']);
    return [compile(condition as Value), compile(then as Value)] as const;
  });
  const last = otherwise === undefined ? undefined : compile(otherwise);
  return (scope) => {
    for (const [condition, then] of compiled) if (isTruthy(condition(scope))) return then(scope);
    return last === undefined
      ? fail(40066, '$switch could not find a matching branch for an input, and no default was specified.')
      : last(scope);
  };
}

function compileLet(argument: Value, compile: Compile): Expression {
  const { vars, in: body } = fieldsOf('$let', argument, ['vars', 'in']);
  if (!isDoc(vars)) return fail(10065, 'invalid parameter: expected an object (vars)');
  const compiled = Object.entries(vars).map(([name, value]) => [name, compile(value)] as const);
  const result = compile(body as Value);
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

function compileMap(argument: Value, compile: Compile): Expression {
  const { input, as, in: body } = fieldsOf('$map', argument, ['input', 'in'], ['as']);
  const [items, result] = [compile(input as Value), compile(body as Value)];
  const name = variableName(as);
  return (scope) =>
    inputArray('$map', items(scope))?.map((item) => result(extend(scope, { [name]: item })) ?? null) ?? null;
}

function compileFilterExpression(argument: Value, compile: Compile): Expression {
  const { input, as, cond, limit } = fieldsOf('$filter', argument, ['input', 'cond'], ['as', 'limit']);
  const [items, test] = [compile(input as Value), compile(cond as Value)];
  const most = limit === undefined ? undefined : compile(limit);
  const name = variableName(as);
  return (scope) => {
    const kept = inputArray('$filter', items(scope))?.filter((item) => isTruthy(test(extend(scope, { [name]: item }))));
    const count = most?.(scope);
    if (kept === undefined || isNullish(count)) return kept ?? null;
    if (!isNumeric(count) || (toInteger(count) ?? 0n) < 1n) fail(327391, '$filter: limit must be a positive integer');
    return kept.slice(0, toNumber(count as number));
  };
}

function compileReduce(argument: Value, compile: Compile): Expression {
  const { input, initialValue, in: body } = fieldsOf('$reduce', argument, ['input', 'initialValue', 'in']);
  const items = compile(input as Value);
  const [initial, step] = [compile(initialValue as Value), compile(body as Value)];
  return (scope) => {
    const list = inputArray('$reduce', items(scope));
    if (list === null) return null;
    let value = initial(scope);
    for (const item of list) value = step(extend(scope, { value, this: item }));
    return value;
  };
}

/** Operators that decide themselves which of their arguments to evaluate, and with which variables. */
export const SPECIAL: Readonly<Record<string, (argument: Value, compile: Compile) => Expression>> = {
  $literal: (argument) => () => argument,
  $and: (argument, compile) => {
    const parts = listOf(argument, compile);
    return (scope) => parts.every((part) => isTruthy(part(scope)));
  },
  $or: (argument, compile) => {
    const parts = listOf(argument, compile);
    return (scope) => parts.some((part) => isTruthy(part(scope)));
  },
  $ifNull: (argument, compile) => {
    const parts = listOf(argument, compile);
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
  $getField: (argument, compile) => {
    const named = isDoc(argument) && 'field' in argument;
    const name = compile(named ? (argument.field as Value) : argument);
    const input = compile(named && 'input' in argument ? (argument.input as Value) : '$$CURRENT');
    return (scope) => {
      const field = name(scope);
      const value = input(scope);
      if (typeof field !== 'string') return fail(5654602, '$getField requires the field to be a string');
      return isDoc(value) ? getField(value, field) : isNullish(value) ? null : undefined;
    };
  },
  $setField: (argument, compile) => {
    if (!isDoc(argument)) return fail(4161100, '$setField requires an object');
    const { field, input = null, value = null } = argument;
    if (typeof field !== 'string') return fail(4161106, '$setField requires a constant string as its field');
    const [inputOf, itemOf] = [compile(input), compile(value)];
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
