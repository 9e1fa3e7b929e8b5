/** The rows and bindings planned so far, on top of the known ones, so that later records see earlier ones. */
import type { RowChange } from '../../data/bulk.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { ExternalBindingRow, IngestKind, IngestSource } from '../../data/collections/external_bindings.ts';
import type { WriteMoment } from '../../employees/write/fields.ts';
import { type BindingName, bindingId, type IdentifiedRow, type Identity, identify, objectId } from '../bindings.ts';
import { type Columns, sentName } from '../columns.ts';
import type { KnownObjects, RowsOf } from './known.ts';

/** The batch that records belong to. */
export interface Batch {
  readonly tenantId: string;
  readonly requestId: string;
  readonly source: IngestSource;
  readonly createMissing: boolean;
  /** The fields of its records, so that outcomes name them as they were sent. */
  readonly columns: Columns;
  /** The `external_id`s in its records of LEDGER. */
  readonly given: ReadonlySet<string>;
  readonly timeZone: string;
  /** The places of its departments, once they are decided. */
  readonly placements?: Placements | undefined;
}

/** What a department may refer to. */
export type DepartmentReference = 'parent' | 'organization';

/** Where a department is to stand. */
export interface TreePlace {
  readonly parentId: string;
  readonly ancestorIds: string[];
  readonly organizationId: string | undefined;
  readonly unresolved: readonly DepartmentReference[];
}

/** Why a department is not placed: a sentence, or the reference that is not known. */
export type SkippedPlace = { readonly skipped: string } | { readonly unknown: DepartmentReference };

export type Placement = TreePlace | SkippedPlace;

/** Placements by the record's place in the batch. */
export type Placements = ReadonlyMap<number, Placement>;

/**
 * A new binding, or one that moves to another object. `former` is the earlier object's id, null for a new binding. A
 * binding that ends has the object id `''`.
 */
export interface BindingChange {
  readonly former: string | null;
  readonly row: ExternalBindingRow;
}

/** Why a record is not applied: a sentence without values. */
export class SkipRecord extends Error {}

export function skip(reason: string): never {
  throw new SkipRecord(reason);
}

type Changes = { [Kind in IngestKind]: RowChange<RowsOf[Kind]>[] };

/** The state that a plan computes. */
export class BatchDraft {
  readonly batch: Batch;
  readonly moment: WriteMoment;
  private readonly known: KnownObjects;
  private readonly rows = new Map<string, { kind: IngestKind; row: RowsOf[IngestKind] }>();
  private readonly bindings = new Map<string, BindingChange>();

  constructor(batch: Batch, moment: WriteMoment, known: KnownObjects) {
    this.batch = batch;
    this.moment = moment;
    this.known = known;
  }

  /** A name within the batch's source. */
  own<Kind extends IngestKind>(kind: Kind, externalId: string): BindingName & { readonly kind: Kind } {
    return { source: this.batch.source, kind, externalId };
  }

  /** The row of an object as planned so far; undefined if it does not exist or is deleted. */
  row<Kind extends IngestKind>(kind: Kind, id: string): RowsOf[Kind] | undefined {
    const row = (this.rows.get(id)?.row ?? this.known.rows[kind].get(id)) as RowsOf[Kind] | undefined;
    return row !== undefined && (row as Partial<EmployeeRow>).deleted_at instanceof Date ? undefined : row;
  }

  /**
   * The row of the object that a name refers to. If that object was deleted, the name refers to nothing, and a batch
   * may create a new object for it.
   */
  named<Kind extends IngestKind>(name: BindingName & { readonly kind: Kind }): RowsOf[Kind] | undefined {
    const id = this.bound(name);
    return id === undefined ? undefined : this.row(name.kind, id);
  }

  /** The row of the object that a record is about; undefined if it is not known. */
  identified<Kind extends IngestKind>(identity: Identity & { readonly kind: Kind }): RowsOf[Kind] | undefined {
    const look = (name: BindingName) =>
      this.named({ ...name, kind: identity.kind }) as (RowsOf[Kind] & IdentifiedRow) | undefined;
    return identify(this.batch.source, identity, look, this.batch.given);
  }

  /** The name of a field as the records of the batch have it. */
  sent(by: 'field' | 'reference', value: string): string {
    return sentName(this.batch.columns, by, value);
  }

  private bound(name: BindingName): string | undefined {
    const key = bindingId(this.batch.tenantId, name);
    return this.bindings.get(key)?.row.object_id ?? this.known.bound.get(key);
  }

  /** The id of a new object of the batch. */
  newId(name: BindingName): string {
    const id = objectId(this.batch.requestId, name);
    if (this.known.rows[name.kind].has(id)) skip('It was deleted while its batch was being applied.');
    return id;
  }

  put<Kind extends IngestKind>(kind: Kind, row: RowsOf[Kind]): void {
    this.rows.set(row._id, { kind, row });
  }

  /** Makes a name refer to an object. @returns whether it referred to another one, or to none, before */
  bind(name: BindingName, objectId: string): boolean {
    if (this.bound(name) === objectId) return false;
    const { tenantId: tenant_id } = this.batch;
    const { source: source_type, kind, externalId: external_id, isLink } = name;
    const _id = bindingId(tenant_id, name);
    const former = this.known.bound.get(_id) ?? null;
    const create_time = this.moment.now;
    const link = isLink ? { is_link: isLink } : {};
    const row = { _id, tenant_id, source_type, kind, external_id, ...link, object_id: objectId, create_time };
    this.bindings.set(_id, { former, row });
    return true;
  }

  /** Makes a name refer to nothing, if it refers to this object. */
  unbind(name: BindingName, objectId: string): void {
    if (this.bound(name) === objectId) this.bind(name, '');
  }

  bindingChanges(): BindingChange[] {
    return [...this.bindings.values()].filter(({ former, row }) => (former ?? '') !== row.object_id);
  }

  /** Whether a person has an employment besides this one. The person is one whose IIN a record may correct. */
  hasOtherEmployment(personId: string, employeeId: string): boolean {
    const planned = [...this.rows.values()].flatMap(({ kind, row }) =>
      kind === 'EMPLOYEE' ? [row as EmployeeRow] : [],
    );
    const isPlanned = new Set(planned.map(({ _id }) => _id));
    return (
      planned.some(({ _id, person_id }) => _id !== employeeId && person_id === personId) ||
      (this.known.employments.get(personId) ?? []).some((id) => id !== employeeId && !isPlanned.has(id))
    );
  }

  rowChanges(): Changes {
    const changes: Changes = { PERSON: [], ORGANIZATION: [], DEPARTMENT: [], EMPLOYEE: [], JOB_TITLE: [] };
    for (const { kind, row } of this.rows.values()) {
      const before = this.known.rows[kind].get(row._id) ?? null;
      (changes[kind] as RowChange<RowsOf[IngestKind]>[]).push({ before, after: row });
    }
    return changes;
  }
}

/** The outcome of a record that was not skipped. */
export interface DraftResult {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly objectId: string;
  /** The sent names of references that are not known. */
  readonly unresolved?: readonly string[];
  /** What people should know of it besides; a sentence without values. */
  readonly note?: string;
}
