import type { Maybe, Value } from './values.ts';

/** What an expression sees: the document and the variables of `$let`, `$map`, `$lookup` and so on. */
export interface Scope {
  readonly root: Value;
  readonly vars: ReadonlyMap<string, Maybe> | undefined;
}

/** A compiled expression; undefined stands for a missing value, which `$set` and `$project` leave out. */
export type Expression = (scope: Scope) => Maybe;

/** Compiles an expression; given to the operators that compile their arguments themselves. */
export type Compile = (spec: Value) => Expression;
