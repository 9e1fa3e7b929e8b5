/** Reads the tenant's rows that a few hundred records refer to, in a few queries. */
import type { TitledRow } from '../../data/collection.ts';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { ExternalBindingRow, IngestKind, IngestSource } from '../../data/collections/external_bindings.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { type BindingName, bindingId, linkOf, namesOfIdentity, namesOfNatural, namesOfPerson } from '../bindings.ts';
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

/** What a name refers to. */
export type BoundObject = Pick<ExternalBindingRow, 'object_id' | 'others' | 'decisions'>;

/** An employment of a person whose IIN a record may correct. */
export interface Employment {
  readonly id: string;
  readonly isTerminated: boolean;
  /** The ids by which LEDGER knows it. */
  readonly externalIds: readonly string[];
}

/** What the store knows about the objects that records name. */
export interface KnownObjects {
  /** By binding id, also of objects that no longer exist. */
  readonly bound: ReadonlyMap<string, BoundObject>;
  /** Rows by id, including deleted employees. */
  readonly rows: { readonly [Kind in IngestKind]: ReadonlyMap<string, RowsOf[Kind]> };
  /** The employments of persons whose IIN a record may correct, by id of the person. */
  readonly employments: ReadonlyMap<string, readonly Employment[]>;
  /**
   * By natural id that names nobody: ids of the employees whom LEDGER knows by its other form, which is the number alone
   * for one with an organisation, and the number with any organisation for one without.
   */
  readonly forms: ReadonlyMap<string, readonly string[]>;
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
  return [
    ...namesOfPerson(source, record),
    ...(record.number ? namesOfNatural(source, 'EMPLOYEE', record.number) : []),
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
  const bound = new Map<string, BoundObject>(bindings.map((row) => [row._id, row]));
  const ids = (kind: IngestKind) => bindings.flatMap((row) => (row.kind === kind ? objectsOf(row) : []));
  const read = <Kind extends IngestKind>(kind: Kind, more: string[] = []) =>
    rowsById(store, tenantId, kind, [...ids(kind), ...more]);
  const people = async () => {
    const forms = await otherForms(store, tenantId, formsOfNobody(records, source, tenantId, bound));
    const employees = await read('EMPLOYEE', [...forms.values()].flat());
    // A record may concern its employee's own person without naming it.
    const persons = [...employees.values()].map(({ person_id }) => person_id);
    return { forms, EMPLOYEE: employees, PERSON: await read('PERSON', persons) };
  };
  const [{ forms, EMPLOYEE, PERSON }, ORGANIZATION, DEPARTMENT, JOB_TITLE] = await Promise.all([
    people(),
    read('ORGANIZATION'),
    read('DEPARTMENT'),
    read('JOB_TITLE'),
  ]);
  const rows = { PERSON, ORGANIZATION, DEPARTMENT, EMPLOYEE, JOB_TITLE };
  const corrected = records.flatMap((record, at) =>
    correctedPersons(
      record,
      [...(own[at] ?? []), ...keysOf(otherNames(source, record))].flatMap((key) => objectsOf(bound.get(key))),
      { rows, forms },
    ),
  );
  const former = corrected.flatMap(({ iin }) =>
    iin === '' ? [] : keysOf([{ source, kind: 'PERSON', externalId: iin }]),
  );
  // The natural id of a known object may be made of fields that this record does not have.
  const made = records.flatMap((record, at) => {
    const [known = ''] = record.isGiven ? objectsOf(bound.get(own[at]?.[0] ?? '')) : [];
    const row = rows[record.kind].get(known);
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
  for (const row of more) bound.set(row._id, row);
  return { bound, rows, employments, forms };
}

/** Ids of the objects that a name refers to or has referred to. */
const objectsOf = (bound: BoundObject | undefined): string[] =>
  bound === undefined ? [] : [bound.object_id, ...(bound.others ?? [])];

/** A natural id that names nobody yet. */
interface UnknownNatural {
  readonly natural: string;
  readonly number: string;
  /** Of one with an organisation: ids of those who have the number alone. */
  readonly alone: readonly string[];
}

/** The natural ids of employees that name nobody, in records without another id. */
function formsOfNobody(
  records: readonly MappedRecord[],
  source: IngestSource,
  tenantId: string,
  bound: KnownObjects['bound'],
): UnknownNatural[] {
  const boundTo = (natural: string) =>
    namesOfNatural(source, 'EMPLOYEE', natural).flatMap(
      (name) => bound.get(bindingId(tenantId, name))?.object_id ?? [],
    );
  return records.flatMap(({ number = '', natural = '', naturals = [], isGiven }) => {
    if (natural === '' || isGiven || naturals.flatMap(boundTo).length > 0) return [];
    return [{ natural, number, alone: boundTo(number) }];
  });
}

/** See {@link KnownObjects.forms}. */
async function otherForms(
  store: Store,
  tenantId: string,
  unknown: readonly UnknownNatural[],
): Promise<Map<string, string[]>> {
  const isAlone = ({ natural, number }: UnknownNatural) => natural === number;
  const numbers = unknown.filter(isAlone).map(({ number }) => number);
  const employees = ofTenant(store.employees, tenantId);
  const projection = { projection: { employee_number: 1 } } as const;
  const rows =
    numbers.length === 0 ? [] : await employees.find({ employee_number: { $in: numbers } }, projection).toArray();
  const ofNumber = Map.groupBy(rows, ({ employee_number }) => employee_number);
  const ids = [...rows.map(({ _id }) => _id), ...unknown.flatMap(({ alone }) => alone)];
  const externalIds = await externalIdsOf(store, tenantId, ids);
  const hasOrganization = (id: string, number: string) =>
    externalIds.get(id)?.some((text) => text.endsWith(`/${number}`));
  return new Map(
    unknown.map((each) => [
      each.natural,
      isAlone(each)
        ? (ofNumber.get(each.number) ?? []).map(({ _id }) => _id).filter((id) => hasOrganization(id, each.number))
        : each.alone.filter((id) => !hasOrganization(id, each.number)),
    ]),
  );
}

/** The external and natural ids by which LEDGER knows employees, by id of the employee. */
async function externalIdsOf(store: Store, tenantId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await ofTenant(store.external_bindings, tenantId)
    .find({ kind: 'EMPLOYEE', object_id: { $in: [...ids] } })
    .toArray();
  const ofLedger = rows.filter(({ source_type }) => source_type === 'LEDGER');
  const grouped = Map.groupBy(ofLedger, ({ object_id }) => object_id);
  return new Map([...grouped].map(([id, names]) => [id, names.map(({ external_id }) => external_id)]));
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

/** The persons to whom the record of an employee may give another IIN. @param ids of objects that its names refer to */
function correctedPersons(
  { person, natural = '' }: MappedRecord,
  ids: readonly string[],
  { rows, forms }: Pick<KnownObjects, 'rows' | 'forms'>,
): PersonRow[] {
  const iin = person?.fields.iin;
  if (!iin) return [];
  const owners = [...ids, ...(forms.get(natural) ?? [])].map((id) => rows.EMPLOYEE.get(id)?.person_id ?? '');
  const persons = [...owners, ...ids].map((id) => rows.PERSON.get(id));
  return persons.filter((row) => row !== undefined && row.iin !== iin) as PersonRow[];
}

async function employmentsOf(
  store: Store,
  tenantId: string,
  persons: readonly PersonRow[],
): Promise<Map<string, Employment[]>> {
  const person_id = { $in: [...new Set(persons.map(({ _id }) => _id))] };
  if (person_id.$in.length === 0) return new Map();
  const employees = await ofTenant(store.employees, tenantId)
    .find({ person_id, deleted_at: null }, { projection: { person_id: 1, status: 1 } })
    .toArray();
  const ofPerson = Map.groupBy(employees, (employee) => employee.person_id);
  // Of an only employment nobody asks by which ids it is known.
  const several = [...ofPerson.values()].flatMap((rows) => (rows.length > 1 ? rows.map(({ _id }) => _id) : []));
  const externalIds = await externalIdsOf(store, tenantId, several);
  const employment = ({ _id: id, status }: Pick<EmployeeRow, '_id' | 'status'>) => {
    return { id, isTerminated: status === 'EMPLOYEE_STATUS_TERMINATED', externalIds: externalIds.get(id) ?? [] };
  };
  return new Map([...ofPerson].map(([person, rows]) => [person, rows.map(employment)]));
}
