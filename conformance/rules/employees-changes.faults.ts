/** Faults that the rules of employees-changes.rules.ts must catch. */

import { accepts, counted, each, isAbsent, type Json, jsonBody, parse, rows } from '../mutation/alter.ts';
import { inCards } from '../mutation/alter-ingest.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, type Memory } from '../mutation/fault.ts';

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
    'EMP-58': {
      'emp-deleted-listed': [
        'who was deleted stays in the list',
        rows('listEmployees', (list, _json, _asked, memory) => {
          const { manager_id: id } = parse(memory.successes.get('getEmployee')?.body ?? jsonBody({})).employee ?? {};
          return id ? [{ ...list[0], id }, ...list] : list;
        }),
      ],
      'emp-deleted-stays': ['a deleted employee stays readable', accepts('getEmployee', isAbsent, { employee: {} })],
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
