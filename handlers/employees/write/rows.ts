/** What the rows of employees and persons have in common when they change. */
import { isDeepStrictEqual } from 'node:util';
import type { Violation } from '../../answers/errors.ts';
import { ChangeRefused } from './fields.ts';

/** The time of a change. */
export interface WriteMoment {
  readonly now: Date;
  /** The tenant's day at that instant, YYYY-MM-DD. */
  readonly today: string;
}

/** The time of a change made now to a row last changed at `before`: `update_time` only grows. */
export function changeTime(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

/** @throws ChangeRefused when there are violations */
export function refuseIf(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ChangeRefused(violations);
}

/** The given fields that differ from the row, or null when none does. */
export function differences<Row extends object>(row: Row, fields: Partial<Row>): Partial<Row> | null {
  const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Row>);
}

/** The revision of a row; rows of an earlier version have none. */
export function revOf(row: { readonly rev?: number }): number {
  return row.rev ?? 0;
}
