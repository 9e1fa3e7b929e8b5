/** Faults that the rules of events-employees.rules.ts must catch. */

import { stale } from '../mutation/alter.ts';
import {
  besides,
  envelope,
  eventOf,
  idIn,
  invented,
  neverReported,
  swallowed,
  tally,
} from '../mutation/alter-deliveries.ts';
import type { AlterDelivery, Fault } from '../mutation/fault.ts';

/** Adds one more event when the nth event of a type about an employee arrives. */
const again = (type: string, time: number, as = type): AlterDelivery =>
  besides((delivered, memory) => {
    const { id, type: given, data } = eventOf(delivered);
    return given === type && tally(memory, `${type} ${data.employee_id}`, id) === time
      ? [invented(delivered, as, data)]
      : [];
  });

/** Reports a deletion of whom the rule has looked for in vain, beside that of another one. */
const draftDeleted: Pick<Fault, 'alter' | 'delivery'> = {
  alter: async (asked, forward, { notes }) => {
    const answer = await forward(asked);
    if (answer.status === 404) notes.set('draft', idIn(asked));
    return answer;
  },
  delivery: besides((delivered, { notes }) =>
    eventOf(delivered).type === 'employee.deleted' && notes.has('draft')
      ? [invented(delivered, 'employee.deleted', { employee_id: String(notes.get('draft')) })]
      : [],
  ),
};

export const faults: readonly Fault[] = [
  {
    id: 'evt-hired-untold',
    rule: 'EVT-34',
    breaks: 'the first status of an employee in draft is not reported',
    delivery: swallowed('employee.changed'),
  },
  {
    id: 'evt-person-says-person',
    rule: 'EVT-8',
    alone: true,
    breaks: 'person.changed says the person',
    delivery: envelope((json) => {
      if (json.type === 'person.changed') json.data.person_id = json.data.employee_id;
    }),
  },
  {
    id: 'evt-new-twice',
    rule: 'EVT-10',
    breaks: 'a new employee is reported twice',
    alone: true,
    delivery: again('employee.changed', 1),
  },
  ...neverReported('EVT-10', 'employee.changed'),
  {
    id: 'evt-change-twice',
    rule: 'EVT-11',
    breaks: 'a change of a card is reported twice',
    alone: true,
    delivery: again('employee.changed', 2),
  },
  {
    id: 'evt-time-stays',
    rule: 'EVT-12',
    breaks: 'update_time stays when the person changes',
    alone: true,
    alter: stale('getEmployee'),
  },
  {
    id: 'evt-deleted-twice',
    rule: 'EVT-13',
    breaks: 'a deletion is reported twice',
    alone: true,
    delivery: again('employee.deleted', 1),
  },
  {
    id: 'evt-deletion-untold',
    rule: 'EVT-13',
    alone: true,
    breaks: 'a deletion is reported by no event',
    delivery: swallowed('employee.deleted'),
  },
  {
    id: 'evt-draft-deletion-told',
    rule: 'EVT-32',
    breaks: 'the deletion of an employee in draft is reported',
    ...draftDeleted,
  },
  {
    id: 'evt-person-at-every-change',
    rule: 'EVT-14',
    breaks: 'every change of a card is reported as one of the person too',
    alone: true,
    delivery: again('employee.changed', 2, 'person.changed'),
  },
  {
    id: 'evt-one-name-unsaid',
    rule: 'EVT-14',
    breaks: 'person.changed is not sent for one of the names',
    alone: true,
    delivery: async (one, forward, memory) => {
      const { type, data } = eventOf(one);
      if (type !== 'person.changed') return forward(one);
      if (!memory.notes.has('unsaid')) memory.notes.set('unsaid', data.employee_id);
      return memory.notes.get('unsaid') === data.employee_id ? 200 : forward(one);
    },
  },
  ...neverReported('EVT-14', 'person.changed'),
  {
    id: 'evt-one-of-fifty',
    rule: 'EVT-25',
    alone: true,
    breaks: 'one event of many is lost',
    delivery: async (one, forward, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      return n > 1 && n < 40 ? 200 : forward(one);
    },
  },
];
