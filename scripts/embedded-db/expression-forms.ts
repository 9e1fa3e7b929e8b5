import { fail } from './errors.ts';
import { isNumeric, toInteger } from './numbers.ts';
import { type Compile, type Expression, isNullish, isTruthy, type Scope } from './operators.ts';
import { type Doc, isDoc, type Maybe, typeName, type Value } from './values.ts';

type Form = (argument: Value, compile: Compile) => Expression;

function listOf(argument: Value, compile: Compile): Expression[] {
  return (Array.isArray(argument) ? argument : [argument]).map((item) => compile(item));
}

function fieldsOf(name: string, argument: Value, required: readonly string[], optional: readonly string[] = []): Doc {
  if (!isDoc(argument)) return fail(9, `${name} only supports an object as its argument`);
  for (const given of Object.keys(argument)) {
    if (!required.includes(given) && !optional.includes(given)) fail(9, `Unrecognized parameter to ${name}: ${given}`);
  }
  for (const each of required) if (argument[each] === undefined) fail(9, `Missing '${each}' parameter to ${name}`);
  return argument;
}

const cond: Form = (argument, compile) => {
  const list = Array.isArray(argument) ? argument : [argument];
  if (list.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`);
  const [condition, then, otherwise] = list.map((item) => compile(item)) as [Expression, Expression, Expression];
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
};

const ifNull: Form = (argument, compile) => {
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
};

const filter: Form = (argument, compile) => {
  const { input, as = 'this', cond: condition } = fieldsOf('$filter', argument, ['input', 'cond'], ['as']);
  const [items, test] = [compile(input as Value), compile(condition as Value)];
  if (typeof as !== 'string') return fail(16867, 'variable name must be a string');
  const holds = ({ root, vars }: Scope, item: Value): boolean =>
    isTruthy(test({ root, vars: new Map([...(vars ?? []), [as, item]]) }));
  return (scope) => {
    const list = items(scope);
    if (isNullish(list)) return null;
    if (!Array.isArray(list)) return fail(28651, `input to $filter must be an array not ${typeName(list)}`);
    return list.filter((item) => holds(scope, item));
  };
};

const UNIT_MS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

const dateAdd: Form = (argument, compile) => {
  const { startDate, unit, amount } = fieldsOf('$dateAdd', argument, ['startDate', 'unit', 'amount']);
  const milliseconds =
    UNIT_MS[String(unit)] ?? fail(115, `$dateAdd with the unit ${String(unit)} is not supported by this database`);
  const [start, count] = [compile(startDate as Value), compile(amount as Value)];
  return (scope) => {
    const [from, steps] = [start(scope), count(scope)];
    if (isNullish(from) || isNullish(steps)) return null;
    if (!(from instanceof Date))
      return fail(5166403, `$dateAdd requires startDate to be a date, not ${typeName(from)}`);
    const whole = isNumeric(steps) ? toInteger(steps) : undefined;
    if (whole === undefined) return fail(5166405, '$dateAdd expects integer amount of time units');
    const moved = new Date(from.getTime() + Number(whole) * milliseconds);
    return Number.isNaN(moved.getTime()) ? fail(5166406, '$dateAdd overflowed') : moved;
  };
};

/** Operators that decide themselves which of their arguments to evaluate, and with which variables. */
export const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['$literal', (argument) => () => argument],
  ['$cond', cond],
  ['$ifNull', ifNull],
  ['$filter', filter],
  ['$dateAdd', dateAdd],
]);
