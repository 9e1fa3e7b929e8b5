/** Faults that the rules of employees-since.rules.ts must catch. */

import { answers, queries, refuses } from '../mutation/alter.ts';
import { lenient } from '../mutation/alter-lists.ts';
import { changedQueryValue, swappedRefusal } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const DAY = /^(\d{4}-\d\d-\d\d)$/;

const LIST = 'listEmployees';

export const faults: readonly Fault[] = [
  {
    id: 'emp-since-exclusive',
    rule: 'EMP-17',
    breaks: 'updated_since excludes its own millisecond',
    alter: queries(LIST, (query) => {
      const since = query.get('updated_since');
      if (since !== null && Number.isFinite(Date.parse(since)))
        query.set('updated_since', new Date(Date.parse(since) + 1).toISOString());
    }),
  },
  {
    id: 'emp-since-by-seconds',
    rule: 'EMP-17',
    breaks: 'updated_since looks at whole seconds',
    alter: queries(LIST, (query) => {
      const since = query.get('updated_since');
      if (since !== null) query.set('updated_since', since.replace(/\.\d+/, ''));
    }),
  },
  {
    id: 'emp-since-without-a-status',
    rule: 'EMP-61',
    breaks: 'employees on hold are missing where updated_since is given',
    alter: answers(LIST, (json, asked) => {
      if (asked.target.includes('updated_since'))
        json.employees = json.employees.filter((one: { status: string }) => !one.status.endsWith('ON_HOLD'));
    }),
  },
  {
    id: 'emp-since-zone-ignored',
    rule: 'EMP-18',
    breaks: 'the zone of updated_since is overlooked',
    alter: queries(LIST, (query) => {
      const since = query.get('updated_since');
      if (since !== null) query.set('updated_since', since.replace(/[+-]\d\d:\d\d$/, 'Z'));
    }),
  },
  {
    id: 'emp-since-raw-plus',
    rule: 'EMP-19',
    breaks: 'a blank in the zone is read as a plus',
    alter: queries(LIST, (query) => {
      const since = query.get('updated_since');
      if (since !== null) query.set('updated_since', since.replace(' ', '+'));
    }),
  },
  {
    id: 'emp-since-day',
    rule: 'EMP-20',
    breaks: 'a day alone is an instant',
    alter: changedQueryValue('updated_since', (value) => value.replace(DAY, '$1T00:00:00Z')),
  },
  {
    id: 'emp-since-no-zone',
    rule: 'EMP-20',
    breaks: 'an instant without a zone is one of UTC',
    alter: changedQueryValue('updated_since', (value) =>
      /T\d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value}Z` : value,
    ),
  },
  {
    id: 'emp-since-epoch',
    rule: 'EMP-20',
    breaks: 'seconds since 1970 are an instant',
    alter: changedQueryValue('updated_since', (value) =>
      /^\d{9,13}$/.test(value) ? new Date(Number(value)).toISOString() : value,
    ),
  },
  {
    id: 'emp-since-30th-of-february',
    rule: 'EMP-20',
    breaks: 'a day that does not exist is the next one',
    alter: changedQueryValue('updated_since', (value) =>
      /-02-(29|30|31)T/.test(value) ? value.replace(/-02-\d\dT/, '-03-01T') : value,
    ),
  },
  {
    id: 'emp-since-malformed',
    rule: 'EMP-20',
    breaks: 'a malformed updated_since does nothing',
    alter: lenient(/updated_since/),
  },
  {
    id: 'emp-since-future',
    rule: 'EMP-21',
    breaks: 'an updated_since in the future is refused',
    alter: refuses(LIST, 'INVALID_ARGUMENT', (asked) => /updated_since=(9|2[1-9]|20[3-9])/.test(asked.target)),
  },
  {
    id: 'emp-microseconds',
    rule: 'EMP-55',
    breaks: 'digits below the millisecond count otherwise than declared',
    alter: swappedRefusal((asked) => /\.\d{4,}/.test(asked.target)),
  },
];
