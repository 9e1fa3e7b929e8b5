// biome-ignore-all format: a table reads best with a fault in a line
/** Faults of several sections that need more than one way of altering. */
import { accepts, each, headerOf, type Json, keyOf, made, madeError, parse, reasonOf, refused, stale } from '../alter.ts';
import type { Alter, AlterDelivery, Answered, Asked, Fault, Memory } from '../fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;
/** Refuses what is declared to be accepted, and the other way round. */
const otherwise = (when: (asked: Asked) => boolean): Alter => async (asked, forward, memory) => {
  const answer = await forward(asked);
  if (!when(asked)) return answer;
  return answer.status === 200 ? madeError('INVALID_ARGUMENT', 'x') : (memory.successes.get(asked.operation ?? '') ?? made(200, { employees: [], next_page_token: '' }));
};
const swallowed = (type: string): AlterDelivery => async (delivered, forward) => (parse(delivered.body)?.type === type ? 200 : forward(delivered));
const used = (asked: Asked) => `used ${headerOf(asked, 'idempotency-key')}`;
const restless = (one: Json, memory: Memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); one.update_time = new Date(Date.parse(one.update_time) + n).toISOString(); };

export const more: readonly Fault[] = [
  { id: 'gen-no-prefix-elsewhere', rule: 'GEN-17', breaks: 'ingest without the prefix is served', alter: accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, { status: 'ACCEPTED' }) },
  { id: 'emp-rename-touches', rule: 'EMP-23', breaks: 'a rename of a department moves update_time', alter: each(BOTH, (one, _asked, memory) => restless(one, memory)) },
  { id: 'emp-deleted-stays', rule: 'EMP-40', breaks: 'a deleted employee stays readable', alter: accepts('getEmployee', (answer) => answer.status === 404, { employee: {} }) },
  { id: 'emp-microseconds', rule: 'EMP-55', breaks: 'digits below the millisecond count otherwise than declared', alter: otherwise((asked) => /\.\d{4,}/.test(asked.target)) },
  { id: 'emp-upper-case', rule: 'EMP-57', breaks: 'an id in upper case is treated otherwise than declared', alter: otherwise((asked) => /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-(?=.*[A-F])[0-9A-F]{12}/.test(asked.target)) },
  { id: 'page-order-of-values', rule: 'PAGE-12', breaks: 'order of filter values counts otherwise than declared', alter: otherwise((asked) => asked.target.includes('page_token=')) },
  { id: 'page-token-of-process', rule: 'PAGE-25', breaks: 'a token works in the process that made it', alter: async (asked, forward) => (asked.replica && asked.target.includes('page_token=') ? madeError('INVALID_ARGUMENT', 'page_token') : forward(asked)) },
  { id: 'red-leaks-elsewhere', rule: 'RED-7', breaks: 'the hidden number stands in another field', alter: each(BOTH, (one, asked, memory) => { if (keyOf(asked) !== memory.key('restricted_owner')) { if (one.person?.iin) memory.notes.set(one.id, one.person.iin); } else if (memory.notes.has(one.id)) one.employee_number = memory.notes.get(one.id); }) },
  { id: 'file-refused-for-good', rule: 'FILE-20', breaks: 'a refused confirmation is treated otherwise than declared', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation !== 'confirmFile') return answer; if (answer.status >= 400) memory.notes.set(asked.target, answer); return (memory.notes.get(asked.target) as Answered | undefined) ?? answer; } },
  { id: 'idem-refusal-burns', rule: 'IDEM-15', breaks: 'a refused request uses its key up or not, otherwise than declared', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation !== 'createDocument' || !headerOf(asked, 'idempotency-key')) return answer; if (reasonOf(answer) === 'INVALID_ARGUMENT') memory.notes.set(used(asked), true); return memory.notes.has(used(asked)) && answer.status === 200 ? madeError('IDEMPOTENCY_KEY_CONFLICT') : answer; } },
  { id: 'idem-of-all-operations', rule: 'IDEM-19', breaks: 'a key used on one operation is free on another, otherwise than declared', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (!headerOf(asked, 'idempotency-key')) return answer; const before = memory.notes.get(used(asked)); memory.notes.set(used(asked), asked.operation); return before && before !== asked.operation && answer.status === 200 ? madeError('IDEMPOTENCY_KEY_CONFLICT') : answer; } },
  { id: 'flow-move-untold', rule: 'FLOW-34', breaks: 'a completion is told by no event', delivery: swallowed('document.completed') },
  { id: 'ing-change-untold', rule: 'ING-34', breaks: 'an employee whom a batch changed is told by no event', delivery: swallowed('employee.changed') },
  { id: 'ing-person-untold', rule: 'ING-43', breaks: 'a new name is told by no event', delivery: swallowed('person.changed') },
  { id: 'evt-deletion-untold', rule: 'EVT-13', alone: true, breaks: 'a deletion is told by no event', delivery: swallowed('employee.deleted') },
  { id: 'evt-unseen-untold', rule: 'EVT-23', breaks: 'documents out of the maker’s view are told by no event', delivery: swallowed('document.rejected') },
  { id: 'evt-read-too-early', rule: 'EVT-27', breaks: 'who re-reads on an event finds the state before', alter: stale('getDocument') },
];
