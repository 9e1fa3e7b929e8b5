/**
 * The payloads of LEDGER (D-29). Names with a dot are literal keys. A record without `external_id` is known by its
 * natural id, which is made of its fields. A record with both is known by either.
 */
import type { LedgerDepartmentRecord, LedgerEmployeeRecord, LedgerPerson } from '../../generated/client/types.gen.ts';
import type { IngestKind } from '../data/collections/external_bindings.ts';
import {
  type ColumnsOf,
  distribute,
  type MappedRecord,
  type Payload,
  type RecordValues,
  refersTo,
  type SentValues,
  type SkippedRecord,
} from './record-columns.ts';
import { longerThan, MAX_EXTERNAL_ID, withoutBlanks } from './scalars.ts';

const NUMBER = 'ТабельныйНомер';
const ORGANIZATION = 'Организация.Ссылка';
const PERSON = 'ФизЛицо';
const IIN = 'ИИН';
const LINK = 'Ссылка';

const EXTERNAL_ID = 'external_id';

const personColumns: ColumnsOf<LedgerPerson> = {
  [EXTERNAL_ID]: { type: 'nested_person_id' },
  Имя: { type: 'text', field: 'first_name' },
  Фамилия: { type: 'text', field: 'last_name' },
  Отчество: { type: 'text', field: 'middle_name' },
  [IIN]: { type: 'iin', field: 'iin' },
  Телефон: { type: 'text', field: 'phone' },
  ДатаРождения: { type: 'day', field: 'birth_date' },
};

const employeeColumns: ColumnsOf<LedgerEmployeeRecord> = {
  [EXTERNAL_ID]: { type: 'external_id' },
  [NUMBER]: { type: 'text', field: 'employee_number' },
  ДатаПриема: { type: 'day', field: 'start_date' },
  [ORGANIZATION]: refersTo('organization'),
  'Подразделение.Ссылка': refersTo('department'),
  'Должность.Ссылка': refersTo('job_title'),
  [PERSON]: personColumns,
};

const departmentColumns: ColumnsOf<LedgerDepartmentRecord> = {
  [EXTERNAL_ID]: { type: 'external_id' },
  [LINK]: { type: 'natural_id' },
  Наименование: { type: 'text', field: 'title' },
  'Родитель.Ссылка': refersTo('parent'),
};

/** The text of a field; `''` if there is none. */
const textOf = (values: SentValues, name: string): string => String(values[name] ?? '');

/** Names in the `details` of rows that were loaded with an `external_id`: this, and what their natural id is made of. */
const KEPT = {
  [EXTERNAL_ID]: 'external_id',
  [ORGANIZATION]: 'organization',
  [NUMBER]: 'number',
  [LINK]: 'link',
} as const;

/** The details of a record with an `external_id`. An absent field leaves what is there. */
function keptOf(values: RecordValues): Record<string, string> {
  if (textOf(values, EXTERNAL_ID) === '') return {};
  const given = Object.entries(KEPT).filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(
    given.map(([name, detail]) => [detail, name === ORGANIZATION ? organizationOf(values) : textOf(values, name)]),
  );
}

/** The ids under which a row was last loaded, if it was loaded with an `external_id`. @param details of the row */
export function idsIn(kind: IngestKind, details: string | undefined): { externalId?: string; natural?: string } {
  if (!details) return {};
  const { external_id, organization = '', number = '', link = '' } = JSON.parse(details) as Record<string, string>;
  if (external_id === undefined) return {};
  return { externalId: external_id, natural: kind === 'DEPARTMENT' ? link : naturalOf(organization, number) };
}

/** The natural id of an employee; `''` without a number. */
const naturalOf = (organization: string, number: string): string =>
  organization !== '' && number !== '' ? `${organization}/${number}` : number;

/** The organisation in the natural id of an employee. */
const organizationOf = (values: RecordValues): string => withoutBlanks(textOf(values, ORGANIZATION));

/** The zero GUID, as an earlier version has made natural ids of it. */
const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/**
 * The natural ids of an employee. An earlier version has made them of what was sent, with its blanks and with the zero
 * GUID: that one comes first. Where no organisation is given, the zero GUID may have been.
 */
function naturalsOf(organization: string, number: string, sent: SentValues): string[] {
  if (number === '') return [];
  const [asSent, made] = [naturalOf(textOf(sent, ORGANIZATION), textOf(sent, NUMBER)), naturalOf(organization, number)];
  return organization === '' ? [asSent, made, naturalOf(NO_ORGANIZATION, number)] : [asSent, made];
}

/** What tells by which ids an object is known. */
function known(values: RecordValues, naturals: readonly string[]): Pick<MappedRecord, 'naturals' | 'isGiven'> {
  const usable = naturals.filter((natural) => natural !== '' && !longerThan(natural, MAX_EXTERNAL_ID));
  return { naturals: [...new Set(usable)], ...(textOf(values, EXTERNAL_ID) !== '' && { isGiven: true as const }) };
}

function mapEmployee(values: RecordValues, sent: SentValues): MappedRecord | SkippedRecord {
  const [organization, number] = [organizationOf(values), textOf(values, NUMBER)];
  const made = naturalOf(organization, number);
  const externalId = textOf(values, EXTERNAL_ID) || made;
  if (externalId === '') return { skipped: `${EXTERNAL_ID} and ${NUMBER} are missing.` };
  if (longerThan(externalId, MAX_EXTERNAL_ID)) {
    return { skipped: `${ORGANIZATION} and ${NUMBER} together have more than ${MAX_EXTERNAL_ID} characters.` };
  }
  const ids = known(values, naturalsOf(organization, number, sent));
  const parts = distribute(employeeColumns, values);
  const employee = {
    kind: 'EMPLOYEE' as const,
    externalId,
    number,
    natural: made,
    ...ids,
    ...parts,
    details: keptOf(values),
  };
  const given = values[PERSON];
  if (typeof given !== 'object') return employee;
  return { ...employee, person: mapPerson(given) };
}

function mapPerson(values: RecordValues): NonNullable<MappedRecord['person']> {
  return { kind: 'PERSON', externalId: textOf(values, EXTERNAL_ID), ...distribute(personColumns, values) };
}

function mapDepartment(values: RecordValues, sent: SentValues): MappedRecord | SkippedRecord {
  const [own, link] = [textOf(values, EXTERNAL_ID), textOf(values, LINK)];
  const externalId = own || link;
  if (externalId === '') return { skipped: `${EXTERNAL_ID} and ${LINK} are missing.` };
  if (longerThan(externalId, MAX_EXTERNAL_ID))
    return { skipped: `${LINK} has more than ${MAX_EXTERNAL_ID} characters.` };
  const ids = known(values, link === '' ? [] : [textOf(sent, LINK), link]);
  return { kind: 'DEPARTMENT', externalId, ...ids, ...distribute(departmentColumns, values), details: keptOf(values) };
}

/** By `payload_type`. */
export const ledger: ReadonlyMap<string, Payload> = new Map([
  ['EMPLOYEES_FULL', { columns: employeeColumns, idFields: [EXTERNAL_ID, NUMBER], map: mapEmployee }],
  ['DEPARTMENTS', { columns: departmentColumns, idFields: [EXTERNAL_ID, LINK], map: mapDepartment }],
]);
