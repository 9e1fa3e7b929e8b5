/** Faults that the rules of ingest-pairs.rules.ts must catch. */

import { bodies, both, each, parse } from '../mutation/alter.ts';
import { forgetting, records, touched, without } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const never = /never-loaded/;

const INGEST = 'ingestRecords';

const pair = (rule: string, source: string, type: string): Fault => ({
  id: `ing-skips-${source}-${type}`.toLowerCase(),
  rule,
  breaks: `${source} / ${type} is accepted and skipped`,
  alter: bodies(INGEST, (json) => {
    if (json.payload_type === type) json.payload_type = 'NOTHING';
  }),
});

const EMPLOYEES = ['listEmployees', 'getEmployee'] as const;

export const faults: readonly Fault[] = [
  pair('ING-12', 'KEDO', 'PERSONS'),
  pair('ING-13', 'KEDO', 'ORGANIZATIONS'),
  pair('ING-14', 'KEDO', 'DEPARTMENTS'),
  pair('ING-15', 'KEDO', 'EMPLOYEES'),
  pair('ING-16', 'KEDO', 'JOB_TITLES'),
  pair('ING-17', 'LEDGER', 'EMPLOYEES_FULL'),
  pair('ING-18', 'LEDGER', 'DEPARTMENTS'),
  {
    id: 'ing-reference-lost',
    rule: 'ING-24',
    breaks: 'the department of an employee is not resolved',
    alter: without('external_department_id'),
  },
  {
    id: 'ing-number-lost',
    rule: 'ING-30',
    breaks: 'the number of an employee is not shown',
    alter: each(EMPLOYEES, (one) => {
      one.employee_number = '';
    }),
  },
  { id: 'ing-phone-lost', rule: 'ING-30', breaks: 'the phone of a person is not loaded', alter: without('phone') },
  {
    id: 'ing-external-id-shown',
    rule: 'ING-31',
    breaks: 'an external id is given out',
    alter: both(
      each(EMPLOYEES, (one, _asked, memory) => {
        one.location_id = memory.notes.get('id') ?? one.location_id;
      }),
      async (asked, forward, memory) => {
        const json = parse(asked.body);
        if (json?.payload_type === 'EMPLOYEES') memory.notes.set('id', json.records[0].external_id);
        return forward(asked);
      },
    ),
  },
  {
    id: 'ing-names-as-they-are',
    rule: 'ING-36',
    breaks: 'names are compared byte by byte',
    alone: true,
    alter: forgetting((name) => name !== name.normalize('NFC')),
  },
  {
    id: 'ing-dots-as-paths',
    rule: 'ING-36',
    breaks: 'a name with a dot is a path into objects',
    alone: true,
    alter: records((one) => {
      for (const name of ['Подразделение', 'Должность'])
        if (one[name]?.Ссылка !== undefined) {
          one[`${name}.Ссылка`] = one[name].Ссылка;
          delete one[name];
        }
    }),
  },
  {
    id: 'ing-title-kept',
    rule: 'ING-59',
    breaks: 'employees keep the title that their department had when they were loaded',
    alone: true,
    alter: each(BOTH, (one, _asked, memory) => {
      if (!one.department) return;
      const key = `title ${one.id}`;
      if (!memory.notes.has(key)) memory.notes.set(key, one.department.title);
      one.department.title = memory.notes.get(key);
    }),
  },
  {
    id: 'ing-rename-touches',
    rule: 'ING-59',
    breaks: 'a rename of a job title moves update_time',
    alone: true,
    alter: touched('JOB_TITLES', 2),
  },
  {
    id: 'ing-ledger-title-clears',
    rule: 'ING-60',
    breaks: 'an unknown job title empties the field',
    alone: true,
    alter: records((one) => {
      if (never.test(String(one['Должность.Ссылка']))) one['Должность.Ссылка'] = '';
    }),
  },
  {
    id: 'ing-ledger-nowhere',
    rule: 'ING-60',
    breaks: 'a record with an unknown department is applied without it',
    alone: true,
    alter: records((one) => {
      if (never.test(String(one['Подразделение.Ссылка']))) delete one['Подразделение.Ссылка'];
    }),
  },
  {
    id: 'ing-ledger-own-titles',
    rule: 'ING-60',
    breaks: 'job titles of KEDO are unknown to LEDGER',
    alone: true,
    alter: records((one) => {
      if (one['Должность.Ссылка']) delete one['Должность.Ссылка'];
    }),
  },
];
