import { fail } from './errors.ts';
import { compileExpression, isTruthy } from './expressions.ts';
import { intervalsOf, isWithin } from './intervals.ts';
import { encodeKey } from './keys.ts';
import { isIndex, someAtPath, type Test } from './paths.ts';
import { type Doc, isDoc, isOperators, type Maybe, type Value } from './values.ts';

/** A test by an operator that compares. */
function comparison(name: string, operand: Value): Test {
  const intervals = intervalsOf(name, operand) ?? fail(2, `unknown operator: ${name}`);
  const values = name === '$in' && Array.isArray(operand) ? operand : [operand];
  if (['$eq', '$in'].includes(name) && values.every((each) => typeof each === 'string')) {
    // Texts, which are most values, need no keys.
    const texts = new Set<Maybe>(values);
    return (found) => texts.has(found);
  }
  return (found) => isWithin(encodeKey(found), intervals, 1);
}

/** A character of a pattern that means itself: one that has no meaning, or a punctuation mark after a backslash. */
const LITERAL = /\\[^\p{L}\p{N}\s]|[^\\^$.*+?()[\]{}|]/gu;

/** `$regex` with a pattern that is a literal text. It finds the strings that contain the text. */
function regexTest(pattern: Value): Test {
  if (typeof pattern !== 'string') return fail(2, '$regex has to be a string');
  const characters = pattern.match(LITERAL) ?? [];
  if (characters.join('') !== pattern) fail(51091, '$regex is supported by this database only for a literal text');
  const text = characters.map((each) => each.replace(/^\\/, '')).join('');
  return (found) => typeof found === 'string' && found.includes(text);
}

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
  const test = compileClauses(filter, fields);
  return { test, fields: fields.has('') ? undefined : fields };
}

function all(tests: readonly Predicate[]): Predicate {
  if (tests.length === 1) return tests[0] as Predicate;
  return (doc) => {
    for (const test of tests) if (!test(doc)) return false;
    return true;
  };
}

/** @param fields collects the fields that are read; an empty name means the whole document */
function compileClauses(filter: Doc, fields: Set<string>): Predicate {
  return all(
    Object.entries(filter).map(([name, value]) =>
      name.startsWith('$') ? compileLogical(name, value, fields) : compileField(name, value, fields),
    ),
  );
}

function subFilters(name: string, value: Value, fields: Set<string>): Predicate[] {
  if (!Array.isArray(value)) return fail(2, `${name} must be an array`);
  if (value.length === 0) fail(2, '$and/$or/$nor must be a nonempty array');
  return value.map((item) =>
    isDoc(item) ? compileClauses(item, fields) : fail(2, '$or/$and/$nor entries need to be full objects'),
  );
}

function compileLogical(name: string, value: Value, fields: Set<string>): Predicate {
  switch (name) {
    case '$and':
      return all(subFilters(name, value, fields));
    case '$or':
    case '$nor': {
      const tests = subFilters(name, value, fields);
      return (doc) => tests.some((test) => test(doc)) === (name === '$or');
    }
    case '$expr': {
      fields.add('');
      const expression = compileExpression(value);
      return (doc) => isTruthy(expression({ root: doc }));
    }
    default:
      return fail(2, `unknown top level operator: ${name}`);
  }
}

function compileField(path: string, condition: Value, fields: Set<string>): Predicate {
  const parts = path.split('.');
  if (parts.slice(0, -1).some(isIndex)) fail(115, `fields of an element by its index are not supported here: ${path}`);
  fields.add(parts[0] as string);
  const operators = Object.entries(isOperators(condition) ? condition : { $eq: condition });
  return all(operators.map(([name, value]) => onPath(parts, compileOperator(name, value))));
}

/** Whether a test holds, or does not hold, for some value at a path. */
interface Condition {
  readonly test: Test;
  readonly isNegated: boolean;
}

const some = (test: Test): Condition => ({ test, isNegated: false });
const none = (test: Test): Condition => ({ test, isNegated: true });

/** Applies the condition to every value at a path. */
const onPath =
  (parts: readonly string[], { test, isNegated }: Condition): Predicate =>
  (doc) =>
    someAtPath(doc, parts, test) !== isNegated;

function compileOperator(name: string, value: Value): Condition {
  switch (name) {
    case '$ne':
      return none(comparison('$eq', value));
    case '$nin':
      return none(comparison('$in', value));
    case '$exists':
      return isTruthy(value) ? some((found) => found !== undefined) : none((found) => found !== undefined);
    case '$regex':
      return some(regexTest(value));
    default:
      return some(comparison(name, value));
  }
}
