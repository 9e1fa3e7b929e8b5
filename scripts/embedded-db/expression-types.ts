import type { Maybe, Value } from './values.ts';

/** What an expression can read: the document and the variables of `$let`, `$map`, `$lookup` and so on. */
export interface Scope {
  readonly root: Value;
  readonly vars: ReadonlyMap<string, Maybe> | undefined;
}

/** A compiled expression. Its result undefined means a missing value, which `$set` and `$project` leave out. */
export type Expression = (scope: Scope) => Maybe;

/** Compiles an expression. Operators that compile their arguments themselves get this function. */
export type Compile = (spec: Value) => Expression;
