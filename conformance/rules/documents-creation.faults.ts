/** Faults that the rules of documents-creation.rules.ts must catch. */
import { answers, bodies, everything, heads, made, mistaken, parse } from '../mutation/alter.ts';
import { alsoReports } from '../mutation/alter-deliveries.ts';
import { lenient, shown } from '../mutation/alter-documents.ts';
import type { Alter, Fault, ProxiedRequest } from '../mutation/fault.ts';

const ONE = 'getDocument';

const CREATE = 'createDocument';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const INVALID = 'INVALID_ARGUMENT';

const isOdd = (asked: ProxiedRequest) => asked.operation === CREATE && /\u200b/.test(asked.body.toString());

const noteDocument: Alter = async (asked, forward, memory) => {
  const answer = await forward(asked);
  if (asked.operation === CREATE && answer.status === 200 && !memory.notes.has('document'))
    memory.notes.set('document', parse(answer.body).document.id);
  return answer;
};

export const faults: readonly Fault[] = [
  {
    id: 'doc-read-differs',
    rule: 'DOC-1',
    breaks: 'a new document is read back with another title',
    alter: answers(ONE, (json) => {
      json.document.title += ' ';
    }),
  },
  {
    id: 'doc-not-made',
    rule: 'DOC-1',
    breaks: 'a creation is answered and made never',
    alter: answers(CREATE, (json) => {
      json.document.id = UNKNOWN;
    }),
  },
  {
    id: 'doc-new-is-sent',
    rule: 'DOC-2',
    breaks: 'a new document is ON_APPROVAL',
    alter: answers(CREATE, (json) => {
      json.document.status = 'DOCUMENT_STATUS_ON_APPROVAL';
    }),
  },
  {
    id: 'doc-new-completed',
    rule: 'DOC-2',
    breaks: 'a new document has completed_at',
    alter: answers(CREATE, (json) => {
      json.document.completed_at = json.document.create_time;
    }),
  },
  {
    id: 'doc-other-initiator',
    rule: 'DOC-3',
    breaks: 'the initiator is somebody else',
    alter: shown((one) => {
      one.initiator_employee_id = UNKNOWN;
    }),
  },
  {
    id: 'doc-no-initiator',
    rule: 'DOC-4',
    breaks: 'an owner without an employee gets an error that the body is wrong',
    alter: mistaken('DOCUMENT_INITIATOR_NOT_FOUND', INVALID),
  },
  {
    id: 'doc-unconfirmed',
    rule: 'DOC-8',
    breaks: 'an upload that was not confirmed is unknown',
    alter: mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_FOUND'),
  },
  {
    id: 'doc-file-twice',
    rule: 'DOC-11',
    breaks: 'an upload serves two documents',
    alter: lenient(CREATE, 'FILE.ALREADY_LINKED'),
  },
  {
    id: 'doc-other-bytes',
    rule: 'DOC-12',
    breaks: 'the download has a byte more',
    alter: async (asked, forward) => forward(asked),
    storage: heads(everything, (answer, asked) => {
      if (asked.method === 'GET') answer.body = Buffer.concat([answer.body, Buffer.from('\n')]);
    }),
  },
  {
    id: 'doc-number-lost',
    rule: 'DOC-21',
    breaks: 'the number that was given is lost',
    alter: bodies(CREATE, (json) => {
      delete json.number;
    }),
  },
  {
    id: 'doc-subjects-sorted',
    rule: 'DOC-21',
    breaks: 'subjects come back in another order',
    alter: shown((one) => {
      one.subject_employee_ids?.reverse();
    }),
  },
  {
    id: 'doc-creation-told',
    rule: 'DOC-22',
    breaks: 'a creation causes an event',
    alter: noteDocument,
    delivery: alsoReports(
      (json, memory) => json.data?.document_id !== undefined && json.data.document_id !== memory.notes.get('document'),
      (_json, memory) => ({ data: { document_id: memory.notes.get('document') } }),
    ),
  },
  {
    id: 'doc-hour-wrong',
    rule: 'DOC-23',
    breaks: 'create_time is an hour late',
    alter: answers(CREATE, (json) => {
      json.document.create_time = new Date(Date.parse(json.document.create_time) + 3_600_000).toISOString();
    }),
  },
  {
    id: 'doc-placeholder-type',
    rule: 'DOC-24',
    breaks: 'a file has the placeholder for a type',
    alter: shown((one) => {
      for (const file of one.files ?? []) file.file_type = 'FILE_TYPE_UNSPECIFIED';
    }),
  },
  {
    id: 'doc-burns-upload',
    rule: 'DOC-25',
    breaks: 'a refused creation uses the upload up',
    alter: async (asked, forward, memory) => {
      const id = parse(asked.body)?.file_id;
      if (asked.operation === CREATE && id && memory.notes.has(id))
        return made(409, { code: 9, message: 'The upload is taken.', details: [] });
      const answer = await forward(asked);
      if (asked.operation === CREATE && id && answer.status >= 400) memory.notes.set(id, true);
      return answer;
    },
  },
  {
    id: 'doc-two-winners',
    rule: 'DOC-26',
    breaks: 'two of simultaneous creations win',
    alter: lenient(CREATE, 'FILE.ALREADY_LINKED'),
  },
  {
    id: 'doc-no-date',
    rule: 'DOC-30',
    breaks: 'a date that was left out stays empty',
    alter: shown((one) => {
      one.date = '';
    }),
  },
  {
    id: 'doc-size-wrong',
    rule: 'DOC-34',
    breaks: 'the rendered PDF has another size than the answer says',
    alter: shown((one) => {
      for (const file of one.files ?? []) file.size_bytes = '1';
    }),
  },
  {
    id: 'doc-odd-letters',
    rule: 'DOC-36',
    breaks: 'a value with an invisible character is answered 500',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return isOdd(asked) ? { ...answer, status: 500 } : answer;
    },
  },
  {
    id: 'doc-half-rendered',
    rule: 'DOC-36',
    breaks: 'a file that was rendered ends before its end',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'GET' ? { ...answer, body: answer.body.subarray(0, answer.body.length - 64) } : answer;
    },
  },
  {
    id: 'doc-letters-replaced',
    rule: 'DOC-42',
    breaks: 'letters that the fonts lack are replaced',
    alter: bodies(CREATE, ({ template_values }) => {
      for (const [name, value] of Object.entries(template_values ?? {}))
        if (typeof value === 'string') template_values[name] = value.replace(/[\u0590-\u{1ffff}]/gu, '?');
    }),
  },
  {
    id: 'doc-letters-unnamed',
    rule: 'DOC-42',
    breaks: 'the refusal of a letter does not name its variable',
    alter: mistaken(INVALID, INVALID, CREATE),
  },
  {
    id: 'doc-old-version',
    rule: 'DOC-37',
    breaks: 'an earlier version is judged as the newest',
    alter: bodies(CREATE, (json) => {
      delete json.template_version;
    }),
  },
];
