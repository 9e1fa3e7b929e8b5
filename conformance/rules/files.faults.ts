/** Faults that the rules of files.rules.ts must catch. */
import { after, answers, counted, everything, made, madeError, noted, parse, reasonOf } from '../mutation/alter.ts';
import { type Fault, faultsOf, inStorage, type ProxiedAnswer } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
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
});
