/** Faults that the rules of events*.rules.ts must catch. */
import { signatureOf } from '../callbacks/signature.ts';
import {
  after,
  counted,
  each,
  everything,
  isAbsent,
  noted,
  onAnswer,
  parse,
  put,
  refused,
  rowsOf,
  withHeader,
} from '../mutation/alter.ts';
import {
  alsoReports,
  alsoTo,
  besides,
  deliveryFaults,
  envelope,
  eventOf,
  idIn,
  invented,
  neverReported,
  swallowed,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import {
  type Alter,
  type AlterDelivery,
  type Fault,
  type FaultRows,
  faultsFor,
  faultsOf,
  inDeliveries,
  type ProxiedAnswer,
} from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { idOf } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { CARD_FIELDS, OF_IDENTITY } from './shared/card-fields.ts';
import { type PayloadField, payloadKinds } from './shared/payload-fields.ts';
import { isOfCard, subjectOf, valueFields } from './shared/people-with-fields.ts';

/** The same faults for each type of event. */
function faultsOfType(type: string, rule: string): Fault[] {
  const isMeant = (one: Parameters<AlterDelivery>[0]) => eventOf(one).type === type;
  const wrongs: FaultRows = {
    twice: inDeliveries(
      'is reported by two events',
      besides((one) => (isMeant(one) ? [invented(one, type, eventOf(one).data)] : [])),
    ),
    unsubscribed: inDeliveries(
      'reaches who does not subscribe to it',
      alsoTo(({ types }) => !types.includes(type)),
      watching(),
    ),
    'own-id': inDeliveries(
      'has another id for each endpoint',
      envelope((json, { secret }) => {
        if (json.type === type)
          json.id = `${json.id.slice(0, 24)}${signatureOf(secret, 0, Buffer.from('x')).slice(0, 12)}`;
      }),
    ),
  };
  return [...neverReported(rule, type), ...faultsFor(rule, wrongs, type, (name) => `evt-${name}-${type}`)];
}

/** Notes the first document that is created. */
const noteDocument = after(everything, (answer, asked, memory) => {
  if (asked.operation === 'createDocument' && answer.status === 200 && !memory.notes.has('document'))
    memory.notes.set('document', parse(answer.body).document.id);
  return answer;
});

/** Reads a document as it was before its last action. */
const readTooEarly: Alter = async (asked, forward, { notes }) => {
  const id = idIn(asked);
  if (asked.method === 'POST' && id !== '') {
    const target = asked.target.replace(/\/_\w+$/, '');
    notes.set(id, await forward({ ...asked, method: 'GET', target, body: Buffer.alloc(0) }));
  }
  const answer = await forward(asked);
  return asked.operation === 'getDocument' ? ((notes.get(id) as ProxiedAnswer | undefined) ?? answer) : answer;
};

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
    'EVT-15': {
      'evt-future': inDeliveries(
        'occurred_at is in the future',
        envelope(put('occurred_at', () => new Date(Date.now() + 3_600_000).toISOString())),
      ),
    },
    'EVT-17': {
      'evt-read-too-early': ['who re-reads on an event finds the state before', readTooEarly],
    },
    'EVT-30': {
      'doc-creation-told': inDeliveries(
        'a creation causes an event',
        alsoReports(
          (json, memory) =>
            json.data?.document_id !== undefined && json.data.document_id !== memory.notes.get('document'),
          (_json, memory) => ({ data: { document_id: memory.notes.get('document') } }),
        ),
        noteDocument,
      ),
      'evt-sent-again-untold': inDeliveries(
        'only the first sending of a document is reported',
        async (delivered, forward, memory) => {
          const { type, id, data } = eventOf(delivered);
          if (type !== 'document.sent') return forward(delivered);
          const first = noted(memory, `the first sending of ${data.document_id}`, () => id);
          return id === first ? forward(delivered) : 200;
        },
      ),
      'evt-refusal-told': inDeliveries(
        'a rejection that is refused causes an event',
        besides((one, memory) =>
          memory.notes.has('refused') && eventOf(one).type === 'document.rejected'
            ? [invented(one, 'document.rejected', { document_id: memory.notes.get('refused') as string })]
            : [],
        ),
        after('rejectDocument', (answer, asked, { notes }) => {
          if (refused(answer)) notes.set('refused', idIn(asked));
          return answer;
        }),
      ),
    },
    'EVT-31': {
      'evt-unseen-untold': inDeliveries(
        'documents out of the maker’s view are reported by no event',
        swallowed('document.completed'),
      ),
      'evt-confidential-told': inDeliveries(
        'an event of a document holds the id of its type',
        envelope((json) => {
          if (json.data.document_id) json.data.type_id = UNKNOWN_ID;
        }),
      ),
      'evt-confidential-reread': [
        'who is told of a confidential document can read it',
        onAnswer('getDocument', isAbsent, (_answer, asked, memory, forward) =>
          forward(withHeader(asked, 'X-API-Key', memory.key('full'))),
        ),
      ],
    },
    'EVT-24': {
      'evt-other-tenant': inDeliveries(
        'another tenant gets the event',
        alsoTo(({ key }, memory) => key === memory.key('other_tenant')),
        watching(),
      ),
    },
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
  ...rules.filter(({ family }) => family === 'event of each type').flatMap(({ id, place }) => faultsOfType(place, id)),
  ...ofFields,
  ...ofBatches,
  ...neverReported('EVT-10', 'employee.changed'),
];
