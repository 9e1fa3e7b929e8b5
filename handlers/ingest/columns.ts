/** What a payload's records may hold, and where each of its fields goes; the tables stand in `kedo.ts` and `ledger.ts`. */
import type { IngestKind } from '../data/store.ts';

/** What a record may refer to. */
export type ReferenceName = 'person' | 'organization' | 'department' | 'parent' | 'job_title';

/** One field of a record. It may be absent unless it is required, and `""` or null clears it. */
export interface TextColumn {
  readonly type: 'external_id' | 'text' | 'day' | 'iin';
  readonly isRequired?: true;
  /** A field of the row, under its name there. */
  readonly field?: string;
  /** What is stored and never shown. */
  readonly detail?: string;
  /** An external id of another object. */
  readonly reference?: ReferenceName;
}

/** Fields of one object, by their names in the record. */
export interface Columns {
  readonly [name: string]: TextColumn | Columns;
}

/** Fields of a record whose types are right: those that were given, `''` where one was cleared. */
export interface Values {
  readonly [name: string]: string | Values | undefined;
}

/** What a record says about one object (D-29). */
export interface Mapped {
  readonly kind: IngestKind;
  readonly externalId: string;
  /** Fields of the row that were given; `''` clears. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is stored and never shown, as far as it was given; `''` clears. */
  readonly details: Readonly<Record<string, string>>;
  /** The `Ссылка` of a department whose external id is another text: references find it by either. */
  readonly link?: string;
  /** External ids of other objects that were given; `''` clears. */
  readonly references: Readonly<Partial<Record<ReferenceName, string>>>;
  /** The person that came with an employee, and whose the id is: its own, the one on its papers, or the employee's. */
  readonly person?: Mapped & { readonly idFrom: 'external_id' | 'iin' | 'employee' };
}

/** A record that is not applied, and why: a sentence without values. */
export interface Skipped {
  readonly skipped: string;
}

/** One payload of one source. */
export interface Payload {
  readonly columns: Columns;
  /** By which of its fields a person finds a record that says nothing, the best first. */
  readonly idFields: readonly string[];
  /** From the values of a record whose types are right. */
  map(values: Values): Mapped | Skipped;
}

/** Whether a column is a nested object. */
export function isNested(column: TextColumn | Columns): column is Columns {
  return typeof column.type !== 'string';
}

/** What the values say about one object, each where its column wants it. */
export function distribute(columns: Columns, values: Values): Pick<Mapped, 'fields' | 'details' | 'references'> {
  const fields: Record<string, string> = {};
  const details: Record<string, string> = {};
  const references: Partial<Record<ReferenceName, string>> = {};
  for (const [name, column] of Object.entries(columns)) {
    const value = values[name];
    if (typeof value !== 'string' || isNested(column)) continue;
    if (column.field !== undefined) fields[column.field] = value;
    if (column.detail !== undefined) details[column.detail] = value;
    if (column.reference !== undefined) references[column.reference] = value;
  }
  return { fields, details, references };
}
