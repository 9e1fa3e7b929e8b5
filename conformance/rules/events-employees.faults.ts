/** Faults that the rules of events-employees.rules.ts must catch. */

import { after, counted, each, everything, isAbsent, parse, rowsOf } from '../mutation/alter.ts';
import {
  besides,
  deliveryFaults,
  envelope,
  eventOf,
  idIn,
  invented,
  neverReported,
  swallowed,
  tally,
} from '../mutation/alter-deliveries.ts';
import { type Alter, type AlterDelivery, type Fault, faultsOf, inDeliveries } from '../mutation/fault.ts';
import { idOf } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { CARD_FIELDS, OF_IDENTITY } from './shared/card-fields.ts';
import { type PayloadField, payloadKinds } from './shared/payload-fields.ts';
import { isOfCard, subjectOf, valueFields } from './shared/people-with-fields.ts';

/** Adds one more event when the nth event of a type about an employee arrives. */
const again = (type: string, time: number, as = type): AlterDelivery =>
  besides((delivered, memory) => {
    const { id, type: given, data } = eventOf(delivered);
    return given === type && tally(memory, `${type} ${data.employee_id}`, id) === time
      ? [invented(delivered, as, data)]
      : [];
  });

/** Finds the employees whose number or subject names a field, from what the rule reads. */
const seeking = (pattern: RegExp): Alter =>
  after(everything, (answer, asked, { notes }) => {
    if (asked.operation === 'listEmployees')
      for (const one of rowsOf(parse(answer.body)).rows)
        if (pattern.test(JSON.stringify(one))) notes.set(`sought ${one.id}`, true);
    return answer;
  });

/** Swallows events of a type about sought employees, from the nth one on. */
const untold =
  (type: string, from: number): AlterDelivery =>
  async (one, forward, memory) => {
    const { id, type: given, data } = eventOf(one);
    if (given !== type) return forward(one);
    // An employee may be found only after the first events about it.
    const nth = tally(memory, `${type} ${data.employee_id}`, id);
    return nth >= from && memory.notes.has(`sought ${data.employee_id}`) ? 200 : forward(one);
  };

/** Faults of each field of a card and a person: its event is missing, and where it has two, also the second. */
const ofFields = CARD_FIELDS.flatMap((field): Fault[] => {
  const rule = idOf(`EVT-${field}`);
  const types = ['employee.changed', ...(OF_IDENTITY.includes(field) ? ['person.changed'] : [])];
  return types.map((type) => ({
    id: `evt-${field}-no-${type}`.toLowerCase().replaceAll('_', '-'),
    rule,
    breaks: `a change of ${field} is no ${type}`,
    alone: true,
    alter: seeking(new RegExp(`"E-[0-9a-f]+-${field}"`)),
    delivery: untold(type, type === 'employee.changed' ? 2 : 1),
  }));
});

const batchFault = (name: string, rule: string, breaks: string, fault: Pick<Fault, 'alter' | 'delivery'>): Fault => ({
  id: `evt-batch-${name}`.toLowerCase(),
  rule,
  breaks,
  alone: 'ingest-fields.rules.ts',
  ...fault,
});

/** Faults of what batches cause: an event of one field is missing, or comes where there must be none. */
const ofBatches = payloadKinds.flatMap((payload): Fault[] => {
  const fields = valueFields(payload);
  const rule = idOf(`EVT-${payload.name}`);
  const own = (field: PayloadField) => seeking(new RegExp(`${payload.name}/${subjectOf(field)} `));
  const quiet = fields.find((field) => !isOfCard(field));
  const loud = fields.filter(isOfCard).at(-1);
  const named = fields.find((field) => OF_IDENTITY.includes(field.shown));
  const one = (type: string, field: PayloadField) =>
    batchFault(`${payload.name}-no-${type}`, rule, `${field.path.join('.')} is no ${type}`, {
      alter: own(field),
      delivery: untold(type, 1),
    });
  return [
    ...(loud ? [one('employee.changed', loud)] : []),
    ...(named ? [one('person.changed', named)] : []),
    ...(quiet
      ? [
          batchFault(`${payload.name}-told`, rule, `${quiet.path.join('.')} is an employee.changed`, {
            alter: own(quiet),
            delivery: besides((delivered, { notes }) =>
              [...notes.keys()]
                .filter((key) => key.startsWith('sought ') && eventOf(delivered).type === 'employee.changed')
                .map((key) => invented(delivered, 'employee.changed', { employee_id: key.slice(7) })),
            ),
          }),
        ]
      : []),
  ];
});

export const faults: readonly Fault[] = [
  ...faultsOf({
    'EVT-34': {
      'emp-draft-keeps-manager': [
        'an employee in draft keeps the id of a deleted manager',
        each('getEmployee', (one) => {
          one.manager_id ||= UNKNOWN_ID;
        }),
      ],
    },
    'EVT-12': {
      'evt-time-stays': {
        breaks: 'update_time stays when the person changes',
        alone: true,
        alter: each('getEmployee', (one) => {
          one.update_time = one.create_time;
        }),
      },
    },
    'EVT-32': {
      // Beside the deletion of another one, that of whom the rule has looked for in vain.
      'evt-draft-deletion-told': inDeliveries(
        'the deletion of an employee in draft is reported',
        besides((delivered, { notes }) =>
          eventOf(delivered).type === 'employee.deleted' && notes.has('draft')
            ? [invented(delivered, 'employee.deleted', { employee_id: String(notes.get('draft')) })]
            : [],
        ),
        after(everything, (answer, asked, { notes }) => {
          if (isAbsent(answer)) notes.set('draft', idIn(asked));
          return answer;
        }),
      ),
    },
  }),
  ...deliveryFaults({
    'EVT-14': {
      'evt-person-says-person': [
        'person.changed says the person',
        envelope((json) => {
          if (json.type === 'person.changed') json.data.person_id = json.data.employee_id;
        }),
      ],
    },
    'EVT-10': {
      'evt-new-twice': ['a new employee is reported twice', again('employee.changed', 1)],
      'evt-one-of-fifty': [
        'one event of many is lost',
        async (one, forward, memory) => {
          const n = counted(memory);
          return n > 1 && n < 40 ? 200 : forward(one);
        },
      ],
    },
    'EVT-11': {
      'evt-change-twice': ['a change of a card is reported twice', again('employee.changed', 2)],
      'evt-person-at-every-change': [
        'every change of a card is reported as one of the person too',
        again('employee.changed', 2, 'person.changed'),
      ],
    },
    'EVT-13': {
      'evt-deleted-twice': ['a deletion is reported twice', again('employee.deleted', 1)],
      'evt-deletion-untold': ['a deletion is reported by no event', swallowed('employee.deleted')],
    },
  }),
  ...ofFields,
  ...ofBatches,
  ...neverReported('EVT-10', 'employee.changed'),
];
