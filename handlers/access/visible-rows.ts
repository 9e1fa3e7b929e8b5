/** How handlers read rows: only those that the caller may see. */
import type { OperationId } from '../../generated/contract.ts';
import { type CallErrorName, fail } from '../answers/errors.ts';
import { onceForEach, readTogetherUnder } from '../data/batched-reads.ts';
import { type FilterQuery, filterValues, type List, type ListQuery } from '../data/list.ts';
import { countRows, type ListRead } from '../data/list-read.ts';
import { type Page, type PageTokens, readPage } from '../data/page.ts';
import { findRaw, type Layout, type RawRow } from '../data/raw-row.ts';
import { allOf, anyOf, BY_ID, type PagedRow, type VisibleRow, visibleFields } from '../data/reads.ts';
import type { Collection, Filter, Store } from '../data/store.ts';

/** Conditions on rows. The caller sees the rows that match at least one of them, and no row if there are none. */
export type Conditions = readonly object[];

interface Visibility<Row extends PagedRow> {
  readonly store: Store;
  readonly collection: Collection<Row>;
  readonly tokens: PageTokens;
  readonly tenantId: string;
  /** The 404 of these rows. */
  readonly notFound: CallErrorName;
  readonly conditions: () => Conditions | Promise<Conditions>;
  /** Fields of these conditions whose values may change while the caller sees the row. */
  readonly moving: readonly string[];
}

/** A row of a list, or of a read with a layout. */
type RowOfList<Row, Field extends string> = [Field] extends [never] ? VisibleRow<Row> : RawRow<Field>;

export class VisibleRows<Row extends PagedRow> {
  readonly #visibility: Visibility<Row>;
  readonly #collection: Collection<PagedRow>;

  constructor(visibility: Visibility<Row>) {
    this.#visibility = visibility;
    this.#collection = visibility.collection as unknown as Collection<PagedRow>;
  }

  /** One page of a list, newest first; its token is bound to the filters. */
  async page<Id extends OperationId, Field extends string = never>(
    list: List<Id, Row, Field>,
    query: ListQuery<Id>,
  ): Promise<Page<RowOfList<Row, Field>>> {
    const page = await readPage(await this.list(list, query), this.#visibility.tokens, query);
    return page as Page<RowOfList<Row, Field>>;
  }

  /** The rows that the caller sees and asks for: a part for each condition on what it sees. */
  async list<Id extends OperationId, Field extends string>(
    { operationId, filters, layout, plan, changedPlan }: List<Id, Row, Field>,
    query: FilterQuery<Id>,
    planOf: List<Id, Row>['plan'] = plan,
  ): Promise<ListRead> {
    const { store, tenantId, conditions, moving: movingSeen } = this.#visibility;
    const collection = this.#collection;
    const { meanings, condition: asked, moving: movingAsked, planText } = filterValues(filters, query);
    const textPlan = await planText?.((condition, atMost) =>
      countRows(collection, { ...condition, tenant_id: tenantId }, atMost),
    );
    const parts = (await conditions()).map((seen) => ({
      condition: allOf({ tenant_id: tenantId }, seen, asked),
      plan: textPlan ?? planOf?.(seen, asked) ?? {},
    }));
    const binding = { list: operationId, tenantId, filters: meanings };
    return { store, collection, binding, parts, moving: [...movingSeen, ...movingAsked], changedPlan, layout };
  }

  /** One row by its id; undefined if it is missing or invisible, which look the same. */
  async find(id: string): Promise<VisibleRow<Row> | undefined> {
    const filter = await this.#filterById([id]);
    const row = filter === undefined ? null : await this.#collection.findOne(filter, { ...visibleFields, ...BY_ID });
    return (row ?? undefined) as VisibleRow<Row> | undefined;
  }

  /** One row by its id, as BSON if a layout names its fields, or the 404 of its kind. */
  get(id: string): Promise<VisibleRow<Row>>;
  get<Field extends string>(id: string, layout: Layout<Field>): Promise<RawRow<Field>>;
  async get(id: string, layout?: Layout<string>): Promise<VisibleRow<Row> | RawRow<string>> {
    const row = layout === undefined ? await this.find(id) : await this.#findRaw(id, layout);
    return row ?? fail(this.#visibility.notFound);
  }

  /** Those of the ids whose rows the caller sees, in one query. */
  async visibleIds(ids: Iterable<string>): Promise<Set<string>> {
    const wanted = [...new Set(ids)];
    const filter = await this.#filterById(wanted);
    if (filter === undefined) return new Set();
    const options = { ...BY_ID, projection: { _id: 1 }, batchSize: wanted.length + 1 };
    const rows = await this.#collection.find(filter, options).toArray();
    return new Set(rows.map(({ _id }) => _id));
  }

  async #findRaw(id: string, layout: Layout<string>): Promise<RawRow<string> | undefined> {
    const { store, tenantId, conditions } = this.#visibility;
    const visible = await conditions();
    if (visible.length === 0) return undefined;
    const find = rawFinders(store)(this.#collection)(layout);
    return find(allOf({ tenant_id: tenantId }, anyCondition(visible)), id);
  }

  /** The condition for rows by id that the caller sees; undefined if none can. */
  async #filterById(ids: readonly string[]): Promise<Filter<PagedRow> | undefined> {
    const conditions = await this.#visibility.conditions();
    if (conditions.length === 0 || ids.length === 0) return undefined;
    return allOf({ _id: anyOf(ids), tenant_id: this.#visibility.tenantId }, anyCondition(conditions));
  }
}

/** Finds rows by id as BSON. Requests of the same moment, of callers who see the same rows, share a command. */
const rawFinders = onceForEach((store: Store) =>
  onceForEach((collection: Collection<PagedRow>) =>
    onceForEach((layout: Layout<string>) =>
      readTogetherUnder(async (condition: object, ids) => {
        const filter = allOf({ _id: anyOf(ids) }, condition);
        const rows = await findRaw(store.db, collection, layout, filter, { ...BY_ID, batchSize: ids.length + 1 });
        return new Map(rows.map((row) => [row._id, row]));
      }),
    ),
  ),
);

const anyCondition = (conditions: Conditions): object =>
  conditions.length === 1 ? (conditions[0] as object) : { $or: conditions };
