/** Faults that the rules of events.rules.ts must catch. */

import { signatureOf } from '../callbacks/signature.ts';
import { after, everything, isAbsent, noted, parse, permits, put, refused } from '../mutation/alter.ts';
import {
  alsoReports,
  alsoTo,
  besides,
  envelope,
  eventOf,
  idIn,
  invented,
  neverReported,
  swallowed,
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
import { UNKNOWN_ID } from './shared/calls.ts';

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
const noteDocument: Alter = after(everything, (answer, asked, memory) => {
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
        permits('getDocument', 'full', isAbsent),
      ],
    },
    'EVT-24': {
      'evt-other-tenant': inDeliveries(
        'another tenant gets the event',
        alsoTo(({ key }, memory) => key === memory.key('other_tenant')),
        watching(),
      ),
    },
  }),
  ...rules.filter(({ family }) => family === 'event of each type').flatMap(({ id, place }) => faultsOfType(place, id)),
];
