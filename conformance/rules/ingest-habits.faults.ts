/** Faults that the rules of ingest-habits.rules.ts must catch. */
import { asks, each, type Json, refuses } from '../mutation/alter.ts';
import { records } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;
const INGEST = 'ingestRecords';
const ZERO = /^00000000-0000-0000-0000-000000000000$/;
const FILLER = /^(0{12}|1{12})$/;
const MARK = Buffer.from('\ufeff');
const isMarked = (body: Buffer) => body.subarray(0, 3).equals(MARK);

/** Changes every text of records that matches. @param change null skips the record */
const texts = (what: RegExp, change: string | null) =>
  records((one) => {
    for (const part of [one, one.ФизЛицо ?? {}] as Json[])
      for (const [name, value] of Object.entries(part)) {
        if (!what.test(String(value))) continue;
        if (change === null) Object.assign(one, { external_id: 1 });
        else part[name] = change;
      }
  });

export const faults: readonly Fault[] = [
  {
    id: 'ing-zero-guid-unknown',
    rule: 'ING-77',
    breaks: 'a zero GUID is a reference like any other',
    alter: texts(ZERO, 'conformance-never-loaded'),
  },
  {
    id: 'ing-year-one',
    rule: 'ING-77',
    breaks: 'an empty date is a day of the year 1',
    alter: each(BOTH, (one) => {
      if (one.person?.birth_date === '') one.person.birth_date = '0001-01-01';
    }),
  },
  {
    id: 'ing-midnight-is-no-date',
    rule: 'ING-77',
    breaks: 'a record with a midnight after its date is skipped',
    alter: texts(/T00:00:00$/, null),
  },
  {
    id: 'ing-filler-joins',
    rule: 'ING-78',
    breaks: 'a filler is the number of one person',
    alter: records((one) => {
      if (FILLER.test(String(one.ФизЛицо?.ИИН))) one.ФизЛицо.external_id = 'conformance-filler';
    }),
  },
  {
    id: 'ing-filler-shown',
    rule: 'ING-78',
    breaks: 'a filler is stored and shown',
    alter: each(BOTH, (one) => {
      if (/filler-/.test(one.person?.phone ?? '')) one.person.iin = '000000000000';
    }),
  },
  {
    id: 'ing-filler-clears',
    rule: 'ING-78',
    breaks: 'a filler clears the number that is there',
    alter: texts(FILLER, ''),
  },
  {
    id: 'ing-mark-refused',
    rule: 'ING-79',
    breaks: 'a batch behind a byte order mark is refused',
    alter: refuses(INGEST, 'INVALID_ARGUMENT', ({ body }) => isMarked(body)),
  },
  {
    id: 'ing-mark-spoils-batch',
    rule: 'ING-79',
    breaks: 'a batch behind a byte order mark is accepted and lost',
    alter: asks(INGEST, (asked) => {
      if (isMarked(asked.body))
        asked.body = Buffer.from(String(asked.body.subarray(3)).replace('"EMPLOYEES"', '"NOTHING"'));
    }),
  },
];
