import { BSONRegExp } from 'bson';
import { fail } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { isTruthy } from './operators.ts';
import { someAtPath, type Test } from './paths.ts';
import { equalityTest, inTest, isOperators, rangeTest, regexOf, regexTest, sizeTest, typeTest } from './value-tests.ts';
import { type Doc, getField, isDoc, type Value } from './values.ts';

/** Decides whether a document matches. */
type Predicate = (doc: Doc) => boolean;

export interface Matcher {
  readonly test: Predicate;
  /** The top-level fields that the filter reads; undefined if it may read any. */
  readonly fields: ReadonlySet<string> | undefined;
}

/**
 * Compiles a filter (manual: "Query and Projection Operators"). Fails with MongoDB's codes for filters that MongoDB
 * would refuse, and for operators that are not supported here.
 */
export function compileFilter(filter: Doc): Matcher {
  const fields = new Set<string>();
  const test = compileClauses(filter, { fields });
  return { test, fields: fields.has('') ? undefined : fields };
}

interface Context {
  /** Collects the fields that are used; an empty name means the whole document. */
  readonly fields: Set<string>;
  /** Whether the filter applies to elements of an array. */
  readonly nested?: boolean;
}

function all(tests: readonly Predicate[]): Predicate {
  if (tests.length === 1) return tests[0] as Predicate;
  return (doc) => {
    for (const test of tests) if (!test(doc)) return false;
    return true;
  };
}

function compileClauses(filter: Doc, context: Context): Predicate {
  const tests: Predicate[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (name.startsWith('$')) {
      const test = compileLogical(name, value, context);
      if (test !== undefined) tests.push(test);
    } else tests.push(compileField(name, value, context));
  }
  return all(tests);
}

function subFilters(name: string, value: Value, context: Context): Predicate[] {
  if (!Array.isArray(value)) return fail(2, `${name} must be an array`);
  if (value.length === 0) fail(2, '$and/$or/$nor must be a nonempty array');
  return value.map((item) =>
    isDoc(item) ? compileClauses(item, context) : fail(2, '$or/$and/$nor entries need to be full objects'),
  );
}

function compileLogical(name: string, value: Value, context: Context): Predicate | undefined {
  switch (name) {
    case '$and':
      return all(subFilters(name, value, context));
    case '$or': {
      const tests = subFilters(name, value, context);
      return (doc) => tests.some((test) => test(doc));
    }
    case '$nor': {
      const tests = subFilters(name, value, context);
      return (doc) => !tests.some((test) => test(doc));
    }
    case '$expr': {
      if (context.nested) fail(2, '$expr can only be applied to the top-level document');
      context.fields.add('');
      const expression = compileExpression(value);
      return (doc) => isTruthy(expression({ root: doc }));
    }
    case '$comment':
      return undefined;
    default:
      return fail(2, `unknown top level operator: ${name}`);
  }
}

function compileField(path: string, condition: Value, context: Context): Predicate {
  const parts = path.split('.');
  context.fields.add(parts[0] as string);
  const conditions = isOperators(condition) ? compileOperators(condition, context) : [equality(condition)];
  return all(conditions.map((each) => onPath(parts, each)));
}

/** A condition on the values at a path. A `whole` condition sees an array only as a whole, not its elements. */
type Condition =
  | { readonly kind: 'elements' | 'whole'; readonly test: Test }
  | { readonly kind: 'not'; readonly inner: readonly Condition[] };

const some = (test: Test): Condition => ({ kind: 'elements', test });
const none = (test: Test): Condition => ({ kind: 'not', inner: [some(test)] });

/** Applies the condition to every value at a path. */
function onPath(parts: readonly string[], condition: Condition): Predicate {
  if (condition.kind === 'not') {
    const inner = all(condition.inner.map((each) => onPath(parts, each)));
    return (doc) => !inner(doc);
  }
  const { kind, test } = condition;
  const [name] = parts;
  if (parts.length === 1 && name !== undefined) {
    return (doc) => {
      const value = getField(doc, name);
      if (!Array.isArray(value)) return test(value);
      return kind === 'whole' ? test(value) : someAtPath(doc, parts, kind, test);
    };
  }
  return (doc) => someAtPath(doc, parts, kind, test);
}

/** Applies the condition to one value, as `$elemMatch` and `$pull` do with an element. It does not look into arrays. */
function onValue(condition: Condition): Test {
  if (condition.kind !== 'not') return condition.test;
  const inner = condition.inner.map(onValue);
  return (found) => !inner.every((test) => test(found));
}

function equality(value: Value): Condition {
  return some(value instanceof BSONRegExp ? regexTest(value) : equalityTest(value));
}

function compileOperators(operators: Doc, context: Context): Condition[] {
  const conditions: Condition[] = [];
  for (const [name, value] of Object.entries(operators)) {
    if (name === '$options') {
      if (!('$regex' in operators)) fail(2, '$options needs a $regex');
    } else if (name === '$all') conditions.push(...compileAll(value, context));
    else conditions.push(compileOperator(name, value, operators, context));
  }
  return conditions;
}

function compileOperator(name: string, value: Value, operators: Doc, context: Context): Condition {
  switch (name) {
    case '$eq':
      return some(equalityTest(value));
    case '$ne':
      if (value instanceof BSONRegExp) fail(2, "Can't have regex as arg to $ne.");
      return none(equalityTest(value));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (value instanceof BSONRegExp) fail(2, `Can't have RegEx as arg to predicate ${name}`);
      return some(rangeTest(name, value));
    case '$in':
      return some(inTest(name, value));
    case '$nin':
      return none(inTest(name, value));
    case '$exists':
      return isTruthy(value) ? some((found) => found !== undefined) : none((found) => found !== undefined);
    case '$type':
      return some(typeTest(value));
    case '$regex':
      return some(regexTest(regexOf(value, operators.$options)));
    case '$not':
      return { kind: 'not', inner: compileNot(value, context) };
    case '$size':
      return { kind: 'whole', test: sizeTest(value) };
    case '$elemMatch':
      return { kind: 'whole', test: compileElemMatch(value, context) };
    default:
      return fail(2, `unknown operator: ${name}`);
  }
}

function compileNot(value: Value, context: Context): Condition[] {
  if (value instanceof BSONRegExp) return [some(regexTest(value))];
  if (!isDoc(value)) return fail(2, '$not needs a regex or a document');
  if (Object.keys(value).length === 0) fail(2, '$not cannot be empty');
  if (!isOperators(value)) fail(2, `unknown operator: ${Object.keys(value)[0]}`);
  return compileOperators(value, context);
}

function compileAll(value: Value, context: Context): Condition[] {
  if (!Array.isArray(value)) return fail(2, '$all needs an array');
  if (value.length === 0) return [some(() => false)];
  if (isDoc(value[0]) && Object.keys(value[0])[0] === '$elemMatch') {
    return value.flatMap((item) =>
      isDoc(item) && '$elemMatch' in item
        ? compileOperators(item, context)
        : fail(2, '$all/$elemMatch has to be consistent'),
    );
  }
  return value.map((item) => (isOperators(item) ? fail(2, 'no $ expressions in $all') : equality(item)));
}

function compileElemMatch(value: Value, context: Context): Test {
  if (!isDoc(value)) return fail(2, '$elemMatch needs an Object');
  const matches = compileElement(value, { ...context, fields: new Set(), nested: true });
  return (found) => Array.isArray(found) && found.some(matches);
}

/** A condition on an array's element: operators on the element itself, or a filter on an embedded document. */
function compileElement(value: Doc, context: Context): (item: Value) => boolean {
  const [first] = Object.keys(value);
  if (isOperators(value) && !['$and', '$or', '$nor', '$expr', '$where'].includes(first ?? '')) {
    const tests = compileOperators(value, context).map(onValue);
    return (item) => tests.every((test) => test(item));
  }
  const test = compileClauses(value, context);
  return (item) => (isDoc(item) ? test(item) : Array.isArray(item) && test(Object.fromEntries(Object.entries(item))));
}

/** The condition of `$pull` on an element of an array. */
export function compileElementFilter(condition: Value): (item: Value) => boolean {
  const context = { fields: new Set<string>() };
  if (condition instanceof BSONRegExp) return regexTest(condition);
  if (!isDoc(condition)) return equalityTest(condition);
  return compileElement(condition, context);
}
