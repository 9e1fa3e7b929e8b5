/**
 * How workers, ingest and settings reach rows: in one tenant, as requests do through their caller. What is made for all
 * tenants at once, such as the polls of workers, uses the collection itself; `scripts/architecture.test.ts` lists each
 * such use, with its reason.
 */
import type {
  AnyBulkWriteOperation,
  BulkWriteOptions,
  Collection,
  Filter,
  FindOneAndUpdateOptions,
  FindOptions,
  InsertManyResult,
  OptionalUnlessRequiredId,
  UpdateFilter,
} from 'mongodb';

/** A row that belongs to a tenant. */
export interface OwnedRow {
  readonly _id: string;
  readonly tenant_id: string;
}

type Pipeline = Extract<Parameters<Collection['updateOne']>[1], readonly unknown[]>;

/** The filter, limited to the tenant. @throws Error if it names another one */
export function limitedTo<Filtered extends object>(tenantId: string, filter: Filtered): Filtered {
  const named = (filter as { tenant_id?: unknown }).tenant_id;
  if (named === tenantId) return filter;
  if (named !== undefined) throw new Error('a filter names another tenant than the rows are of');
  return { ...filter, tenant_id: tenantId };
}

/** The row, if it belongs to the tenant. @throws Error if it is of another one, or of none */
export function ownedBy<Row extends object>(tenantId: string, row: Row): Row {
  if ((row as { tenant_id?: unknown }).tenant_id === tenantId) return row;
  throw new Error('a row belongs to another tenant than it is written for');
}

/** The rows of one tenant in a collection: the tenant is part of every filter, and no row of another one is written. */
export class TenantCollection<Row extends OwnedRow> {
  readonly #rows: Collection<Row>;
  readonly #tenantId: string;

  constructor(rows: Collection<Row>, tenantId: string) {
    this.#rows = rows;
    this.#tenantId = tenantId;
  }

  find(filter: Filter<Row>, options?: FindOptions) {
    return this.#rows.find(limitedTo(this.#tenantId, filter), options);
  }

  findOne(filter: Filter<Row>, options?: FindOptions) {
    return this.#rows.findOne(limitedTo(this.#tenantId, filter), options);
  }

  findOneAndUpdate(filter: Filter<Row>, update: UpdateFilter<Row> | Pipeline, options: FindOneAndUpdateOptions) {
    return this.#rows.findOneAndUpdate(limitedTo(this.#tenantId, filter), update, options);
  }

  updateOne(filter: Filter<Row>, update: UpdateFilter<Row> | Pipeline) {
    return this.#rows.updateOne(limitedTo(this.#tenantId, filter), update);
  }

  updateMany(filter: Filter<Row>, update: UpdateFilter<Row> | Pipeline) {
    return this.#rows.updateMany(limitedTo(this.#tenantId, filter), update);
  }

  deleteOne(filter: Filter<Row>) {
    return this.#rows.deleteOne(limitedTo(this.#tenantId, filter));
  }

  deleteMany(filter: Filter<Row>) {
    return this.#rows.deleteMany(limitedTo(this.#tenantId, filter));
  }

  insertOne(row: Row) {
    return this.#rows.insertOne(ownedBy(this.#tenantId, row) as OptionalUnlessRequiredId<Row>);
  }

  insertMany(rows: readonly Row[], options?: BulkWriteOptions): Promise<InsertManyResult<Row>> {
    for (const row of rows) ownedBy(this.#tenantId, row);
    return this.#rows.insertMany(rows as readonly OptionalUnlessRequiredId<Row>[], options);
  }

  bulkWrite(operations: readonly AnyBulkWriteOperation<Row>[], options?: BulkWriteOptions) {
    return this.#rows.bulkWrite(
      operations.map((operation) => this.#limited(operation)),
      options,
    );
  }

  #limited(operation: AnyBulkWriteOperation<Row>): AnyBulkWriteOperation<Row> {
    const [[kind, step] = []] = Object.entries(operation) as [string, { filter?: object; document?: object }][];
    if (step?.document !== undefined) ownedBy(this.#tenantId, step.document);
    if (step?.filter === undefined) return operation;
    const filter = limitedTo(this.#tenantId, step.filter);
    return (filter === step.filter ? operation : { [kind as string]: { ...step, filter } }) as typeof operation;
  }
}

/** The rows of one tenant in a collection. */
export function ofTenant<Row extends OwnedRow>(rows: Collection<Row>, tenantId: string): TenantCollection<Row> {
  return new TenantCollection(rows, tenantId);
}
