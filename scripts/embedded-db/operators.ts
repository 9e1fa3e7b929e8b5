import { Decimal128 } from 'bson';
import { fail } from './errors.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { getField, isDoc, type Maybe } from './values.ts';

/** An operator on evaluated arguments, with the number of arguments it takes. */
export interface Operator {
  readonly min: number;
  readonly max: number;
  readonly apply: (args: Maybe[]) => Maybe;
}

/** What counts as true (manual: "$and (aggregation)"): everything but false, null, zero and missing. */
export function isTruthy(value: Maybe): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toNumber(value) !== 0;
}

export const isNullish = (value: Maybe): value is null | undefined => value === null || value === undefined;

/** A path through documents; an array of documents gives the array of what its elements have there. */
export function valueAt(value: Maybe, parts: readonly string[], at: number): Maybe {
  if (at === parts.length) return value;
  if (isDoc(value)) return valueAt(getField(value, parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const inner = isDoc(item) ? valueAt(item, parts, at) : undefined;
    return inner === undefined ? [] : [inner];
  });
}

/** Operators that have no decimal arithmetic refuse it. */
export function refuseDecimal(name: string, value: Maybe): void {
  if (value instanceof Decimal128) fail(115, `${name} on Decimal128 is not supported by this database`);
}
