/** Faults that the rules of events.rules.ts must catch. */

import { permits, stale } from '../mutation/alter.ts';
import {
  alsoTo,
  besides,
  envelope,
  eventOf,
  hex,
  idIn,
  invented,
  neverReported,
  noted,
  swallowed,
  watching,
} from '../mutation/alter-deliveries.ts';
import type { Alter, Fault, Memory, ProxiedRequest } from '../mutation/fault.ts';

const drafts = (memory: Memory) => noted(memory, 'drafts', () => new Set<string>());

const refusedOf =
  (which: ProxiedRequest['operation'], note: string): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (asked.operation === which && answer.status >= 400) memory.notes.set(note, idIn(asked));
    return answer;
  };

export const faults: readonly Fault[] = [
  {
    id: 'evt-future',
    rule: 'EVT-5',
    breaks: 'occurred_at is in the future',
    delivery: envelope((json) => {
      json.occurred_at = new Date(Date.now() + 3_600_000).toISOString();
    }),
  },
  {
    id: 'evt-unsubscribed',
    rule: 'EVT-9',
    breaks: 'an endpoint gets events of types that it did not subscribe to',
    delivery: besides((one) => [
      invented(
        one,
        eventOf(one).type === 'document.sent' ? 'document.signing_started' : 'document.sent',
        eventOf(one).data,
      ),
    ]),
  },
  ...neverReported('EVT-15', 'document.sent'),
  ...neverReported('EVT-16', 'document.approval_started'),
  ...neverReported('EVT-17', 'document.signing_started'),
  ...neverReported('EVT-18', 'document.completed'),
  ...neverReported('EVT-19', 'document.rejected'),
  ...neverReported('EVT-20', 'document.change_requested'),
  ...neverReported('EVT-21', 'document.revoked'),
  ...neverReported('EVT-22', 'document.deleted'),
  {
    id: 'evt-sent-again-untold',
    rule: 'EVT-33',
    breaks: 'only the first sending of a document is reported',
    delivery: async (delivered, forward, memory) => {
      const { type, id, data } = eventOf(delivered);
      if (type !== 'document.sent') return forward(delivered);
      const first = noted(memory, `the first sending of ${data.document_id}`, () => id);
      return id === first ? forward(delivered) : 200;
    },
  },
  {
    id: 'evt-unseen-untold',
    rule: 'EVT-23',
    breaks: 'documents out of the maker’s view are reported by no event',
    delivery: swallowed('document.rejected'),
  },
  {
    id: 'evt-confidential-told',
    rule: 'EVT-31',
    breaks: 'an event of a document holds the id of its type',
    delivery: envelope((json) => {
      if (json.data.document_id) json.data.type_id = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';
    }),
  },
  {
    id: 'evt-confidential-reread',
    rule: 'EVT-31',
    breaks: 'who is told of a confidential document can read it',
    alter: permits('getDocument', 'full', (answer) => answer.status === 404),
  },
  {
    id: 'evt-other-tenant',
    rule: 'EVT-24',
    breaks: 'another tenant gets the event',
    alter: watching(),
    delivery: alsoTo(({ key }, memory) => key === memory.key('other_tenant')),
  },
  {
    id: 'evt-draft-told',
    rule: 'EVT-26',
    breaks: 'a route that is set causes an event although nothing was sent',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation === 'setDocumentRoute') drafts(memory).add(idIn(asked));
      if (asked.operation === 'sendDocument') drafts(memory).delete(idIn(asked));
      return answer;
    },
    delivery: besides((one, memory) =>
      [...drafts(memory)].map((document_id) => invented(one, 'document.approval_started', { document_id })),
    ),
  },
  {
    id: 'evt-read-too-early',
    rule: 'EVT-27',
    breaks: 'who re-reads on an event finds the state before',
    alter: stale('getDocument'),
  },
  {
    id: 'evt-second-endpoint',
    rule: 'EVT-28',
    breaks: 'only one of two endpoints gets the event',
    delivery: async (one, forward, memory) => {
      if (!memory.notes.has('s')) memory.notes.set('s', one.secret);
      return one.secret === memory.notes.get('s') ? forward(one) : 200;
    },
  },
  {
    id: 'evt-id-per-endpoint',
    rule: 'EVT-29',
    breaks: 'each endpoint gets another id',
    delivery: envelope((json, { secret }) => {
      json.id = `${json.id.slice(0, 24)}${hex(secret, 'x').slice(0, 12)}`;
    }),
  },
  {
    id: 'evt-refusal-told',
    rule: 'EVT-30',
    breaks: 'a rejection that is refused causes an event',
    alter: refusedOf('rejectDocument', 'refused'),
    delivery: besides((one, memory) =>
      memory.notes.has('refused') && eventOf(one).type === 'document.rejected'
        ? [invented(one, 'document.rejected', { document_id: memory.notes.get('refused') as string })]
        : [],
    ),
  },
];
