/**
 * How all code reaches rows: in one tenant. What is made for all tenants at once, such as the polls of workers, uses
 * the collection itself; `scripts/architecture.test.ts` lists each such use, with its reason.
 */
import type {
  AnyBulkWriteOperation,
  BulkWriteOptions,
  BulkWriteResult,
  Collection,
  Filter,
  InsertManyResult,
  OptionalUnlessRequiredId,
  UpdateFilter,
} from 'mongodb';
import { findRaw, Layout, type RawFindOptions, type RawRow } from './raw-row.ts';
import { BY_ID, READ_TIME_MS } from './reads.ts';
import type { CollectionName, RowOf, Store } from './store.ts';
import { unhurried, type Writing } from './write-timeout.ts';
import { unlessThere } from './writes.ts';

export interface OwnedRow {
  readonly _id: string;
  readonly tenant_id: string;
}

/** The filter, limited to the tenant. @throws Error if it names another one */
function limitedTo<Filtered extends object>(tenantId: string, filter: Filtered): Filtered {
  const named = (filter as { tenant_id?: unknown }).tenant_id;
  if (named === tenantId) return filter;
  if (named !== undefined) throw new Error('a filter names another tenant than the rows are of');
  return { ...filter, tenant_id: tenantId };
}

/** The row, if it belongs to the tenant. @throws Error if it is of another one, or of none */
function ownedBy<Row extends object>(tenantId: string, row: Row): Row {
  if ((row as { tenant_id?: unknown }).tenant_id === tenantId) return row;
  throw new Error('a row belongs to another tenant than it is written for');
}

/** What reads and changes rows by a filter, which comes first. */
const FILTERED = ['find', 'findOne', 'findOneAndUpdate', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany'] as const;

/** The rows of one tenant in a collection: the tenant is part of every filter, and no row of another one is written. */
export interface TenantCollection<Row extends OwnedRow> extends Pick<Collection<Row>, (typeof FILTERED)[number]> {
  findRaw<Field extends string>(
    layout: Layout<Field>,
    filter: Filter<Row>,
    options: RawFindOptions,
  ): Promise<RawRow<Field>[]>;
  insertOne(row: Row): Promise<unknown>;
  insertMany(rows: readonly Row[], options?: BulkWriteOptions): Promise<InsertManyResult<Row>>;
  bulkWrite(operations: readonly AnyBulkWriteOperation<Row>[], options?: BulkWriteOptions): Promise<BulkWriteResult>;
}

/** The rows of one tenant in a collection. */
export function ofTenant<Row extends OwnedRow>(rows: Collection<Row>, tenantId: string): TenantCollection<Row> {
  const filtered = FILTERED.map((name) => [
    name,
    (filter: object = {}, ...more: unknown[]) =>
      Reflect.apply(rows[name], rows, [limitedTo(tenantId, filter), ...more]),
  ]);
  const owned = (row: Row) => ownedBy(tenantId, row) as OptionalUnlessRequiredId<Row>;
  return {
    ...(Object.fromEntries(filtered) as Pick<Collection<Row>, (typeof FILTERED)[number]>),
    findRaw: (layout, filter, options) => findRaw(rows.db, rows, layout, limitedTo(tenantId, filter), options),
    insertOne: (row) => rows.insertOne(owned(row)),
    insertMany: (added, options) => rows.insertMany(added.map(owned), options),
    bulkWrite: (operations, options) =>
      rows.bulkWrite(
        operations.map((operation) => limitedOperation(tenantId, operation)),
        options,
      ),
  };
}

function limitedOperation<Operation extends object>(tenantId: string, operation: Operation): Operation {
  const [[kind, step] = []] = Object.entries(operation) as [string, { filter?: object; document?: object }][];
  if (step?.document !== undefined) ownedBy(tenantId, step.document);
  if (step?.filter === undefined) return operation;
  const filter = limitedTo(tenantId, step.filter);
  return filter === step.filter ? operation : ({ [kind as string]: { ...step, filter } } as Operation);
}

/**
 * Rows of one collection in one tenant, for requests and settings: for expansions, for catalogues that everybody sees,
 * and for every write. No profile narrows them: before a write, find the row through `VisibleRows`.
 */
export class TenantRows<Row> {
  readonly #rows: TenantCollection<OwnedRow>;
  readonly #writing: Writing;

  constructor(rows: TenantCollection<OwnedRow>, writing: Writing) {
    this.#rows = rows;
    this.#writing = writing;
  }

  /** The given fields of rows, by id, in one query; ids that are `''` or unknown are left out. */
  async byId<Field extends keyof Row & string>(
    ids: Iterable<string>,
    fields: readonly Field[],
  ): Promise<Map<string, Pick<Row, Field>>>;
  /** The same as BSON. */
  async byId<Field extends string>(ids: Iterable<string>, layout: Layout<Field>): Promise<Map<string, RawRow<Field>>>;
  async byId(ids: Iterable<string>, fields: readonly string[] | Layout<string>): Promise<Map<string, unknown>> {
    const wanted = new Set(ids);
    wanted.delete('');
    if (wanted.size === 0) return new Map();
    const filter = { _id: { $in: [...wanted] } };
    const options = { ...BY_ID, batchSize: wanted.size + 1 };
    const rows =
      fields instanceof Layout
        ? await this.#rows.findRaw(fields, filter, options)
        : await this.#rows.find(filter, { ...options, projection: projectionOf(fields) }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  async list(filter: Filter<Row>, order: Readonly<Record<string, 1 | -1>>): Promise<Row[]> {
    const rows = await this.#rows
      .find(filter as object, { maxTimeMS: READ_TIME_MS })
      .sort(order)
      .toArray();
    return rows as unknown as Row[];
  }

  /** The whole row that matches; undefined if none does. */
  async first(filter: Filter<Row>): Promise<Row | undefined> {
    const row = await this.#rows.findOne(filter as object, { maxTimeMS: READ_TIME_MS });
    return (row as Row | null) ?? undefined;
  }

  /** @returns false if a row with its id exists already */
  insert(row: Row): Promise<boolean> {
    return unlessThere(() => this.#writing(() => this.#rows.insertOne(row as OwnedRow)));
  }

  /** Writes rows whose ids nobody else can have, in one command. */
  async insertAll(rows: readonly Row[]): Promise<void> {
    await this.#writing(() => this.#rows.insertMany(rows as readonly OwnedRow[], { ordered: false }));
  }

  /** Changes the row that matches the filter, in one write. @returns the changed row; undefined if none matches */
  async change(filter: Filter<Row>, update: UpdateFilter<Row>): Promise<Row | undefined> {
    const write = () => this.#rows.findOneAndUpdate(filter as object, update as object, { returnDocument: 'after' });
    return ((await this.#writing(write)) as Row | null) ?? undefined;
  }

  /** @returns whether a row matched */
  async remove(filter: Filter<Row>): Promise<boolean> {
    return (await this.#writing(() => this.#rows.deleteOne(filter as object))).deletedCount === 1;
  }

  async removeAll(filter: Filter<Row>): Promise<void> {
    await this.#writing(() => this.#rows.deleteMany(filter as object));
  }
}

const projectionOf = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 1]));

/** The rows of one tenant in the collection with this name. @param writing how writes are waited for */
export const tenantRows = <Name extends CollectionName>(
  store: Store,
  name: Name,
  tenantId: string,
  writing: Writing = unhurried,
) => new TenantRows<RowOf<Name>>(ofTenant(store.db.collection<OwnedRow>(name), tenantId), writing);
