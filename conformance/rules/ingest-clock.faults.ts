/** Faults that the rules of ingest-clock.rules.ts must catch. */

import { each, parse, pretends } from '../mutation/alter.ts';
import { eventOf } from '../mutation/alter-deliveries.ts';
import { freshKey, records, shifted } from '../mutation/alter-ingest.ts';
import type { Alter, Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

/** Keeps fields of an employee at their first value. */
const frozen = (...names: string[]): Alter =>
  each(BOTH, (one, _asked, memory) => {
    for (const name of names) {
      const key = `${name} ${one.id}`;
      if (!memory.notes.has(key)) memory.notes.set(key, one[name]);
      one[name] = memory.notes.get(key);
    }
  });

const INGEST = 'ingestRecords';

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';

export const faults: readonly Fault[] = [
  {
    id: 'ing-key-free-at-once',
    rule: 'ING-6',
    breaks: 'an Idempotency-Key is free before its 24 hours end',
    alter: freshKey,
  },
  {
    id: 'ing-status-stands',
    rule: 'ING-54',
    breaks: 'the status is that of the day of the batch',
    alter: frozen('status'),
  },
  {
    id: 'ing-status-untold',
    rule: 'ING-54',
    breaks: 'a status that moves by its day moves no update_time',
    alter: frozen('update_time'),
  },
  {
    id: 'ing-end-untold',
    rule: 'ING-54',
    breaks: 'who has left in time has no end_date',
    alter: each(BOTH, (one) => {
      one.end_date = '';
    }),
  },
  {
    id: 'ing-last-day-cut',
    rule: 'ING-54',
    breaks: 'who leaves on a day has left when it begins',
    alter: each(BOTH, (one, _asked, { notes }) => {
      const key = `reads as active ${one.id}`;
      const count = Number(notes.get(key) ?? 0) + Number(one.status === ACTIVE);
      notes.set(key, count);
      if (one.status === ACTIVE && count > 1) one.status = 'EMPLOYEE_STATUS_TERMINATED';
    }),
  },
  {
    id: 'ing-status-unreported',
    rule: 'ING-72',
    breaks: 'a status that moves by its day causes no event',
    delivery: async (one, forward, memory) => {
      const key = `reported ${eventOf(one).data.employee_id}`;
      if (memory.notes.has(key)) return 200;
      memory.notes.set(key, true);
      return forward(one);
    },
  },
  {
    id: 'ing-day-too-late',
    rule: 'ING-69',
    breaks: 'a day of the dates begins a day later',
    alter: each(BOTH, (one) => {
      if (one.status === ACTIVE && one.start_date > '2020-01-01') one.status = 'EMPLOYEE_STATUS_ACCEPTED';
    }),
  },
  {
    id: 'ing-day-too-early',
    rule: 'ING-69',
    breaks: 'who leaves on a day has left on it',
    alter: records((one) => {
      if (one.left_date) one.left_date = shifted(one.left_date, -86_400_000).slice(0, 10);
    }),
  },
  {
    id: 'ing-lost-at-restart',
    rule: 'ING-63',
    breaks: 'what is accepted and not yet applied is lost with a restart',
    alter: async (asked, forward, memory) => {
      const list = parse(asked.body)?.records;
      return asked.operation === INGEST && list?.length === 1 && /-last-/.test(list[0].number ?? '')
        ? pretends(INGEST)(asked, forward, memory)
        : forward(asked);
    },
  },
];
