/** Faults that the rules of files*.rules.ts must catch. */
import {
  accepts,
  after,
  answers,
  anyForm,
  counted,
  everything,
  isFor,
  made,
  madeError,
  noted,
  parse,
  reasonOf,
  showing,
  storageAnswer,
} from '../mutation/alter.ts';
import { repeated } from '../mutation/alter-lists.ts';
import { faultsOf, inStorage, type ProxiedAnswer } from '../mutation/fault.ts';

/** The bytes of the part of a form that holds the file. */
function fileOf(form: Buffer): Buffer {
  const at = form.indexOf('name="file"');
  const end = form.lastIndexOf('\r\n--');
  return form.subarray(form.indexOf('\r\n\r\n', at) + 4, end);
}

export const faults = faultsOf({
  'FILE-7': {
    'file-second-confirmation': [
      'a second confirmation is a state error',
      after('confirmFile', (answer, asked, memory) => {
        if (answer.status !== 200 || counted(memory, asked.target) === 1) return answer;
        return made(409, { code: 9, message: 'Confirmed already.', details: [] });
      }),
    ],
    'file-equal-is-one': [
      'uploads of equal size are one',
      answers('reserveFile', (json, _asked, memory) => noted(memory, `of ${json.file.size_bytes}`, () => json)),
    ],
  },
  'FILE-9': {
    'file-refused-for-good': [
      'a refused confirmation is treated otherwise than declared',
      after('confirmFile', (answer, asked, memory) => {
        if (answer.status >= 400) memory.notes.set(asked.target, answer);
        return (memory.notes.get(asked.target) as ProxiedAnswer | undefined) ?? answer;
      }),
    ],
  },
  'FILE-12': {
    'doc-foreign-file-tells': [
      'an upload of another owner is reported as taken',
      after(everything, (answer, asked, memory) => {
        const id = parse(asked.body)?.file_id;
        if (asked.operation === 'confirmFile' && answer.status === 200)
          memory.notes.set(parse(answer.body).file.id, true);
        return reasonOf(answer) === 'FILE_NOT_FOUND' && id && memory.notes.has(id)
          ? made(409, { ...parse(answer.body), code: 9, message: 'taken' })
          : answer;
      }),
    ],
  },
  'FILE-21': {
    'file-pdf-at-once': {
      breaks: 'a PDF after other bytes is refused',
      storage: async (asked, forward, memory) => {
        if (asked.method === 'POST') memory.notes.set('form', asked.body.toString('latin1'));
        return forward(asked);
      },
      alter: async (asked, forward, memory) => {
        const form = String(memory.notes.get('form'));
        const isLate = asked.operation === 'confirmFile' && !form.includes('\r\n\r\n%PDF-');
        return isLate ? madeError('INVALID_ARGUMENT', 'file_id') : forward(asked);
      },
    },
    'file-pdf-trimmed': inStorage(
      'the bytes before a PDF are cut off',
      after(everything, (answer, asked) => {
        const at = answer.body.indexOf('%PDF-');
        return asked.method === 'GET' && at > 0 ? { ...answer, body: answer.body.subarray(at) } : answer;
      }),
    ),
  },
  'FILE-28': {
    'file-storage-readable': inStorage(
      'storage is open to readers',
      after(everything, (answer, asked) =>
        asked.method === 'GET'
          ? { ...answer, status: 200, body: Buffer.from('%PDF') }
          : asked.method === 'HEAD'
            ? { ...answer, status: 200 }
            : answer,
      ),
    ),
  },
  'FILE-31': {
    'file-kept-for-ever': [
      'an upload that no document took is kept for ever',
      accepts('confirmFile', (answer) => ['FILE_NOT_FOUND', 'FILE.NOT_UPLOADED'].includes(reasonOf(answer) ?? '')),
    ],
    'file-lost-too-early': [
      'an upload that no document took is lost before its time',
      after(everything, (answer, asked, { notes }) => {
        if (asked.operation === 'confirmFile' && answer.status !== 200) notes.set('lost', true);
        const isLate = asked.operation === 'createDocument' && answer.status === 200 && notes.has('lost');
        return isLate ? madeError('FILE_INVALID_STATUS_TRANSITION') : answer;
      }),
    ],
    'file-free-again': ['what a document took is free again', accepts('createDocument', isFor('FILE.ALREADY_LINKED'))],
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
  'FILE-16': {
    'file-form-unchecked': inStorage('storage takes a form that was altered', anyForm),
  },
  'FILE-30': {
    'file-last-field': inStorage('storage wants the file to be the last field', async (asked, forward) => {
      const isLast = asked.body.lastIndexOf('Content-Disposition') === asked.body.indexOf('name="file"') - 32;
      return asked.method === 'POST' && !isLast ? storageAnswer(400) : forward(asked);
    }),
  },
  'FILE-23': {
    'file-storage-any-size': inStorage('storage takes more than the largest size', anyForm),
  },
  'FILE-24': {
    'file-form-overwrites': inStorage(
      'the form overwrites what was confirmed',
      after(everything, (answer, asked, memory) => {
        if (asked.method === 'POST') {
          memory.notes.set('bytes', fileOf(asked.body));
          return storageAnswer(204);
        }
        return { ...answer, body: (memory.notes.get('bytes') as Buffer | undefined) ?? answer.body };
      }),
    ),
    'file-grows-after': [
      'a repeated confirmation takes the size of what came since',
      repeated(
        ({ operation, target }) => (operation === 'confirmFile' ? target : undefined),
        showing('confirmFile', 'file.size_bytes', '900'),
      ),
    ],
  },
});
