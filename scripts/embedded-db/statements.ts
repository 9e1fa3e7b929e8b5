import type { StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';

export type SqlValue = number | string | Uint8Array | null;
type SqlRow = SqlValue[];

/** Prepared statements by their text. Rows are arrays, in the order of the columns. */
export interface Statements {
  get(text: string, ...values: SqlValue[]): SqlRow;
  all(text: string, ...values: SqlValue[]): SqlRow[];
  run(text: string, ...values: SqlValue[]): void;
}

/**
 * A cache of prepared statements for one owner. It is discarded with its owner, because a collection's table may be
 * dropped.
 */
export function statementsOf(database: Database): Statements {
  const cache = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    let statement = cache.get(text);
    if (statement === undefined) {
      statement = database.sql.prepare(text);
      statement.setReturnArrays(true);
      cache.set(text, statement);
    }
    return statement;
  };
  // With setReturnArrays the rows are arrays, which the types of node:sqlite do not express.
  return {
    get: (text, ...values) => (prepare(text).get(...values) ?? []) as unknown as SqlRow,
    all: (text, ...values) => prepare(text).all(...values) as unknown as SqlRow[],
    run: (text, ...values) => {
      prepare(text).run(...values);
    },
  };
}
