/** Faults that the rules of employees-changes.rules.ts must catch. */
import { accepts, each, type Json, parse, stale } from '../mutation/alter.ts';
import type { Fault, Memory } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const LIST = 'listEmployees';

const ONE = 'getEmployee';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const restless = (one: Json, memory: Memory) => {
  const n = Number(memory.notes.get('n') ?? 0) + 1;
  memory.notes.set('n', n);
  one.update_time = new Date(Date.parse(one.update_time) + n).toISOString();
};

export const faults: readonly Fault[] = [
  { id: 'emp-since-stale', rule: 'EMP-22', breaks: 'changes of a card do not show', alter: stale(ONE) },
  {
    id: 'emp-rename-touches',
    rule: 'EMP-23',
    breaks: 'a rename of a department moves update_time',
    alter: each(BOTH, (one, _asked, memory) => restless(one, memory)),
  },
  {
    id: 'emp-deleted-listed',
    rule: 'EMP-40',
    breaks: 'who was deleted stays in the list',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      if (asked.operation !== LIST || !json?.employees) return answer;
      const before = (memory.notes.get('rows') ?? []) as Json[];
      const lost = before.filter(
        (one) => /^C-/.test(one.employee_number) && !json.employees.some(({ id }: Json) => id === one.id),
      );
      memory.notes.set('rows', [...before, ...json.employees]);
      json.employees = [...lost.slice(0, 1), ...json.employees];
      return lost.length > 0 ? { ...answer, body: Buffer.from(JSON.stringify(json)) } : answer;
    },
  },
  {
    id: 'emp-deleted-stays',
    rule: 'EMP-40',
    breaks: 'a deleted employee stays readable',
    alter: accepts('getEmployee', (answer) => answer.status === 404, { employee: {} }),
  },
  {
    id: 'emp-change-is-another',
    rule: 'EMP-52',
    breaks: 'a change of status makes another employee of somebody',
    alter: each('getEmployee', (one) => {
      if (one.status === 'EMPLOYEE_STATUS_LEAVE') one.id = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';
    }),
  },
  {
    id: 'emp-deleted-manager-stays',
    rule: 'EMP-58',
    breaks: 'the reports of a deleted manager keep his id',
    alter: each(BOTH, (one, _asked, memory) => {
      if (one.manager_id !== '') memory.notes.set(one.id, one.manager_id);
      else one.manager_id = memory.notes.get(one.id) ?? '';
    }),
  },
  {
    id: 'emp-deleted-manager-expanded',
    rule: 'EMP-58',
    breaks: 'a deleted manager is still expanded',
    alter: each(BOTH, (one, _asked, memory) => {
      if (one.manager_id !== '') memory.notes.set(one.id, one.manager_id);
      else if (memory.notes.has(one.id) && !one.manager)
        one.manager = { id: memory.notes.get(one.id), full_name: 'Ким Сергей' };
    }),
  },
  {
    id: 'emp-draft-keeps-manager',
    rule: 'EMP-62',
    breaks: 'an employee in draft keeps the id of a deleted manager',
    alter: each(ONE, (one) => {
      one.manager_id ||= UNKNOWN_ID;
    }),
  },
];
