/** Faults that the rules of flow-races.rules.ts must catch. */

import { setTimeout as sleep } from 'node:timers/promises';
import { madeError, reasonOf } from '../mutation/alter.ts';
import { nothingHappened, participants, walk } from '../mutation/alter-documents.ts';
import { repeated } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

const REJECT = 'rejectDocument';

const INVALID = 'INVALID_ARGUMENT';

export const faults: readonly Fault[] = [
  {
    id: 'flow-two-approvals',
    rule: 'FLOW-16',
    breaks: 'two simultaneous approvals succeed',
    alter: nothingHappened('approveDocument', STATE),
  },
  {
    id: 'flow-two-sends',
    rule: 'FLOW-25',
    breaks: 'two simultaneous sends succeed',
    alter: nothingHappened('sendDocument', STATE),
  },
  {
    id: 'flow-signature-lost',
    rule: 'FLOW-26',
    breaks: 'of simultaneous signatures one is lost',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_COMPLETED') {
        const [slot] = participants(one);
        if (slot) slot.status = 'PARTICIPANT_STATUS_PENDING';
      }
    }),
  },
  {
    id: 'flow-any-counts-two',
    rule: 'FLOW-36',
    breaks: 'two approvals of an ANY step count',
    alter: nothingHappened('approveDocument'),
  },
  {
    id: 'flow-route-lost-in-race',
    rule: 'FLOW-37',
    breaks: 'a route that comes with the send is answered as set and lost',
    alter: async (asked, forward) => {
      if (asked.operation !== 'setDocumentRoute' || !asked.body.includes('APPROVAL')) return forward(asked);
      await sleep(300);
      const answer = await forward(asked);
      return reasonOf(answer) === 'DOCUMENT.INVALID_STATUS_TRANSITION'
        ? forward({
            ...asked,
            method: 'GET',
            target: asked.target.replace(/\/_\w+$/, ''),
            body: Buffer.alloc(0),
            headers: asked.headers.filter(([name]) => !/^content-/i.test(name)),
          })
        : answer;
    },
  },
  {
    id: 'flow-send-lost-in-race',
    rule: 'FLOW-37',
    breaks: 'a send at the moment at which the route is set is refused',
    alter: repeated(
      ({ operation }) => (operation === 'sendDocument' ? 'sent' : undefined),
      async () => madeError('DOCUMENT_INVALID_STATUS_TRANSITION'),
    ),
  },
  {
    id: 'rej-two-succeed',
    rule: 'REJ-20',
    breaks: 'two simultaneous rejections succeed',
    alter: nothingHappened(REJECT, INVALID),
  },
  {
    id: 'rej-both-succeed',
    rule: 'REJ-23',
    breaks: 'a rejection and an approval of one slot succeed both',
    alter: nothingHappened([REJECT, 'approveDocument'], STATE),
  },
];
