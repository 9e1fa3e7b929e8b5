// Made from openapi.yaml by `npm run generate`; never edited by hand. The fields that hold personal data or secrets.

/** A key that redacted_fields may contain. */
export type RedactionKey = 
  | 'employees.work_email'
  | 'persons.birth_date'
  | 'persons.first_name'
  | 'persons.full_name'
  | 'persons.iin'
  | 'persons.last_name'
  | 'persons.middle_name'
  | 'persons.personal_email'
  | 'persons.phone';

/** Property name → key of what it holds. Properties of requests are among them, with keys that no answer ever lists. */
export const personalDataFields: Readonly<Record<string, string>> = {
  birth_date: 'persons.birth_date',
  birth_place: 'persons.birth_place',
  citizenship: 'persons.citizenship',
  email: 'persons.personal_email',
  first_name: 'persons.first_name',
  full_name: 'persons.full_name',
  gender: 'persons.gender',
  iin: 'persons.iin',
  issued_date: 'persons.issued_date',
  issuing_authority: 'persons.issuing_authority',
  issuing_authority_code: 'persons.issuing_authority_code',
  last_name: 'persons.last_name',
  middle_name: 'persons.middle_name',
  number: 'persons.number',
  personal_email: 'persons.personal_email',
  phone: 'persons.phone',
  registration_address: 'persons.registration_address',
  serial_number: 'persons.serial_number',
  work_email: 'employees.work_email',
  'ДатаРождения': 'persons.birth_date',
  'ИИН': 'persons.iin',
  'Имя': 'persons.first_name',
  'Отчество': 'persons.middle_name',
  'Телефон': 'persons.phone',
  'Фамилия': 'persons.last_name',
};

/** All keys that redacted_fields may contain, sorted. */
export const redactionKeys: readonly RedactionKey[] = [
  'employees.work_email',
  'persons.birth_date',
  'persons.first_name',
  'persons.full_name',
  'persons.iin',
  'persons.last_name',
  'persons.middle_name',
  'persons.personal_email',
  'persons.phone',
];

/** Names of the properties that hold secrets. */
export const secretFields: readonly string[] = ['fields', 'secret', 'url', 'value'];
