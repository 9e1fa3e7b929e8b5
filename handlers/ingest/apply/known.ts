/** Reads the tenant's rows that a few hundred records refer to, in a few queries. */
import type { TitledRow } from '../../data/collection.ts';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { ExternalBindingRow, IngestKind, IngestSource } from '../../data/collections/external_bindings.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { type BindingName, bindingId, linkOf, namesOfIdentity } from '../bindings.ts';
import { type MappedRecord, mergedDetails } from '../columns.ts';
import { idsIn } from '../ledger.ts';
import { withoutBlanks } from '../scalars.ts';

/** The rows of a kind of object. */
export interface RowsOf {
  PERSON: PersonRow;
  ORGANIZATION: TitledRow;
  DEPARTMENT: DepartmentRow;
  EMPLOYEE: EmployeeRow;
  JOB_TITLE: TitledRow;
}

const collectionOf = {
  PERSON: 'persons',
  ORGANIZATION: 'organizations',
  DEPARTMENT: 'departments',
  EMPLOYEE: 'employees',
  JOB_TITLE: 'job_titles',
} as const satisfies Readonly<Record<IngestKind, keyof Store>>;

/** How many ids one query has; more than those of a chunk. */
const ASKED_AT_ONCE = 5_000;

/** What the store knows about the objects that records name. */
export interface KnownObjects {
  /** Object ids by binding id, also of objects that no longer exist. */
  readonly bound: ReadonlyMap<string, string>;
  /** Rows by id, including deleted employees. */
  readonly rows: { readonly [Kind in IngestKind]: ReadonlyMap<string, RowsOf[Kind]> };
  /** The employments of persons whose IIN a record may correct: ids of the employees by id of the person. */
  readonly employments: ReadonlyMap<string, readonly string[]>;
}

const KIND_OF_REFERENCE = {
  person: 'PERSON',
  organization: 'ORGANIZATION',
  department: 'DEPARTMENT',
  parent: 'DEPARTMENT',
  job_title: 'JOB_TITLE',
} as const satisfies Readonly<Record<keyof MappedRecord['references'], IngestKind>>;

/**
 * The names under which a reference is looked up, in order: the external id within its source, as it was sent; for a
 * department of LEDGER also its `Ссылка`, which has no blanks at its ends; for objects that LEDGER cannot load itself
 * also the external id within KEDO (D-29).
 */
export function namesOf(
  source: IngestSource,
  reference: keyof MappedRecord['references'],
  externalId: string,
): BindingName[] {
  const kind = KIND_OF_REFERENCE[reference];
  const own: BindingName = { source, kind, externalId };
  if (source !== 'LEDGER' || kind === 'PERSON') return [own];
  if (kind !== 'DEPARTMENT') return [own, { source: 'KEDO', kind, externalId }];
  // An earlier version has bound a `Ссылка` with its blanks. A department without `external_id` is bound by it alone.
  const links = [...new Set([externalId, withoutBlanks(externalId)])];
  return [...links.map((link) => ({ ...own, externalId: link })), ...links.map((link) => linkOf(source, kind, link))];
}

/** Every name in a record but those of its own object. */
function otherNames(source: IngestSource, record: MappedRecord): BindingName[] {
  const references = Object.entries(record.references) as [keyof MappedRecord['references'], string][];
  const { externalId: personId = '', fields = {} } = record.person ?? {};
  const personIds = [...new Set([personId, fields.iin ?? ''])].filter((id) => id !== '');
  return [
    ...personIds.map((externalId) => ({ source, kind: 'PERSON' as const, externalId })),
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
  const rows = await ofTenant(store.db.collection<RowsOf[IngestKind]>(collectionOf[kind]), tenantId)
    .find({ _id: { $in: wanted } }, { batchSize: wanted.length + 1 })
    .toArray();
  return new Map(rows.map((row) => [row._id, row as RowsOf[Kind]]));
}

/** Reads what the store knows about everything that the records name. @param records of one batch, so of one source */
export async function readKnown(
  store: Store,
  tenantId: string,
  source: IngestSource,
  records: readonly MappedRecord[],
): Promise<KnownObjects> {
  const keysOf = (names: readonly BindingName[]) => names.map((name) => bindingId(tenantId, name));
  const own = records.map((record) => keysOf(namesOfIdentity(source, record)));
  const others = records.flatMap((record) => keysOf(otherNames(source, record)));
  const bindings = await bindingsOf(store, tenantId, [...own.flat(), ...others]);
  const ids = (kind: IngestKind) => bindings.flatMap((row) => (row.kind === kind ? [row.object_id] : []));
  const read = <Kind extends IngestKind>(kind: Kind, more: string[] = []) =>
    rowsById(store, tenantId, kind, [...ids(kind), ...more]);
  // A record may concern its employee's own person without naming it.
  const people = async () => {
    const employees = await read('EMPLOYEE');
    const persons = [...employees.values()].map(({ person_id }) => person_id);
    return [employees, await read('PERSON', persons)] as const;
  };
  const [[EMPLOYEE, PERSON], ORGANIZATION, DEPARTMENT, JOB_TITLE] = await Promise.all([
    people(),
    read('ORGANIZATION'),
    read('DEPARTMENT'),
    read('JOB_TITLE'),
  ]);
  const bound = new Map(bindings.map(({ _id, object_id }) => [_id, object_id]));
  const rows = { PERSON, ORGANIZATION, DEPARTMENT, EMPLOYEE, JOB_TITLE };
  const corrected = records.flatMap(({ person }, at) => {
    const keys = own[at] ?? [];
    return person === undefined ? [] : correctedPersons(person, keysOf([{ ...person, source }]), keys, { bound, rows });
  });
  const former = corrected.flatMap(({ iin }) =>
    iin === '' ? [] : keysOf([{ source, kind: 'PERSON', externalId: iin }]),
  );
  // The natural id of a known object may be made of fields that this record does not have.
  const made = records.flatMap((record, at) => {
    const row = record.isGiven ? rows[record.kind].get(bound.get(own[at]?.[0] ?? '') ?? '') : undefined;
    const { natural } = row === undefined ? {} : idsIn(record.kind, mergedDetails(row.details, record.details));
    return natural ? keysOf([linkOf(source, record.kind, natural)]) : [];
  });
  const asked = new Set([...own.flat(), ...others]);
  const [more, employments] = await Promise.all([
    bindingsOf(
      store,
      tenantId,
      [...former, ...made].filter((key) => !asked.has(key)),
    ),
    employmentsOf(store, tenantId, corrected),
  ]);
  for (const { _id, object_id } of more) bound.set(_id, object_id);
  return { bound, rows, employments };
}

/** Reads bindings by their ids. */
export async function bindingsOf(
  store: Store,
  tenantId: string,
  ids: readonly string[],
): Promise<ExternalBindingRow[]> {
  const wanted = [...new Set(ids)];
  const found: ExternalBindingRow[] = [];
  for (let from = 0; from < wanted.length; from += ASKED_AT_ONCE) {
    const _id = { $in: wanted.slice(from, from + ASKED_AT_ONCE) };
    // All in one answer; and by the ids, also where the tenant has few bindings.
    const options = { batchSize: ASKED_AT_ONCE + 1, hint: { _id: 1 } };
    found.push(...(await ofTenant(store.external_bindings, tenantId).find({ _id }, options).toArray()));
  }
  return found;
}

/** The persons to whom the record of an employee may give another IIN. @param keys ids of bindings */
function correctedPersons(
  { fields: { iin } }: NonNullable<MappedRecord['person']>,
  personKeys: readonly string[],
  employeeKeys: readonly string[],
  { bound, rows }: Pick<KnownObjects, 'bound' | 'rows'>,
): PersonRow[] {
  if (!iin) return [];
  const owners = employeeKeys.map((key) => rows.EMPLOYEE.get(bound.get(key) ?? '')?.person_id ?? '');
  const named = personKeys.map((key) => bound.get(key) ?? '');
  const persons = [...owners, ...named].map((id) => rows.PERSON.get(id));
  return persons.filter((person) => person !== undefined && person.iin !== iin) as PersonRow[];
}

async function employmentsOf(
  store: Store,
  tenantId: string,
  persons: readonly PersonRow[],
): Promise<Map<string, string[]>> {
  const person_id = { $in: [...new Set(persons.map(({ _id }) => _id))] };
  if (person_id.$in.length === 0) return new Map();
  const employees = await ofTenant(store.employees, tenantId)
    .find({ person_id, deleted_at: null }, { projection: { person_id: 1 } })
    .toArray();
  const ofPerson = Map.groupBy(employees, (employee) => employee.person_id);
  return new Map([...ofPerson].map(([person, rows]) => [person, rows.map(({ _id }) => _id)]));
}
