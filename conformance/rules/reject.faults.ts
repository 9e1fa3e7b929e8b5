/** Faults that the rules of reject.rules.ts must catch. */
import {
  answers,
  anyway,
  asks,
  bodies,
  each,
  jsonBody,
  mistaken,
  parse,
  refuses,
  setHeader,
} from '../mutation/alter.ts';
import { besides, eventOf, invented, swallowed } from '../mutation/alter-deliveries.ts';
import { nothingHappened, participants, walk } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const ONE = 'getDocument';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

const SHOWN = [CREATE, 'listDocuments', ONE, ...ACTIONS] as const;

const REJECT = 'rejectDocument';

const INVALID = 'INVALID_ARGUMENT';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'rej-status-stays',
    rule: 'REJ-1',
    breaks: 'a rejected document is still ON_APPROVAL',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_REJECTED') one.status = 'DOCUMENT_STATUS_ON_APPROVAL';
    }),
  },
  {
    id: 'rej-signing-refused',
    rule: 'REJ-2',
    breaks: 'a signing step cannot be rejected',
    alter: refuses(REJECT, INVALID),
  },
  ...(['REJ-3', 'REJ-4', 'REJ-5', 'REJ-6'] as const).map(
    (rule, at): Fault => ({
      id: `rej-accepts-${['draft', 'completed', 'rejected', 'revoked'][at]}`,
      rule,
      breaks: `a rejection of a ${['draft', 'completed', 'rejected', 'revoked'][at]} document is answered as done`,
      alter: nothingHappened(REJECT, INVALID),
    }),
  ),
  {
    id: 'rej-draft-is-409',
    rule: 'REJ-3',
    breaks: 'a rejection of a draft is a state error',
    alter: mistaken(INVALID, 'DOCUMENT_INVALID_STATUS_TRANSITION', REJECT),
  },
  {
    id: 'rej-no-comment',
    rule: 'REJ-7',
    breaks: 'a missing comment is filled in',
    alter: asks(REJECT, (asked) => {
      const json = parse(asked.body) ?? {};
      json.comment ??= 'Отклонено.';
      asked.body = jsonBody(json);
      setHeader(asked, 'Content-Type', 'application/json');
    }),
  },
  {
    id: 'rej-empty-comment',
    rule: 'REJ-8',
    breaks: 'an empty comment is taken',
    alter: bodies(REJECT, (json) => {
      if (json.comment === '') json.comment = 'x';
    }),
  },
  {
    id: 'rej-blank-comment',
    rule: 'REJ-9',
    breaks: 'a comment of characters without width is taken',
    alter: bodies(REJECT, (json) => {
      if (typeof json.comment === 'string' && !json.comment.replace(/[\s\u200b-\u200d\u2060\u00ad\ufeff]/g, ''))
        json.comment = 'x';
    }),
  },
  {
    id: 'rej-number-comment',
    rule: 'REJ-10',
    breaks: 'a comment that is a number is taken',
    alter: bodies(REJECT, (json) => {
      if (typeof json.comment !== 'string') json.comment = String(json.comment);
    }),
  },
  {
    id: 'rej-long-comment',
    rule: 'REJ-10',
    breaks: 'a long comment is cut',
    alter: bodies(REJECT, (json) => {
      if (typeof json.comment === 'string') json.comment = Array.from(json.comment).slice(0, 500).join('');
    }),
  },
  {
    id: 'rej-any-slot',
    rule: 'REJ-11',
    breaks: 'the slot that is named is overlooked',
    alter: bodies(REJECT, (json) => {
      delete json.participant_id;
    }),
  },
  {
    id: 'rej-without-slot',
    rule: 'REJ-12',
    breaks: 'who has no slot gets the answer that nothing is there',
    alter: mistaken(INVALID, 'DOCUMENT_NOT_FOUND', REJECT),
  },
  { id: 'rej-slot-needed', rule: 'REJ-13', breaks: 'participant_id must be given', alter: refuses(REJECT, INVALID) },
  {
    id: 'rej-unknown',
    rule: 'REJ-14',
    breaks: 'an unknown document is a wrong argument',
    alter: mistaken('DOCUMENT_NOT_FOUND', INVALID),
  },
  {
    id: 'rej-refused-and-done',
    rule: 'REJ-15',
    breaks: 'a document of another tenant is rejected and 404 all the same',
    alter: anyway('rejectDocument', 'second_owner', (answer) => answer.status === 404),
  },
  {
    id: 'rej-other-tenant',
    rule: 'REJ-15',
    breaks: 'a document of another tenant is a wrong argument',
    alter: mistaken('DOCUMENT_NOT_FOUND', INVALID),
  },
  {
    id: 'rej-hidden',
    rule: 'REJ-16',
    breaks: 'a document out of view gets another answer than one that does not exist',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      if (answer.status === 404 && !asked.target.includes(UNKNOWN)) {
        json.message = 'No access.';
        answer.body = jsonBody(json);
      }
      return answer;
    },
  },
  {
    id: 'rej-malformed',
    rule: 'REJ-17',
    breaks: 'a malformed id is answered otherwise than declared',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.operation === REJECT && answer.status >= 400 ? { ...answer, status: 422 } : answer;
    },
  },
  {
    id: 'rej-body-id',
    rule: 'REJ-18',
    breaks: 'a document_id that is not the path’s is overlooked',
    alter: bodies(REJECT, (json) => {
      delete json.document_id;
    }),
  },
  {
    id: 'rej-told-twice',
    rule: 'REJ-19',
    breaks: 'a rejection is reported by two events',
    delivery: besides((one) =>
      eventOf(one).type === 'document.rejected' ? [invented(one, 'document.rejected', eventOf(one).data)] : [],
    ),
  },
  {
    id: 'rej-untold',
    rule: 'REJ-19',
    breaks: 'a rejection is reported by no event',
    delivery: swallowed('document.rejected'),
  },
  {
    id: 'rej-moves-time',
    rule: 'REJ-21',
    breaks: 'a refused rejection moves update_time',
    alter: answers(ONE, (json, _asked, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      json.document.update_time = new Date(Date.parse(json.document.update_time) + n).toISOString();
    }),
  },
  {
    id: 'rej-later-steps',
    rule: 'REJ-22',
    breaks: 'after a rejection later steps stay PENDING',
    alter: each(SHOWN, (one) => {
      if (one.status === 'DOCUMENT_STATUS_REJECTED')
        for (const step of one.route?.steps ?? [])
          if (step.status === 'STEP_STATUS_CANCELLED') step.status = 'STEP_STATUS_PENDING';
    }),
  },
  {
    id: 'rej-others-pending',
    rule: 'REJ-22',
    breaks: 'after a rejection the others are not SKIPPED',
    alter: walk((one) => {
      for (const slot of participants(one))
        if (slot.status === 'PARTICIPANT_STATUS_SKIPPED') slot.status = 'PARTICIPANT_STATUS_PENDING';
    }),
  },
];
