/** Faults that the rules of flow-refusals.rules.ts must catch. */
import { accepts, bodies, made, mistaken, parse, reasonOf, refused } from '../mutation/alter.ts';
import { nothingHappened } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const ONE = 'getDocument';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

const INVALID = 'INVALID_ARGUMENT';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

export const faults: readonly Fault[] = [
  {
    id: 'flow-send-without-route',
    rule: 'FLOW-3',
    breaks: 'a draft without a route is sent',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.operation === 'sendDocument' && answer.status >= 400
        ? made(200, { document: { id: UNKNOWN } })
        : answer;
    },
  },
  {
    id: 'flow-refused-touches',
    rule: 'FLOW-4',
    breaks: 'a repeated send is refused and moves update_time',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation === 'sendDocument' && refused(answer)) memory.notes.set('moved', true);
      const json = parse(answer.body);
      if (asked.operation !== ONE || !json?.document || !memory.notes.has('moved')) return answer;
      json.document.update_time = new Date(Date.parse(json.document.update_time) + 1).toISOString();
      return { ...answer, body: Buffer.from(JSON.stringify(json)) };
    },
  },
  {
    id: 'flow-send-twice',
    rule: 'FLOW-4',
    breaks: 'a repeated send is answered as done',
    alter: nothingHappened('sendDocument', STATE),
  },
  {
    id: 'flow-approve-twice',
    rule: 'FLOW-5',
    breaks: 'a repeated approval is answered as done',
    alter: nothingHappened('approveDocument', STATE),
  },
  {
    id: 'flow-sign-twice',
    rule: 'FLOW-6',
    breaks: 'a repeated signature is answered as done',
    alter: nothingHappened('signDocument', STATE),
  },
  {
    id: 'flow-early-turn',
    rule: 'FLOW-7',
    breaks: 'a slot whose turn has not come is answered as done',
    alter: accepts(['approveDocument', 'signDocument'], (answer) => answer.status >= 400, {
      document: { id: UNKNOWN },
    }),
  },
  {
    id: 'flow-any-slot',
    rule: 'FLOW-8',
    breaks: 'the slot that is named is overlooked',
    alter: bodies(['approveDocument', 'signDocument', 'rejectDocument'], (json) => {
      delete json.participant_id;
    }),
  },
  {
    id: 'flow-sign-for-approve',
    rule: 'FLOW-21',
    breaks: 'signing in an approval step is taken',
    alter: accepts(['signDocument', 'approveDocument'], (answer) => reasonOf(answer) === INVALID, {
      document: { id: UNKNOWN },
    }),
  },
  {
    id: 'flow-rejected-moves',
    rule: 'FLOW-22',
    breaks: 'a rejected document is sent again',
    alter: nothingHappened(['sendDocument', 'approveDocument', 'signDocument'], STATE),
  },
  {
    id: 'flow-unknown-409',
    rule: 'FLOW-23',
    breaks: 'an action on an unknown document is a state error',
    alter: mistaken('DOCUMENT_NOT_FOUND', 'DOCUMENT_INVALID_STATUS_TRANSITION', ACTIONS),
  },
  {
    id: 'flow-cms-in-simple',
    rule: 'FLOW-32',
    breaks: 'a signature in a SIMPLE slot is overlooked',
    alter: bodies('signDocument', (json) => {
      delete json.signature;
    }),
  },
];
