/** Faults that the rules of flow.rules.ts must catch. */
import { answers, bodies, type Json } from '../mutation/alter.ts';
import { swallowed } from '../mutation/alter-deliveries.ts';
import { participants, visible, walk } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

const ONE = 'getDocument';

export const faults: readonly Fault[] = [
  {
    id: 'flow-approval-unsaid',
    rule: 'FLOW-1',
    breaks: 'a document that was sent still is a DRAFT',
    alter: answers('sendDocument', (json) => {
      json.document.status = 'DOCUMENT_STATUS_DRAFT';
    }),
  },
  {
    id: 'flow-upload-never-completes',
    rule: 'FLOW-2',
    breaks: 'a document from an upload is never COMPLETED',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_COMPLETED') one.status = 'DOCUMENT_STATUS_ON_SIGN';
    }),
  },
  {
    id: 'flow-completed-early',
    rule: 'FLOW-9',
    breaks: 'completed_at is set at the send',
    alter: walk((one) => {
      if (one.status?.endsWith('ON_SIGN')) one.completed_at = one.update_time;
    }),
  },
  {
    id: 'flow-no-signed-pdf',
    rule: 'FLOW-9',
    breaks: 'the signed PDF is not listed',
    alter: walk((one) => {
      one.files = one.files?.filter((file: Json) => file.file_type !== 'FILE_TYPE_SIGNED_PDF');
    }),
  },
  {
    id: 'flow-any-is-all',
    rule: 'FLOW-18',
    breaks: 'ANY waits for everybody',
    alter: bodies('setDocumentRoute', (json) => {
      for (const step of json.steps ?? []) if (step.rule === 'STEP_RULE_ANY') step.rule = 'STEP_RULE_ALL';
    }),
  },
  {
    id: 'flow-no-skip',
    rule: 'FLOW-18',
    breaks: 'the others of an ANY step are not SKIPPED',
    alter: walk((one) => {
      for (const slot of participants(one))
        if (slot.status === 'PARTICIPANT_STATUS_SKIPPED') slot.status = 'PARTICIPANT_STATUS_PENDING';
    }),
  },
  {
    id: 'flow-subject-blind',
    rule: 'FLOW-28',
    breaks: 'a participant sees the document before his step',
    alter: visible,
  },
  {
    id: 'flow-action-moves-creation',
    rule: 'FLOW-29',
    breaks: 'an action moves create_time',
    alter: answers([...ACTIONS, ONE], (json) => {
      if (json.document?.status !== 'DOCUMENT_STATUS_DRAFT') json.document.create_time = json.document.update_time;
    }),
  },
  {
    id: 'flow-time-stands',
    rule: 'FLOW-29',
    breaks: 'update_time never moves',
    alter: walk((one) => {
      one.update_time = one.create_time;
    }),
  },
  {
    id: 'flow-any-body',
    rule: 'FLOW-33',
    breaks: 'an unknown field of an action is overlooked',
    alter: bodies(['sendDocument', 'approveDocument', 'signDocument'], () => ({})),
  },
  {
    id: 'flow-move-untold',
    rule: 'FLOW-34',
    breaks: 'a completion is reported by no event',
    delivery: swallowed('document.completed'),
  },
];
