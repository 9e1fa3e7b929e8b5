/** Faults that the rules of ingest-changes.rules.ts must catch. */
import { answers, bodies, each, parse } from '../mutation/alter.ts';
import { without } from '../mutation/alter-ingest.ts';
import type { Fault, ProxiedRequest } from '../mutation/fault.ts';

const EMPLOYEES = ['listEmployees', 'getEmployee'] as const;

const INGEST = 'ingestRecords';

export const faults: readonly Fault[] = [
  {
    id: 'ing-first-day-revives',
    rule: 'ING-76',
    breaks: 'another first day makes a terminated employee active',
    alter: each(EMPLOYEES, (one) => {
      if (one.status === 'EMPLOYEE_STATUS_TERMINATED' && one.start_date === '2021-02-03')
        one.status = 'EMPLOYEE_STATUS_ACTIVE';
    }),
  },
  {
    id: 'ing-not-found-since',
    rule: 'ING-33',
    breaks: 'what a batch changed is not found by updated_since',
    alter: answers('listEmployees', (json, asked) => {
      if (asked.target.includes('updated_since')) json.employees = [];
    }),
  },
  {
    id: 'ing-always-touches',
    rule: 'ING-35',
    breaks: 'a batch that changes nothing moves update_time',
    alter: each(EMPLOYEES, (one, _asked, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      one.update_time = new Date(Date.parse(one.update_time) + n).toISOString();
    }),
  },
  { id: 'ing-left-stays', rule: 'ING-53', breaks: 'who has left stays active', alter: without('left_date') },
  {
    id: 'ing-last-record-lost',
    rule: 'ING-74',
    breaks: 'the last record of a large batch is lost',
    alter: bodies(INGEST, (json) => {
      if (json.records?.length > 1000) json.records.pop();
    }),
  },
  {
    id: 'ing-other-order',
    rule: 'ING-55',
    breaks: 'the last two batches of many are applied the other way round',
    alter: async (asked, forward, memory) => {
      const number = parse(asked.body)?.records?.[0]?.number ?? '';
      const last = memory.successes.get(INGEST);
      if (/-step-10-/.test(number) && last) {
        memory.notes.set('held', asked);
        return last;
      }
      const answer = await forward(asked);
      const held = memory.notes.get('held') as ProxiedRequest | undefined;
      if (/-step-11-/.test(number) && held) await forward(held);
      return answer;
    },
  },
  {
    id: 'ing-leave-ended-by-date',
    rule: 'ING-73',
    breaks: 'whoever is on leave becomes active with the next change of dates',
    alter: each(EMPLOYEES, (one) => {
      if (one.status === 'EMPLOYEE_STATUS_LEAVE' && one.start_date === '2021-02-03')
        one.status = 'EMPLOYEE_STATUS_ACTIVE';
    }),
  },
  {
    id: 'ing-person-time',
    rule: 'ING-57',
    breaks: 'a change of a person moves no update_time',
    alter: each(EMPLOYEES, (one) => {
      one.update_time = one.create_time;
    }),
  },
  {
    id: 'ing-ended-employment-not-followed',
    rule: 'ING-57',
    breaks: 'a change of a person leaves an employment that has ended as it was',
    alter: each(EMPLOYEES, (one, _asked, { notes }) => {
      if (one.status !== 'EMPLOYEE_STATUS_TERMINATED') return;
      const key = `ended ${one.id}`;
      if (!notes.has(key)) notes.set(key, one.update_time);
      one.update_time = notes.get(key);
    }),
  },
  {
    id: 'ing-number-stays',
    rule: 'ING-57',
    breaks: 'a person keeps the number that it has',
    alone: true,
    alter: each(EMPLOYEES, (one, _asked, { notes }) => {
      const key = `iin ${one.id}`;
      if (one.person?.iin && !notes.has(key)) notes.set(key, one.person.iin);
      if (one.person?.iin) one.person.iin = notes.get(key);
    }),
  },
];
