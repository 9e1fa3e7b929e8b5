/** Reads the tenant's rows that a few hundred records refer to, in a few queries. */
import type {
  DepartmentRow,
  EmployeeRow,
  IngestKind,
  IngestSource,
  PersonRow,
  Store,
  TitledRow,
} from '../../data/store.ts';
import { bindingId, type Name } from '../bindings.ts';
import type { Mapped } from '../columns.ts';

/** The rows of a kind of object. */
export interface RowsOf {
  PERSON: PersonRow;
  ORGANIZATION: TitledRow;
  DEPARTMENT: DepartmentRow;
  EMPLOYEE: EmployeeRow;
  JOB_TITLE: TitledRow;
}

export const collectionOf = {
  PERSON: 'persons',
  ORGANIZATION: 'organizations',
  DEPARTMENT: 'departments',
  EMPLOYEE: 'employees',
  JOB_TITLE: 'job_titles',
} as const satisfies Readonly<Record<IngestKind, keyof Store>>;

/** What the store knows about the objects that records name. */
export interface Known {
  /** Object ids by binding id, also of objects that no longer exist. */
  readonly bound: ReadonlyMap<string, string>;
  /** Rows by id, including deleted employees. */
  readonly rows: { readonly [Kind in IngestKind]: ReadonlyMap<string, RowsOf[Kind]> };
}

const KIND_OF_REFERENCE = {
  person: 'PERSON',
  organization: 'ORGANIZATION',
  department: 'DEPARTMENT',
  parent: 'DEPARTMENT',
  job_title: 'JOB_TITLE',
} as const satisfies Readonly<Record<keyof Mapped['references'], IngestKind>>;

/**
 * The names under which a reference is looked up, in order: the external id within its source; for a department of
 * LEDGER also its `Ссылка`; for objects that LEDGER cannot load itself also the external id within KEDO (D-29).
 */
export function namesOf(source: IngestSource, reference: keyof Mapped['references'], externalId: string): Name[] {
  const kind = KIND_OF_REFERENCE[reference];
  const own: Name = { source, kind, externalId };
  if (source !== 'LEDGER' || kind === 'PERSON') return [own];
  return [own, kind === 'DEPARTMENT' ? linkOf(source, externalId) : { source: 'KEDO', kind, externalId }];
}

/** A department by its `Ссылка`. */
export function linkOf(source: IngestSource, link: string): Name & { readonly kind: 'DEPARTMENT' } {
  return { source, kind: 'DEPARTMENT', externalId: link, isLink: true };
}

/** Every name in a record. */
function allNames(source: IngestSource, record: Mapped): Name[] {
  const references = Object.entries(record.references) as [keyof Mapped['references'], string][];
  return [
    { source, kind: record.kind, externalId: record.externalId },
    ...(record.link === undefined ? [] : [linkOf(source, record.link)]),
    ...(record.person === undefined ? [] : [{ source, kind: 'PERSON' as const, externalId: record.person.externalId }]),
    ...references.flatMap(([reference, externalId]) =>
      externalId === '' ? [] : namesOf(source, reference, externalId),
    ),
  ];
}

async function rowsById<Kind extends IngestKind>(
  store: Store,
  tenantId: string,
  kind: Kind,
  ids: Iterable<string>,
): Promise<Map<string, RowsOf[Kind]>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await store.db
    .collection<RowsOf[IngestKind]>(collectionOf[kind])
    .find({ _id: { $in: wanted }, tenant_id: tenantId }, { batchSize: wanted.length + 1 })
    .toArray();
  return new Map(rows.map((row) => [row._id, row as RowsOf[Kind]]));
}

/** Reads what the store knows about everything that the records name. @param records of one batch, so of one source */
export async function readKnown(
  store: Store,
  tenantId: string,
  source: IngestSource,
  records: readonly Mapped[],
): Promise<Known> {
  const names = new Map<string, IngestKind>();
  for (const name of records.flatMap((record) => allNames(source, record))) {
    names.set(bindingId(tenantId, name), name.kind);
  }
  const wanted = { _id: { $in: [...names.keys()] }, tenant_id: tenantId };
  const inOneAnswer = { batchSize: names.size + 1 };
  const bindings = names.size === 0 ? [] : await store.external_bindings.find(wanted, inOneAnswer).toArray();
  const ids = (kind: IngestKind) => bindings.flatMap((row) => (row.kind === kind ? [row.object_id] : []));
  const read = <Kind extends IngestKind>(kind: Kind, more: string[] = []) =>
    rowsById(store, tenantId, kind, [...ids(kind), ...more]);
  // A record may concern its employee's own person without naming it.
  const people = async () => {
    const employees = await read('EMPLOYEE');
    const own = [...employees.values()].map(({ person_id }) => person_id);
    return [employees, await read('PERSON', own)] as const;
  };
  const [[EMPLOYEE, PERSON], ORGANIZATION, DEPARTMENT, JOB_TITLE] = await Promise.all([
    people(),
    read('ORGANIZATION'),
    read('DEPARTMENT'),
    read('JOB_TITLE'),
  ]);
  const bound = new Map(bindings.map(({ _id, object_id }) => [_id, object_id]));
  return { bound, rows: { PERSON, ORGANIZATION, DEPARTMENT, EMPLOYEE, JOB_TITLE } };
}
