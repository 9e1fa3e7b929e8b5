import { fail } from './errors.ts';
import { FORMS } from './expression-forms.ts';
import { OPERATORS } from './expression-operators.ts';
import { type Expression, type Operator, valueAt } from './operators.ts';
import { type Doc, getField, isDoc, setField, type Value } from './values.ts';

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
  if (form !== undefined) return form(argument, compileExpression);
  const operator = OPERATORS.get(name) ?? fail(168, `Unrecognized expression '${name}'`);
  const parts = (Array.isArray(argument) ? argument : [argument]).map((item) => compileExpression(item));
  if (parts.length < operator.min || parts.length > operator.max) {
    fail(16020, `Expression ${name} takes ${arity(operator)} arguments. ${parts.length} were passed in.`);
  }
  return (scope) => operator.apply(parts.map((part) => part(scope)));
}

function arity({ min, max }: Operator): string {
  return min === max ? `exactly ${min}` : `at least ${min}`;
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
