/**
 * The payloads of LEDGER (D-29). Names with a dot are literal keys. A record without `external_id` gets one made of its
 * fields. Given and made external ids are of the same kind.
 */
import { type Columns, distribute, type Mapped, type Payload, type Skipped, type Values } from './columns.ts';
import { longerThan, MAX_EXTERNAL_ID } from './text.ts';

const NUMBER = 'ТабельныйНомер';
const ORGANIZATION = 'Организация.Ссылка';
const PERSON = 'ФизЛицо';
const IIN = 'ИИН';
const LINK = 'Ссылка';

const EXTERNAL_ID = 'external_id';

const personColumns: Columns = {
  [EXTERNAL_ID]: { type: 'external_id' },
  Имя: { type: 'text', field: 'first_name' },
  Фамилия: { type: 'text', field: 'last_name' },
  Отчество: { type: 'text', field: 'middle_name' },
  [IIN]: { type: 'iin', field: 'iin' },
  Телефон: { type: 'text', field: 'phone' },
  ДатаРождения: { type: 'day', field: 'birth_date' },
};

const employeeColumns: Columns = {
  [EXTERNAL_ID]: { type: 'external_id' },
  [NUMBER]: { type: 'text', field: 'employee_number' },
  ДатаПриема: { type: 'day', field: 'start_date' },
  [ORGANIZATION]: { type: 'text', reference: 'organization' },
  'Подразделение.Ссылка': { type: 'text', reference: 'department' },
  'Должность.Ссылка': { type: 'text', reference: 'job_title' },
  [PERSON]: personColumns,
};

const departmentColumns: Columns = {
  [EXTERNAL_ID]: { type: 'external_id' },
  [LINK]: { type: 'text' },
  Наименование: { type: 'text', field: 'title' },
  'Родитель.Ссылка': { type: 'text', reference: 'parent' },
};

/** The text of a field; `''` if there is none. */
const textOf = (values: Values, name: string): string => String(values[name] ?? '');

function mapEmployee(values: Values): Mapped | Skipped {
  const [organization, number] = [textOf(values, ORGANIZATION), textOf(values, NUMBER)];
  const made = organization !== '' && number !== '' ? `${organization}/${number}` : number;
  const externalId = textOf(values, EXTERNAL_ID) || made;
  if (externalId === '') return { skipped: `${EXTERNAL_ID} and ${NUMBER} are missing.` };
  if (longerThan(externalId, MAX_EXTERNAL_ID)) {
    return { skipped: `${ORGANIZATION} and ${NUMBER} together have more than ${MAX_EXTERNAL_ID} characters.` };
  }
  const employee: Mapped = { kind: 'EMPLOYEE', externalId, ...distribute(employeeColumns, values) };
  const given = values[PERSON];
  if (typeof given !== 'object') return employee;
  const person = mapPerson(given, externalId);
  return { ...employee, references: { ...employee.references, person: person.externalId }, person };
}

function mapPerson(values: Values, employeeId: string): NonNullable<Mapped['person']> {
  const [own, iin] = [textOf(values, EXTERNAL_ID), textOf(values, IIN)];
  const idFrom = own !== '' ? 'external_id' : iin !== '' ? 'iin' : 'employee';
  return { kind: 'PERSON', externalId: own || iin || employeeId, idFrom, ...distribute(personColumns, values) };
}

function mapDepartment(values: Values): Mapped | Skipped {
  const [own, link] = [textOf(values, EXTERNAL_ID), textOf(values, LINK)];
  const externalId = own || link;
  if (externalId === '') return { skipped: `${EXTERNAL_ID} and ${LINK} are missing.` };
  if (longerThan(externalId, MAX_EXTERNAL_ID))
    return { skipped: `${LINK} has more than ${MAX_EXTERNAL_ID} characters.` };
  const beside = link === '' || link === externalId ? {} : { link };
  return { kind: 'DEPARTMENT', externalId, ...beside, ...distribute(departmentColumns, values) };
}

/** By `payload_type`. */
export const ledger: ReadonlyMap<string, Payload> = new Map([
  ['EMPLOYEES_FULL', { columns: employeeColumns, idFields: [EXTERNAL_ID, NUMBER], map: mapEmployee }],
  ['DEPARTMENTS', { columns: departmentColumns, idFields: [EXTERNAL_ID, LINK], map: mapDepartment }],
]);
