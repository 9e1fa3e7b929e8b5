import { distinctValues } from './compare.ts';
import { fail } from './errors.ts';
import { calculate, extreme } from './expression-operators.ts';
import { compileExpression } from './expressions.ts';
import { encodeKey } from './keys.ts';
import { isNumeric, makeDouble, refuseDecimal, toNumber } from './numbers.ts';
import { type Expression, isNullish } from './operators.ts';
import type { Steps } from './scan.ts';
import { type Doc, isDoc, type Maybe, type Numeric, setField, type Value } from './values.ts';

/** The state of one accumulator of a group, updated with each value. */
interface Accumulator {
  add(value: Maybe): void;
  result(): Value;
}

function collecting(finish: (values: Value[]) => Value): () => Accumulator {
  return () => {
    const values: Value[] = [];
    return {
      add: (value) => {
        if (value !== undefined) values.push(value);
      },
      result: () => finish(values),
    };
  };
}

function summing(): Accumulator {
  let total: Numeric = 0;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      total = calculate('add', total, value);
    },
    result: () => total,
  };
}

function extremes(sign: 1 | -1): () => Accumulator {
  return () => {
    let best: Value | undefined;
    return {
      add: (value) => {
        if (!isNullish(value)) best = best === undefined ? value : extreme(best, value, sign);
      },
      result: () => best ?? null,
    };
  };
}

function firstOrLast(last: boolean): () => Accumulator {
  return () => {
    let kept: Value | undefined;
    return {
      add: (value) => {
        if (last || kept === undefined) kept = value ?? null;
      },
      result: () => kept ?? null,
    };
  };
}

function averaging(): Accumulator {
  const total = summing();
  let count = 0;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      refuseDecimal(value);
      total.add(value);
      count++;
    },
    result: () => (count === 0 ? null : makeDouble(toNumber(total.result() as Numeric) / count)),
  };
}

const ACCUMULATORS: ReadonlyMap<string, () => Accumulator> = new Map<string, () => Accumulator>([
  ['$sum', summing],
  ['$count', summing],
  ['$avg', averaging],
  ['$min', extremes(-1)],
  ['$max', extremes(1)],
  ['$first', firstOrLast(false)],
  ['$last', firstOrLast(true)],
  ['$push', collecting((values) => values)],
  ['$addToSet', collecting(distinctValues)],
]);

interface Field {
  readonly name: string;
  readonly make: () => Accumulator;
  readonly expression: Expression;
}

function compileField(name: string, spec: Value): Field {
  if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
  const [operator, ...others] = isDoc(spec) ? Object.keys(spec) : [];
  if (operator === undefined || !isDoc(spec)) return fail(40234, `The field '${name}' must be an accumulator object`);
  if (others.length > 0) fail(40238, `The field '${name}' must specify one accumulator`);
  const make = ACCUMULATORS.get(operator) ?? fail(15952, `unknown group operator '${operator}'`);
  const argument = operator === '$count' ? 1 : (spec[operator] as Value);
  return { name, make, expression: compileExpression(argument) };
}

/** Compiles `$group` (manual: "$group (aggregation)"). Groups are in the order of their first document. */
export function compileGroup(spec: Value): (source: Steps<Doc>) => Steps<Doc> {
  if (!isDoc(spec)) return fail(15947, "a group's fields must be specified in an object");
  const { _id, ...rest } = spec;
  if (_id === undefined) return fail(15955, 'a group specification must include an _id');
  const id = compileExpression(_id);
  const fields = Object.entries(rest).map(([name, each]) => compileField(name, each));
  return function* group(source) {
    const groups = new Map<string, { id: Value; accumulators: Accumulator[] }>();
    for (const doc of source) {
      if (doc === null) {
        yield null;
        continue;
      }
      const scope = { root: doc };
      const value = id(scope) ?? null;
      const key = typeof value === 'string' ? `s${value}` : encodeKey(value).toString('latin1');
      let found = groups.get(key);
      if (found === undefined) {
        found = { id: value, accumulators: fields.map((field) => field.make()) };
        groups.set(key, found);
      }
      for (const [i, field] of fields.entries()) found.accumulators[i]?.add(field.expression(scope));
    }
    for (const { id: value, accumulators } of groups.values()) {
      const result: Doc = { _id: value };
      for (const [i, field] of fields.entries()) setField(result, field.name, accumulators[i]?.result() ?? null);
      yield result;
    }
  };
}
