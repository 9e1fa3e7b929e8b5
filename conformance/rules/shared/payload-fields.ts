/** The fields of each kind of record that ingest takes, and where a field of a record shows. Families are made of them. */

import type { TestContext } from '../../engine/test-context.ts';
import { componentSchema, fieldsBelow, type InputSchema } from './contract-inputs.ts';
import { ext } from './ingest-calls.ts';
import { wrongValues } from './input-values.ts';

/** What a field of a record is: `id` says which object the record is about, `object` holds other fields. */
type FieldKind = 'id' | 'object' | 'text' | 'day' | 'iin' | 'reference';

export interface PayloadField {
  /** The name of the payload and that of the field, in Latin letters. */
  readonly id: string;
  readonly payload: PayloadKind;
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** Where the value shows in an employee with all expansions; '' if it shows nowhere. */
  readonly shown: string;
  readonly schema: InputSchema;
}

/** The sources whose records these are. */
export type Source = 'KEDO' | 'LEDGER';

export interface PayloadKind {
  /** Source and payload type, such as `KEDO.PERSONS`. */
  readonly name: string;
  readonly source: Source;
  readonly type: string;
  /** Component of the contract that describes a record. */
  readonly schema: string;
  readonly fields: readonly PayloadField[];
}

const PERSON_PAPERS = [
  'birth_place',
  'number',
  'serial_number',
  'issued_date',
  'issuing_authority',
  'issuing_authority_code',
];
const OF_ORGANIZATION = ['title', 'bin', 'legal_address', 'actual_address', 'bank_bik', 'bank_account', 'bank_name'];

/** By payload: its schema, where its fields show, and the fields that are stored and never shown. */
const table: Record<string, [schema: string, shown: Record<string, string>, never: readonly string[]]> = {
  'KEDO.ORGANIZATIONS': ['KedoOrganizationRecord', {}, OF_ORGANIZATION],
  'KEDO.DEPARTMENTS': [
    'KedoDepartmentRecord',
    { title: 'department.title' },
    ['external_organization_id', 'external_parent_id'],
  ],
  'KEDO.JOB_TITLES': ['KedoJobTitleRecord', { title: 'job_title.title' }, []],
  'KEDO.PERSONS': [
    'KedoPersonRecord',
    {
      first_name: 'person.first_name',
      last_name: 'person.last_name',
      middle_name: 'person.middle_name',
      birth_date: 'person.birth_date',
      iin: 'person.iin',
      phone: 'person.phone',
      email: 'person.personal_email',
    },
    ['gender', ...PERSON_PAPERS, 'registration_address', 'citizenship'],
  ],
  'KEDO.EMPLOYEES': [
    'KedoEmployeeRecord',
    {
      number: 'employee_number',
      admission_date: 'start_date',
      left_date: 'end_date',
      external_person_id: 'person.phone',
      external_organization_id: 'organization_id',
      external_department_id: 'department_id',
      external_job_title_id: 'job_title_id',
    },
    ['available_vacation_day_count'],
  ],
  'LEDGER.DEPARTMENTS': ['LedgerDepartmentRecord', { Наименование: 'department.title' }, ['Родитель.Ссылка']],
  'LEDGER.EMPLOYEES_FULL': [
    'LedgerEmployeeRecord',
    {
      ТабельныйНомер: 'employee_number',
      ДатаПриема: 'start_date',
      'Организация.Ссылка': 'organization_id',
      'Подразделение.Ссылка': 'department_id',
      'Должность.Ссылка': 'job_title_id',
      'ФизЛицо.Имя': 'person.first_name',
      'ФизЛицо.Фамилия': 'person.last_name',
      'ФизЛицо.Отчество': 'person.middle_name',
      'ФизЛицо.ИИН': 'person.iin',
      'ФизЛицо.Телефон': 'person.phone',
      'ФизЛицо.ДатаРождения': 'person.birth_date',
    },
    [],
  ],
};

const CYRILLIC = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя';
const LATIN = 'a b v g d e yo zh z i j k l m n o p r s t u f kh c ch sh shch  y  e yu ya'.split(' ');

/** A name in Latin letters, as the id of a rule may have it. */
const inLatin = (name: string): string =>
  name.replace(/[^\w.]/g, (letter) => {
    const latin = LATIN[CYRILLIC.indexOf(letter.toLowerCase())] ?? '_';
    return letter === letter.toLowerCase() ? latin : latin.replace(/^./, (first) => first.toUpperCase());
  });

function kindOf(name: string, { types, format, pattern = '' }: InputSchema): FieldKind {
  if (types.includes('object')) return 'object';
  if (name === 'external_id' || name === 'Ссылка') return 'id';
  if (/^external_.*_id$|\.Ссылка$/.test(name)) return 'reference';
  if (format === 'date') return 'day';
  return pattern.includes('{12}') ? 'iin' : 'text';
}

/** A field of which the table says nothing has no place where it shows. */
export const UNKNOWN_PLACE = '?';

function payloadFrom(name: string): PayloadKind {
  const [schema, shown, never] = table[name] ?? ['', {}, []];
  const [source = '', type = ''] = name.split('.');
  const payload: PayloadKind = { name, source: source as 'KEDO', type, schema, fields: [] };
  const fields = fieldsBelow(componentSchema(schema)).map((field): PayloadField => {
    const holder = field.path.slice(0, Math.max(0, field.path.length - field.name.length - 1));
    const kind = kindOf(field.name, field.schema);
    const nowhere = never.includes(field.path) || kind === 'id' || kind === 'object';
    return {
      id: `${name}.${inLatin(field.path)}`,
      payload,
      path: holder === '' ? [field.name] : [holder, field.name],
      kind,
      shown: shown[field.path] ?? (nowhere ? '' : UNKNOWN_PLACE),
      schema: field.schema,
    };
  });
  return Object.assign(payload, { fields });
}

/** In an order in which what is referred to comes first. */
export const payloadKinds: readonly PayloadKind[] = Object.keys(table).map(payloadFrom);

export const payloadNamed = (name: string): PayloadKind =>
  payloadKinds.find((one) => one.name === name) ?? payloadFrom(name);

/** An empty reference as 1C:Enterprise writes it, its empty day, and a number that only fills its field. */
export const ZERO = '00000000-0000-0000-0000-000000000000';
const NO_DAY = '0001-01-01';
export const FILLER = '000000000000';

const MIDNIGHTS = [
  'T00:00:00',
  ' 00:00:00',
  'T00:00:00.000',
  'T00:00:00Z',
  'T00:00:00+05:00',
  'T00:00:00.0000000-11:00',
];

/** How senders write nothing, and a value, for which the ellipsis stands. */
const SPELLINGS: Partial<Record<FieldKind, readonly string[]>> = {
  day: [
    NO_DAY,
    ...MIDNIGHTS.map((midnight) => NO_DAY + midnight),
    ' ',
    ...MIDNIGHTS.map((midnight) => `…${midnight}`),
    ' …',
    '… ',
  ],
  reference: [ZERO, `{${ZERO}}`, ZERO.replaceAll('-', ''), ' '],
  iin: [FILLER, ' ', '… ', ' …'],
  text: [' ', '\u00a0\t ', '…  ', '\t…', '\u00a0… '],
};

/** The spellings for fields of a kind. What then shows is nothing, the value `b`, or what was there, `a`. */
export const spellings = (kind: FieldKind, value: string) =>
  (SPELLINGS[kind] ?? []).map((form) => {
    const shows = form.includes('…') ? 'b' : '';
    return [form.replace('…', () => value), form === FILLER ? 'a' : shows] as const;
  });

/** One of them; the list begins again at its end. */
export function spelling(kind: FieldKind, value: string, nth: number) {
  const all = spellings(kind, value);
  return all[nth % all.length] ?? (['', ''] as const);
}

/** Digits that are made of a text: other ones for another text. */
export function digitsOf(text: string, count: number): string {
  const nth = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10 ** count, 7);
  return String(nth).padStart(count, '0');
}

/** A name that holds the run and the object, so that no other text can be taken for it. */
export const textOf = (t: TestContext, subject: string, what: string): string => `${t.run_id} ${subject} ${what}`;

/** Characters that JSON escapes, and some of several bytes: a text comes back as it was sent. */
const ODD = '"Юг" \\ 5 % 😀';

/** The external id of an object to which fields refer. */
const referred = (t: TestContext, field: PayloadField, state: 'a' | 'b'): string =>
  ext(t, `field-${state}-${field.payload.source}`);

/** The value of a field in one of two states. A subject's names and numbers are its own. */
export function fieldValue(t: TestContext, field: PayloadField, subject: string, state: 'a' | 'b'): string {
  const { payload, path, kind } = field;
  // The month is none, so nobody has the number.
  if (kind === 'iin') return `9999${digitsOf(textOf(t, payload.name, subject), 6)}${state === 'a' ? '07' : '15'}`;
  if (kind === 'reference') return referred(t, field, state);
  if (kind === 'text') return `${textOf(t, `${payload.name}/${subject}`, path.at(-1) ?? '')} ${state} ${ODD}`;
  // Later fields have later days, since nobody leaves before the first day.
  const nth = payload.fields.filter((one) => one.kind === 'day').indexOf(field);
  return `198${nth}-0${nth + 1}-1${state === 'a' ? 5 : 6}`;
}

/** Days that no calendar has, though some readers take them. */
const NO_DAYS = ['0000-02-29', '10000-01-01', '2021-03-01T00:00:00.001'];

/** Values with which a record is skipped, by the contract's schema of the field; of many malformed days only some. */
export function badValues({ schema, kind, payload }: PayloadField): unknown[] {
  /** As senders write it. */
  const isDay = (text: string) =>
    kind === 'day' && spellings(kind, text.trim().slice(0, 10)).some(([written]) => written === text);
  const wrong = wrongValues(schema).filter(
    (one, n) => (one.kind !== 'null' || kind === 'id') && one.value !== 1.5 && (one.kind !== 'format' || n % 3 === 0),
  );
  const values = wrong.map(({ value }) => value).filter((value) => !isDay(String(value)));
  const more: Partial<Record<FieldKind, string[]>> = { day: NO_DAYS, ...(payload.source === 'KEDO' && { id: [ZERO] }) };
  return [...values, 0, false, ...(more[kind] ?? []), ...(kind === 'object' ? [] : ['x\0', '\ud800'])];
}
