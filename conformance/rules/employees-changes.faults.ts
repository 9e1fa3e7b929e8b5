/** Faults that the rules of employees-changes.rules.ts must catch. */

import { accepts, after, counted, each, everything, isAbsent, type Json, parse } from '../mutation/alter.ts';
import { inCards } from '../mutation/alter-ingest.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, type Memory } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const restless = (one: Json, memory: Memory) => {
  one.update_time = new Date(Date.parse(one.update_time) + counted(memory)).toISOString();
};

export const faults: readonly Fault[] = [
  ...faultsOf({
    'EMP-23': {
      'emp-rename-touches': [
        'a rename of a department moves update_time',
        each(CARDS, (one, _asked, memory) => restless(one, memory)),
      ],
    },
    'EMP-40': {
      'emp-deleted-listed': [
        'who was deleted stays in the list',
        after(everything, (answer, asked, memory) => {
          const json = parse(answer.body);
          if (asked.operation !== 'listEmployees' || !json?.employees) return answer;
          const before = (memory.notes.get('rows') ?? []) as Json[];
          const lost = before.filter(
            (one) => /^C-/.test(one.employee_number) && !json.employees.some(({ id }: Json) => id === one.id),
          );
          memory.notes.set('rows', [...before, ...json.employees]);
          json.employees = [...lost.slice(0, 1), ...json.employees];
          return lost.length > 0 ? { ...answer, body: Buffer.from(JSON.stringify(json)) } : answer;
        }),
      ],
      'emp-deleted-stays': ['a deleted employee stays readable', accepts('getEmployee', isAbsent, { employee: {} })],
    },
    'EMP-62': {
      'emp-draft-keeps-manager': [
        'an employee in draft keeps the id of a deleted manager',
        each('getEmployee', (one) => {
          one.manager_id ||= UNKNOWN_ID;
        }),
      ],
    },
  }),
  inCards('emp-deleted-manager-stays', 'EMP-58', 'the reports of a deleted manager keep his id', (one, memory) => {
    if (one.manager_id !== '') memory.notes.set(one.id, one.manager_id);
    else one.manager_id = memory.notes.get(one.id) ?? '';
  }),
  inCards('emp-deleted-manager-expanded', 'EMP-58', 'a deleted manager is still expanded', (one, memory) => {
    if (one.manager_id !== '') memory.notes.set(one.id, one.manager_id);
    else if (memory.notes.has(one.id) && !one.manager)
      one.manager = { id: memory.notes.get(one.id), full_name: 'Ким Сергей' };
  }),
];
