/** The payloads of LEDGER (D-29): names with a dot are literal keys, and external ids are made of several fields. */
import { type Columns, distribute, type Mapped, type Payload, type Skipped, type Values } from './columns.ts';
import { longerThan, MAX_EXTERNAL_ID } from './text.ts';

const NUMBER = 'ТабельныйНомер';
const ORGANIZATION = 'Организация.Ссылка';
const PERSON = 'ФизЛицо';
const IIN = 'ИИН';
const LINK = 'Ссылка';

const personColumns: Columns = {
  Имя: { type: 'text', field: 'first_name' },
  Фамилия: { type: 'text', field: 'last_name' },
  Отчество: { type: 'text', field: 'middle_name' },
  [IIN]: { type: 'iin', field: 'iin' },
  Телефон: { type: 'text', field: 'phone' },
  ДатаРождения: { type: 'day', field: 'birth_date' },
};

const employeeColumns: Columns = {
  [NUMBER]: { type: 'external_id', field: 'employee_number' },
  ДатаПриема: { type: 'day', field: 'start_date' },
  [ORGANIZATION]: { type: 'text', reference: 'organization' },
  'Подразделение.Ссылка': { type: 'text', reference: 'department' },
  'Должность.Ссылка': { type: 'text', reference: 'job_title' },
  [PERSON]: personColumns,
};

const departmentColumns: Columns = {
  [LINK]: { type: 'external_id' },
  Наименование: { type: 'text', field: 'title' },
  'Родитель.Ссылка': { type: 'text', reference: 'parent' },
};

function mapEmployee(values: Values): Mapped | Skipped {
  const organization = values[ORGANIZATION];
  const number = String(values[NUMBER]);
  const externalId = organization ? `${organization}/${number}` : number;
  if (longerThan(externalId, MAX_EXTERNAL_ID)) {
    return { skipped: `${ORGANIZATION} and ${NUMBER} together have more than ${MAX_EXTERNAL_ID} characters.` };
  }
  const employee: Mapped = { kind: 'EMPLOYEE', externalId, ...distribute(employeeColumns, values) };
  const given = values[PERSON];
  if (typeof given !== 'object') return employee;
  const personId = String(given[IIN] ?? '') || externalId;
  const person = {
    kind: 'PERSON' as const,
    externalId: personId,
    isDerived: !given[IIN],
    ...distribute(personColumns, given),
  };
  return { ...employee, references: { ...employee.references, person: personId }, person };
}

/** By `payload_type`. */
export const ledger: ReadonlyMap<string, Payload> = new Map([
  ['EMPLOYEES_FULL', { columns: employeeColumns, map: mapEmployee }],
  [
    'DEPARTMENTS',
    {
      columns: departmentColumns,
      map: (values) => ({
        kind: 'DEPARTMENT',
        externalId: String(values[LINK]),
        ...distribute(departmentColumns, values),
      }),
    },
  ],
]);
