/** Faults that the rules of ingest-fields.rules.ts must catch: made of the same fields, and some of all at once. */

import { bodies, both, each, type Json } from '../mutation/alter.ts';
import { allAlone, inBatches, inRecords, shifted } from '../mutation/alter-ingest.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { isOfEmployees, subjectOf } from './shared/field-world.ts';
import { isSpelled, memberIds, type PayloadField, payloadKinds, spellings, ZERO } from './shared/payload-fields.ts';

const INGEST = 'ingestRecords';
const HOUR_MS = 3_600_000;

/** Changes what is shown of a field, wherever it is shown. */
const shownAs = ({ shown }: PayloadField, change: (value: string, holder: Json) => string): Alter =>
  each(CARDS, (one) => {
    const [first = '', second] = shown.split('.');
    const [holder, name] = second === undefined ? [one, first] : [one[first], second];
    if (typeof holder?.[name] === 'string') holder[name] = change(holder[name], holder);
  });

/** Changes the employee in whom only this field has changed. */
const ofOwn = (field: PayloadField, change: (one: Json, run: string) => void): Alter => {
  const own = new RegExp(`([0-9a-f]+) ${field.payload.name}/${subjectOf(field)} `);
  return each(CARDS, (one) => {
    const [, run] = own.exec(JSON.stringify(one)) ?? [];
    if (run !== undefined) change(one, run);
  });
};

const INSTEAD = { day: '2001-02-03', iin: '999999999907', text: 'kept', reference: ZERO, id: '', object: '' };
/** The second value of a field as the first one. */
const firstValue = (value: string) =>
  value
    .replace(/ b /, ' a ')
    .replace(/^(198\d-0\d-1)6$/, '$15')
    .replace(/^(9999\d{6})15$/, (_, own) => `${own}07`);

/** Faults of a field that shows. */
function faultsOfShown(field: PayloadField): FaultRows {
  const { kind, shown, payload, path } = field;
  const texts = payload.fields.filter((one) => one.kind === 'text' && one.shown.startsWith('person.'));
  const next = texts[(texts.indexOf(field) + 1) % texts.length]?.shown.slice(7);
  const still = ofOwn(field, (one) => {
    one.update_time = one.create_time;
  });
  return {
    lost: ['never reaches an answer', shownAs(field, () => '')],
    ...(path[0] !== 'external_person_id' && {
      kept: ['is not cleared', shownAs(field, (value) => value || INSTEAD[kind])],
    }),
    ...(kind !== 'reference' && { old: ['keeps its first value', shownAs(field, firstValue)] }),
    ...(texts.includes(field) &&
      next !== undefined && { swapped: [`is shown as ${next}`, shownAs(field, (_value, human) => human[next])] }),
    ...(!isOfReference(shown) && { still: ['moves no update_time', still] }),
  };
}

/** Faults of a field that does not show, or that is no change of the card. */
function faultsOfQuiet(field: PayloadField): FaultRows {
  const { kind, path, payload } = field;
  const touches = ofOwn(field, (one) => {
    one.update_time = shifted(one.update_time, HOUR_MS);
  });
  const told = ofOwn(field, (one, run) => {
    // A text that the rule does not judge, and that may hold anything.
    const [holder, name] = isOfEmployees(payload) ? [one.person, 'first_name'] : [one, 'employee_number'];
    holder[name] = `${run} ${payload.name}/${subjectOf(field)} ${path.at(-1)} b "Юг" \\ 5 % 😀`;
  });
  return {
    touches: ['moves update_time', touches],
    ...(kind === 'text' && field.shown === '' && { told: ['is given out', told] }),
  };
}

const isOfReference = (shown: string) => /^(department|job_title)\./.test(shown);

const ofField = (field: PayloadField): Fault[] => {
  const rows: FaultRows = {
    ...(field.shown !== '' && faultsOfShown(field)),
    ...((field.shown === '' || isOfReference(field.shown)) && faultsOfQuiet(field)),
  };
  const about = `${field.path.join('.')} of ${field.payload.name}`;
  return faultsFor(memberIds(field)[0], rows, about, (name) => `ing-${field.id}-${name}`.toLowerCase());
};

/** A fault in every value of the records of batches. `change` returns the value, or undefined to leave the field out. */
const inValues = (id: string, rule: string, breaks: string, change: (value: unknown) => unknown): Fault =>
  inRecords(`ing-field-${id}`, rule, breaks, (one) => {
    for (const part of [one, one.ФизЛицо].filter((each) => typeof each === 'object' && each !== null))
      for (const [name, value] of Object.entries(part)) part[name] = change(value);
  });

const isText = (value: unknown): value is string => typeof value === 'string';
/** A fault in every text of the records of batches. */
const inTexts = (id: string, rule: string, breaks: string, change: (value: string) => unknown): Fault =>
  inValues(id, rule, breaks, (value) => (isText(value) ? change(value) : value));
const isFilled = (value: unknown) => isText(value) || value === null;
const IIN = 'ING-KEDO.PERSONS.iin';

/** Kinds of fields that senders write in several ways, each with a rule that follows such a field. */
const HABITS = [
  ['day', 'ING-28'],
  ['reference', 'ING-24'],
  ['iin', IIN],
  ['text', 'ING-49'],
] as const;

/** Faults of what all fields have in common, each with a rule that shows it. */
const ofAll: Fault[] = [
  inValues('wrong-type', 'ING-49', 'a value of a wrong type is overlooked', (v) => (isFilled(v) ? v : undefined)),
  inValues('falsy', 'ING-49', '0 and false count as empty', (v) => (v === 0 || v === false ? '' : v)),
  inTexts('cut', 'ING-49', 'a text that is too long is cut', (v) => v.slice(0, 1000)),
  inTexts('nul', 'ING-49', 'a NUL is dropped', (v) => v.replaceAll('\0', '')),
  inTexts('surrogate', 'ING-49', 'half a surrogate pair is mended', (v) => v.toWellFormed()),
  inTexts('odd-day', 'ING-28', 'an impossible date is another day', (v) => v.replace(/^01.03.2021$/, '2025-03-01')),
  ...['ING-28', 'ING-LEDGER.EMPLOYEES_FULL.DataPriema'].map((rule) =>
    inTexts(`year-0-${rule}`.toLowerCase(), rule, 'a day of the year 0 is one of another year', (v) =>
      v.replace(/^0000-01/, '2020-01'),
    ),
  ),
  inTexts('odd-iin', IIN, 'any text is a number', (v) => v.replace(/^12345678901x$/, '123456789012')),
  inValues('null', 'ING-29', 'null leaves what is there', (v) => v ?? undefined),
  inValues('empty', 'ING-29', 'an empty text leaves what is there', (v) => (v === '' ? undefined : v)),
  inRecords('ing-field-absent', 'ING-29', 'an absent name is cleared', (one, batch) => {
    if (batch.payload_type === 'PERSONS') one.middle_name ??= '';
  }),
  ...HABITS.flatMap(([kind, rule]) =>
    spellings(kind, '').flatMap(([around, shows], nth) => {
      const breaks = `${JSON.stringify(around)} is not understood`;
      if (shows === 'a') return [];
      return [inTexts(`${kind}-${nth}`, rule, breaks, (v) => (isSpelled(kind, v, nth) ? 'x' : v))];
    }),
  ),
  inTexts('filler', IIN, 'a filler clears the number', (v) => v.replace(/^(\d)\1{11}$/, '')),
  inRecords('ing-field-any-person', 'ING-51', 'an employee is made without a known person', (one, _, { notes }) => {
    if (/PERSONS-first_name$/.test(one.external_id)) notes.set('person', one.external_id);
    if (/-new-external_person_id-/.test(one.external_id)) one.external_person_id = notes.get('person');
  }),
  inRecords('ing-field-no-id', 'ING-15', 'a record without a usable external id makes an object', (one) => {
    if (!isText(one.external_id) || one.external_id === '') one.external_id = crypto.randomUUID();
  }),
  inBatches('ing-field-never-creates', 'ING-15', 'create_missing is always false', (batch) => {
    batch.create_missing = false;
  }),
  inBatches('ing-field-updates-need-flag', 'ING-30', 'without create_missing nothing is updated', (batch) => {
    if (batch.create_missing === false) batch.payload_type = 'NOTHING';
  }),
  {
    id: 'ing-field-external-id-shown',
    rule: 'ING-12',
    breaks: 'an external id is given out',
    alter: both(
      each(CARDS, (one, _asked, { notes }) => {
        one.employee_number = notes.get('id') ?? one.employee_number;
      }),
      bodies(INGEST, ({ payload_type, records: [one] }, _asked, { notes }) => {
        if (payload_type === 'PERSONS' && one?.external_id?.endsWith('PERSONS-external_id'))
          notes.set('id', one.external_id);
      }),
    ),
  },
  ...payloadKinds.map(({ name, source, type, fields }): Fault => {
    const alter = bodies(INGEST, (json, { target }) => {
      if (json.payload_type === type && target.endsWith(source)) json.payload_type = 'NOTHING';
    });
    // Objects of an earlier run stay, so a title that moves shows more than that there is one.
    const told = fields.find(({ shown }) => shown.endsWith('.title')) ?? fields[0];
    const [rule] = told ? memberIds(told) : [''];
    return { id: `ing-skips-${name}`.toLowerCase(), rule, breaks: `${name} is skipped`, alter };
  }),
];

export const faults: readonly Fault[] = [
  ...payloadKinds.flatMap(({ fields }) => fields.flatMap(ofField)),
  ...allAlone(...ofAll),
];
