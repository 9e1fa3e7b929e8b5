/** The rows and bindings planned so far, on top of the known ones, so that later records see earlier ones. */
import type { RowChange } from '../../data/bulk.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { ExternalBindingRow, IngestKind, IngestSource } from '../../data/collections/external_bindings.ts';
import type { PersonQuestion } from '../../data/collections/ingest_outcomes.ts';
import type { WriteMoment } from '../../employees/write/fields.ts';
import { type BindingName, bindingId, type NameOf, objectId } from '../bindings.ts';
import { type Columns, sentName } from '../record-columns.ts';
import type { BoundObject, KnownObjects, RowsOf } from './known.ts';
import type { Note } from './notes.ts';
import type { BatchFacts } from './survey.ts';

/** The batch that records belong to. */
export interface Batch {
  readonly tenantId: string;
  readonly requestId: string;
  readonly source: IngestSource;
  readonly createMissing: boolean;
  /** The fields of its records, so that outcomes name them as they were sent. */
  readonly columns: Columns;
  readonly facts: BatchFacts;
  readonly timeZone: string;
  /** The places of its departments, once they are decided. */
  readonly placements?: Placements;
}

/** What a department may refer to. */
export type DepartmentReference = 'parent' | 'organization';

/** Where a department is to stand. */
interface TreePlace {
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

/** A new binding, or one that changes. `former` is null for a new one. A binding that ends has the object id `''`. */
export interface BindingChange {
  readonly former: BoundObject | null;
  readonly row: ExternalBindingRow;
}

/** How many employees of one natural id are remembered, besides the last one. */
const MAX_OTHERS = 50;

/** Why a record is not applied: a sentence without values, and what people can decide. */
export class SkipRecord extends Error {
  readonly question: PersonQuestion | undefined;

  constructor(reason: string, question?: PersonQuestion) {
    super(reason);
    this.question = question;
  }
}

export function skip(reason: string, question?: PersonQuestion): never {
  throw new SkipRecord(reason, question);
}

type Changes = { [Kind in IngestKind]: RowChange<RowsOf[Kind]>[] };

/** The state that a plan computes. */
export class BatchDraft {
  readonly batch: Batch;
  readonly moment: WriteMoment;
  private readonly known: KnownObjects;
  private readonly rows = new Map<string, { kind: IngestKind; row: RowsOf[IngestKind] }>();
  private readonly bindings = new Map<string, BindingChange>();
  /** The IINs that the records so far give, by id of the employee. */
  private readonly iins = new Map<string, string>();

  constructor(batch: Batch, moment: WriteMoment, known: KnownObjects) {
    this.batch = batch;
    this.moment = moment;
    this.known = known;
  }

  /** A name within the batch's source. */
  own<Kind extends IngestKind>(kind: Kind, externalId: string): NameOf<Kind> {
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
  named<Kind extends IngestKind>(name: NameOf<Kind>): RowsOf[Kind] | undefined {
    return this.row(name.kind, this.bound(name)?.object_id ?? '');
  }

  /** The rows of all that have or had a name, the present holder first. */
  allNamed<Kind extends IngestKind>(name: NameOf<Kind>): RowsOf[Kind][] {
    const { object_id = '', others = [] } = this.bound(name) ?? {};
    return [object_id, ...others.toReversed()].flatMap((id) => this.row(name.kind, id) ?? []);
  }

  /** What people have decided about records with a natural id. */
  decisions(name: BindingName): NonNullable<BoundObject['decisions']> {
    return this.bound(name)?.decisions ?? [];
  }

  /** Every employee that was read or planned and is not deleted. */
  employees(): EmployeeRow[] {
    const planned = [...this.rows.values()].flatMap(({ kind, row }) => (kind === 'EMPLOYEE' ? [row._id] : []));
    return [...new Set([...this.known.rows.EMPLOYEE.keys(), ...planned])].flatMap(
      (id) => this.row('EMPLOYEE', id) ?? [],
    );
  }

  /** The ids by which LEDGER knows an employee; undefined if they were not read. */
  externalIds(employeeId: string): readonly string[] | undefined {
    return this.known.externalIds.get(employeeId);
  }

  /** The name of a field as the records of the batch have it. */
  sent(by: 'field' | 'reference', value: string): string {
    return sentName(this.batch.columns, by, value);
  }

  private bound(name: BindingName): BoundObject | undefined {
    const key = bindingId(this.batch.tenantId, name);
    return this.bindings.get(key)?.row ?? this.known.bound.get(key);
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

  /**
   * Makes a name refer to an object; a natural id remembers the employees who had it before.
   * @returns whether it referred to another one, or to none, before
   */
  bind(name: BindingName, object_id: string): boolean {
    const { tenantId: tenant_id } = this.batch;
    const { source: source_type, kind, externalId: external_id, isLink } = name;
    const before = this.bound(name);
    if (before?.object_id === object_id) return false;
    const _id = bindingId(tenant_id, name);
    const had = isLink && kind === 'EMPLOYEE' && before ? [...(before.others ?? []), before.object_id] : [];
    const others = had.filter((id) => id !== object_id).slice(-MAX_OTHERS);
    const more = {
      ...(isLink && { is_link: isLink }),
      ...(others.length > 0 && { others }),
      ...(before?.decisions && { decisions: before.decisions }),
    };
    this.bindings.set(_id, {
      former: this.known.bound.get(_id) ?? null,
      row: { _id, tenant_id, source_type, kind, external_id, ...more, object_id, create_time: this.moment.now },
    });
    return true;
  }

  /** Makes a name refer to nothing, if it refers to this object. */
  unbind(name: BindingName, objectId: string): void {
    if (this.bound(name)?.object_id === objectId) this.bind(name, '');
  }

  bindingChanges(): BindingChange[] {
    return [...this.bindings.values()].filter(
      ({ former, row }) => (former?.object_id ?? '') !== row.object_id || former?.others?.join() !== row.others?.join(),
    );
  }

  /** Notes the IIN that a record gives an employee. */
  noteIin(employeeId: string, iin: string): void {
    this.iins.set(employeeId, iin);
  }

  /**
   * Whether a record of one employment may give its person an IIN: each other employment that has not ended has a record
   * in the batch that gives the same. The person is one whose IIN a record may correct.
   */
  agreesOnIin(personId: string, employeeId: string, iin: string): boolean {
    const others = this.employees().filter((row) => row.person_id === personId && row._id !== employeeId);
    const { iins } = this.batch.facts;
    return others.every(
      (row) =>
        isTerminated(row) ||
        this.iins.get(row._id) === iin ||
        this.externalIds(row._id)?.some((externalId) => iins.get(externalId) === iin),
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

export const isTerminated = ({ status }: EmployeeRow): boolean => status === 'EMPLOYEE_STATUS_TERMINATED';

/** The outcome of a record that was not skipped. */
export interface DraftResult {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly objectId: string;
  /** The sent names of references that are not known. */
  readonly unresolved?: readonly string[];
  /** What people should know of it besides. */
  readonly notes?: readonly Note[];
}
