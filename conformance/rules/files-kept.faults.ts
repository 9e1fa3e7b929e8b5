import { accepts, after, everything, isFor, madeError, reasonOf } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const CREATE = 'createDocument';

export const faults: readonly Fault[] = faultsOf({
  'FILE-31': {
    'file-kept-for-ever': [
      'an upload that no document took is kept for ever',
      accepts('confirmFile', (answer) => ['FILE_NOT_FOUND', 'FILE.NOT_UPLOADED'].includes(reasonOf(answer) ?? '')),
    ],
    'file-lost-too-early': [
      'an upload that no document took is lost before its time',
      after(everything, (answer, asked, { notes }) => {
        if (asked.operation === 'confirmFile' && answer.status !== 200) notes.set('lost', true);
        const isLate = asked.operation === CREATE && answer.status === 200 && notes.has('lost');
        return isLate ? madeError('FILE_INVALID_STATUS_TRANSITION') : answer;
      }),
    ],
    'file-free-again': ['what a document took is free again', accepts(CREATE, isFor('FILE.ALREADY_LINKED'))],
  },
  'FILE-32': {
    'file-lost-beside-creations': [
      'a confirmation beside a creation is refused',
      async (asked, forward, { notes }) => {
        if (asked.operation === 'reserveFile') notes.clear();
        if (asked.operation === 'confirmFile' && notes.has(asked.target)) return madeError('FILE_NOT_UPLOADED');
        notes.set(asked.target, true);
        return forward(asked);
      },
    ],
  },
});
