/** Faults that the rules of files.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  after,
  answers,
  bodies,
  counted,
  everything,
  isAbsent,
  isFor,
  made,
  madeError,
  mistaken,
  noted,
  parse,
  permits,
  reasonOf,
  refused,
  refuses,
  showing,
} from '../mutation/alter.ts';
import { type Fault, faultsOf, inStorage, type ProxiedAnswer } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

export const faults: readonly Fault[] = faultsOf({
  'FILE-1': {
    'file-born-uploaded': [
      'a reservation is UPLOADED at once',
      showing('reserveFile', 'file.status', 'FILE_UPLOAD_STATUS_UPLOADED'),
    ],
    'file-form-holds-key': [
      'the form holds the API key',
      answers('reserveFile', (json, asked) => {
        json.upload.fields['x-amz-meta-key'] = headerOf(asked, 'x-api-key');
      }),
    ],
    'file-confirmed-without-bytes': [
      'an upload without bytes is confirmed',
      accepts('confirmFile', isFor('FILE.NOT_UPLOADED'), {
        file: { id: UNKNOWN_ID, status: 'FILE_UPLOAD_STATUS_UPLOADED' },
      }),
    ],
    'err-file-not-uploaded': ['missing bytes are a wrong size', mistaken('FILE.NOT_UPLOADED', 'FILE_SIZE_MISMATCH')],
    'file-not-uploaded-is-404': ['an upload without bytes is unknown', mistaken('FILE.NOT_UPLOADED', 'FILE_NOT_FOUND')],
  },
  'FILE-7': {
    'file-stays-reserved': [
      'a confirmed upload is still RESERVED',
      showing('confirmFile', 'file.status', 'FILE_UPLOAD_STATUS_RESERVED'),
    ],
    'file-second-confirmation': [
      'a second confirmation is a state error',
      after('confirmFile', (answer, asked, memory) => {
        if (answer.status !== 200 || counted(memory, asked.target) === 1) return answer;
        return made(409, { code: 9, message: 'Confirmed already.', details: [] });
      }),
    ],
    'file-size-rounded': [
      'size_bytes is rounded to kilobytes',
      showing('confirmFile', 'file.size_bytes', (sizeBytes) => String(Math.ceil(sizeBytes / 1024) * 1024)),
    ],
    'file-taken-refused': [
      'confirming what a document took is refused',
      refuses('confirmFile', 'FILE_ALREADY_LINKED', (_asked, memory) => memory.successes.has('createDocument')),
    ],
    'file-equal-is-one': [
      'uploads of equal size are one',
      answers('reserveFile', (json, _asked, memory) => noted(memory, `of ${json.file.size_bytes}`, () => json)),
    ],
  },
  'FILE-9': {
    'file-larger': [
      'an object larger than reserved is confirmed',
      accepts('confirmFile', refused, { file: { id: UNKNOWN_ID } }),
    ],
    'err-file-size': ['too many bytes are missing ones', mistaken('FILE.SIZE_MISMATCH', 'FILE_NOT_UPLOADED')],
    'file-larger-refused-by-storage': [
      'storage refuses an object larger than reserved',
      answers('reserveFile', ({ file, upload }) => {
        if (file.size_bytes === '500') upload.url += '/refused';
      }),
    ],
    'file-smaller': [
      'an object smaller than reserved is treated otherwise than declared',
      answers('confirmFile', (json, _asked, memory) => {
        const reserved = memory.successes.get('reserveFile');
        if (reserved) json.file.size_bytes = parse(reserved.body).file.size_bytes;
      }),
    ],
    'file-refused-for-good': [
      'a refused confirmation is treated otherwise than declared',
      after('confirmFile', (answer, asked, memory) => {
        if (answer.status >= 400) memory.notes.set(asked.target, answer);
        return (memory.notes.get(asked.target) as ProxiedAnswer | undefined) ?? answer;
      }),
    ],
  },
  'FILE-12': {
    'file-key-owns': [
      'an upload belongs to the key, not the owner',
      after('confirmFile', (answer, asked, memory) =>
        headerOf(asked, 'x-api-key') === memory.key('second_key_same_owner') ? { ...answer, status: 404 } : answer,
      ),
    ],
    'file-of-another-owner': [
      'an upload of another owner is confirmed',
      permits('confirmFile', 'second_owner', isAbsent),
    ],
    'doc-unknown-file': ['an unknown file is a wrong field', mistaken('FILE_NOT_FOUND', 'INVALID_ARGUMENT')],
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
  'FILE-27': {
    'file-other-body-id': [
      'another file_id in the body is treated otherwise than declared',
      bodies('confirmFile', () => ({})),
    ],
  },
  'FILE-21': {
    'file-not-pdf': [
      'bytes that are no PDF are treated otherwise than declared',
      after('confirmFile', (answer) =>
        answer.status === 200
          ? made(400, { code: 3, message: 'No.', details: [] })
          : made(200, { file: { id: UNKNOWN_ID } }),
      ),
    ],
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
