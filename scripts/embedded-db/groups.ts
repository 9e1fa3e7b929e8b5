import { fail } from './errors.ts';
import { calculate } from './expression-operators.ts';
import { compileExpression } from './expressions.ts';
import { encodeKey } from './keys.ts';
import { isNumeric } from './numbers.ts';
import type { Expression } from './operators.ts';
import type { Steps } from './scan.ts';
import { type Doc, isDoc, type Numeric, setField, type Value } from './values.ts';

/** A field of the groups that adds up numbers. */
interface SumField {
  readonly name: string;
  readonly expression: Expression;
}

function compileSum(name: string, spec: Value): SumField {
  if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
  const [operator, ...others] = isDoc(spec) ? Object.keys(spec) : [];
  if (operator === undefined || !isDoc(spec)) return fail(40234, `The field '${name}' must be an accumulator object`);
  if (others.length > 0) fail(40238, `The field '${name}' must specify one accumulator`);
  if (operator !== '$sum') fail(15952, `unknown group operator '${operator}'`);
  return { name, expression: compileExpression(spec.$sum as Value) };
}

/** Compiles `$group` (manual: "$group (aggregation)"). Groups are in the order of their first document. */
export function compileGroup(spec: Value): (source: Steps<Doc>) => Steps<Doc> {
  if (!isDoc(spec)) return fail(15947, "a group's fields must be specified in an object");
  const { _id, ...rest } = spec;
  if (_id === undefined) return fail(15955, 'a group specification must include an _id');
  const id = compileExpression(_id);
  const fields = Object.entries(rest).map(([name, each]) => compileSum(name, each));
  return function* group(source) {
    const groups = new Map<string, { id: Value; sums: Numeric[] }>();
    for (const doc of source) {
      if (doc === null) {
        yield null;
        continue;
      }
      const scope = { root: doc };
      const value = id(scope) ?? null;
      const key = typeof value === 'string' ? `s${value}` : encodeKey(value).toString('latin1');
      const found = groups.get(key) ?? { id: value, sums: fields.map(() => 0) };
      groups.set(key, found);
      for (const [i, { expression }] of fields.entries()) {
        const more = expression(scope);
        if (isNumeric(more)) found.sums[i] = calculate('add', found.sums[i] ?? 0, more);
      }
    }
    for (const { id: value, sums } of groups.values()) {
      const result: Doc = { _id: value };
      for (const [i, field] of fields.entries()) setField(result, field.name, sums[i] ?? 0);
      yield result;
    }
  };
}
