/** Faults that the rules of files-kept.rules.ts must catch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts, after, answers, everything, madeError, parse, put, reasonOf } from '../mutation/alter.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

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
    'file-free-again': [
      'what a document took is free again',
      accepts(CREATE, (answer) => reasonOf(answer) === 'FILE.ALREADY_LINKED'),
    ],
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
    'file-two-documents': [
      'an upload serves two documents',
      async (asked, forward, memory) => {
        let answer = await forward(asked);
        const file = asked.operation === CREATE ? parse(asked.body)?.file_id : undefined;
        if (file === undefined) return answer;
        // A creation that comes before the confirmation is tried again after it.
        if (reasonOf(answer) === 'FILE.INVALID_STATUS_TRANSITION') {
          await sleep(500);
          answer = await forward(asked);
        }
        if (answer.status === 200) memory.notes.set(file, answer);
        return (memory.notes.get(file) as ProxiedAnswer | undefined) ?? answer;
      },
    ],
    'file-other-upload': [
      'a document shows another file than its upload',
      answers(CREATE, (json) => put('document.files.0.file_id', json.document.id)(json)),
    ],
  },
});
