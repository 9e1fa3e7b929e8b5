/**
 * Describes the fields of a payload's records and where each is stored; the tables are in `kedo.ts` and `ledger.ts`.
 */
import type { IngestKind } from '../data/collections/external_bindings.ts';
import type { ScalarType } from './scalars.ts';

/** The objects that a record may refer to. */
export type ReferenceName = 'person' | 'organization' | 'department' | 'parent' | 'job_title';

interface PlacedColumn {
  readonly isRequired?: true;
  /** Name of the row's field that stores it. */
  readonly field?: string;
  /** Name in the row's `details`, which are stored and never shown. */
  readonly detail?: string;
}

/** One field of a record. It may be absent unless it is required; `""` or null clears it. */
export type TextColumn = PlacedColumn &
  (
    | { readonly type: Exclude<ScalarType, 'reference'>; readonly reference?: never }
    | { readonly type: 'reference'; readonly reference: ReferenceName }
  );

/** The fields of one object, by their names in the record. */
export interface Columns {
  readonly [name: string]: TextColumn | Columns;
}

/** A column for each field that the contract gives an object; other fields are not read. */
export type ColumnsOf<Schema> = {
  readonly [Name in keyof Schema as string extends Name ? never : number extends Name ? never : Name]-?:
    | TextColumn
    | Columns;
};

/** What is read of the given fields of a record; `''` for a cleared field. */
export interface RecordValues {
  readonly [name: string]: string | RecordValues | undefined;
}

/** The fields of an object as they were sent, by name. */
export type SentValues = Readonly<Record<string, unknown>>;

/** What a record says about one object (D-29). */
export interface MappedRecord {
  readonly kind: IngestKind;
  readonly externalId: string;
  /** The given fields of the row; `''` clears. */
  readonly fields: Readonly<Record<string, string>>;
  /** The given values that are stored and never shown; `''` clears. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * LEDGER: the ids made from fields, under which the object may be known too, the first one first. Whoever was loaded
   * with an `external_id` and such a natural id is found by either.
   */
  readonly naturals?: readonly string[];
  /** LEDGER: the personnel number of an employee, and the natural id that is made of it; `''` for none. */
  readonly number?: string;
  readonly natural?: string;
  /** LEDGER: true if the record has an `external_id`; otherwise its external id is a natural one. */
  readonly isGiven?: true;
  /** The given external ids of other objects; `''` clears. */
  readonly references: Readonly<Partial<Record<ReferenceName, string>>>;
  /** The person inside an employee's record of LEDGER; its external id is `''` where none was sent. */
  readonly person?: MappedRecord;
}

/** A record that is not applied, and the reason: a sentence without values. */
export interface SkippedRecord {
  readonly skipped: string;
}

/** One payload of one source. */
export interface Payload {
  readonly columns: Columns;
  /** The fields by which people can find a record that is skipped, the best first. */
  readonly idFields: readonly string[];
  /** Maps the values of a record; their types must be right. @param sent the same values, as they were sent */
  map(values: RecordValues, sent: SentValues): MappedRecord | SkippedRecord;
}

/** The name of a field in records, with its path; `''` if there is none. @param by what the field's column says */
export function sentName(columns: Columns, by: 'field' | 'reference', value: string): string {
  for (const [name, column] of Object.entries(columns)) {
    if (!isNested(column)) {
      if (column[by] === value) return name;
      continue;
    }
    const inner = sentName(column, by, value);
    if (inner !== '') return `${name}.${inner}`;
  }
  return '';
}

/** A field that holds the id of another object. */
export const refersTo = (reference: ReferenceName): TextColumn => ({ type: 'reference', reference });

/** Whether a column is a nested object. */
export function isNested(column: TextColumn | Columns): column is Columns {
  return typeof column.type !== 'string';
}

/** Distributes the values of one object according to their columns. */
export function distribute(
  columns: Columns,
  values: RecordValues,
): Pick<MappedRecord, 'fields' | 'details' | 'references'> {
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

/**
 * The details (stored, never shown) after a record is applied; `''` clears.
 * @param text the JSON text in the row
 */
export function mergedDetails(text: string | undefined, given: Readonly<Record<string, string>>): string {
  const merged = new Map(Object.entries(text ? (JSON.parse(text) as Record<string, string>) : {}));
  for (const [name, value] of Object.entries(given)) {
    if (value === '') merged.delete(name);
    else merged.set(name, value);
  }
  return merged.size === 0 ? '' : JSON.stringify(Object.fromEntries(merged));
}
