/** Faults that the rules of ingest-dates.rules.ts must catch. */

import { counted, each, noted, put } from '../mutation/alter.ts';
import { eventOf } from '../mutation/alter-deliveries.ts';
import { allAlone, inCards, inRecords, shifted, without } from '../mutation/alter-ingest.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, faultsOf } from '../mutation/fault.ts';

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';

/** Keeps fields of an employee at their first value. */
const frozen = (...names: string[]): Alter =>
  each(CARDS, (one, _asked, memory) => {
    for (const name of names) {
      const key = `${name} ${one.id}`;
      one[name] = noted(memory, key, () => one[name]);
    }
  });

export const faults: readonly Fault[] = [
  ...faultsOf({
    'ING-53': { 'ing-left-stays': ['who has left stays active', without('left_date')] },
    'ING-54': {
      'ing-status-stands': ['the status is that of the day of the batch', frozen('status')],
      'ing-status-untold': ['a status that moves by its day moves no update_time', frozen('update_time')],
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
  }),
  inCards(
    'ing-leave-ended-by-date',
    'ING-53',
    'whoever is on leave becomes active with the next change of dates',
    (one) => {
      if (one.status === 'EMPLOYEE_STATUS_LEAVE' && one.start_date === '2021-02-03')
        one.status = 'EMPLOYEE_STATUS_ACTIVE';
    },
  ),
  inCards('ing-end-untold', 'ING-54', 'who has left in time has no end_date', put('end_date', '')),
  ...allAlone(
    inCards('ing-day-too-late', 'ING-69', 'a day of the dates begins a day later', (one) => {
      if (one.status === ACTIVE && one.start_date > '2020-01-01') one.status = 'EMPLOYEE_STATUS_ACCEPTED';
    }),
    inRecords('ing-day-too-early', 'ING-69', 'who leaves on a day has left on it', (one) => {
      if (one.left_date) one.left_date = shifted(one.left_date, -86_400_000).slice(0, 10);
    }),
  ),
];
