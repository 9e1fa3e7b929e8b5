/** Faults that the rules of ingest-records.rules.ts must catch. */
import { bodies, each, refuses } from '../mutation/alter.ts';
import { records } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const INGEST = 'ingestRecords';

const always = (value: boolean) =>
  bodies(INGEST, (json) => {
    json.create_missing = value;
  });

const INVALID = 'INVALID_ARGUMENT';

const nothing = bodies(INGEST, (json) => {
  if (Array.isArray(json.records)) {
    json.payload_type = 'NOTHING';
  }
});

export const faults: readonly Fault[] = [
  { id: 'ing-always-creates', rule: 'ING-19', breaks: 'create_missing is always true', alter: always(true) },
  {
    id: 'ing-person-creates',
    rule: 'ING-19',
    breaks: 'a record with a new person makes it although create_missing is false',
    alone: true,
    alter: bodies(INGEST, (json) => {
      if (json.payload_type === 'EMPLOYEES_FULL') json.create_missing = true;
    }),
  },
  { id: 'ing-never-creates', rule: 'ING-20', breaks: 'create_missing is always false', alter: always(false) },
  {
    id: 'ing-updates-need-flag',
    rule: 'ING-21',
    breaks: 'without create_missing nothing is updated',
    alter: bodies(INGEST, (json) => {
      if (json.create_missing === false) json.payload_type = 'NOTHING';
    }),
  },
  {
    id: 'ing-default-true',
    rule: 'ING-22',
    breaks: 'create_missing is true when it is left out',
    alter: bodies(INGEST, (json) => {
      json.create_missing ??= true;
    }),
  },
  {
    id: 'ing-unknown-field',
    rule: 'ING-27',
    breaks: 'an unknown field is refused',
    alter: refuses(
      INGEST,
      INVALID,
      (asked) => asked.body.length > 0 && !/"external_id":"nobody/.test(asked.body.toString()),
    ),
  },
  {
    id: 'ing-odd-date',
    rule: 'ING-28',
    breaks: 'an impossible date is read as the next day',
    alter: records((one) => {
      for (const name of ['admission_date', 'left_date', 'birth_date', 'ДатаПриема'])
        if (typeof one[name] === 'string' && /-(30|31)$/.test(one[name])) one[name] = '2025-03-01';
    }),
  },
  {
    id: 'ing-optional-filled',
    rule: 'ING-29',
    breaks: 'a birth date that was left out is the first of 1970',
    alter: each(BOTH, (one) => {
      if (one.person?.birth_date === '') one.person.birth_date = '1970-01-01';
    }),
  },
  {
    id: 'ing-no-external-id',
    rule: 'ING-37',
    breaks: 'a record without an external id makes an object',
    alter: records((one) => {
      if (typeof one.external_id !== 'string' || one.external_id.trim() === '') one.external_id = crypto.randomUUID();
    }),
  },
  {
    id: 'ing-first-wins',
    rule: 'ING-40',
    breaks: 'of records with the same external id the first wins',
    alter: bodies(INGEST, (json) => {
      json.records?.reverse?.();
    }),
  },
  { id: 'ing-bad-spoils-all', rule: 'ING-42', breaks: 'a bad record spoils its batch', alter: nothing },
  {
    id: 'ing-absent-clears',
    rule: 'ING-48',
    breaks: 'an absent field clears what is there',
    alter: records((one, batch) => {
      if (batch.payload_type === 'EMPLOYEES')
        for (const name of ['number', 'external_department_id', 'external_job_title_id']) one[name] ??= '';
      if (batch.payload_type === 'PERSONS') for (const name of ['phone', 'email', 'middle_name']) one[name] ??= '';
    }),
  },
  {
    id: 'ing-deleted-returns',
    rule: 'ING-71',
    breaks: 'a record brings a deleted employee back',
    alone: true,
    alter: always(true),
  },
  {
    id: 'ing-deleted-for-ever',
    rule: 'ING-71',
    breaks: 'nobody can be loaded again under the external id of a deleted employee',
    alone: true,
    alter: (asked, forward, memory) =>
      records((one, batch) => {
        if (!/-doomed$/.test(String(one.external_id))) return;
        if (memory.notes.has('made')) batch.create_missing = false;
        memory.notes.set('made', true);
      })(asked, forward, memory),
  },
  {
    id: 'ing-wrong-type',
    rule: 'ING-49',
    breaks: 'a field of the wrong type is overlooked',
    alter: records((one) => {
      for (const [name, value] of Object.entries(one)) if (typeof value !== 'string') delete one[name];
    }),
  },
];
