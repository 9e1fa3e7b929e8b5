/** How handlers read rows: only those that the caller may see. */
import type { ErrorName } from '../../generated/errors.ts';
import type { OperationId } from '../../generated/operations.ts';
import { fail } from '../answers/errors.ts';
import { anyOf, bindingOf, type Page, type PageQuery, type PageTokens, readPage } from '../data/page.ts';
import { findRaw } from '../data/raw-read.ts';
import type { Layout, RawRow } from '../data/raw-row.ts';
import type { Paged } from '../data/steady-read.ts';
import { type Collection, type Filter, READ_TIME_MS, type Store } from '../data/store.ts';
import { onceForEach, readTogetherUnder } from '../data/together.ts';
import { allOf, type PagedRow, type Seen, type Slice, seen, type Way } from '../data/ways.ts';

/** Conditions on rows. The caller sees the rows that match at least one of them, and no row if there are none. */
export type Conditions = readonly object[];

/** How many rows one way finds, counted up to `atMost`. */
type Count = (way: Way, atMost: number) => Promise<number>;

/**
 * Chooses the index by which a list of rows is read.
 * @param seen a condition on what the owner sees
 * @param asked the filter of the list
 * @returns a way to the rows that match both conditions; its filter contains `asked`, perhaps more precisely, but not
 * `seen`
 */
export type Planner<Row> = (seen: Filter<Row>, asked: Filter<Row>, count: Count) => Way | Promise<Way>;

/** What a list asks for. Without a planner the database chooses the index. */
type Asked<Row> = [list: OperationId, query: PageQuery, filter: Filter<Row>, planner?: Planner<Row>];

/** Rows of one collection that the caller may see. */
export interface VisibleRows<Row extends PagedRow> {
  /** One page of a list, newest first; its token is bound to what {@link bindingOf} takes from the query. */
  page(...asked: Asked<Row>): Promise<Page<Seen<Row>>>;
  /** The same with rows as BSON, of which the layout names the fields. */
  rawPage<Field extends string>(layout: Layout<Field>, ...asked: Asked<Row>): Promise<Page<RawRow<Field>>>;
  /** One row by its id; undefined if it is missing or invisible, which look the same. */
  find(id: string): Promise<Seen<Row> | undefined>;
  /** One row by its id, or the 404 of its kind. */
  get(id: string): Promise<Seen<Row>>;
  /** The same as BSON. */
  rawGet<Field extends string>(layout: Layout<Field>, id: string): Promise<RawRow<Field>>;
  /** Those of the ids whose rows the caller sees and match the filter, in one query. */
  visibleIds(ids: Iterable<string>, filter?: Filter<Row>): Promise<Set<string>>;
  /** How many rows match, counted up to `atMost`. */
  count(filter: Filter<Row>, atMost: number, planner: Planner<Row>): Promise<number>;
  /** The id at a rank (from 1) in the order of ids, for an owner who sees all; undefined if fewer rows match. */
  idAtRank(filter: Filter<Row>, rank: number, planner: Planner<Row>): Promise<string | undefined>;
}

/** Makes the visible rows of a collection. @param conditionsOf the conditions for the rows that the caller sees */
export function visibleRows<Row extends PagedRow>(
  paged: Paged<Row>,
  tokens: PageTokens,
  tenantId: string,
  notFound: ErrorName,
  conditionsOf: () => Conditions | Promise<Conditions>,
): VisibleRows<Row> {
  const collection = paged.collection as unknown as Collection<Row>;
  /** The condition for rows by id that the caller sees and that match a filter; undefined if none can. */
  const byIds = async (ids: readonly string[], filter: object = {}): Promise<Filter<Row> | undefined> => {
    const conditions = await conditionsOf();
    if (conditions.length === 0 || ids.length === 0) return undefined;
    return allOf({ _id: anyOf(ids), tenant_id: tenantId }, anyCondition(conditions), filter) as Filter<Row>;
  };
  const find = async (id: string) => {
    const filter = await byIds([id]);
    const row = filter === undefined ? null : await collection.findOne(filter, { ...seen, ...BY_ID });
    return (row ?? undefined) as Seen<Row> | undefined;
  };
  const countBy: Count = (way, atMost) => countRows(collection, way, atMost);
  /** The ways to the rows that the caller sees and asks for, each with its index. */
  const waysTo = async (filter: Filter<Row>, planner: Planner<Row>): Promise<Way[]> => {
    const wayFor = async (condition: object): Promise<Way> => {
      const limited = (way: Way) => limitedTo(tenantId, condition, way);
      const count = (way: Way, atMost: number) => countBy(limited(way), atMost);
      return limited(await planner(condition as Filter<Row>, filter, count));
    };
    const conditions = await conditionsOf();
    return Promise.all(conditions.map(wayFor));
  };
  const pageOf = async <Read extends PagedRow>(rows: Paged<Read>, ...[list, query, filter, planner]: Asked<Row>) => {
    const ways = await waysTo(filter, planner ?? unplanned);
    return readPage(rows, tokens, ways, query, bindingOf(list, tenantId, query));
  };
  return {
    page: (...asked) => pageOf(paged, ...asked),
    rawPage: async <Field extends string>(layout: Layout<Field>, ...asked: Asked<Row>) =>
      (await pageOf({ ...paged, layout }, ...asked)) as unknown as Page<RawRow<Field>>,
    find,
    get: async (id) => (await find(id)) ?? fail(notFound),
    async rawGet<Field extends string>(layout: Layout<Field>, id: string) {
      const conditions = await conditionsOf();
      if (conditions.length === 0) return fail(notFound);
      const find = rawFinders(paged.store)(paged.collection as unknown as Collection<PagedRow>)(layout);
      const row = await find(allOf({ tenant_id: tenantId }, anyCondition(conditions)), id);
      return (row as RawRow<Field> | undefined) ?? fail(notFound);
    },
    async visibleIds(ids, filter = {}) {
      const wanted = [...new Set(ids)];
      const complete = await byIds(wanted, filter);
      return complete === undefined ? new Set() : idsOf(collection, complete, wanted.length);
    },
    count: async (filter, atMost, planner) => countAll(await waysTo(filter, planner), atMost, countBy),
    async idAtRank(filter, rank, planner) {
      const [way] = await waysTo(filter, planner);
      return way && idAt(collection, way, rank);
    },
  };
}

/** The ids of the rows that match. @param most how many there may be */
async function idsOf<Row extends PagedRow>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  most: number,
): Promise<Set<string>> {
  const rows = await collection.find(filter, { ...BY_ID, projection: { _id: 1 }, batchSize: most + 1 }).toArray();
  return new Set(rows.map(({ _id }) => String(_id)));
}

/** How rows are read by their ids. */
const BY_ID = { hint: { _id: 1 }, maxTimeMS: READ_TIME_MS } as const;

/** Finds rows by id as BSON. Requests of the same moment, of callers who see the same rows, share a command. */
const rawFinders = onceForEach((store: Store) =>
  onceForEach((collection: Collection<PagedRow>) =>
    onceForEach((layout: Layout<string>) =>
      readTogetherUnder(async (condition: object, ids) => {
        const filter = allOf({ _id: anyOf(ids) }, condition) as Filter<PagedRow>;
        const rows = await findRaw(store, collection, layout, filter, { ...BY_ID, batchSize: ids.length + 1 });
        return new Map(rows.map((row) => [row._id, row]));
      }),
    ),
  ),
);

const anyCondition = (conditions: Conditions): object =>
  conditions.length === 1 ? (conditions[0] as object) : { $or: conditions };

/** Counts rows by keys alone if an index covers the way, where countDocuments would aggregate documents. */
function countRows<Row extends PagedRow>(
  collection: Collection<Row>,
  { filter, hint }: Way,
  limit: number,
): Promise<number> {
  return collection.count(filter as Filter<Row>, { limit, maxTimeMS: READ_TIME_MS, ...(hint && { hint }) });
}

const unplanned = (_: object, asked: object): Way => ({ filter: asked });

/** A way, limited to the tenant and to one condition on what the caller sees. */
function limitedTo(tenantId: string, condition: object, { filter, otherwise, slice, ...rest }: Way): Way {
  return {
    ...rest,
    filter: allOf({ tenant_id: tenantId }, condition, filter),
    ...(otherwise && { otherwise: limitedTo(tenantId, condition, otherwise) }),
    ...(slice && { slice: limitedSlice(tenantId, condition, slice) }),
  };
}

function limitedSlice(tenantId: string, condition: object, { next, ...slice }: Slice): Slice {
  return {
    ...slice,
    filter: allOf({ tenant_id: tenantId }, slice.filter),
    ...(next && { next: async () => limitedTo(tenantId, condition, await next()) }),
  };
}

/** The id at a rank, from 1, in the order of ids. */
async function idAt<Row extends PagedRow>(
  collection: Collection<Row>,
  { filter, hint }: Way,
  rank: number,
): Promise<string | undefined> {
  const [row] = await collection
    .find(filter as Filter<Row>, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS, ...(hint && { hint }) })
    .sort({ _id: 1 })
    .skip(rank - 1)
    .limit(1)
    .toArray();
  return row === undefined ? undefined : String(row._id);
}

/** How many rows the ways find together, counted up to `atMost`; a row that several find counts once. */
async function countAll(ways: readonly Way[], atMost: number, countBy: Count): Promise<number> {
  let counted = 0;
  for (const [i, { hint, ...way }] of ways.entries()) {
    const before = ways.slice(0, i).map((each) => each.filter);
    const rest = before.length === 0 ? way.filter : allOf(way.filter, { $nor: before });
    counted += await countBy({ filter: rest, ...(hint && { hint }) }, atMost - counted);
    if (counted >= atMost) return atMost;
  }
  return counted;
}
