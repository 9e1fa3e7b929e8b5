/** Faults that the rules of ingest-dates.rules.ts must catch. */

import { counted, each, noted, put } from '../mutation/alter.ts';
import { eventOf } from '../mutation/alter-deliveries.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, faultsOf } from '../mutation/fault.ts';

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';

/** Keeps a field of an employee at its first value. */
const frozen = (name: string): Alter =>
  each(CARDS, (one, _asked, memory) => {
    one[name] = noted(memory, one.id, () => one[name]);
  });

export const faults: readonly Fault[] = faultsOf({
  'ING-54': {
    'ing-status-stands': ['the status is that of the day of the batch', frozen('status')],
    'ing-status-untold': ['a status that moves by its day moves no update_time', frozen('update_time')],
    'ing-end-untold': ['who has left in time has no end_date', each(CARDS, put('end_date', ''))],
  },
  'ING-69': {
    'ing-day-too-late': {
      breaks: 'a day of the dates begins a day later',
      alone: true,
      alter: each(CARDS, (one) => {
        if (one.status === ACTIVE && one.start_date > '2020-01-01') one.status = 'EMPLOYEE_STATUS_ACCEPTED';
      }),
    },
  },
  'ING-72': {
    'ing-status-unreported': {
      breaks: 'a status that moves by its day causes no event',
      alone: true,
      delivery: async (one, forward, memory) =>
        counted(memory, `reported ${eventOf(one).data.employee_id}`) > 1 ? 200 : forward(one),
    },
  },
  'ING-86': {
    'ing-one-midnight': ['the statuses of another tenant do not change at its midnight', frozen('status')],
  },
});
