/** Faults that the rules of documents-hidden.rules.ts must catch: for each operation a document shows in another way. */
import type { OperationId } from '../../generated/contract.ts';
import { anyway, keyed, refused } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';

const ofOperation = (operation: OperationId): FaultRows => ({
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
});

const members = rules.filter(({ family }) => family === 'documents out of view');

export const faults: readonly Fault[] = members.flatMap(({ id, place }) =>
  faultsFor(id, ofOperation(place as OperationId), place, (name) => `hidden-${name}-${place}`),
);
