/** What reads of rows have in common: their time, conditions, and the fields that handlers get. */

/** How long the database may work on one read of a request, in milliseconds. */
export const READ_TIME_MS = 4_000;

export const BY_ID = { hint: { _id: 1 }, maxTimeMS: READ_TIME_MS } as const;

/** The condition that a field has any of the values, in the form that indexes serve best. */
export function anyOf(values: readonly string[]): string | { $in: string[] } {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { $in: [...values] };
}

/** Combines conditions on rows; conditions on the same field are kept separate by `$and`. */
export function allOf(...filters: readonly object[]): object {
  const joined: Record<string, unknown> = {};
  const apart: object[] = [];
  for (const filter of filters) {
    const clash = Object.keys(filter).some((key) => key in joined);
    if (clash) apart.push(filter);
    else Object.assign(joined, filter);
  }
  return apart.length === 0 ? joined : { $and: [joined, ...apart] };
}

/** A row that a list can page over. Where it stands in a list, (`create_time`, `_id`), never changes. */
export interface PagedRow {
  _id: string;
  create_time: Date;
}

/** Fields that only filters or the relay use. No answer shows them, and they make rows large. */
const INVISIBLE = {
  tenant_id: 0,
  visible_to: 0,
  actors: 0,
  listed: 0,
  deleted_at: 0,
  search_text: 0,
  search_keys: 0,
  pending_events: 0,
  outbox_at: 0,
} as const;

export type VisibleRow<Row> = Omit<Row, keyof typeof INVISIBLE>;

/** The option that makes a query return a {@link VisibleRow}. */
export const visibleFields = { projection: INVISIBLE };
