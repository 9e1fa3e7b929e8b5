/** Faults that the rules of documents-hidden.rules.ts must catch: for each operation a document shows in another way. */
import type { OperationId } from '../../generated/operations.ts';
import { anyway, isAbsent, keyed, mistaken, permits, refused, status } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const ofOperation = (operation: OperationId): FaultRows => ({
  shown: ['is answered for a document out of view', permits(operation, 'full', isAbsent)],
  '403': [
    'is 403 for a document out of view',
    status(403, (answer, { target }) => isAbsent(answer) && !target.includes(UNKNOWN_ID), operation),
  ],
  ...(['sendDocument', 'setDocumentRoute'].includes(operation) && {
    done: {
      breaks: 'is 404 for a document out of view and done all the same',
      alone: true,
      alter: anyway(operation, refused),
    },
  }),
  ...(operation === 'getDocument' && {
    listed: ['is 404, and the document is listed', keyed('listDocuments', 'other_tenant', 'full')],
  }),
  '409': [
    'is a state error for an unknown document',
    mistaken('DOCUMENT_NOT_FOUND', 'DOCUMENT_INVALID_STATUS_TRANSITION', operation),
  ],
});

const members = rules.filter(({ family }) => family === 'documents out of view');

export const faults: readonly Fault[] = members.flatMap(({ id, place }) =>
  faultsFor(id, ofOperation(place as OperationId), place, (name) => `hidden-${name}-${place}`),
);
