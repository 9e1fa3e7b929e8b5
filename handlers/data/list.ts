/**
 * What a list of the contract is: a table with a row for each of its filters, and how the database finds rows. The type
 * demands a row for every query parameter that is not named in {@link NoFilter}. From the table come the condition on
 * rows, what page tokens are bound to, and whether rows can move while a page is read.
 */
import type { Inputs, OperationId } from '../../generated/contract.ts';
import { instantOf } from '../../generated/validators.js';
import { failField } from '../answers/errors.ts';
import type { IndexKeys } from './collection.ts';
import type { Layout } from './raw-row.ts';
import { allOf, anyOf } from './reads.ts';

/** Query parameters of lists that are no filters (D-10). */
type NoFilter = 'limit' | 'page_token' | 'expand' | 'include_total';

/** The query parameters of an operation; `None` would have any name. */
type QueryOf<Id extends OperationId> = string extends keyof Inputs[Id]['query'] ? object : Inputs[Id]['query'];

type FiltersOf<Id extends OperationId> = Omit<QueryOf<Id>, NoFilter>;

/** The filters of a request for a list, by the names of their parameters. */
export type FilterQuery<Id extends OperationId> = Partial<FiltersOf<Id>>;

export type ListQuery<Id extends OperationId> = FilterQuery<Id> & PageQuery;

export interface PageQuery {
  readonly limit: number;
  readonly page_token?: string;
}

/** How the database finds the rows of a condition. Without an index it chooses one. */
export interface ReadPlan {
  readonly hint?: IndexKeys;
  /** A condition to add: true of every row that is in the list, so that the index can be used. */
  readonly condition?: object;
  /** Another plan, for up to so many rows; also used if this one has not found a page within a second. */
  readonly ifFew?: { readonly upTo: number; readonly plan: ReadPlan };
  /** For plans that may read many rows without a match: they are read in slices, so that no single read takes long. */
  readonly slices?: ListSlices;
}

/** How a list is cut into slices: an index counts the rows of each. */
export interface ListSlices {
  /** The condition for a row to be counted; every row that the plan finds fulfils it. */
  readonly condition: object;
  /** An index whose keys answer the condition, in the order of the list. */
  readonly hint: IndexKeys;
  readonly rows: number;
  /** The plan for the rest if the first slice has not filled the page. */
  readonly next?: () => Promise<ReadPlan>;
}

/** How many rows of the tenant fulfil a condition, counted up to `atMost`; by keys alone if an index covers it. */
export type RowCount = (condition: object, atMost: number) => Promise<number>;

/** How a value is compared: rows have any of the values, or an instant at or after it, or after it. */
type Comparison<Value> = Value extends readonly string[]
  ? 'any'
  : Value extends string
    ? 'any' | 'from' | 'after'
    : never;

/** A text that no index finds as it is: how to read the rows with it is planned for each request. */
interface PlannedText {
  readonly matches: 'text';
  readonly meaning: (text: string) => string;
  readonly plan: (count: RowCount, meaning: string) => Promise<ReadPlan>;
}

type IndexWith<Field extends string> = IndexKeys & Readonly<Record<Field, 1 | -1>>;

interface FieldFilter<Field extends string> {
  readonly field: Field;
  /** The index that serves this filter alone; for `any`, in the order of the list. */
  readonly index: IndexWith<Field>;
  /** Whether the field may change while the row still matches. */
  readonly moves: boolean;
}

/** The index that counts matches by keys and gives their ids in order. Null: a large total cannot be estimated. */
type CountedField<Field extends string> = { readonly ids: IndexWith<Field> | null };

/** A row of the table; of a list with `include_total`, it also says how matches are counted. */
export type ListFilter<Row, Value = string, Query = unknown> = {
  [Field in keyof Row & string]: FieldFilter<Field> &
    (Query extends { include_total?: unknown } ? CountedField<Field> : unknown) &
    ({ readonly matches: Comparison<Value> } | (Value extends string ? PlannedText : never));
}[keyof Row & string];

/** The filters of a list by the names of their parameters; a parameter without a row does not compile. */
export type ListFilters<Id extends OperationId, Row> = {
  readonly [Name in keyof FiltersOf<Id>]-?: ListFilter<Row, NonNullable<FiltersOf<Id>[Name]>, Inputs[Id]['query']>;
};

export interface List<Id extends OperationId, Row, Field extends string = never> {
  readonly operationId: Id;
  readonly filters: ListFilters<Id, Row>;
  /** If it is given, rows are read as BSON with these fields, `create_time` among them. */
  readonly layout?: Layout<Field>;
  /**
   * How a page is read; by default the database chooses.
   * @param seen one condition on what the owner sees
   * @param asked the condition of the filters
   */
  readonly plan?: (seen: object, asked: object) => ReadPlan;
  /** The plan for rows of any filters that changed lately. */
  readonly changedPlan?: ReadPlan;
}

/** What a page token is bound to. With anything else the token is refused as INVALID_ARGUMENT. */
export interface PageBinding {
  readonly list: string;
  readonly tenantId: string;
  readonly filters: Readonly<Record<string, FilterValue | undefined>>;
}

/** Arrays compare as sets; an instant is in milliseconds. */
type FilterValue = string | number | readonly string[];

/** The rows of a table whose filters a query gives, with their names. */
export const givenFilters = <Filter>(
  table: Readonly<Record<string, Filter>>,
  query: object,
): [name: string, filter: Filter][] =>
  Object.entries(table).filter(([name]) => (query as Readonly<Record<string, unknown>>)[name] !== undefined);

/**
 * What the filters of a query mean, to which page tokens are bound; the condition on rows, and how to plan for a text;
 * the fields that may change while a row matches.
 */
export function filterValues(table: Readonly<Record<string, ListFilter<Record<string, unknown>>>>, query: object) {
  const meanings: Record<string, FilterValue> = {};
  const conditions: object[] = [];
  const moving: string[] = [];
  let planText: ((count: RowCount) => Promise<ReadPlan>) | undefined;
  for (const [name, filter] of givenFilters(table, query)) {
    const given = (query as Readonly<Record<string, string | readonly string[]>>)[name] ?? '';
    if (filter.moves) moving.push(filter.field);
    if (filter.matches === 'text') {
      const text = filter.meaning(String(given));
      meanings[name] = text;
      planText = (count) => filter.plan(count, text);
    } else {
      const { meaning, condition } = compared(name, filter.matches, given);
      meanings[name] = meaning;
      conditions.push({ [filter.field]: condition });
    }
  }
  return { meanings, condition: allOf(...conditions), moving, planText };
}

/** Up to the millisecond that rows have, finer digits are rounded so that no matching row is lost. */
const INSTANTS = { from: { operator: '$gte', rounding: 'up' }, after: { operator: '$gt', rounding: 'down' } } as const;

/** What a value means, and the condition on the field of rows. */
function compared(
  name: string,
  matches: 'any' | keyof typeof INSTANTS,
  given: string | readonly string[],
): { readonly meaning: FilterValue; readonly condition: unknown } {
  if (matches === 'any') return { meaning: given, condition: anyOf([given].flat()) };
  const { operator, rounding } = INSTANTS[matches];
  const atMs = instantMs(name, String(given), rounding);
  return { meaning: atMs, condition: { [operator]: new Date(atMs) } };
}

/**
 * An instant in milliseconds. Finer digits round `up` (for a bound that is included) or `down`, so that no matching row
 * is lost (D-12).
 */
function instantMs(field: string, text: string, rounding: 'up' | 'down'): number {
  const { ms, isFiner } = instantOf(text) ?? failField(field, 'must be an RFC 3339 date-time');
  return rounding === 'up' && isFiner ? ms + 1 : ms;
}
