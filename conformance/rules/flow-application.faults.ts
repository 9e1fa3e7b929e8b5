/** Faults that the rules of flow-application.rules.ts must catch. */
import { accepts, parse } from '../mutation/alter.ts';
import { nothingHappened, walk } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const ONE = 'getDocument';

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'flow-changes-go-on',
    rule: 'FLOW-10',
    breaks: 'a document with a request for changes is sent as it is',
    alter: nothingHappened('sendDocument', STATE),
  },
  {
    id: 'flow-revoked-route',
    rule: 'FLOW-11',
    breaks: 'the route of a revoked document is not CANCELLED',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_REVOKED')
        for (const step of one.route?.steps ?? []) step.status = 'STEP_STATUS_PENDING';
    }),
  },
  {
    id: 'flow-revoked-forgotten',
    rule: 'FLOW-11',
    breaks: 'a revoked document is shown as it was',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_REVOKED') one.status = 'DOCUMENT_STATUS_ON_SIGN';
    }),
  },
  {
    id: 'flow-deleted-in-lists',
    rule: 'FLOW-12',
    breaks: 'a deleted document stays in lists',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      if (json?.document) memory.notes.set(json.document.id, json.document);
      const gone = memory.notes.get('gone');
      if (asked.operation === ONE && answer.status === 404)
        memory.notes.set('gone', memory.notes.get(asked.target.split('/').at(-1) ?? ''));
      if (asked.operation !== 'listDocuments' || !json?.documents || !gone) return answer;
      return { ...answer, body: Buffer.from(JSON.stringify({ ...json, documents: [gone, ...json.documents] })) };
    },
  },
  {
    id: 'flow-deleted-listed',
    rule: 'FLOW-12',
    breaks: 'a deleted document stays readable',
    alter: accepts(ONE, (answer) => answer.status === 404, { document: { id: UNKNOWN } }),
  },
  {
    id: 'flow-manager-revoked',
    rule: 'FLOW-35',
    breaks: 'a document that the manager revoked is shown as it was',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_REVOKED') one.status = 'DOCUMENT_STATUS_ON_APPROVAL';
    }),
  },
];
