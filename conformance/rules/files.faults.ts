/** Faults that the rules of files.rules.ts must catch. */
import {
  accepts,
  answers,
  bodies,
  headerOf,
  made,
  madeError,
  mistaken,
  parse,
  permits,
  reasonOf,
  refuses,
} from '../mutation/alter.ts';
import type { Fault, ProxiedAnswer } from '../mutation/fault.ts';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const INVALID = 'INVALID_ARGUMENT';

const CREATE = 'createDocument';

export const faults: readonly Fault[] = [
  {
    id: 'file-form-holds-key',
    rule: 'FILE-2',
    breaks: 'the form holds the API key',
    alter: answers('reserveFile', (json, asked) => {
      json.upload.fields['x-amz-meta-key'] = headerOf(asked, 'x-api-key');
    }),
  },
  {
    id: 'file-confirmed-without-bytes',
    rule: 'FILE-6',
    breaks: 'an upload without bytes is confirmed',
    alter: accepts('confirmFile', (answer) => reasonOf(answer) === 'FILE.NOT_UPLOADED', {
      file: { id: UNKNOWN, status: 'FILE_UPLOAD_STATUS_UPLOADED' },
    }),
  },
  {
    id: 'file-not-uploaded-is-404',
    rule: 'FILE-6',
    breaks: 'an upload without bytes is unknown',
    alter: mistaken('FILE.NOT_UPLOADED', 'FILE_NOT_FOUND'),
  },
  {
    id: 'file-stays-reserved',
    rule: 'FILE-7',
    breaks: 'a confirmed upload is still RESERVED',
    alter: answers('confirmFile', (json) => {
      json.file.status = 'FILE_UPLOAD_STATUS_RESERVED';
    }),
  },
  {
    id: 'file-second-confirmation',
    rule: 'FILE-8',
    breaks: 'a second confirmation is a state error',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== 'confirmFile' || answer.status !== 200) return answer;
      const again = memory.notes.has(asked.target);
      memory.notes.set(asked.target, true);
      return again ? made(409, { code: 9, message: 'Confirmed already.', details: [] }) : answer;
    },
  },
  {
    id: 'file-larger',
    rule: 'FILE-9',
    breaks: 'an object larger than reserved is confirmed',
    alter: accepts('confirmFile', (answer) => answer.status >= 400, { file: { id: UNKNOWN } }),
  },
  {
    id: 'file-larger-refused-by-storage',
    rule: 'FILE-9',
    breaks: 'storage refuses an object larger than reserved',
    alter: answers('reserveFile', ({ file, upload }) => {
      if (file.size_bytes === '400') upload.url += '/refused';
    }),
  },
  {
    id: 'file-smaller',
    rule: 'FILE-10',
    breaks: 'an object smaller than reserved is treated otherwise than declared',
    alter: answers('confirmFile', (json, _asked, memory) => {
      const reserved = memory.successes.get('reserveFile');
      if (reserved) json.file.size_bytes = parse(reserved.body).file.size_bytes;
    }),
  },
  {
    id: 'file-unknown-400',
    rule: 'FILE-11',
    breaks: 'a malformed id is a wrong argument',
    alter: mistaken('FILE_NOT_FOUND', INVALID),
  },
  {
    id: 'file-of-another-owner',
    rule: 'FILE-12',
    breaks: 'an upload of another owner is confirmed',
    alter: permits('confirmFile', 'second_owner', (answer) => answer.status === 404),
  },
  {
    id: 'file-key-owns',
    rule: 'FILE-13',
    breaks: 'an upload belongs to the key, not the owner',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      return asked.operation === 'confirmFile' && headerOf(asked, 'x-api-key') === memory.key('second_key_same_owner')
        ? { ...answer, status: 404 }
        : answer;
    },
  },
  {
    id: 'file-size-rounded',
    rule: 'FILE-14',
    breaks: 'size_bytes is rounded to kilobytes',
    alter: answers('confirmFile', (json) => {
      json.file.size_bytes = String(Math.ceil(json.file.size_bytes / 1024) * 1024);
    }),
  },
  {
    id: 'file-taken-refused',
    rule: 'FILE-18',
    breaks: 'confirming what a document took is refused',
    alter: refuses('confirmFile', 'FILE_ALREADY_LINKED', (_asked, memory) => memory.successes.has(CREATE)),
  },
  {
    id: 'file-other-body-id',
    rule: 'FILE-19',
    breaks: 'another file_id in the body is treated otherwise than declared',
    alter: async (asked, forward) => {
      const next = { ...asked };
      if (asked.operation === 'confirmFile') next.body = Buffer.from('{}');
      const answer = await forward(next);
      return answer;
    },
  },
  {
    id: 'file-refused-for-good',
    rule: 'FILE-20',
    breaks: 'a refused confirmation is treated otherwise than declared',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== 'confirmFile') return answer;
      if (answer.status >= 400) memory.notes.set(asked.target, answer);
      return (memory.notes.get(asked.target) as ProxiedAnswer | undefined) ?? answer;
    },
  },
  {
    id: 'file-not-pdf',
    rule: 'FILE-21',
    breaks: 'bytes that are no PDF are treated otherwise than declared',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      if (asked.operation !== 'confirmFile') return answer;
      return answer.status === 200
        ? made(400, { code: 3, message: 'No.', details: [] })
        : made(200, { file: { id: UNKNOWN } });
    },
  },
  {
    id: 'file-pdf-at-once',
    rule: 'FILE-29',
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
  {
    id: 'file-pdf-trimmed',
    rule: 'FILE-29',
    breaks: 'the bytes before a PDF are cut off',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      const at = answer.body.indexOf('%PDF-');
      return asked.method === 'GET' && at > 0 ? { ...answer, body: answer.body.subarray(at) } : answer;
    },
  },
  {
    id: 'file-confirm-any-field',
    rule: 'FILE-27',
    breaks: 'an unknown field of a confirmation is overlooked',
    alter: bodies('confirmFile', (json) => (json.file_id === undefined ? {} : json)),
  },
  {
    id: 'file-storage-readable',
    rule: 'FILE-28',
    breaks: 'storage is open to readers',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'GET'
        ? { ...answer, status: 200, body: Buffer.from('%PDF') }
        : asked.method === 'HEAD'
          ? { ...answer, status: 200 }
          : answer;
    },
  },
];
