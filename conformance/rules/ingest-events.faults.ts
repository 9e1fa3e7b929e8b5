/** Faults that the rules of ingest-events.rules.ts must catch. */

import { parse, rowsOf } from '../mutation/alter.ts';
import { alsoReports, swallowed } from '../mutation/alter-deliveries.ts';
import { touched } from '../mutation/alter-ingest.ts';
import type { Alter, Fault } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const noteEmployee =
  (part: string): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (asked.operation === LIST)
      for (const one of rowsOf(parse(answer.body)).rows)
        if (one.employee_number.includes(part)) memory.notes.set('employee', one.id);
    return answer;
  };

const reportsEmployee = alsoReports(
  (json, memory) =>
    json.type === 'person.changed' &&
    memory.notes.has('employee') &&
    json.data.employee_id !== memory.notes.get('employee'),
  (_json, memory) => ({ type: 'employee.changed', data: { employee_id: memory.notes.get('employee') } }),
);

export const faults: readonly Fault[] = [
  {
    id: 'ing-change-untold',
    rule: 'ING-34',
    breaks: 'an employee whom a batch changed is reported by no event',
    delivery: swallowed('employee.changed'),
  },
  {
    id: 'ing-person-untold',
    rule: 'ING-43',
    breaks: 'a new name is reported by no event',
    delivery: swallowed('person.changed'),
  },
  {
    id: 'ing-hidden-told',
    rule: 'ING-58',
    breaks: 'a change of what is never shown is reported',
    alter: noteEmployee('fifth'),
    delivery: reportsEmployee,
  },
  {
    id: 'ing-hidden-touches',
    rule: 'ING-58',
    breaks: 'a change of what is never shown moves update_time',
    alter: touched('EMPLOYEES', 3),
  },
  {
    id: 'ing-nothing-told',
    rule: 'ING-65',
    breaks: 'a batch that changes nothing is reported as a change',
    alter: noteEmployee('fifth'),
    delivery: reportsEmployee,
  },
  {
    id: 'ing-nothing-touches',
    rule: 'ING-65',
    breaks: 'a batch that changes nothing moves update_time',
    alter: touched('EMPLOYEES', 3),
  },
];
