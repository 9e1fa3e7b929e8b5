/** The database's clock, set by a test. */
import type { Collection, Document } from 'mongodb';

/** The collection, in whose updates by a pipeline `$$NOW` is the time that the test says. */
export function atTime<Row extends Document>(rows: Collection<Row>, nowMs: () => number): Collection<Row> {
  const findOneAndUpdate = (filter: object, pipeline: object, options: object) =>
    rows.findOneAndUpdate(filter, set(pipeline, new Date(nowMs())) as Document[], options);
  return { findOneAndUpdate } as unknown as Collection<Row>;
}

function set(expression: unknown, now: Date): unknown {
  if (expression === '$$NOW') return now;
  if (Array.isArray(expression)) return expression.map((each) => set(each, now));
  if (typeof expression !== 'object' || expression === null || expression instanceof Date) return expression;
  return Object.fromEntries(Object.entries(expression).map(([name, each]) => [name, set(each, now)]));
}
