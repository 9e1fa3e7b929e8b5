/** What is known of a person, and how texts lose it: names also in their declined forms, numbers however they are written. */
import type { EmployeeRow, employeeLife } from '../data/collections/employees.ts';
import type { PersonRow, personLife } from '../data/collections/persons.ts';
import { ERASED, type FieldMet } from '../data/field-life.ts';

/** The shortest value that is looked for: shorter ones stand in every text by chance. */
const SHORTEST = 3;
/** Names from this length are found with any ending of a few letters. */
const DECLINED_FROM = 5;
/** Personnel numbers and external ids from this length are looked for: shorter ones are any numbers. */
const LABEL_FROM = 4;
const ENDING = /[аеёиоуыэюяйьіәөүұaeiouy]$/iu;
const SHORT_ENDING = '[аеёиоуыэюяйм]';

type PersonTexts = Pick<PersonRow, FieldMet<typeof personLife, 'hideable'> | 'details'>;

type EmploymentTexts = Pick<EmployeeRow, FieldMet<typeof employeeLife, 'hideable'> | 'employee_number'>;

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const word = (pattern: string) => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;

/** A name in its forms: a long one with any short ending, a short one with an ending of vowels. */
function namePattern(name: string): string {
  const stem = name.replace(ENDING, '');
  if ([...name].length >= DECLINED_FROM) return word(`${escaped(stem)}\\p{L}{0,4}`);
  return word(`${escaped(stem)}${SHORT_ENDING}{${stem === name ? 0 : 1},2}`);
}

/** Digits, with or without what people write between them. */
const digitsPattern = (digits: string) => `(?<!\\d)${[...digits].join('[\\s().-]{0,2}')}(?!\\d)`;

/** A day as people write it: 1990-01-31, 31.01.1990, 31/1/1990. */
function dayPatterns(day: string): string[] {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return [];
  const short = (part: string) => part.replace(/^0/, '0?');
  return [escaped(day), word(`${short(date)}[./-]${short(month)}[./-]${year}`)];
}

/** The texts that are in the details, such as papers and addresses. */
function detailTexts(details: string | undefined): string[] {
  if (!details) return [];
  const values = Object.values(JSON.parse(details) as Record<string, unknown>);
  return values.filter((value): value is string => typeof value === 'string' && value.length > DECLINED_FROM);
}

/** Both names together in any form and order, or the family name with an initial: hardly anybody else's. */
function fullNamePatterns(last: string, first: string): string[] {
  if (last.length < SHORTEST || first === '') return [];
  const initial = `${escaped([...first][0] ?? '')}\\.`;
  const before = `(?<![\\p{L}\\p{N}])`;
  const [family, given] = [namePattern(last), namePattern(first)];
  return [
    `${family}\\s+${given}`,
    `${given}\\s+${family}`,
    `${family}\\s+${initial}`,
    `${before}${initial}\\s*${family}`,
  ];
}

/** The values of a person and its employments, as patterns that find them in texts. */
export class PersonValues {
  readonly #everything: RegExp | undefined;
  readonly #unique: RegExp | undefined;

  constructor(person: PersonTexts, employments: readonly EmploymentTexts[], externalIds: readonly string[]) {
    const { first_name, last_name, middle_name, iin, birth_date, personal_email, phone, details, ...more } = person;
    more satisfies Record<string, never>;
    const works = employments.map(({ work_email, employee_number, ...others }) => {
      others satisfies Record<string, never>;
      return { work_email, employee_number };
    });
    const emails = [personal_email, ...works.map(({ work_email }) => work_email)].filter((text) => text !== '');
    const numbers = [iin, phone.replaceAll(/\D/g, '')].filter((digits) => digits.length > DECLINED_FROM);
    const unique = [
      ...numbers.map(digitsPattern),
      ...emails.map((email) => word(escaped(email))),
      ...fullNamePatterns(last_name, first_name),
    ];
    const names = [last_name, first_name, middle_name].flatMap((name) => name.split(/[\s-]+/));
    const named = names.filter((name) => name.length >= SHORTEST).map(namePattern);
    const papers = detailTexts(details).map(escaped);
    const ids = [...externalIds, ...works.map(({ employee_number }) => employee_number)];
    const labels = ids.filter((text) => text.length >= LABEL_FROM).map((text) => word(escaped(text)));
    this.#unique = patternOf(unique);
    this.#everything = patternOf([...unique, ...papers, ...labels, ...dayPatterns(birth_date), ...named]);
  }

  /** A text about the person, or by it, without anything of it. */
  redacted(text: string): string {
    return this.#everything ? text.replace(this.#everything, ERASED) : text;
  }

  /** A text that may be about anybody, without what is only this person's: others may have the same first name. */
  withoutOwn(text: string): string {
    return this.#unique ? text.replace(this.#unique, ERASED) : text;
  }
}

const patternOf = (patterns: readonly string[]) =>
  patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'giu');
