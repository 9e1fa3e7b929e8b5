/** Rows as handlers get them. */

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

/** A row without the fields that no answer shows. */
export type VisibleRow<Row> = Omit<Row, keyof typeof INVISIBLE>;

/** The option that makes a query return a {@link VisibleRow}. */
export const visibleFields = { projection: INVISIBLE };
