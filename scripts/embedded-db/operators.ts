import { isNumeric, toNumber } from './numbers.ts';
import { getField, isDoc, type Maybe, type Value } from './values.ts';

/** What an expression can read: the document, and the variables of `$filter`. */
export interface Scope {
  readonly root: Value;
  readonly vars?: ReadonlyMap<string, Maybe>;
}

/** A compiled expression. Its result undefined means a missing value, which `$set` and `$project` leave out. */
export type Expression = (scope: Scope) => Maybe;

/** Compiles an expression. Operators that compile their arguments themselves get this function. */
export type Compile = (spec: Value) => Expression;

/** An operator on evaluated arguments, and how many arguments it takes. */
export interface Operator {
  readonly min: number;
  readonly max: number;
  readonly apply: (args: Maybe[]) => Maybe;
}

/** What counts as true (manual: "$and (aggregation)"): everything except false, null, zero and missing. */
export function isTruthy(value: Maybe): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toNumber(value) !== 0;
}

export const isNullish = (value: Maybe): value is null | undefined => value === null || value === undefined;

/** The value at a path through documents. For an array of documents it is the array of their values there. */
export function valueAt(value: Maybe, parts: readonly string[], at: number): Maybe {
  if (at === parts.length) return value;
  if (isDoc(value)) return valueAt(getField(value, parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const inner = isDoc(item) ? valueAt(item, parts, at) : undefined;
    return inner === undefined ? [] : [inner];
  });
}
