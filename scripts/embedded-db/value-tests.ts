import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { isNumeric, toNumber } from './numbers.ts';
import type { Test } from './paths.ts';
import { type Doc, isDoc, RANK, rankOf, type Value } from './values.ts';

/** Whether a filter's value is a document of operators, rather than a value for comparison. */
export function isOperators(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = Object.keys(value);
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

export function equalityTest(value: Value): Test {
  if (value === null) return (found) => found === undefined || found === null;
  if (typeof value === 'string' || typeof value === 'boolean') return (found) => found === value;
  return (found) => found !== undefined && equalValues(found, value);
}

type RangeOperator = '$gt' | '$gte' | '$lt' | '$lte';

export function rangeTest(operator: RangeOperator, bound: Value): Test {
  const rank = rankOf(bound);
  const orEqual = operator === '$gte' || operator === '$lte';
  const greater = operator === '$gt' || operator === '$gte';
  if (rank === RANK.null) return (found) => orEqual && (found === undefined || found === null);
  const isNan = isNumeric(bound) && Number.isNaN(toNumber(bound));
  return (found) => {
    if (found === undefined || rankOf(found) !== rank) return false;
    const order = compareValues(found, bound);
    if (order === 0) return orEqual;
    if (rank === RANK.number && (isNan || Number.isNaN(toNumber(found as number)))) return false;
    return greater ? order > 0 : order < 0;
  };
}

export function inTest(name: string, value: Value): Test {
  if (!Array.isArray(value)) return fail(2, `${name} needs an array`);
  if (value.some((item) => isOperators(item))) fail(2, `cannot nest $ under ${name}`);
  const strings = new Set(value.filter((item) => typeof item === 'string'));
  const others = value.filter((item) => typeof item !== 'string').map(equalityTest);
  return (found) => (typeof found === 'string' && strings.has(found)) || others.some((test) => test(found));
}

/** A character of a pattern that means itself: one that has no meaning, or a punctuation mark after a backslash. */
const LITERAL = /\\[^\p{L}\p{N}\s]|[^\\^$.*+?()[\]{}|]/gu;

/** `$regex` with a pattern that is a literal text. It finds the strings that contain the text. */
export function regexTest(pattern: Value): Test {
  if (typeof pattern !== 'string') return fail(2, '$regex has to be a string');
  const characters = pattern.match(LITERAL) ?? [];
  if (characters.join('') !== pattern) fail(51091, '$regex is supported by this database only for a literal text');
  const text = characters.map((each) => each.replace(/^\\/, '')).join('');
  return (found) => typeof found === 'string' && found.includes(text);
}
