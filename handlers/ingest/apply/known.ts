/** Reads the tenant's rows that a few hundred records refer to, in a few queries. */
import type { TitledRow } from '../../data/collection.ts';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { ExternalBindingRow, IngestKind, IngestSource } from '../../data/collections/external_bindings.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { type BindingName, bindingId, linkOf, namesOfIdentity, namesOfNatural, namesOfPerson } from '../bindings.ts';
import { idsIn } from '../ledger.ts';
import { type MappedRecord, mergedDetails } from '../record-columns.ts';
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

/** What the store knows about the objects that records name. */
export interface KnownObjects {
  /** By binding id, also of objects that no longer exist. */
  readonly bound: ReadonlyMap<string, BoundObject>;
  /** Rows by id, including deleted employees. */
  readonly rows: { readonly [Kind in IngestKind]: ReadonlyMap<string, RowsOf[Kind]> };
  /** The external and natural ids by which LEDGER knows employees, by id of the employee; read of those whom it takes. */
  readonly externalIds: ReadonlyMap<string, readonly string[]>;
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

/** The bindings that were read. */
class Bindings {
  readonly rows = new Map<string, ExternalBindingRow>();
  readonly #store: Store;
  readonly #tenantId: string;

  constructor(store: Store, tenantId: string) {
    this.#store = store;
    this.#tenantId = tenantId;
  }

  keysOf(names: readonly BindingName[]): string[] {
    return names.map((name) => bindingId(this.#tenantId, name));
  }

  async read(keys: readonly string[]): Promise<void> {
    const wanted = keys.filter((key) => !this.rows.has(key));
    for (const row of await bindingsOf(this.#store, this.#tenantId, wanted)) this.rows.set(row._id, row);
  }

  /** Ids of the objects that names refer to or have referred to. */
  idsOf(kind: IngestKind, keys: Iterable<string> = this.rows.keys()): string[] {
    return [...keys].flatMap((key) => {
      const { kind: found, object_id = '', others = [] } = this.rows.get(key) ?? {};
      return found === kind ? [object_id, ...others] : [];
    });
  }
}

/** A record with the ids of the bindings that it names: all, and those of its own object. */
interface NamingRecord {
  readonly record: MappedRecord;
  readonly own: readonly string[];
  readonly keys: readonly string[];
}

/** Reads what the store knows about everything that the records name. @param records of one batch, so of one source */
export async function readKnown(
  store: Store,
  tenantId: string,
  source: IngestSource,
  records: readonly MappedRecord[],
): Promise<KnownObjects> {
  const bindings = new Bindings(store, tenantId);
  const naming = records.map((record): NamingRecord => {
    const own = bindings.keysOf(namesOfIdentity(source, record));
    return { record, own, keys: [...own, ...bindings.keysOf(otherNames(source, record))] };
  });
  await bindings.read(naming.flatMap(({ keys }) => keys));
  const read = <Kind extends IngestKind>(kind: Kind, more: readonly string[] = []) =>
    rowsById(store, tenantId, kind, [...bindings.idsOf(kind), ...more]);
  const [EMPLOYEE, ORGANIZATION, DEPARTMENT, JOB_TITLE] = await Promise.all([
    read('EMPLOYEE'),
    read('ORGANIZATION'),
    read('DEPARTMENT'),
    read('JOB_TITLE'),
  ]);
  const unknown = naming
    .filter(({ own }) => bindings.idsOf('EMPLOYEE', own).every((id) => hasLeft(EMPLOYEE.get(id))))
    .flatMap(({ record: { natural, number, isGiven } }) =>
      natural && number && !isGiven ? [{ natural, number }] : [],
    );
  const numbers = unknown.flatMap(({ natural, number }) => (natural === number ? [number] : []));
  const ofNumbers = await employeesOf(store, tenantId, 'employee_number', numbers);
  for (const row of ofNumbers) EMPLOYEE.set(row._id, row);
  // A record may concern its employee's own person without naming it.
  const owners = [...EMPLOYEE.values()].map(({ person_id }) => person_id);
  const rows = { PERSON: await read('PERSON', owners), ORGANIZATION, DEPARTMENT, EMPLOYEE, JOB_TITLE };

  const corrected = correctedPersons(naming, bindings, rows, ofNumbers);
  const former = corrected.flatMap(({ iin: externalId }) =>
    externalId === '' ? [] : bindings.keysOf([{ source, kind: 'PERSON', externalId }]),
  );
  const made = bindings.keysOf(naturalsMade(source, naming, bindings, rows));
  await bindings.read([...former, ...made]);
  const personIds = corrected.map(({ _id }) => _id);
  const [employments, holders] = await Promise.all([
    employeesOf(store, tenantId, 'person_id', personIds),
    rowsById(store, tenantId, 'EMPLOYEE', bindings.idsOf('EMPLOYEE', made)),
  ]);
  for (const row of [...employments, ...holders.values()]) EMPLOYEE.set(row._id, row);
  // Of an only employment nobody asks by which ids it is known.
  const several = employments.filter((one) =>
    employments.some(({ _id, person_id }) => person_id === one.person_id && _id !== one._id),
  );
  const alone = bindings.keysOf(unknown.flatMap(({ number }) => namesOfNatural(source, 'EMPLOYEE', number)));
  const asked = [...[...several, ...ofNumbers].map(({ _id }) => _id), ...bindings.idsOf('EMPLOYEE', alone)];
  return { bound: bindings.rows, rows, externalIds: await externalIdsOf(store, tenantId, asked) };
}

/** Whether a number is free for a successor, as far as this employee is concerned. */
const hasLeft = (row: EmployeeRow | undefined): boolean =>
  row === undefined || row.deleted_at !== null || row.status === 'EMPLOYEE_STATUS_TERMINATED';

/** The persons to whom records of employees may give another IIN. @param ofNumbers employees of another form of number */
function correctedPersons(
  naming: readonly NamingRecord[],
  bindings: Bindings,
  { EMPLOYEE, PERSON }: Pick<KnownObjects['rows'], 'EMPLOYEE' | 'PERSON'>,
  ofNumbers: readonly EmployeeRow[],
): PersonRow[] {
  const byNumber = Map.groupBy(ofNumbers, ({ employee_number }) => employee_number);
  return naming.flatMap(({ record: { person, number = '' }, keys }) => {
    const iin = person?.fields.iin;
    if (!iin) return [];
    const employees = bindings.idsOf('EMPLOYEE', keys).flatMap((id) => EMPLOYEE.get(id) ?? []);
    const owners = [...employees, ...(byNumber.get(number) ?? [])].map(({ person_id }) => person_id);
    const persons = [...owners, ...bindings.idsOf('PERSON', keys)].flatMap((id) => PERSON.get(id) ?? []);
    return persons.filter((row) => row.iin !== iin);
  });
}

/** New natural ids of known objects that are made of fields that their records do not have. */
function naturalsMade(
  source: IngestSource,
  naming: readonly NamingRecord[],
  bindings: Bindings,
  rows: KnownObjects['rows'],
): BindingName[] {
  return naming.flatMap(({ record: { kind, isGiven, naturals, details }, own }) => {
    const [known = ''] = isGiven ? bindings.idsOf(kind, own.slice(0, 1)) : [];
    const row = rows[kind].get(known);
    const natural = row && idsIn(kind, mergedDetails(row.details, details)).natural;
    const isNew = natural && natural !== idsIn(kind, row.details).natural && !naturals?.includes(natural);
    return isNew ? namesOfNatural(source, kind, natural) : [];
  });
}

/** Employees by a number or their person. */
async function employeesOf(
  store: Store,
  tenantId: string,
  field: 'employee_number' | 'person_id',
  values: readonly (string | undefined)[],
): Promise<EmployeeRow[]> {
  const wanted = [...new Set(values)];
  if (wanted.length === 0) return [];
  return ofTenant(store.employees, tenantId)
    .find({ [field]: { $in: wanted }, deleted_at: null })
    .toArray();
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
